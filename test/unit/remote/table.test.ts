import { expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { asPid } from '../../../app/process/identity.ts';
import { servedAsLsofTells } from '../../../main/os/darwin/ps/lsof.ts';
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
const sourceOf = (
  listed: readonly number[],
  described: readonly number[],
  sockets: readonly string[] = [],
  parts: ReadonlyMap<string, readonly string[]> = new Map(),
) => {
  const observation = observationIn(
    new Map([
      ['head', head],
      ['owners', listed.map(owner)],
      ['processes', described.map((pid) => `/proc/${pid}/stat:${stat(pid)}`)],
      ['sockets', sockets],
      ['again', [...described.map((pid) => `/proc/${pid}/stat:${stat(pid)}`), `/proc/self/stat:${stat(78)}`]],
      ...parts,
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

/** Far above what an answer takes: a machine may send 64 MB of each. */
const times = 200_000;

test.each([
  ['a number that was made to be slow', 'files', `^77 ${'0'.repeat(times)}x`],
  ['arguments without end', 'joined', `/proc/30/cmdline:${'\u001E'.repeat(times)}`],
  ['variables without end', 'joined', `/proc/30/environ:${'\u001E'.repeat(times)}`],
])('%s: its process is read all the same', (_, part, record) => {
  const parts = new Map([[part, [record]]]);
  expect(sourceOf([30, 77], [30, 77], [], parts).scan().missed).toBe(0);
});

test('a connection whose name was made to be slow is none, and keeps nothing waiting', () => {
  const files = [{ fd: 3, target: ':0->'.repeat(times), deleted: false }];
  expect(servedAsLsofTells({ pid: asPid(30), files, ports: new Set([0]) })).toEqual([]);
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

/** The source after an answer about processes of these names, each the parent of the next. */
const familyOf = (
  members: readonly { readonly name: string; readonly argv?: string; readonly links?: readonly ('r' | 'w')[] }[],
) => {
  const first = 70;
  const last = first + members.length - 1;
  const line = (pid: number): string =>
    stat(pid)
      .replace('(sh)', `(${members[pid - first]?.name ?? 'sh'})`)
      .replace('S 1 ', `S ${pid > first && pid <= last ? pid - 1 : 1} `);
  const pids = [...members.keys()].map((at) => first + at);
  const all = [...pids, 77];
  const per = (make: (pid: number, member: (typeof members)[number]) => readonly string[]): string[] =>
    pids.flatMap((pid, at) => make(pid, members[at] ?? { name: '' }));
  const observation = observationIn(
    new Map([
      ['head', head],
      ['owners', all.map(owner)],
      ['processes', all.map((pid) => `/proc/${pid}/stat:${line(pid)}`)],
      ['arguments', per((pid, { argv = '' }) => (argv === '' ? [] : [`/proc/${pid}/cmdline:${argv}`]))],
      [
        'links',
        per((pid, { links = [] }) =>
          links.flatMap((mode, fd) => [
            `@l${mode === 'r' ? 'r-' : '-w'}x------/proc/${pid}/fd/${fd + 3}`,
            '/tmp/GMfifo70',
          ]),
        ),
      ],
      ['pipes', per((pid, { links = [] }) => links.map((_, fd) => `/proc/${pid}/fd/${fd + 3}:`))],
      ['memory', per((pid) => [`/proc/${pid}/maps:7f00-7f01 rw-s 00000000 00:01 7 /dev/shm/libpod_lock`])],
      ['again', [...all.map((pid) => `/proc/${pid}/stat:${line(pid)}`), `/proc/self/stat:${stat(78)}`]],
    ]),
  );
  if (typeof observation === 'string') throw new TypeError(observation);
  const source = new RemoteSource(observation.head, environmentNames);
  source.take(observation, 0);
  return { source, facts: source.facts([...source.scan().rows.values()]), first };
};

test('over there, too, a build’s pipe and an engine’s locks are told by what holds them', () => {
  const reads = (...members: Parameters<typeof familyOf>[0][number][]) => {
    const { facts, first } = familyOf(members);
    return facts.get(first + members.length - 1)?.readsPipe;
  };
  expect(reads({ name: 'make', links: ['r', 'w'] }, { name: 'cc1', links: ['r'] })).toBeUndefined();
  expect(reads({ name: 'make' }, { name: 'bash', links: ['r'] })).toBe(true);
  expect(reads({ name: 'bash', links: ['r', 'w'] })).toBe(true);
  const sharers = (name: string) => {
    const { source, first } = familyOf([{ name }, { name }]);
    return source.sockets.sharers([new Set([first])], [first, first + 1])[0]?.map(({ holders }) => holders);
  };
  expect([sharers('podman'), sharers('worker')]).toEqual([[], [[71]]]);
});
