import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { placesEnvironment } from '../agents/hooks/hook-script.ts';
import type { AutostartInput } from './autostart-plan.ts';

/** What autostart is planned for: this user, this machine, this very program. Throws when the program was deleted meanwhile. */
export const autostartInputHere = (): AutostartInput => ({
  home: homedir(),
  environment: process.env,
  uid: process.getuid?.() ?? 0,
  program: [realpathSync(process.execPath), realpathSync(process.argv[1] ?? '')],
  placesEnvironment: placesEnvironment(process.env),
});
