import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { requirePidNamespace } from './namespace.ts';

const stateOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).slice(0, 1);
  } catch {
    return null;
  }
};

test('process 1 collects the orphans it adopts, so that none stays a zombie', async () => {
  const orphan = spawnSync('bash', ['-c', 'sleep 3600 >&- 2>&- & echo $!'], { encoding: 'utf8' });
  const pid = Number(orphan.stdout);
  expect(stateOf(pid)).not.toBeNull();
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(stateOf(pid)).toBeNull());
});

test('the test runner has its own session and group, as on a machine', () => {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , pgid, sid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  expect([pgid, sid]).not.toContain('0');
  expect([pgid, sid]).not.toContain('1');
});

test('the guard refuses an environment that is not that of process 1', () => {
  expect(() => {
    requirePidNamespace();
  }).not.toThrow();
  const module = join(import.meta.dirname, 'namespace.ts');
  const script = `(await import(${JSON.stringify(module)})).requirePidNamespace()`;
  const refusalWith = (env: Record<string, string>): string =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env }).stderr;
  const outside = process.env['CURFEW_TEST_NAMESPACE_OUTSIDE'] ?? '';
  expect(refusalWith({})).toContain('Not in a pid namespace for tests');
  expect(refusalWith({ CURFEW_TEST_NAMESPACE: 'guessed', CURFEW_TEST_NAMESPACE_OUTSIDE: outside })).toContain(
    'Process 1 is not the one of the tests',
  );
});
