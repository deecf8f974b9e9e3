import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A third-party package inside a package of Curfew. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package states it. */
  readonly identifier?: string | undefined;
  /** The text of its licence; absent if the package has no such file. */
  readonly text?: string | undefined;
}

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/**
 * Returns the licences of installed packages, by their folders in the lockfile. Packages of other
 * platforms are left out.
 */
export const installedLicences = (root: string, folders: readonly string[]): readonly Licence[] =>
  folders.flatMap((folder): readonly Licence[] => {
    const path = join(root, folder);
    if (!existsSync(join(path, 'package.json'))) return [];
    const { name, version, license } = manifest.parse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
    const file = readdirSync(path).find((one) => /^(?:licen[cs]e|copying)(?:\.|$)/iu.test(one));
    const text = file === undefined ? undefined : readFileSync(join(path, file), 'utf8').trim();
    return [{ name, version, identifier: license, text }];
  });

/** Returns the licence text that goes with every package of Curfew. */
export const thirdPartyText = (licences: readonly Licence[]): string => {
  const parts = licences.map(({ name, version, identifier, text }) =>
    [
      `${name} ${version} (${identifier ?? 'licence not named'})`,
      '',
      text ?? 'The package carries no text of its licence.',
    ].join('\n'),
  );
  return `Curfew contains the following packages of others, each under its own licence.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
};
