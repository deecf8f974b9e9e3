import { describe, expect, test } from 'vitest';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { ageSeconds } from '../../../app/process/table.ts';
import { asPid } from '../../../app/process/identity.ts';
import { type Observation, observationIn } from '../../../main/os/recorded/observation.ts';
import { psStartWord } from '../../../main/os/recorded/ps-way.ts';
import { signalLines } from '../../../main/remote/answers/signals.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';

const head = [
  'way=ps',
  'system=Darwin',
  'machine=arm64',
  'boot=0a0b0c0d-0000-4000-8000-000000000000',
  'namespace=',
].concat(['uid=501', 'self=77', 'ticks=100', 'page=16384', 'home=/Users/me', 'id=', 'time=', 'curfew=']);

/** Parts of an answer in the form that Apple's ps prints in the C locale. */
const answered = (more: Readonly<Record<string, readonly string[]>> = {}): Observation => {
  const told = observationIn(
    new Map(
      Object.entries({
        head,
        fields: [
          '    1     0     1      0  ??         0 Ss   Thu Nov 20 08:00:00 2025  12:34.56  20480',
          '   77     1    77      0  ??       501 Ss   Fri Nov 21 02:00:00 2025   0:00.01   2048',
          '   90    77    90      0  ttys001  501 S+   Sat Nov  1 02:05:00 2025   1:00.00   2048',
        ],
        commands: [
          '    1 Thu Nov 20 08:00:00 2025     /sbin/launchd',
          '   77 Fri Nov 21 02:00:00 2025     /bin/bash -c sleep 7777 | cat',
          String.raw`   90 Sat Nov  1 02:05:00 2025     /bin/zsh -c echo a\012echo M-CM-)`,
        ],
        kept: ['90'],
        started: ['   77 Fri Nov 21 02:00:00 2025', '   90 Sat Nov  1 02:05:00 2025'],
        now: ['Fri Nov 21 02:10:00 2025'],
        ...more,
      }),
    ),
  );
  if (typeof told === 'string') throw new TypeError(told);
  return told;
};

const sourceOf = (observation: Observation): RemoteSource => {
  const source = new RemoteSource(observation.head, environmentNames);
  source.take(observation, 0);
  return source;
};

describe('a machine that has only ps', () => {
  test('its processes are rows: groups, sessions, ages by its own clock, commands as they were typed', () => {
    const { rows, ...table } = sourceOf(answered()).scan();
    const shell = rows.get(asPid(77));
    expect(shell).toMatchObject({
      ppid: 1,
      pgid: 77,
      sid: 77,
      uid: 501,
      argv: ['/bin/bash', '-c', 'sleep 7777 | cat'],
    });
    expect(ageSeconds({ rows, ...table }, shell?.startTicks ?? 0)).toBe(600);
    expect(rows.get(asPid(90))).toMatchObject({ tty: 1, cpuMs: 60_000, argv: ['/bin/zsh', '-c', 'echo a\necho é'] });
    expect(table.complete).toBe(true);
  });

  test('of environments only CURFEW_KEEP is known; nothing of open files and control groups', () => {
    const source = sourceOf(answered());
    const rows = [...source.scan().rows.values()];
    expect(rows.map((row) => source.environment(row))).toEqual([null, null, { CURFEW_KEEP: '1' }]);
    expect(source.facts(rows).get(77)).toMatchObject({ environment: null, openFiles: null, cgroups: null, ports: [] });
  });

  test('a process that has become another one, or was not seen a second time, is not described', () => {
    const observation = answered({ started: ['   77 Fri Nov 21 02:00:01 2025'] });
    const read = ((source) => {
      source.take(observation, 0);
      return source.reader();
    })(new RemoteSource(observation.head, environmentNames));
    const { bootId, rows } = sourceOf(observation).scan();
    const startTicks = rows.get(asPid(77))?.startTicks ?? 0;
    expect(read({ bootId, pid: asPid(77), startTicks })).toBeNull();
  });

  test('a process that writes lines of others gives no process another command', () => {
    const forged = [
      '   77 Fri Nov 21 02:00:00 2025     /bin/bash -c sleep 7777 | cat',
      '   90 Sat Nov  1 02:05:00 2025     evil',
      '   77 Fri Nov 21 02:00:00 2025     /bin/bash -c rm',
    ];
    expect(
      sourceOf(answered({ commands: forged }))
        .scan()
        .rows.get(asPid(77))?.argv,
    ).toEqual([]);
  });

  test('what is to be signalled is told by its start and its command, in one word and one line', () => {
    const observation = answered();
    const source = sourceOf(observation);
    const { bootId, rows } = source.scan();
    const startTicks = rows.get(asPid(77))?.startTicks ?? 0;
    const process = { bootId, pid: asPid(77), startTicks };
    const boot = { way: 'ps' as const, id: 'b', namespace: '', uid: 501, names: '^(A)=' };
    const lines = signalLines(boot, [{ to: 'process', signal: 'TERM', process }], source.reader());
    expect(lines.slice(4)).toEqual([
      'process 77 Fri_Nov_21_02:00:00_2025',
      '=/bin/bash -c sleep 7777 | cat\u001E',
      'one TERM 77',
    ]);
    expect(psStartWord('   90 77 90 0 ttys001  501 S+   Sat Nov  1 02:05:00 2025   1:00.00   2048')).toBe(
      'Sat_Nov_1_02:05:00_2025',
    );
  });
});
