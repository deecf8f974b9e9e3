import { homedir } from 'node:os';
import { placesEnvironment } from '../../agents/hooks/form/hook-script.ts';
import { startDetached } from '../../os/programs/detached-program.ts';
import { passedOn } from '../../os/programs/passed-on.ts';
import { openMachine } from '../../os/open-machine.ts';
import { keptChecks } from '../../store/kept-checks.ts';
import type { Places } from '../../store/places.ts';
import { isAbandoned } from './abandoned.ts';
import { RunFolder } from '../record/run-folder.ts';
import { unfinishedRuns } from '../record/unfinished.ts';

/** Where Windows keeps a user's files, which may be moved; Node adds the rest that it needs. */
const windowsPlaces = ['APPDATA', 'LOCALAPPDATA'];

/**
 * Starts `curfew runs` in a process of its own to end abandoned runs, if there are any. For
 * commands about something else, which do not wait for the grace of a run. The process gets only
 * the variables that name Curfew's places: with an agent's markers it would look like a command of
 * the agent.
 */
export const spawnAbandonedCleanup = (places: Pick<Places, 'runs' | 'state'>): void => {
  const { runs } = places;
  const { source } = openMachine({
    uid: process.getuid?.() ?? 0,
    environmentNames: [],
    proves: false,
    kept: keptChecks(places),
  });
  const abandoned = unfinishedRuns(runs).some((id) => {
    const record = new RunFolder(runs, id).read();
    return record !== null && record.end === null && isAbandoned(record, source);
  });
  if (!abandoned) return;
  const environment = {
    ...placesEnvironment(process.env),
    ...passedOn(windowsPlaces),
    HOME: homedir(),
    PATH: process.env['PATH'] ?? '',
  };
  startDetached([process.execPath, ...process.execArgv, process.argv[1] ?? '', 'runs'], environment);
};
