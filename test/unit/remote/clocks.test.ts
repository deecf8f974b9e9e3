import { describe, expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { asPid } from '../../../app/process/identity.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { type Observation, observationIn } from '../../../main/os/recorded/observation.ts';
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

/** What the machine over there answers, by its own clocks. */
const observed = (nowTicks: number, ...clocks: readonly string[]): Observation => {
  const observation = observationIn(
    new Map([
      ['head', [...head, ...clocks]],
      ['processes', [`/proc/77/stat:${stat(77, 500)}`]],
      ['again', [`/proc/77/stat:${stat(77, 500)}`, `/proc/self/stat:${stat(78, nowTicks)}`]],
    ]),
  );
  if (typeof observation === 'string') throw new TypeError(observation);
  return observation;
};

/** The age of process 77 over there when the clocks say this. */
const ageWhen = (hereMs: number, thereSeconds: string): number => {
  const observation = observed(60_500, `time=${thereSeconds}`);
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

describe('how long a machine over there slept', () => {
  /** What looks two seconds after one another tell, which find the clocks so many seconds apart. */
  const toldOf = (...apart: readonly number[]) => {
    const up = 6_000_000;
    const looks = apart.map((seconds, at) => {
      const nowTicks = up + at * 200;
      return observed(nowTicks, 'time=', `awake=${(nowTicks / 100 - seconds) * 1000}`);
    });
    const [first] = looks;
    if (first === undefined) throw new TypeError('no look');
    const source = new RemoteSource(first.head, environmentNames);
    return looks.map((look) => {
      source.take(look, 0);
      return (source.scan().suspendedTicks ?? Number.NaN) / 100;
    });
  };

  test('is told by its clocks, but for what a drift since its boot explains', () => {
    expect(toldOf(59, 3600)).toEqual([0, 3600]);
    expect(toldOf(3600)).toEqual([3600]);
  });

  test('does not change where a look takes longer or another processor is asked, also near that limit', () => {
    expect(toldOf(68.1, 68.8, 75, 68.1)).toEqual([68.1, 68.1, 68.1, 68.1]);
    expect(toldOf(59.9, 60.1, 59.9, 60.1)).toEqual([0, 60.1, 60.1, 60.1]);
  });
});
