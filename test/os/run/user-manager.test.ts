import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fixture, living, until, withHome, withText } from './curfew-run.ts';
import { Manager, ownGroup } from './user-manager.ts';

const documentSchema = z.looseObject({
  inForce: z.looseObject({
    cgroup: z.looseObject({ path: z.string().optional(), scope: z.string().optional(), reason: z.string().optional() }),
  }),
});

test.skipIf(ownGroup === null)(
  'without write access to our own group, a scope of the user’s service manager holds the command, and is killed as one',
  withHome(async (home) => {
    const manager = new Manager(home, 'exit 0');
    const plan = { children: [{ habits: ['double', 'setsid', 'deaf'] }, { habits: ['deaf'] }] };
    const going = home.curfew(
      ['run', '--json', '--grace', '2s', '--', 'perl', fixture('tree.pl'), JSON.stringify(plan)],
      manager.options,
    );
    const { told, scope, folder } = await manager.moves();
    expect(told).toContain(
      '--user call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StartTransientUnit ssa(sv)a(sa(sv)) curfew-run-',
    );
    expect(told).toContain('Delegate b true');
    await until('the command runs in it', () => withText('tree.pl').some(({ args }) => args.startsWith('perl')));
    const [command] = withText('tree.pl').filter(({ args }) => args.startsWith('perl'));
    expect(readFileSync(`/proc/${command?.pid ?? 0}/cgroup`, 'utf8')).toContain(`/${scope}/curfew-run-`);
    going.child.kill('SIGTERM');
    const ended = await going.ended;
    expect(ended.code).toBe(143);
    const { inForce } = documentSchema.parse(JSON.parse(ended.stdout));
    expect(inForce.cgroup).toMatchObject({ scope, path: expect.stringContaining(`${folder}/`) as unknown });
    expect(living(command?.pid ?? 0)).toBeNull();
    expect(withText('tree.pl')).toEqual([]);
    await manager.collects(folder);
  }),
);

test.skipIf(ownGroup === null).each([
  ['that refuses', 'echo "Failed to connect to bus" >&2; exit 1', 'Failed to connect to bus'],
  ['that hangs', 'exec sleep 30', 'gave no answer'],
  ['that says yes and does nothing', 'exit 0', 'did not move this process in time'],
])('a manager %s doesn’t keep a command from running, and the missing group is explained', (_, answers, why) =>
  withHome(async (home) => {
    const manager = new Manager(home, answers);
    const ended = await home.run(['run', '--json', '--', 'sh', '-c', 'exit 6'], manager.options);
    expect(ended.code).toBe(6);
    expect(documentSchema.parse(JSON.parse(ended.stdout)).inForce.cgroup.reason).toContain(why);
  })(),
);
