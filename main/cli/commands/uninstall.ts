import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { autostartInputHere, machineHere } from '../../autostart/plans.ts';
import { disableAutostart } from '../../autostart/autostart.ts';
import { withEngine } from '../../engine/engine.ts';
import { supervisorInWords } from '../../home/supervisor-lock-holder.ts';
import { unfinishedRuns } from '../../run/record/unfinished.ts';
import { placesHere } from '../../store/places.ts';
import { sparedPlaces } from '../../store/spared/spared-file.ts';
import { type OwnFolder, ownFolders, removeOwn } from '../../store/remove-own.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { agrees } from '../common/agrees.ts';
import { type ExitStatus, exitStatus, notDone } from '../common/exit-status.ts';
import { type Output, writeJson } from '../common/output.ts';
import { worded, words } from '../common/words.ts';
import { hookEntries } from './hook-entries.ts';
import { hooks } from './hooks.ts';

/** Options of `curfew uninstall`, checked. */
export interface UninstallOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Takes hooks, the MCP server and the status line out of the agents' settings, or shows that. */
const outOfAgents = async (dryRun: boolean, output: Output): Promise<boolean> => {
  const options = { json: false, dryRun };
  const done = [
    await hookEntries('statusline', 'uninstall', [], options, output),
    await hookEntries('mcp', 'uninstall', [], options, output),
    await hooks('uninstall', [], options, output),
  ];
  return done.every((status) => status === exitStatus.done);
};

const folderLines = (folders: readonly OwnFolder[]): readonly string[] =>
  folders.flatMap(({ path, files, foreign }) => [
    ...(files.length === 0 ? [] : [visibleText(path), ...files.map((file) => `  - ${visibleText(file)}`)]),
    ...foreign.map((file) => worded('Stays, because it may not be Curfew’s: {file}', { file: visibleText(file) })),
  ]);

/** Removes a file; returns why it stays. */
const removeFile = (path: string): readonly string[] => {
  try {
    rmSync(path, { force: true });
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
};

/** @throws NotDone while a Curfew runs that would write its files again */
const refuseWhileRunning = (output: Output): Promise<void> =>
  withEngine({ uid: null, warn: output.warn, onlyLooks: true, keepsNothing: () => true }, async (engine) => {
    const supervisor = supervisorInWords(engine);
    if (supervisor !== null) throw notDone('Curfew is running: {supervisor}. End it first.', { supervisor });
    const [run] = unfinishedRuns(engine.places.runs);
    if (run !== undefined)
      throw notDone('A supervised run is not over: {run}. `curfew terminate {run}` ends it.', { run });
  });

/**
 * `curfew uninstall`: takes out of this home what Curfew put into it: hooks, entries, start at
 * login, its folders. Shows them, but for start at login, and asks. The program itself goes as it
 * came (npm, apt).
 * @throws NotDone while a Curfew or a run goes on
 */
export const uninstall = async ({ json, dryRun, yes }: UninstallOptions, output: Output): Promise<ExitStatus> => {
  await refuseWhileRunning(output);
  const places = placesHere(homedir());
  const quiet: Output = json ? { ...output, write: async () => undefined } : output;
  const folders = ownFolders(places);
  await outOfAgents(true, quiet);
  await quiet.write(`${[worded('Files and folders that go:'), ...folderLines(folders)].join('\n')}\n`);
  const asks = !dryRun && !yes && !json && output.isTerminal && process.stdin.isTTY;
  const isAgreed = !dryRun && (yes || (asks && (await agrees(worded('Remove all of this? [y/N] ')))));
  if (!isAgreed) {
    if (!dryRun) output.warn(worded('curfew: nothing was removed; `curfew uninstall --yes` removes without asking'));
    if (json)
      await writeJson(output, {
        schema: 1,
        dryRun,
        removed: [],
        left: folders.flatMap(({ files }) => files),
        problems: [],
      });
    return dryRun || asks ? exitStatus.done : exitStatus.notDone;
  }
  const isOut = await outOfAgents(false, quiet);
  const autostart = disableAutostart(machineHere(), autostartInputHere());
  // The folder of hooks is removed last: until then an agent that runs may call them.
  const found = ownFolders(places);
  const problems = [
    ...(autostart.problem === null ? [] : [words(autostart.problem)]),
    ...removeOwn(found),
    // The copies of what is spared, for this boot, lie outside of the home.
    ...sparedPlaces(places).flatMap(removeFile),
  ];
  for (const text of problems) output.warn(`curfew: ${visibleText(text)}`);
  const left = found.flatMap(({ foreign }) => foreign);
  if (json) {
    const removed = found.flatMap(({ files }) => files);
    await writeJson(output, { schema: 1, dryRun, removed, left, problems });
  } else if (problems.length === 0)
    await output.write(
      `${worded(left.length === 0 ? 'Nothing of Curfew is left in this home. The program goes as it came: `npm uninstall -g curfew`, `apt remove curfew`.' : 'What may not be Curfew’s stays. The program goes as it came: `npm uninstall -g curfew`, `apt remove curfew`.')}\n`,
    );
  return isOut && problems.length === 0 ? exitStatus.done : exitStatus.notDone;
};
