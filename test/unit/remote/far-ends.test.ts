import { describe, expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import type { ProcessChannels } from '../../../app/process/channels.ts';
import { asPid } from '../../../app/process/identity.ts';
import { farEndsIn } from '../../../main/os/recorded/channels.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { signalLines } from '../../../main/remote/answers/signals.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';

const stat = (pid: number, parent = 1): string =>
  `${pid} (sh) S ${parent} ${pid} ${pid} 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n`;
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

/** What a machine tells of a process 30 beside the shell that answers, which is 77. */
interface Told {
  /** Open files of processes, as find prints them: mode, `PID/fd/FD`, target. */
  readonly files: readonly (readonly [string, string, string])[];
  /** Lines of /proc/net/unix from the fourth column on. */
  readonly unix?: readonly string[];
  readonly peers?: readonly string[];
  readonly pipes?: readonly string[];
}

const sourceOf = ({ files, unix = [], peers, pipes }: Told): RemoteSource => {
  const pids = [30, 31, 77];
  const observation = observationIn(
    new Map([
      ['head', head],
      ['owners', pids.map(owner)],
      ['processes', pids.map((pid) => `/proc/${pid}/stat:${stat(pid)}`)],
      [
        'links',
        [
          ...pids.map((pid) => [`lrwxrwxrwx`, `${pid}/ns/net`, 'net:[7]'] as const),
          ...pids.map((pid) => [`lrwx------`, `${pid}/fd/9`, '/dev/null'] as const),
          ...files,
        ].flatMap(([mode, path, target]) => [`@${mode}/proc/${path}`, target]),
      ],
      ['sockets', ['tcp\n', 'udp\n']],
      [
        'local',
        [
          `unix\n${unix.join('\n')}`,
          ...(peers === undefined ? [] : [`peers\n${peers.join('\n')}`]),
          ...(pipes === undefined ? [] : [`polls\n${pipes.join('\n')}`]),
        ],
      ],
      ['again', [...pids.map((pid) => `/proc/${pid}/stat:${stat(pid)}`), `/proc/self/stat:${stat(78)}`]],
    ]),
  );
  if (typeof observation === 'string') throw new TypeError(observation);
  const source = new RemoteSource(observation.head, environmentNames);
  source.take(observation, 0);
  return source;
};

const channelsOf = (told: Told): ProcessChannels => {
  const channels = sourceOf(told).channels?.().of(30) ?? null;
  if (channels === null) throw new TypeError('its files can’t be seen');
  return channels;
};

const socket = (fd: number, inode: number, pid = 30) => ['lrwx------', `${pid}/fd/${fd}`, `socket:[${inode}]`] as const;
const pair = (inode: number, name = ''): string => `00000000 0001 03 ${inode}${name}`;

describe('what is printed of other ends', () => {
  test('a socket with two lines is unknown, for a name can look like a line', () => {
    const { sockets } = farEndsIn('10 11 <->\n20 0 ---\n10 0 ---', null);
    expect(sockets).toEqual(new Map([['20', { peer: '0', shut: true }]]));
  });

  test('without ss no socket is known; what makes no sense is passed over', () => {
    expect(farEndsIn(null, '30 1 closed\n30 x closed\n30 2 perhaps\n')).toEqual({
      sockets: null,
      pipes: new Map([['30 1', 'closed']]),
      terminals: new Map(),
    });
  });
});

describe('the far end of a pair of sockets over there', () => {
  const files = [socket(0, 100)];

  test('is closed only where it has none and is shut', () => {
    expect(channelsOf({ files, unix: [pair(100)], peers: ['100 0 ---'] }).standard[0]).toEqual({
      kind: 'pair',
      far: 'closed',
    });
    expect(channelsOf({ files, unix: [pair(100)], peers: ['100 0'] }).standard[0].far).toBe('unknown');
  });

  test('one without another end that is not shut waits to be accepted, and is no channel', () => {
    const channels = channelsOf({ files, unix: [pair(100)], peers: ['100 0 <->'] });
    expect(channels).toMatchObject({ standard: [{ kind: 'other' }, {}, {}], held: [], complete: true });
  });

  test('is open where another socket is there', () => {
    const { held } = channelsOf({ files, unix: [pair(100), pair(101)], peers: ['100 101 <->'] });
    expect(held).toMatchObject([{ far: 'open', otherEnd: 'socket:[101]' }]);
  });

  test.each([
    ['there is no ss', { files, unix: [pair(100)] }],
    ['ss does not show it', { files, unix: [pair(100)], peers: [] }],
    ['it is of another network namespace', { files, peers: ['100 0 ---'] }],
  ])('is unknown where %s, and the process counts as a server all the same', (_why, told) => {
    const { standard, complete } = channelsOf(told);
    expect({ end: standard[0], complete }).toEqual({ end: { kind: 'pair', far: 'unknown' }, complete: false });
  });

  test('a socket with a name is no private channel', () => {
    const unix = [pair(100, ' /run/bus'), pair(101)];
    expect(channelsOf({ files, unix, peers: ['100 101 <->'] }).standard[0].kind).toBe('named');
    expect(channelsOf({ files: [socket(0, 101)], unix, peers: ['101 100 <->'] }).standard[0].kind).toBe('named');
  });
});

describe('the far end of a pipe over there', () => {
  const input = ['lr-x------', '30/fd/0', 'pipe:[200]'] as const;

  test('is what poll says of it', () => {
    expect(channelsOf({ files: [input], pipes: ['30 0 closed'] }).standard[0]).toEqual({ kind: 'pipe', far: 'closed' });
    expect(channelsOf({ files: [input], pipes: ['30 0 open'] }).held[0]?.otherEnd).toBe('pipe:[200] write');
  });

  test('is unknown without perl, unless a process is seen to hold it', () => {
    expect(channelsOf({ files: [input] }).standard[0].far).toBe('unknown');
    const other = (mode: string) => [mode, '31/fd/1', 'pipe:[200]'] as const;
    expect(channelsOf({ files: [input, other('l-wx------')] }).standard[0].far).toBe('open');
    expect(channelsOf({ files: [input, other('lr-x------')] }).standard[0].far).toBe('unknown');
  });

  test('one that is open both ways keeps itself open', () => {
    expect(
      channelsOf({ files: [['lrwx------', '30/fd/0', 'pipe:[200]']], pipes: ['30 0 closed'] }).standard[0].far,
    ).toBe('open');
  });
});

describe('a signal to a server that no process can speak to', () => {
  const unix = [pair(100), pair(101)];
  const linesFor = (told: Told): readonly string[] => {
    const source = sourceOf(told);
    const row = source.read(asPid(30));
    if (row === null) throw new TypeError('it is not there');
    const process = { bootId: source.bootId, pid: row.pid, startTicks: row.startTicks };
    const boot = { way: 'procfs', id: 'btime-1', namespace: '1', uid: 1000, names: '^(A)=' } as const;
    const order = { to: 'process', signal: 'TERM', process } as const;
    const ends = source.abandonedEnds({ members: [{ row, by: ['env'] }] });
    return signalLines(boot, [order], source.reader(), ends).filter((_line, at, all) => all[at - 1] === 'ends 30');
  };

  test('goes with its sockets and pipes, which are asked again', () => {
    const files = [socket(10, 100), socket(0, 102), ['l-wx------', '30/fd/1', 'pipe:[200]'] as const];
    const told = { files, unix: [pair(100), pair(102)], peers: ['100 0 ---', '102 0 ---'], pipes: ['30 1 closed'] };
    expect(linesFor(told)).toEqual([
      '=0 rwx socket:[102] closed\u001F1 -wx pipe:[200] closed\u001F10 rwx socket:[100] closed\u001F',
    ]);
  });

  test('can’t be confirmed where a process outside holds an end', () => {
    const files = [socket(0, 100), socket(3, 101, 31)];
    expect(linesFor({ files, unix, peers: ['100 101 <->', '101 100 <->'] })).toEqual(['=spoken to']);
    expect(linesFor({ files, unix })).toEqual(['=spoken to']);
  });

  test('one that speaks with itself is none of them', () => {
    const files = [socket(3, 100), socket(4, 101)];
    expect(linesFor({ files, unix, peers: ['100 101 <->', '101 100 <->'] })).toEqual([
      '=3 rwx socket:[100] other\u001F4 rwx socket:[101] other\u001F',
    ]);
  });
});
