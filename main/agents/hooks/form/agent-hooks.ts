import type { Said } from '../../../../app/format/said.ts';
import { isAbsolutePath, isWindowsPath } from '../../../../app/paths/path.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { AskingHookForm, HookCall, HookedEvent } from '../../../../app/agents/common/hook-form.ts';
import type { HookRun, RunsOnWindows } from './hook-run.ts';
import type { Addition } from './json-insertion.ts';

export interface AgentPlaces {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type { HookCall } from '../../../../app/agents/common/hook-form.ts';

/** Tells how an agent is to run a hook at an event. */
export type RunFor = (call: HookCall) => HookRun;

/** What stands in the settings of most agents for it. */
export const runFields = (run: HookRun): { readonly command: string; readonly args?: readonly string[] } =>
  run.by === 'program' ? { command: run.command, args: run.args } : { command: run.command };

/** What a file of hooks that is Curfew's alone is written from. */
export interface OwnHookFile {
  readonly script: string;
  readonly witness: string;
  readonly guard: boolean;
}

/** A table of a list `hooks`. */
export type HookTable = Readonly<Record<string, string | number>>;

export interface AgentHookInstaller {
  readonly agent: AgentId;
  /** The agent's folder of settings: where it is, the agent is taken for installed. */
  readonly folder: (places: AgentPlaces) => string;
  readonly file: (places: AgentPlaces) => string;
  readonly content:
    /** A file of the agent's, with other things in it. */
    | {
        readonly kind: 'shared';
        readonly additions: (run: RunFor) => readonly Addition[];
        readonly guard: (run: RunFor) => readonly Addition[];
      }
    /** A TOML file of the agent's, with a list of tables `hooks`. */
    | { readonly kind: 'tables'; readonly tables: (run: RunFor) => readonly HookTable[] }
    /** A file that is Curfew's alone, of which the text is given; `others`: more with that text. */
    | {
        readonly kind: 'own';
        readonly text: (run: RunFor, files: OwnHookFile) => string;
        readonly others?: (places: AgentPlaces) => readonly string[];
      };
  readonly onWindows: RunsOnWindows;
  /** What the user has to know or do once it is installed. */
  readonly afterwards: Said | null;
  /** Why hooks that stand there don't run, by the rest of the file; null when they do. */
  readonly switchedOff?: (settings: unknown) => Said | null;
}

/** A folder that a variable names, else one of the home folder (or it, ''). Absolute only. */
export const folderFrom = (places: AgentPlaces, variable: string, usual: string): string => {
  const named = places.environment[variable];
  return named !== undefined && isAbsolutePath(named)
    ? named.replace(isWindowsPath(named) ? /(?<=[^:\\/])[\\/]+$/u : /(?<=.)\/+$/u, '')
    : usual === ''
      ? places.home
      : `${places.home}/${usual}`;
};

/** What is at a path of names in parsed settings, or undefined. */
export const settingAt = (settings: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    settings,
  );

/**
 * Hooks as Claude Code takes them, and Codex and Gemini after it: by event a list of groups, each
 * with a list of hooks. A group of our own per event, without a matcher: for every session and
 * every tool.
 */
export const groupedHooks = (events: readonly HookedEvent[], run: RunFor): readonly Addition[] =>
  events.map(([name, event, timeout]) => ({
    kind: 'element',
    path: ['hooks', name],
    value: { hooks: [{ type: 'command', ...runFields(run(event)), timeout }] },
  }));

/** A hook before the tools that a matcher fits, in the same form. */
export const groupedGuard = (
  { name, matcher, timeout }: AskingHookForm['beforeCommand'],
  run: RunFor,
): readonly Addition[] => [
  {
    kind: 'element',
    path: ['hooks', name],
    value: {
      ...(matcher === 'none' ? {} : { matcher: matcher.tool }),
      hooks: [{ type: 'command', ...runFields(run('pre-tool-use')), timeout }],
    },
  },
];

/** The whole of what goes into such a file. */
export const groupedContent = (
  form: AskingHookForm,
): Extract<AgentHookInstaller['content'], { readonly kind: 'shared' }> => ({
  kind: 'shared',
  additions: (run) => groupedHooks(form.events, run),
  guard: (run) => groupedGuard(form.beforeCommand, run),
});
