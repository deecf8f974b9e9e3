import { join } from 'node:path';
import { createBuilder } from 'vite';
import { whyNoElectron } from '../../../build/electron/electron.ts';

/** Builds the variant of the app once, before the tests on the real Electron. */
export const setup = async (): Promise<void> => {
  if (whyNoElectron() !== null) return;
  const configFile = join(import.meta.dirname, '../../../build/electron/vite.config.ts');
  const builder = await createBuilder({ configFile, logLevel: 'error' });
  await builder.buildApp();
};
