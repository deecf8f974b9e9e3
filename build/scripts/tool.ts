import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** The package of each tool that scripts start by name. */
const packages: Readonly<Record<string, string>> = {
  depcruise: 'dependency-cruiser',
  knip: 'knip',
  oxfmt: 'oxfmt',
  oxlint: 'oxlint',
  tsc: '@typescript/native',
  vite: 'vite',
  vitest: 'vitest',
};

const manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** What the words of a tool depend on. */
export interface ToolPlace {
  readonly platform: NodeJS.Platform;
  readonly root: string;
  /** The Node that runs this. */
  readonly node: string;
  /** The file of npm's command line, as npm tells the scripts that it runs (npm_execpath). */
  readonly npm: string | undefined;
}

const here = (): ToolPlace => ({
  platform: process.platform,
  root: join(import.meta.dirname, '../..'),
  node: process.execPath,
  npm: process.env['npm_execpath'],
});

/**
 * Returns the words that start a tool of the project, `node` or `npm`. On Windows the names on the
 * path are batch files, which spawn starts only through cmd.exe and its quoting
 * (https://nodejs.org/api/child_process.html#spawning-bat-and-cmd-files-on-windows), so there their
 * scripts are started with Node.
 * @throws when a tool is not installed, or not known here
 */
export const tool = (name: string, place: ToolPlace = here()): readonly [string, ...string[]] => {
  const { platform, root, node, npm } = place;
  if (platform !== 'win32') return [name];
  if (name === 'node') return [node];
  // Beside a Node of Windows, where npm did not start this.
  if (name === 'npm') return [node, npm ?? join(dirname(node), 'node_modules/npm/bin/npm-cli.js')];
  const of = packages[name];
  if (of === undefined) throw new Error(`${name} is not known to build/scripts/tool.ts`);
  const folder = join(root, 'node_modules', of);
  const { bin } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const file = typeof bin === 'string' ? bin : bin[name];
  if (file === undefined) throw new Error(`${of} has no program ${name}`);
  return [node, join(folder, file)];
};

/** Returns the words that start a tool in a folder that has none of its own, whatever the path. */
export const toolElsewhere = (name: string, place: ToolPlace = here()): readonly [string, ...string[]] =>
  place.platform === 'win32' ? tool(name, place) : [join(place.root, 'node_modules/.bin', name)];
