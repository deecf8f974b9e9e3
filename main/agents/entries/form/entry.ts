import type { Said } from '../../../../app/format/said.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { AgentPlaces } from '../../hooks/form/agent-hooks.ts';

export interface McpCommand {
  /** Absolute paths and options: Node, the command line's file, `mcp`. */
  readonly command: readonly [string, ...string[]];
  /** What decides where Curfew keeps its things: some agents pass nothing else on. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a server gets into an agent's settings: one property of one file. */
export interface McpForm {
  readonly agent: AgentId;
  /** The agent's folder of settings: where it is, the agent is taken for installed. */
  readonly folder: (places: AgentPlaces) => string;
  readonly file: (places: AgentPlaces) => string;
  readonly format: 'json' | 'toml';
  /** The object of servers by name. */
  readonly path: readonly [string, ...string[]];
  readonly value: (command: McpCommand) => Readonly<Record<string, unknown>>;
  /** What the user has to know or do once it is installed. */
  readonly afterwards: Said | null;
}

/** One property of Curfew's in a settings file of an agent, whatever it is for. */
export interface Entry {
  /** Names its record and copies: `mcp-codex`. */
  readonly name: string;
  readonly agent: AgentId;
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly path: readonly [string, ...string[]];
  readonly value: Readonly<Record<string, unknown>> | string;
  /** True for a value some Curfew put there. `pieces`: recorded for this file; empty: nothing. */
  readonly isOurs: (value: unknown, pieces: readonly { readonly text: string }[]) => boolean;
}

/** The name under which Curfew is among an agent's servers. */
const serverName = 'curfew';

/** The usual form of a server: Claude Code's, which most have. */
export const plainServer = ({ command: [command, ...args], environment }: McpCommand): Record<string, unknown> => ({
  command,
  args,
  ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
});

/** True where a server's command is the command line of some Curfew, started by its full path. */
const isOurServer = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const words = Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    name !== 'command' && name !== 'args' ? [] : Array.isArray(one) ? (one as readonly unknown[]) : [one],
  );
  return (
    words.at(-1) === 'mcp' &&
    words.some((word) => typeof word === 'string' && /[/\\](?:curfew\.js|cli[/\\]index\.ts)$/u.test(word))
  );
};

/** The entry of Curfew's server in an agent's settings. */
export const mcpEntry = (form: McpForm, places: AgentPlaces, command: McpCommand): Entry => ({
  name: `mcp-${form.agent}`,
  agent: form.agent,
  file: form.file(places),
  format: form.format,
  path: [...form.path, serverName],
  value: form.value(command),
  isOurs: isOurServer,
});

/** How an agent is told to give its tool calls a control group with a limit of memory. */
export interface MemoryLimit {
  /** What the setting is called, for people. */
  readonly name: string;
  /** The limit that limits nothing, for a user who wants the control group alone. */
  readonly all: () => string;
  /** True for a value by which the user has switched it off. */
  readonly isOff: (value: string) => boolean;
  /** Returns what the user's settings say, else the environment; null: neither. Never throws. */
  readonly said: (places: AgentPlaces) => string | null;
  readonly entry: (places: AgentPlaces, limit: string) => Entry;
}
