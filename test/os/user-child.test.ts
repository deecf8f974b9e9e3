import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAsUser, type UserChild, type UserChildEnd } from '../../main/os/programs/user-child.ts';
import { eventually } from './eventually.ts';
import { isRootOfMachine, manyUsers } from './machine-facts.ts';
import { Children } from './process-source-children.ts';

const uid = 65_533;
const account = { uid, gid: uid };
const environment = { PATH: '/usr/bin:/bin', HOME: '/nonexistent' };

/** Starts under attack. `npm run test:hostile` takes hundreds. */
const starts = Number(process.env['CURFEW_TEST_STARTS'] ?? 40);

let children: Children;
let started: { readonly child: UserChild; readonly ended: Promise<UserChildEnd> }[];

beforeEach(() => {
  children = new Children();
  started = [];
});

afterEach(async () => {
  await children.endAll();
  for (const { child } of started) child.kill();
  await Promise.all(started.map(({ ended }) => ended));
});

const start = (...command: readonly [string, ...string[]]): (typeof started)[number] => {
  const { promise, resolve } = Promise.withResolvers<UserChildEnd>();
  const result = startAsUser(command, account, environment, null, resolve);
  if (!result.ok) throw new Error(result.problem);
  const one = { child: result.child, ended: promise };
  started.push(one);
  return one;
};

const fieldOf = (pid: number, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'mu').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

/** Starts a child as a root that may become a user and nothing else, and kills it. */
const withFewRights = `
import { readFileSync } from 'node:fs';
import { startAsUser } from ${JSON.stringify(join(import.meta.dirname, '../../main/os/programs/user-child.ts'))};
const start = startAsUser(['/bin/sleep', '1000'], { uid: ${uid}, gid: ${uid} }, {}, null, (end) => {
  console.log(end.signal, process.geteuid());
});
if (!start.ok) throw new Error(start.problem);
const comm = () => readFileSync('/proc/' + start.child.pid + '/comm', 'utf8');
const waiting = setInterval(() => {
  if (comm() !== 'sleep\\n') return;
  clearInterval(waiting);
  try { process.kill(start.child.pid, 'SIGKILL'); } catch (error) { console.log(error.code); }
  console.log(start.child.kill());
}, 20);
`;

describe.runIf(isRootOfMachine && manyUsers)('a child of another user', () => {
  test('has the user’s ids, no group, no capability and no way to more', async () => {
    const { child, ended } = start('/bin/sleep', '1000');
    await eventually(() => expect(readFileSync(`/proc/${child.pid}/comm`, 'utf8')).toBe('sleep\n'));
    const all = [uid, uid, uid, uid].join('\t');
    expect(['Uid', 'Gid', 'Groups', 'NoNewPrivs'].map((name) => fieldOf(child.pid, name).trim())).toEqual([
      all,
      all,
      '',
      '1',
    ]);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(fieldOf(child.pid, set)).toMatch(/^0+$/u);
    child.kill();
    expect(await ended).toEqual({ status: null, signal: 'SIGKILL' });
  });

  test('ends with its standard input, and gives signs of life', async () => {
    const { child, ended } = start('/bin/sh', '-c', 'printf . >&3; cat; exit 7');
    await eventually(() => expect(child.gaveSign()).toBe(true));
    expect(child.gaveSign()).toBe(false);
    child.askToEnd();
    expect(await ended).toEqual({ status: 7, signal: null });
  });

  test('that floods its signs is read no further than asked', async () => {
    const { child } = start('/bin/sh', '-c', 'exec cat /dev/zero >&3');
    await eventually(() => expect(child.gaveSign()).toBe(true));
    const written = (): number =>
      Number(/^wchar: (\d+)$/mu.exec(readFileSync(`/proc/${child.pid}/io`, 'latin1'))?.[1] ?? Number.NaN);
    await new Promise((resolve) => setTimeout(resolve, 500));
    // What a pipe holds and what is read ahead; in that time it would have written gigabytes.
    expect(written()).toBeLessThan(2_000_000);
    await eventually(() => expect(child.gaveSign()).toBe(true));
  });

  test('is killed by a root that has no right to signal, and is root again afterwards', () => {
    const few = ['--bounding-set', '-all,+setuid,+setgid', '--inh-caps=-all'];
    const node = [process.execPath, '--no-warnings', '--input-type=module-typescript', '-e', withFewRights];
    const { stdout, stderr } = spawnSync('setpriv', [...few, ...node], { encoding: 'utf8' });
    expect({ said: stdout.trim().split('\n'), stderr }).toEqual({ said: ['EPERM', 'true', 'SIGKILL 0'], stderr: '' });
  });

  test(`is started ${starts} times while that user stops whatever it can, and each start returns`, async () => {
    // Each kill(2) of every process that this user may signal: never outside of a pid namespace.
    // One is enough: of two, each would stop the other.
    await children.startTelling('perl', ['-e', `$| = 1; print "ready\\n"; while (1) { kill 'STOP', -1 }`], {
      uid,
      gid: uid,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (let count = 0; count < starts; count += 1) start('/bin/sleep', '1000');
    await eventually(() => {
      const states = started.map(({ child }) => fieldOf(child.pid, 'State').slice(0, 1));
      expect(states.every((state) => state === 'T')).toBe(true);
    });
    for (const { child } of started) expect(child.kill()).toBe(true);
    const ends = await Promise.all(started.map(({ ended }) => ended));
    expect(ends.every(({ signal }) => signal === 'SIGKILL')).toBe(true);
  });
});
