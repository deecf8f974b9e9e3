import { kept } from '../../../app/format/kept.ts';
import { isAbsolute, join } from 'node:path';
import { agentIds, type AgentId, type AgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { dossiers } from '../../../app/agents/dossiers.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { type ProcessRow, hasEnded } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { programOf } from '../../../app/agents/signatures.ts';

export interface AgentProcess {
  readonly agent: AgentId;
  readonly row: ProcessRow;
}

/** Every living agent's own process of the table's user, started by hand or by another agent. */
export const agentProcesses = (table: ProcessTable): readonly AgentProcess[] => {
  const found: AgentProcess[] = [];
  for (const row of table.rows.values()) {
    if (row.kernelThread || row.uid !== table.uid || hasEnded(row)) continue;
    const agent = programOf(row);
    if (agent !== null) found.push({ agent, row });
  }
  return found;
};

const folderVariables = agentIds.flatMap((agent) => {
  const { registry } = dossiers[agent];
  return registry === 'none' ? [] : [{ agent, variable: registry.folderVariable }];
});

const sessionVariables = agentIds.flatMap((agent) => {
  const { registry } = dossiers[agent];
  return registry === 'none' ? [] : registry.sessionVariables.map((variable) => ({ agent, variable }));
});

interface Named {
  readonly folders: readonly { readonly agent: AgentId; readonly folder: string }[];
  readonly sessions: readonly { readonly agent: AgentId; readonly id: AgentSessionId }[];
}

const nothing: Named = { folders: [], sessions: [] };

/** Most processes have none of the variables, so that is asked first. */
const namedIn = (environment: MarkerEnvironment | null): Named => {
  if (environment === null || Object.keys(environment).length === 0) return nothing;
  const folders = folderVariables.flatMap(({ agent, variable }) => {
    const folder = environment[variable];
    return folder !== undefined && isAbsolute(folder) && folder.length <= 1024 ? [{ agent, folder: join(folder) }] : [];
  });
  const sessions = sessionVariables.flatMap(({ agent, variable }) => {
    const id = sessionIdFrom(environment[variable]);
    return id === null ? [] : [{ agent, id }];
  });
  return folders.length === 0 && sessions.length === 0 ? nothing : { folders, sessions };
};

export interface NamedByProcesses {
  readonly folders: readonly { readonly agent: AgentId; readonly folder: string }[];
  readonly sessionsOf: (agent: AgentId) => readonly AgentSessionId[];
}

export class NamingReader {
  readonly #environment: (row: ProcessRow) => MarkerEnvironment | null;
  readonly #known = new WeakMap<ProcessRow, Named>();

  constructor(environment: (row: ProcessRow) => MarkerEnvironment | null) {
    this.#environment = environment;
  }

  read(table: ProcessTable): NamedByProcesses {
    const folders: { agent: AgentId; folder: string }[] = [];
    const sessions = new Map<AgentId, Set<AgentSessionId>>();
    const asked = (row: ProcessRow) => namedIn(this.#environment(row));
    for (const row of table.rows.values()) {
      if (row.uid !== table.uid || row.kernelThread) continue;
      const named = kept(this.#known, row, asked);
      folders.push(...named.folders);
      for (const { agent, id } of named.sessions) kept(sessions, agent, () => new Set()).add(id);
    }
    return { folders, sessionsOf: (agent) => [...(sessions.get(agent) ?? [])] };
  }
}
