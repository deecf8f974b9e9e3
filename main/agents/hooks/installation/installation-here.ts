import { readGuardSettings } from '../../../../app/guard/read-settings.ts';
import { ownCommand } from '../../../os/programs/bounded-program.ts';
import { shortPathOf } from '../../../os/files/short-path.ts';
import { readJsonFile } from '../../../store/files/json-file.ts';
import type { Places } from '../../../store/places.ts';
import { hookFolders } from '../form/folders.ts';
import type { HookInstallation } from './hook-installation.ts';
import { placesEnvironment } from '../form/hook-script.ts';
import { system } from '../../../os/this-system.ts';

export interface Here {
  readonly places: Pick<Places, 'hooks' | 'lock' | 'settings'>;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command line's file; hooks start it when no supervisor runs. */
  readonly commandLine: string;
}

const guardIsOn = (settings: string): boolean => {
  const file = readJsonFile(settings);
  return readGuardSettings(file.kind === 'value' ? file.value : undefined).enabled;
};

/** Hooks on this machine, by this Node and command line. Throws when its file is missing. */
export const hookInstallationHere = ({ places, home, environment, commandLine }: Here): HookInstallation => ({
  places: { home, environment },
  folders: hookFolders(places),
  program: {
    command: ownCommand(commandLine),
    environment: placesEnvironment(environment),
  },
  platform: system,
  shortPath: shortPathOf,
  guard: guardIsOn(places.settings),
  now: Date.now,
});
