import { expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { asPid } from '../../../app/process/identity.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';

const stat = (pid: number, ticks: number): string =>
  `${pid} (sh) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 ${ticks} 0 0\n`;

const head = [
  'way=procfs',
  'system=Linux',
  'machine=x86_64',
  'boot=btime-1',
  'namespace=1',
  'uid=1000',
  'self=77',
].concat(['ticks=100', 'page=4096', 'home=/h', 'id=', 'curfew=']);

/** The age of process 77 over there when the clocks say this. */
const ageWhen = (hereMs: number, thereSeconds: string): number => {
  const observation = observationIn(
    new Map([
      ['head', [...head, `time=${thereSeconds}`]],
      ['processes', [`/proc/77/stat:${stat(77, 500)}`]],
      ['again', [`/proc/77/stat:${stat(77, 500)}`, `/proc/self/stat:${stat(78, 60_500)}`]],
    ]),
  );
  if (typeof observation === 'string') throw new TypeError(observation);
  const source = new RemoteSource(observation.head, environmentNames);
  source.take(observation, hereMs);
  const table = source.scan();
  return ageSeconds(table, table.rows.get(asPid(77))?.startTicks ?? 0);
};

test('how old a process is over there, no clock tells: neither ours nor the one there, however wrong they are', () => {
  const day = 86_400;
  for (const hereMs of [0, 1_763_690_700_000, 9_999 * day * 1000])
    for (const there of ['', '0', '1763690700', String(40_000 * day)]) expect(ageWhen(hereMs, there)).toBe(600);
});
