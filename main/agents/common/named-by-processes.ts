import { isAbsolute, join } from 'node:path';
import type { AgentId, AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';

/** Agents whose files lie where their environment says, and the variable. */
const folderVariables = {
  'claude-code': 'CLAUDE_CONFIG_DIR',
  codex: 'CODEX_HOME',
  copilot: 'COPILOT_HOME',
} as const;

/** Variables in which a session is named. Claude Code's registry is read as a whole, so its sessions aren't asked for one by one. */
const sessionVariables = [
  ['codex', 'CODEX_SESSION_ID'],
  ['codex', 'CODEX_THREAD_ID'],
  ['copilot', 'COPILOT_AGENT_SESSION_ID'],
] as const;

/** An agent that keeps its sessions in files. */
export type FilingAgent = keyof typeof folderVariables;

/** What one process names. */
interface Named {
  readonly folders: readonly { readonly agent: FilingAgent; readonly folder: string }[];
  readonly sessions: readonly { readonly agent: AgentId; readonly id: AgentSessionId }[];
}

const nothing: Named = { folders: [], sessions: [] };

const namedIn = (environment: MarkerEnvironment): Named => {
  const folders = Object.entries(folderVariables).flatMap(([agent, variable]) => {
    const folder = environment[variable];
    return folder !== undefined && isAbsolute(folder) && folder.length <= 1024
      ? [{ agent: agent as FilingAgent, folder: join(folder) }]
      : [];
  });
  const sessions = sessionVariables.flatMap(([agent, variable]) => {
    const id = sessionIdFrom(environment[variable]);
    return id === null ? [] : [{ agent, id }];
  });
  return folders.length === 0 && sessions.length === 0 ? nothing : { folders, sessions };
};

/** What the processes of a table name: folders of agents' files, and sessions. */
export interface NamedByProcesses {
  readonly folders: readonly { readonly agent: FilingAgent; readonly folder: string }[];
  readonly sessionsOf: (agent: AgentId) => readonly AgentSessionId[];
}

/** Reads what processes name in their environments, of each row once. */
export class NamingReader {
  readonly #environment: (row: ProcessRow) => MarkerEnvironment | null;
  readonly #known = new WeakMap<ProcessRow, Named>();

  constructor(environment: (row: ProcessRow) => MarkerEnvironment | null) {
    this.#environment = environment;
  }

  read(table: ProcessTable): NamedByProcesses {
    const folders: { agent: FilingAgent; folder: string }[] = [];
    const sessions = new Map<AgentId, Set<AgentSessionId>>();
    for (const row of table.rows.values()) {
      if (row.uid !== table.uid || row.kernelThread) continue;
      let named = this.#known.get(row);
      if (named === undefined) {
        named = namedIn(this.#environment(row) ?? {});
        this.#known.set(row, named);
      }
      folders.push(...named.folders);
      for (const { agent, id } of named.sessions) {
        const ids = sessions.get(agent);
        if (ids === undefined) sessions.set(agent, new Set([id]));
        else ids.add(id);
      }
    }
    return { folders, sessionsOf: (agent) => [...(sessions.get(agent) ?? [])] };
  }
}
