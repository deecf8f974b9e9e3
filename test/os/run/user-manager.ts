import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unifiedFolder } from '../../../main/os/containment/control-group.ts';
import { isWritable, manyUsers } from '../machine-facts.ts';
import { type Home, type StartOptions, until } from './curfew-run.ts';

/** `nobody` of Debian: it can't write our control groups. */
export const nobody = 65_534;

const unified = unifiedFolder(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
/** Null also if the group belongs to another user. */
export const ownGroup = unified !== null && isWritable(unified) && manyUsers ? unified : null;

/**
 * The test plays the user's service manager: it records the arguments of `busctl` and moves the
 * named process into a group that belongs to the user, as the manager does with a scope that has
 * Delegate. https://systemd.io/CGROUP_DELEGATION/ No systemd was running where this was written.
 */
export class Manager {
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
