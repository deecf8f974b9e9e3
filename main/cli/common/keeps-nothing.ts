import { existsSync } from 'node:fs';
import type { Places } from '../../store/places.ts';

/**
 * Folders into which a package is unpacked to be run once: npm's `_npx` in its cache
 * (https://docs.npmjs.com/cli/v11/commands/npx), pnpm's `dlx` in its own
 * (https://pnpm.io/cli/dlx), Bun's `bunx-…` in the temporary folder
 * (https://bun.com/docs/pm/bunx).
 */
const runOnce = /[/\\](?:_npx[/\\][\da-f]+|dlx(?:-\d+)?[/\\][^/\\]+|bunx-[^/\\]+)[/\\]/u;

/**
 * Whether a look leaves no file behind: the command was unpacked to be run once, and Curfew keeps
 * nothing for this user yet. Where it does, what this look sees belongs into its ledger.
 * @param commandLine the file of the command line, resolved
 */
export const keepsNothing = (commandLine: string, places: Pick<Places, 'state' | 'settings'>): boolean =>
  runOnce.test(commandLine) && !existsSync(places.state) && !existsSync(places.settings);
