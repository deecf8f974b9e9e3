import { passes } from '../../app/process/reader-check.ts';
import * as layouts from '../../main/os/darwin/kernel/layouts.ts';
import { ProcessTableUnreadable } from '../../main/os/processes/source.ts';
import { damagesOf, nearLimits, type Change, type DamagedKernel, type Field } from '../played/damages.ts';
import { checkedMac } from './checked-mac.ts';
import { macPlan, playMac } from './random-mac.ts';
import type { MacPlan } from './mac-world.ts';
import type { SimulatedKernel } from './simulated-kernel.ts';

const kinds = { u8: 1, u16: 2, u16be: 2, u32: 4, i32: 4, i64: 8, u64: 8, address: 8 } as const;

const fieldsOf = (struct: string, structs: readonly string[], layout: layouts.Layout): readonly Field[] =>
  Object.entries(layout.fields).map(([name, [kind, at]]) => ({
    name: `${struct}.${name}`,
    structs,
    at,
    length: kinds[kind],
    every: layout.size,
  }));

const text = (name: string, structs: readonly string[], at: number, length: number, every: number): Field => ({
  name,
  structs,
  at,
  length,
  every,
});

const rows = ['table', 'row'];
const { processLayout, processName, folderPath, foldersLayout, filePath, fileLayout, socketLayout } = layouts;
const fields: readonly Field[] = [
  ...fieldsOf('process', rows, processLayout),
  text('process.name', rows, processName.offset, processName.length, processLayout.size),
  ...fieldsOf('ids', ['info 17'], layouts.uniqueIdsLayout),
  ...fieldsOf('coalitions', ['info 20'], layouts.coalitionsLayout),
  ...fieldsOf('usage', ['usage'], layouts.usageLayout),
  ...fieldsOf('task', ['info 4'], layouts.taskLayout),
  ...fieldsOf('folders', ['info 9'], foldersLayout),
  text('folders.path', ['info 9'], folderPath.offset, folderPath.length, foldersLayout.size),
  ...fieldsOf('descriptor', ['info 1'], layouts.descriptorLayout),
  ...fieldsOf('file', ['file 2'], fileLayout),
  text('file.path', ['file 2'], filePath.offset, filePath.length, fileLayout.size),
  ...fieldsOf('socket', ['file 3'], socketLayout),
  text('socket.foreign', ['file 3'], layouts.socketAddresses.foreign, 16, socketLayout.size),
  text('socket.local', ['file 3'], layouts.socketAddresses.local, 16, socketLayout.size),
  text('socket.own', ['file 3'], layouts.socketNames.own, layouts.socketNames.length, socketLayout.size),
  text('socket.peer', ['file 3'], layouts.socketNames.peer, layouts.socketNames.length, socketLayout.size),
  ...fieldsOf('pipe', ['file 6'], layouts.pipeLayout),
  text('session', ['session'], 0, 4, 4),
  text('signature', ['signature'], 0, 4, 4),
];

/** Answers are changed, and no refusals. */
const altering =
  (change: Change): SimulatedKernel['alter'] =>
  (call, answer) =>
    answer.errno === 0 ? { ...answer, bytes: change(call, answer.bytes) } : answer;

/** A Mac of which each field is damaged. */
export const damagedMac: DamagedKernel<MacPlan> = {
  damages: damagesOf(fields, 9),
  isBelieved: (change) => {
    const { kernel, check } = checkedMac();
    kernel.alter = altering(change);
    try {
      return passes(check());
    } catch (error) {
      // The reader did not even open.
      if (error instanceof ProcessTableUnreadable) return false;
      throw error;
    }
  },
  plans: macPlan,
  play: (plan, change) => playMac(plan, altering(change), nearLimits),
};
