import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import { HeldFiles } from '../../../../main/os/darwin/ps/held-files.ts';
import { DarwinSource } from '../../../../main/os/darwin/ps/source.ts';

/** It has no getsid(2), which the reader binds. */
const isWindows = process.platform === 'win32';

const line = (pid: number, args: string): string =>
  `${pid} 1 ${pid} 0 ?? 501 S Fri Nov 21 01:22:59 2025 0:00.02 2224 ${args}`;

/** A Mac with as many processes beside launchd and this one, and the programs that were started. */
const mac = (count: number) => {
  const started: string[] = [];
  const all = [
    line(1, '/sbin/launchd'),
    line(process.pid, 'curfew'),
    ...Array.from({ length: count }, (_, at) => line(process.pid + 1 + at, 'node server.js')),
  ];
  const source = new DarwinSource({
    environmentNames: [],
    uid: 501,
    readBootId: () => 'this boot',
    runPs: (args) => {
      started.push('ps');
      const pid = args.at(-2) === '-p' ? Number(args.at(-1)) : null;
      return all.filter((one) => pid === null || one.startsWith(`${pid} `)).join('\n');
    },
    held: new HeldFiles(() => {
      started.push('lsof');
      return new Promise(() => undefined);
    }),
  });
  return { source, started };
};

test.skipIf(isWindows)(
  'a look starts one program, whatever is asked about it, and beside many looks runs one lsof',
  () => {
    const { source, started } = mac(2_000);
    const { rows, complete } = source.scan(new Set());
    expect([rows.size, complete]).toEqual([2_002, true]);
    for (const row of rows.values()) source.outputs(row);
    const facts = source.facts([...rows.values()]);
    expect(started).toEqual(['ps']);
    expect(facts.get(process.pid + 1)).toMatchObject({ openFiles: null, cwd: null, environment: null });
    for (let look = 0; look < 10; look += 1) source.facts([...source.scan(new Set()).rows.values()]);
    expect(started.filter((one) => one === 'ps')).toHaveLength(11);
    expect(started.filter((one) => one === 'lsof')).toHaveLength(1);
  },
);

test.skipIf(isWindows)('one process is confirmed with one program', () => {
  const { source, started } = mac(1);
  const row = source.scan(new Set()).rows.get(asPid(process.pid + 1));
  expect(source.read(asPid(process.pid + 1))).toEqual(row);
  expect(started).toEqual(['ps', 'ps']);
});

test('the native reader can start no program', () => {
  const folder = join(import.meta.dirname, '../../../../main/os/darwin');
  const files = ['kernel', 'native', 'common'].flatMap((one) =>
    readdirSync(join(folder, one)).map((name) => readFileSync(join(folder, one, name), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((text) => /child_process|\/ps\//u.test(text))).toEqual([]);
});
