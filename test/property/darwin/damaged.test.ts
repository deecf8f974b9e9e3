import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { passes } from '../../../app/process/reader-check.ts';
import type { KernelAnswer } from '../../../main/os/darwin/kernel/kernel.ts';
import * as layouts from '../../../main/os/darwin/kernel/layouts.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import { checkedMac } from '../../darwin/checked-mac.ts';
import { macPlan, playMac } from '../../darwin/random-mac.ts';

// Each field that is read is damaged, one at a time. Either the self-check finds it, and nothing is
// ended automatically; or no random world has an innocent that is hit. `npm test` plays a few
// worlds, each with one of the damages that are not found; `npm run test:darwin` plays 200 with
// each: CURFEW_TEST_DAMAGED says how many.
const worldsOfEach = Number(process.env['CURFEW_TEST_DAMAGED'] ?? 0);
const fewWorlds = 16;

const kinds = { u8: 1, u16: 2, u16be: 2, u32: 4, i32: 4, i64: 8, u64: 8, address: 8 } as const;

/** A stretch of bytes that is read of the answers to some calls. */
interface Field {
  readonly name: string;
  readonly calls: readonly string[];
  readonly at: number;
  readonly length: number;
  /** Answers hold so many bytes for each of a list. */
  readonly every: number;
}

const fieldsOf = (struct: string, calls: readonly string[], layout: layouts.Layout): readonly Field[] =>
  Object.entries(layout.fields).map(([name, [kind, at]]) => ({
    name: `${struct}.${name}`,
    calls,
    at,
    length: kinds[kind],
    every: layout.size,
  }));

const text = (name: string, calls: readonly string[], at: number, length: number, every: number): Field => ({
  name,
  calls,
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

/** What stands in the field instead: always the same, or what stood beside it. */
const damages = {
  'always none': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length),
  'always one': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length).fill(1, at, at + 1),
  'always nine': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length).fill(9, at, at + 1),
  'all bits': (bytes: Buffer, at: number, length: number) => bytes.fill(0xff, at, at + length),
  'the bytes behind it': (bytes: Buffer, at: number, length: number) =>
    bytes.copy(bytes, at, at + length, at + 2 * length),
} as const;

const cases = fields.flatMap((field) =>
  Object.entries(damages).map(([what, damage]) => ({
    name: `${field.name}: ${what}`,
    damaged: (call: string, answer: KernelAnswer): KernelAnswer => {
      if (!field.calls.includes(call) || answer.errno !== 0) return answer;
      const bytes = Buffer.from(answer.bytes);
      for (let at = field.at; at + field.length <= bytes.length; at += field.every) damage(bytes, at, field.length);
      return { ...answer, bytes };
    },
  })),
);

/** Whether a Curfew that reads so would end anything automatically. */
const isBelieved = (damaged: (typeof cases)[number]['damaged']): boolean => {
  const { kernel, check } = checkedMac();
  kernel.alter = (call, answer) => damaged(call, answer);
  try {
    return passes(check());
  } catch (error) {
    // The reader did not even open.
    if (error instanceof ProcessTableUnreadable) return false;
    throw error;
  }
};

test('whatever field is damaged: the self-check fails, or no innocent is hit', { timeout: 4 * 3_600_000 }, () => {
  const believed = cases.filter(({ damaged }) => isBelieved(damaged));
  console.log(
    `damaged fields: ${cases.length} damages, ${believed.length} believed: ${believed.map(({ name }) => name).join(', ')}`,
  );
  expect(believed.length).toBeLessThan(cases.length / 2);
  const worse = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...believed), macPlan, ({ name, damaged }, plan) => {
      for (const one of playMac(plan, damaged).hit) worse.add(`${name} hits ${one}`);
    }),
    { numRuns: Math.max(fewWorlds, worldsOfEach * believed.length) },
  );
  expect([...worse]).toEqual([]);
});
