import { homedir } from 'node:os';
import { placesEnvironment } from '../../agents/hooks/form/hook-script.ts';
import { startDetached } from '../../os/programs/detached-program.ts';
import { openSource } from '../../os/open-source.ts';
import { isAbandoned } from './abandoned.ts';
import { RunFolder } from '../record/run-folder.ts';
import { unfinishedRuns } from '../record/unfinished.ts';

/**
 * Has what killed `curfew run`s left ended by another process (`curfew runs`), when there is any: for commands that are about something else and shall not wait for
 * anybody's grace. That process gets nothing of this one's environment but where things are: an agent's markers would make it look like one of the agent's commands.
 */
export const spawnAbandonedCleanup = (runs: string): void => {
  const source = openSource({ uid: process.getuid?.() ?? 0, environmentNames: [] });
  const abandoned = unfinishedRuns(runs).some((id) => {
    const record = new RunFolder(runs, id).read();
    return record !== null && record.end === null && isAbandoned(record, source);
  });
  if (!abandoned) return;
  const environment = { ...placesEnvironment(process.env), HOME: homedir(), PATH: process.env['PATH'] ?? '' };
  startDetached([process.execPath, ...process.execArgv, process.argv[1] ?? '', 'runs'], environment);
};
