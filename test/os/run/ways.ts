import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manyUsers, readableRoot } from '../machine-facts.ts';
import { curfewFile } from '../scene/curfew.ts';
import type { Home, StartOptions } from './curfew-run.ts';

/** A combination of mechanisms that hold a run together, as available on a machine. */
export interface Way {
  readonly name: string;
  /**
   * Only a subreaper finds a process that clears its environment and leaves group, session and
   * parent at once.
   */
  readonly subreaper: boolean;
  readonly options: (home: Home) => StartOptions;
}

/**
 * A user that may not write control groups: `nobody` of Debian. Where there is one user only, it is
 * that of the tests, who is not root of the machine and so may not write them either.
 */
const nobody = manyUsers ? { uid: 65_534 } : {};

/**
 * All combinations: everything; a user without control groups; and no koffi, which is searched from
 * the program's own folder upward.
 */
export const ways: readonly Way[] = [
  { name: 'with all there is', subreaper: true, options: () => ({}) },
  {
    name: 'without a control group',
    subreaper: true,
    options: (home) => {
      chmodSync(home.path, 0o777);
      return { ...nobody, env: { CURFEW_HOME: home.file('home-of-nobody') } };
    },
  },
  {
    name: 'without koffi and without a control group',
    subreaper: false,
    options: (home) => {
      const copy = home.file('program');
      cpSync(dirname(curfewFile), copy, { recursive: true });
      // What an installed command line has beside it, except koffi.
      const beside = home.file('node_modules/ps-list');
      mkdirSync(dirname(beside), { recursive: true });
      if (!existsSync(beside)) symlinkSync(join(readableRoot, 'node_modules/ps-list'), beside);
      chmodSync(home.path, 0o777);
      return { file: join(copy, 'curfew.js'), ...nobody, env: { CURFEW_HOME: home.file('home-of-nobody') } };
    },
  },
];
