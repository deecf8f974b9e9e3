import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unifiedFolder } from '../../main/os/containment/control-group.ts';
import { isRootOfMachine, isWritable } from './machine-facts.ts';

const own = unifiedFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
const module = JSON.stringify(join(import.meta.dirname, '../../main/os/containment/user-groups.ts'));

/** Shares out the group that it is alone in, and kills what was started in a user's. */
const sharing = `
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openUserGroups, sayMissingLimits } from ${module};
const [folder] = process.argv.slice(-1);
const before = openUserGroups(folder);
writeFileSync(folder + '/cgroup.procs', '0');
const groups = openUserGroups(folder);
if ('reason' in groups) throw new Error(groups.reason);
const group = groups.make(1001);
const child = spawn('/bin/sh', ['-c', 'echo 0 >"$0/cgroup.procs"; setsid sleep 1000 & echo in; kill -STOP $$', group]);
child.stdout.once('data', () => groups.end(1001));
child.once('exit', async (code, signal) => {
  // What it left is killed with it, and may die a moment later.
  while (existsSync(group) && readFileSync(group + '/cgroup.procs', 'utf8') !== '')
    await new Promise((resolve) => setTimeout(resolve, 10));
  const inside = readFileSync(folder + '/first/cgroup.procs', 'utf8').trim() === String(process.pid);
  const again = groups.make(1001) === group && readFileSync(group + '/cgroup.procs', 'utf8');
  groups.end(1001);
  console.log(JSON.stringify({ before: sayMissingLimits(before), missing: groups.missing, said: sayMissingLimits(groups) ?? '', signal, inside, again, left: existsSync(group) }));
  process.exit();
});
`;

test.runIf(isRootOfMachine && own !== null && isWritable(join(own, 'cgroup.procs')))(
  'a service shares out the control group that is its own, and ends what a user’s child left, stopped or not',
  () => {
    const folder = join(own ?? '', `curfew-test-${process.pid}`);
    mkdirSync(folder);
    try {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--no-warnings', '--input-type=module-typescript', '-e', sharing, '--', folder],
        { encoding: 'utf8', timeout: 60_000 },
      );
      const here = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
      const missing = ['cpu', 'memory', 'pids'].filter((name) => !here.includes(name));
      expect({ said: stdout === '' ? null : (JSON.parse(stdout) as unknown), stderr }).toEqual({
        said: {
          before: expect.stringContaining(
            '768 MB of memory, 128 threads (its control group is not its own)',
          ) as unknown,
          // Which limits are not in force is said, by the controllers that the machine lacks.
          missing,
          said: expect.stringContaining(missing.length === 0 ? '' : `has no ${missing.join(', ')} to share`) as unknown,
          signal: 'SIGKILL',
          inside: true,
          again: '',
          left: false,
        },
        stderr: '',
      });
    } finally {
      for (const path of ['user-1001', 'first', '.'].map((name) => join(folder, name)))
        if (existsSync(path)) rmdirSync(path);
    }
  },
);
