import { join } from 'node:path';
import { build, Platform, type AfterPackContext } from 'electron-builder';
import afterPack from './after-pack.ts';
import { releaseConfiguration, type Release } from './release.ts';

/** The project's root, where electron-builder reads package.json. */
const projectDir = join(import.meta.dirname, '../..');

/**
 * What to pack: only the folder with the app, or the installers that the configuration names for
 * this platform.
 */
export interface PackOrder {
  readonly what: 'folder' | 'installers';
  /** The version of Electron to pack with. */
  readonly electronVersion: string;
  /** A folder to take Electron from instead of downloading it; null: download. */
  readonly electronFolder: string | null;
  /** Null: an ordinary build, without updates. */
  readonly release: Release | null;
  /** The output folder; null: `build/out/package`. */
  readonly output: string | null;
  /** Called when the folder is complete, for checks with electron-builder's own context. */
  readonly onPacked?: (context: AfterPackContext) => Promise<void>;
}

const platforms: Partial<Record<NodeJS.Platform, Platform>> = {
  linux: Platform.LINUX,
  darwin: Platform.MAC,
  win32: Platform.WINDOWS,
};

/**
 * Packs what was built, for the platform it runs on, and returns the files made. Throws
 * electron-builder's errors.
 */
export const pack = async ({
  what,
  electronVersion,
  electronFolder,
  release,
  output,
  onPacked,
}: PackOrder): Promise<readonly string[]> => {
  const platform = platforms[process.platform];
  if (platform === undefined) throw new Error(`Curfew's app can't be packed on ${process.platform}.`);
  return build({
    targets: what === 'folder' ? platform.createTarget('dir') : platform.createTarget(),
    projectDir,
    publish: 'never',
    // Overrides electron-builder.yml, which electron-builder reads on its own.
    config: {
      ...releaseConfiguration(release),
      electronVersion,
      ...(electronFolder === null ? {} : { electronDist: electronFolder }),
      ...(output === null ? {} : { directories: { output } }),
      // The caller has built it.
      beforePack: () => undefined,
      afterPack: async (context) => {
        await afterPack(context);
        await onPacked?.(context);
      },
    },
  });
};
