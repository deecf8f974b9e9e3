import { passes } from '../../app/process/reader-check.ts';
import { ProcessTableUnreadable } from '../../main/os/processes/source.ts';
import * as layouts from '../../main/os/windows/kernel/layouts.ts';
import { damagesOf, nearLimits, type DamagedKernel } from '../played/damages.ts';
import { checkedWindows } from './checked-windows.ts';
import { playWindows, windowsPlan } from './random-windows.ts';
import type { WindowsPlan } from './windows-world.ts';

/** A field: its name, its struct, where in it, how long. */
type Stretch = readonly [name: string, struct: string, at: number, length: number];

const { processRow, basicInformation, processTimes, parameters, unicodeString, tcpRow, sid } = layouts;

const textFields = (struct: string, name: string, at: number): readonly Stretch[] => [
  [`${name} length`, struct, at + unicodeString.bytes, 2],
  [`${name} pointer`, struct, at + unicodeString.pointer, 8],
];

const fields: readonly Stretch[] = [
  ['next', 'row', processRow.next, 4],
  ['threads', 'row', processRow.threads, 4],
  ['created', 'row', processRow.created, 8],
  ['user time', 'row', processRow.user, 8],
  ['kernel time', 'row', processRow.kernel, 8],
  ['name length', 'row', processRow.nameBytes, 2],
  ['name pointer', 'row', processRow.name, 8],
  ['pid', 'row', processRow.pid, 8],
  ['parent', 'row', processRow.parent, 8],
  ['session', 'row', processRow.session, 4],
  ['working set', 'row', processRow.workingSet, 8],
  ['peb', 'basic', basicInformation.peb, 8],
  ['pid', 'basic', basicInformation.pid, 8],
  ['parent', 'basic', basicInformation.parent, 8],
  ['created', 'times', processTimes.created, 8],
  ['ended', 'times', processTimes.ended, 8],
  ['kernel time', 'times', processTimes.kernel, 8],
  ['user time', 'times', processTimes.user, 8],
  ['id', 'session', 0, 4],
  ['flag', 'critical', 0, 4],
  ['flag', 'critical answer', 0, 4],
  ['port', 'debug port', 0, 8],
  ...textFields('image', 'path', 0),
  ['debugged', 'peb', layouts.pebBeingDebugged, 1],
  ['parameters', 'peb', layouts.pebParameters, 8],
  ['console', 'parameters', parameters.console, 8],
  ['input', 'parameters', parameters.standard[0], 8],
  ['output', 'parameters', parameters.standard[1], 8],
  ['error', 'parameters', parameters.standard[2], 8],
  ...textFields('parameters', 'folder', parameters.folder),
  ...textFields('parameters', 'command line', parameters.commandLine),
  ['environment', 'parameters', parameters.environment, 8],
  ['environment length', 'parameters', parameters.environmentBytes, 8],
  ['revision', 'user', sid.inTokenUser, 1],
  ['count', 'user', sid.inTokenUser + sid.count, 1],
  ['user', 'user', sid.inTokenUser + sid.header + 16, 4],
  ['flag', 'elevation', 0, 4],
  ['count', 'integrity', sid.inTokenUser + sid.count, 1],
  ['level', 'integrity', sid.inTokenUser + sid.header, 4],
  ['state', 'tcp', tcpRow.tcp4.state, 4],
  ['local address', 'tcp', tcpRow.tcp4.local, 4],
  ['local port', 'tcp', tcpRow.tcp4.localPort, 2],
  ['remote address', 'tcp', tcpRow.tcp4.remote, 4],
  ['remote port', 'tcp', tcpRow.tcp4.remotePort, 2],
  ['pid', 'tcp', tcpRow.tcp4.pid, 4],
];

/** A Windows of which each field is damaged. */
export const damagedWindows: DamagedKernel<WindowsPlan> = {
  damages: damagesOf(
    fields.map(([name, struct, at, length]) => ({ name: `${struct} ${name}`, structs: [struct], at, length })),
    8,
  ),
  isBelieved: (change) => {
    const { kernel, checkNow } = checkedWindows();
    kernel.alter = change;
    try {
      return passes(checkNow());
    } catch (error) {
      // The reader did not even open.
      if (error instanceof ProcessTableUnreadable) return false;
      throw error;
    }
  },
  plans: windowsPlan,
  play: (plan, change) => playWindows(plan, change, nearLimits),
};
