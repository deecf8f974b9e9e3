import { join } from 'node:path';
import { flipFuses } from '@electron/fuses';
import { LinuxPackager, type AfterPackContext } from 'electron-builder';
import { fuses } from './fuses.ts';

/**
 * Returns Electron's binary in a packed folder: the places that electron-builder gives it per
 * platform.
 */
const binaryIn = ({ appOutDir, electronPlatformName, packager }: AfterPackContext): string => {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') return join(appOutDir, `${name}.app`);
  if (electronPlatformName === 'win32') return join(appOutDir, `${name}.exe`);
  return join(appOutDir, packager instanceof LinuxPackager ? packager.executableName : name);
};

/**
 * Sets the fuses of the packed binary. Throws when Electron has a fuse that ./fuses.ts does not
 * name.
 */
const afterPack = async (context: AfterPackContext): Promise<void> => {
  await flipFuses(binaryIn(context), fuses);
};

export default afterPack;
