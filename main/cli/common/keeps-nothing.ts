import { existsSync } from 'node:fs';
import type { Places } from '../../store/places.ts';

/**
 * Folders into which a package is unpacked to be run once: npm's `_npx` in its cache
 * (https://docs.npmjs.com/cli/v11/commands/npx), pnpm's `dlx` in its own
 * (https://pnpm.io/cli/dlx), Bun's `bunx-…` in the temporary folder
 * (https://bun.com/docs/pm/bunx). And what stands before `curfew` then.
 */
const runners = [
  [/[/\\]_npx[/\\][\da-f]+[/\\]/u, 'npx'],
  [/[/\\]dlx(?:-\d+)?[/\\][^/\\]+[/\\]/u, 'pnpm dlx'],
  [/[/\\]bunx-[^/\\]+[/\\]/u, 'bunx'],
] as const;

/** Returns what runs it where it was unpacked to be run once; null: it is installed. */
const runnerOf = (commandLine: string): string | null =>
  runners.find(([folder]) => folder.test(commandLine))?.[1] ?? null;

/**
 * Returns a sentence with the commands in it as the user can type them here: without an installed
 * command `curfew` alone would not be found.
 * @param commandLine the file of the command line, resolved
 */
export const asCalled = (sentence: string, commandLine: string): string => {
  const runner = runnerOf(commandLine);
  return runner === null ? sentence : sentence.replaceAll(/(?<=[`„])curfew (?=[a-z])/gu, `${runner} curfew `);
};

/**
 * Whether a look leaves no file behind: the command was unpacked to be run once, and Curfew keeps
 * nothing for this user yet. Where it does, what this look sees belongs into its ledger.
 * @param commandLine the file of the command line, resolved
 */
export const keepsNothing = (commandLine: string, places: Pick<Places, 'state' | 'settings'>): boolean =>
  runnerOf(commandLine) !== null && !existsSync(places.state) && !existsSync(places.settings);
