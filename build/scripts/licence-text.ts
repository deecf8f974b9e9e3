import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A package of others that is part of what is handed out. */
export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package says it. */
  readonly identifier?: string | undefined;
  /** The text of its licence; packages that carry none have no such file. */
  readonly text?: string | undefined;
}

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** The licences of installed packages, by their folders in the lockfile. One that isn't installed here (of another platform) is left out. */
export const installedLicences = (root: string, folders: readonly string[]): readonly Licence[] =>
  folders.flatMap((folder): readonly Licence[] => {
    const path = join(root, folder);
    if (!existsSync(join(path, 'package.json'))) return [];
    const { name, version, license } = manifest.parse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
    const file = readdirSync(path).find((one) => /^(?:licen[cs]e|copying)(?:\.|$)/iu.test(one));
    const text = file === undefined ? undefined : readFileSync(join(path, file), 'utf8').trim();
    return [{ name, version, identifier: license, text }];
  });

/** The text that goes with every package of Curfew. */
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
