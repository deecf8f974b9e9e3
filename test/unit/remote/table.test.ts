import { expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';

const stat = (pid: number): string => `${pid} (sh) S 1 ${pid} ${pid} 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n`;
const owner = (pid: number): string => `dr-xr-xr-x 9 1000 1000 0 Nov 22 12:00 /proc/${pid}`;

const head = [
  'way=procfs',
  'system=Linux',
  'machine=x86_64',
  'boot=btime-1',
  'namespace=1',
  'uid=1000',
  'self=77',
].concat(['ticks=100', 'page=4096', 'home=/h', 'id=', 'curfew=', 'time=']);

/** The source after an answer that lists these processes and describes those. */
const sourceOf = (listed: readonly number[], described: readonly number[], sockets: readonly string[] = []) => {
  const observation = observationIn(
    new Map([
      ['head', head],
      ['owners', listed.map(owner)],
      ['processes', described.map((pid) => `/proc/${pid}/stat:${stat(pid)}`)],
      ['sockets', sockets],
      ['again', [...described.map((pid) => `/proc/${pid}/stat:${stat(pid)}`), `/proc/self/stat:${stat(78)}`]],
    ]),
  );
  if (typeof observation === 'string') throw new TypeError(observation);
  const source = new RemoteSource(observation.head, environmentNames);
  source.take(observation, 0);
  return source;
};

test('a process that ended while the look was made is counted; those of the script are not', () => {
  expect(sourceOf([30, 77], [30, 77]).scan().missed).toBe(0);
  expect(sourceOf([30, 31, 77, 78, 79], [30, 77]).scan().missed).toBe(1);
});

test('more processes than a machine has are refused', () => {
  const listed = Array.from({ length: 65_537 }, (_, at) => owner(at + 2));
  const again = [`/proc/self/stat:${stat(78)}`];
  expect(
    observationIn(
      new Map([
        ['head', head],
        ['owners', listed],
        ['again', again],
      ]),
    ),
  ).toBe('it names more than 65536 processes');
});

test('the ports on which a process listens over there are those of the latest answer', () => {
  const line = (local: string, state: string): string =>
    `   1: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 10 1 0 20 4 30 10 -1`;
  const source = sourceOf([77], [77], [`tcp\n${line('0100007F:0BB8', '0A')}\n${line('0100007F:0BB9', '01')}`]);
  expect([...source.portsInUse()]).toEqual([3000]);
});
