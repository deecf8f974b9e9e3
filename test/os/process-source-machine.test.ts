import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asPid } from '../../app/process/identity.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { Children, running } from './process-source-children.ts';
import { manyUsers, readableNode, readableRoot } from './machine-facts.ts';

/**
 * Machines that show less: each is a namespace of its own, read by Curfew's source in a separate
 * node.
 */

const module = (path: string): string => JSON.stringify(pathToFileURL(join(readableRoot, path)).href);

const opening = `
  const { LinuxSource } = await import(${module('main/os/linux/source.ts')});
  const open = () => new LinuxSource({ environmentNames: ['CLAUDECODE'], uid: process.getuid() });
  const tell = (what) => console.log(JSON.stringify(what));
`;

/** Runs a shell script whose "$NODE" runs `script` after `opening`; returns the script's output. */
const look = (shell: string, script: string): { readonly told: unknown; readonly error: string } => {
  const { stdout, stderr } = spawnSync('sh', ['-euc', shell], {
    encoding: 'utf8',
    env: { ...process.env, NODE: readableNode, SCRIPT: opening + script, FOLDER: folder },
  });
  return { told: stdout === '' ? null : JSON.parse(stdout), error: stderr };
};

const node = '"$NODE" --input-type=module -e "$SCRIPT"';

/** Several users exist only where the namespace has more than one id. */

let children: Children;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-machine-'));
  chmodSync(folder, 0o755);
  children = new Children();
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

test('/proc of another pid namespace is refused, because its pids differ', () => {
  const script = 'try { open(); tell("opened") } catch (error) { tell([error.name, error.message]) }';
  const { told } = look(`unshare --pid --fork --kill-child -- ${node}`, script);
  expect(told).toEqual(['ProcessTableUnreadable', expect.stringContaining('another pid namespace')]);
});

test('a missing /proc is an error, not an empty machine', () => {
  const script = `
    const source = open();
    const { execFileSync } = await import('node:child_process');
    execFileSync('mount', ['-t', 'tmpfs', 'none', '/proc']);
    try { tell(source.scan(new Set()).rows.size) } catch (error) { tell(error.name) }`;
  expect(look(`unshare --mount -- ${node}`, script).told).toBe('ProcessTableUnreadable');
});

test('a lack of file descriptors is an error, not a sign that all processes are gone', () => {
  const script = `
    const { openSync, closeSync } = await import('node:fs');
    const source = open();
    const before = source.scan(new Set());
    const held = [];
    let failure = null;
    try { for (;;) held.push(openSync('/dev/null')) } catch {}
    try { source.scan(new Set([...before.rows.keys()])) } catch (error) { failure = error.name }
    for (const fd of held) closeSync(fd);
    const after = source.scan(new Set([...before.rows.keys()]));
    tell([failure, [...before.rows.keys()].every((pid) => after.rows.has(pid))]);`;
  expect(look(`ulimit -n 64; ${node}`, script).told).toEqual(['ProcessTableUnreadable', true]);
});

test('a /proc/uptime with the age of a container changes no process age', async () => {
  // Longer than the uptime of any test machine; a shorter value might do, but the machine may have
  // booted a minute ago.
  writeFileSync(join(folder, 'uptime'), '99000000.05 1.00\n');
  await running(children.start('sleep', ['1000']).pid, 'sleep');
  const script = 'const table = open().scan(new Set()); tell(table.nowTicks)';
  const { told } = look(`unshare --mount -- sh -c 'mount --bind "$FOLDER/uptime" /proc/uptime; exec ${node}'`, script);
  const truth = new LinuxSource({ environmentNames: [], uid: 0 }).scan(new Set()).nowTicks;
  // Ten minutes, in ticks: not a measure of speed.
  expect(Math.abs(Number(told) - truth)).toBeLessThan(60_000);
});

test('after a suspend the clock of start times has advanced, and so has the sleep time', async () => {
  const script = `
    const { readFileSync, writeFileSync } = await import('node:fs');
    const source = open();
    const before = source.scan(new Set());
    const [up, idle] = readFileSync('/proc/uptime', 'latin1').split(' ');
    writeFileSync(process.env.FOLDER + '/slept', (Number(up) + 28800).toFixed(2) + ' ' + idle);
    const { execFileSync } = await import('node:child_process');
    execFileSync('mount', ['--bind', process.env.FOLDER + '/slept', '/proc/uptime']);
    const after = source.scan(new Set());
    tell([after.nowTicks - before.nowTicks, after.suspendedTicks - before.suspendedTicks, before.ticksPerSecond]);`;
  const { told } = look(`unshare --mount -- ${node}`, script);
  const [passed, suspended, ticksPerSecond] = told as [number, number, number];
  expect(passed).toBeGreaterThanOrEqual(28_800 * ticksPerSecond - 1);
  // The rest was awake: seconds, in ticks, on a machine of any speed.
  expect(suspended).toBeLessThanOrEqual(passed);
  expect(suspended).toBeGreaterThan(28_700 * ticksPerSecond);
});

test('files that a container lacks leave out their facts, not the processes', async () => {
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  const script = `
    const source = open();
    const first = source.scan(new Set());
    const table = source.scan(new Set());
    const row = table.rows.get(${pid});
    const facts = source.facts([row]).get(${pid});
    tell([table.bootId.startsWith('btime-'), row.argv, facts.locks, facts.ports, first.rows.size > 0]);`;
  const hide = '/proc/loadavg /proc/locks /proc/sys/kernel/random/boot_id /proc/sys/kernel/ns_last_pid';
  // A folder in the place of a file can't be read.
  const { told, error } = look(
    `unshare --mount -- sh -c 'for f in ${hide}; do mount --bind "$FOLDER/none" $f; done; chmod 0 $FOLDER/none; exec ${node}'`.replace(
      'unshare',
      ': >"$FOLDER/none"; unshare',
    ),
    script,
  );
  expect({ told, error }).toMatchObject({ told: [true, ['sleep', '1000'], [], [], true] });
});

test.skipIf(!manyUsers)('the owner is the effective user, also of a process that is not dumpable', async () => {
  const { child } = await children.perlTelling('$) = "65534 65534"; $> = 65534; print "ready\\n"; sleep 1000');
  const source = new LinuxSource({ environmentNames: [], uid: 0 });
  expect(source.read(asPid(child.pid))?.uid).toBe(65534);
});

const asUnprivileged = (options: string): string =>
  `unshare --mount -- sh -euc 'mount -o remount,${options} /proc; exec setpriv --reuid=65534 --regid=65534 --clear-groups ${node}'`;

test.skipIf(!manyUsers)('hidden processes make a table incomplete', () => {
  const script = `
    const table = open().scan(new Set());
    tell({ complete: table.complete, init: table.rows.has(1), own: table.rows.has(process.pid) })`;
  expect(look(asUnprivileged('hidepid=invisible'), script).told).toEqual({ complete: false, init: false, own: true });
  expect(look(asUnprivileged('hidepid=noaccess'), script).told).toEqual({ complete: false, init: false, own: true });
  expect(look(asUnprivileged('hidepid=off'), script).told).toEqual({ complete: true, init: true, own: true });
});

test.skipIf(!manyUsers)('of another user’s process the row is known, and private facts are not', async () => {
  const pid = await running(
    children.start('sleep', ['1000'], { env: { CLAUDECODE: '1', PATH: '/bin:/usr/bin' } }).pid,
    'sleep',
  );
  const script = `
    const source = open();
    const row = source.scan(new Set()).rows.get(${pid});
    const facts = source.facts([row]).get(${pid});
    tell([row.uid, row.argv, source.environment(row), source.outputs(row), facts.openFiles, facts.cwd, facts.ioBytes])`;
  expect(look(asUnprivileged('hidepid=off'), script).told).toEqual([
    0,
    ['sleep', '1000'],
    null,
    null,
    null,
    null,
    null,
  ]);
});

test.skipIf(!manyUsers)(
  'an ended process that waits for its parent holds nothing, also for a user other than root',
  () => {
    const script = `
    const { heldBy } = await import(${module('main/os/linux/proc/living-thread.ts')});
    const { spawn } = await import('node:child_process');
    const { readFileSync } = await import('node:fs');
    // Collected only when the event loop gets a turn.
    const { pid } = spawn('true');
    while (!readFileSync('/proc/' + pid + '/stat', 'utf8').includes(') Z ')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    tell([heldBy(pid), heldBy(1)]);`;
    const { told } = look(asUnprivileged('hidepid=off'), script);
    expect(told).toEqual([{ folder: expect.stringMatching(/^\/proc\/\d+$/u) as string, names: [] }, null]);
  },
);
