import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { curfewFile } from '../scene/curfew.ts';
import type { Home, StartOptions } from './curfew-run.ts';

/** A way in which runs are held together, chosen by what the machine seems to have. */
export interface Way {
  readonly name: string;
  /** Who clears its environment and gets away from group, session and parent at once is only found by a subreaper. */
  readonly subreaper: boolean;
  readonly options: (home: Home) => StartOptions;
}

const packageFolder = (name: string): string => dirname(fileURLToPath(import.meta.resolve(name)));

/** Debian's user `nobody`: can't write our control groups. */
const nobody = 65_534;

/** All ways: everything; a user who may not make control groups; and no koffi, which is looked for from the program's own folder upward. */
export const ways: readonly Way[] = [
  { name: 'with all there is', subreaper: true, options: () => ({}) },
  {
    name: 'without a control group',
    subreaper: true,
    options: (home) => {
      chmodSync(home.path, 0o777);
      return { uid: nobody, env: { CURFEW_HOME: home.file('home-of-nobody') } };
    },
  },
  {
    name: 'without koffi and without a control group',
    subreaper: false,
    options: (home) => {
      const copy = home.file('program');
      cpSync(dirname(curfewFile), copy, { recursive: true });
      // What an installed command line has beside it, koffi apart.
      const beside = home.file('node_modules/ps-list');
      mkdirSync(dirname(beside), { recursive: true });
      if (!existsSync(beside)) symlinkSync(packageFolder('ps-list'), beside);
      chmodSync(home.path, 0o777);
      return { file: join(copy, 'curfew.js'), uid: nobody, env: { CURFEW_HOME: home.file('home-of-nobody') } };
    },
  },
];
