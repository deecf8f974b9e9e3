import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { unifiedFolder } from '../../../main/os/containment/control-group.ts';
import { isWritable, manyUsers } from '../machine-facts.ts';
import { fixture, type Home, living, type StartOptions, until, withHome, withText } from './curfew-run.ts';

/** `nobody` of Debian: it can't write our control groups. */
const nobody = 65_534;

const unified = unifiedFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
/** Null also if the group belongs to another user. */
const ownGroup = unified !== null && isWritable(unified) && manyUsers ? unified : null;

/**
 * The test plays the user's service manager: it records the arguments of `busctl` and moves the
 * named process into a group that belongs to the user, as the manager does with a scope that has
 * Delegate. https://systemd.io/CGROUP_DELEGATION/ No systemd was running where this was written.
 */
class Manager {
  readonly options: StartOptions;
  readonly #asked: string;
  readonly #folder: string;

  constructor(home: Home, answers: string) {
    chmodSync(home.path, 0o777);
    const programs = home.file('programs');
    const runtime = home.file('runtime');
    this.#asked = home.file('asked');
    this.#folder = join(ownGroup ?? '', `curfew-test-${randomBytes(4).toString('hex')}.service`);
    mkdirSync(programs);
    mkdirSync(join(runtime, 'systemd'), { recursive: true });
    writeFileSync(join(runtime, 'bus'), '');
    writeFileSync(
      join(programs, 'busctl'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${this.#asked}.new; mv ${this.#asked}.new ${this.#asked}\n${answers}\n`,
      { mode: 0o755 },
    );
    this.options = {
      uid: nobody,
      env: {
        CURFEW_HOME: home.file('home-of-nobody'),
        XDG_RUNTIME_DIR: runtime,
        PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      },
    };
  }

  /** Moves the named process, once there is one. */
  async moves(): Promise<{ readonly told: string; readonly scope: string; readonly folder: string }> {
    await until('the manager is asked', () => existsSync(this.#asked));
    const told = readFileSync(this.#asked, 'utf8').split('\n');
    const scope = told[7] ?? '';
    const pid = told[told.indexOf('PIDs') + 3] ?? '';
    mkdirSync(this.#folder);
    const folder = join(this.#folder, scope);
    mkdirSync(folder);
    for (const path of [folder, join(folder, 'cgroup.procs'), join(folder, 'cgroup.kill')])
      chownSync(path, nobody, nobody);
    writeFileSync(join(folder, 'cgroup.procs'), pid);
    return { told: told.join(' '), scope, folder };
  }

  /** The unit disappears when it is empty. */
  async collects(folder: string): Promise<void> {
    await until('the scope is empty', () => readFileSync(join(folder, 'cgroup.procs'), 'utf8') === '');
    for (const path of [folder, this.#folder]) rmdirSync(path);
  }
}

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
