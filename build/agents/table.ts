import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** A real agent at a pinned version, as one row of agents.json. */
export const pinnedAgent = z.strictObject({
  /** Its folder in `agentsFolder`, and the name of its lock file in `locks`. */
  folder: z.string(),
  /** What it is called in test/os/real-agents; the id of its dossier where it has one. */
  agent: z.string(),
  name: z.string(),
  package: z.string(),
  version: z.string(),
  /** Its program, relative to its folder. */
  program: z.string(),
  /**
   * Packages that npm lacks and that it runs without, as NAME@VERSION: empty modules stand in for
   * them. Left out: none.
   */
  emptied: z.array(z.string()).optional(),
  /** Packages that it fetches itself at its first start, as NAME@VERSION. Left out: none. */
  besides: z.array(z.string()).optional(),
});

export type PinnedAgent = Readonly<z.infer<typeof pinnedAgent>>;

/** The real agents that tests are played with; each one's integrity is in its lock file. */
export const pinnedAgents: readonly PinnedAgent[] = z
  .array(pinnedAgent)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'agents.json'), 'utf8')));

/** Real helpers that hooks and calls detach, which drive the machine's Chromium. */
export const pinnedHelpers = {
  playwright: {
    folder: 'playwright-cli-0.1.22',
    agent: 'playwright-cli',
    name: 'playwright-cli 0.1.22',
    package: '@playwright/cli',
    version: '0.1.22',
    program: 'node_modules/.bin/playwright-cli',
  },
  chromeDevtools: {
    folder: 'chrome-devtools-mcp-1.11.0',
    agent: 'chrome-devtools-mcp',
    name: 'chrome-devtools-mcp 1.11.0',
    package: 'chrome-devtools-mcp',
    version: '1.11.0',
    program: 'node_modules/.bin/chrome-devtools',
  },
  claudeMem: {
    folder: 'claude-mem-13.25.3',
    agent: 'claude-mem',
    name: 'claude-mem 13.25.3',
    package: 'claude-mem',
    version: '13.25.3',
    program: 'node_modules/claude-mem/plugin/scripts/worker-service.cjs',
    // Its sign-in, which the daemon of one user does not load.
    emptied: ['@better-auth/api-key@1.6.16', 'better-auth@1.6.16'],
    besides: ['zod@4.4.3'],
  },
  bun: {
    folder: 'bun-1.4.5',
    agent: 'bun',
    name: 'Bun 1.4.5, under which claude-mem runs',
    package: '@oven/bun-linux-x64',
    version: '1.4.5',
    program: 'node_modules/@oven/bun-linux-x64/bin/bun',
  },
} as const satisfies Readonly<Record<string, PinnedAgent>>;

/** Agents that can't be among them, a sentence each. */
export const leftOut: readonly string[] = [
  'The npm packages of crush 0.96.1 (`@charmland/crush`) and Hermes 0.21.5 (`hermes-agent`) hold no program: their install scripts load one from elsewhere.',
  'npm lacks the packages with the programs of Kilo Code 7.8.1 (`@kilocode/cli`) and Amp (`@ampcode/cli`).',
  'Auggie 0.36.0 (`@augmentcode/auggie`) asks for a login and talks to the servers of its makers alone.',
  'OpenClaw 2026.9.6 (`openclaw`, 640 MB) offers its model a search for tools in place of the tools.',
  'oh-my-pi 18.3.4 (`@oh-my-pi/pi-coding-agent`) runs under Bun alone.',
];

/** Returns where an agent's lock file is. */
export const lockOf = ({ folder }: PinnedAgent): string => join(import.meta.dirname, 'locks', `${folder}.json`);

/**
 * Returns the folder of the real agents, outside any checkout: $CURFEW_AGENTS, else
 * `curfew-agents` in $XDG_CACHE_HOME or ~/.cache.
 */
export const agentsFolder = (): string => {
  const { CURFEW_AGENTS: own = '', XDG_CACHE_HOME: cache = '' } = process.env;
  return own === '' ? join(cache === '' ? join(homedir(), '.cache') : cache, 'curfew-agents') : own;
};

/** Returns where an agent's program is once it is fetched. */
export const programOf = ({ folder, program }: PinnedAgent): string =>
  join(agentsFolder(), folder, program.replace('{platform}', `${process.platform}-${process.arch}`));

/** Returns the agents that aren't in `agentsFolder`. */
export const missingAgents = (): readonly PinnedAgent[] => pinnedAgents.filter((one) => !existsSync(programOf(one)));
