import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { passes } from '../../../app/process/reader-check.ts';
import * as layouts from '../../../main/os/windows/kernel/layouts.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import { checkedWindows } from '../../windows/checked-windows.ts';
import { playWindows, windowsPlan } from '../../windows/random-windows.ts';
import type { SimulatedWindows } from '../../windows/simulated-windows.ts';

// As `darwin/damaged.test.ts`: each field that is read is damaged, one at a time. Either the
// self-check finds it, and nothing is ended automatically; or no random world has an innocent that
// is hit. `npm test` plays a few worlds, each with one of the damages that are not found;
// CURFEW_TEST_DAMAGED says how many are played with each.
const worldsOfEach = Number(process.env['CURFEW_TEST_DAMAGED'] ?? 0);
const fewWorlds = 16;

/** A stretch of bytes that is read of a struct. */
type Field = readonly [name: string, struct: string, at: number, length: number];

const { processRow, basicInformation, processTimes, parameters, unicodeString, tcpRow, sid } = layouts;

const textFields = (struct: string, name: string, at: number): readonly Field[] => [
  [`${name} length`, struct, at + unicodeString.bytes, 2],
  [`${name} pointer`, struct, at + unicodeString.pointer, 8],
];

const fields: readonly Field[] = [
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

/** What stands in the field instead: always the same, or what stands behind it. */
const damages = {
  'always none': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length),
  'always one': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length).fill(1, at, at + 1),
  'always eight': (bytes: Buffer, at: number, length: number) => bytes.fill(0, at, at + length).fill(8, at, at + 1),
  'all bits': (bytes: Buffer, at: number, length: number) => bytes.fill(0xff, at, at + length),
  'the bytes behind it': (bytes: Buffer, at: number, length: number) =>
    bytes.copy(bytes, at, at + length, at + 2 * length),
} as const;

interface Case {
  readonly name: string;
  readonly field: string;
  readonly damaged: SimulatedWindows['alter'];
}

const cases: readonly Case[] = fields.flatMap(([name, struct, at, length]) =>
  Object.entries(damages).map(([what, damage]) => ({
    name: `${struct} ${name}: ${what}`,
    field: `${struct} ${name}`,
    damaged: (told: string, bytes: Buffer): Buffer => {
      if (told !== struct || bytes.length < at + length) return bytes;
      const copy = Buffer.from(bytes);
      damage(copy, at, length);
      return copy;
    },
  })),
);

/**
 * What no known fact proves, and worlds are judged worse by: a user may not ask about any process
 * that is critical for the system, and starts none.
 */
const unproved: ReadonlySet<string> = new Set(['critical flag']);

/** Whether a Curfew that reads so would end anything automatically. */
const isBelieved = ({ damaged }: Case): boolean => {
  const { kernel, checkNow } = checkedWindows();
  kernel.alter = damaged;
  try {
    return passes(checkNow());
  } catch (error) {
    // The reader did not even open.
    if (error instanceof ProcessTableUnreadable) return false;
    throw error;
  }
};

test('whatever field is damaged: the self-check fails, or no innocent is hit', { timeout: 4 * 3_600_000 }, () => {
  const believed = cases.filter(isBelieved);
  console.log(
    `damaged fields: ${cases.length} damages, ${believed.length} believed: ${believed.map(({ name }) => name).join(', ')}`,
  );
  expect(believed.length).toBeLessThan(cases.length / 2);
  // What a fact proves by now is to be left out of the list.
  expect([...unproved].every((one) => believed.some(({ field }) => field === one))).toBe(true);
  const harmless = believed.filter(({ field }) => !unproved.has(field));
  const worse = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...harmless), windowsPlan, ({ name, damaged }, plan) => {
      for (const one of playWindows(plan, damaged).hit) worse.add(`${name} hits ${one}`);
    }),
    { numRuns: Math.max(fewWorlds, worldsOfEach * harmless.length) },
  );
  expect([...worse]).toEqual([]);
});
