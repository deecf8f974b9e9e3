import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import type { AgentStart } from '../../app/jobs/lineage/evidence.ts';
import { type AgentGroup, isNamedFor, isReplaced } from '../os/containment/agent-groups.ts';
import { fileStamp } from '../store/files/json-file.ts';
import { type AgentRecord, agentRecordsFolder, readAgentRecords } from './record.ts';

const isAgentId = (id: string | null): id is AgentId => agentIds.some((one) => one === id);

/** What a record says of this boot and pid namespace; null for another program, host or boot. */
const startOf = ({ agent, host, process, terminal, unit, groups }: AgentRecord, bootId: string): AgentStart | null =>
  !isAgentId(agent) || host !== hostname() || process.bootId !== bootId
    ? null
    : {
        agent,
        pid: process.pid,
        startTicks: process.startTicks,
        terminal: terminal ?? null,
        unit: unit ?? null,
        groups: groups.map(({ hierarchy, path, holds }) => ({ hierarchy, path, holds })),
      };

const isThere = ({ folder }: AgentGroup): boolean => existsSync(folder);

/**
 * Opens a reader of the agents that `curfew agent` started and of which no group was made again by
 * another process. What a record says alone counts for nothing: its groups are named for it, are
 * where it says, and have the inodes of those that were made. Costs one question about a folder,
 * and one about each group.
 */
export const openAgentStarts = (state: string, bootId: string): (() => readonly AgentStart[]) => {
  let known: { readonly version: string; readonly records: readonly AgentRecord[] } | null = null;
  const read = (): readonly AgentRecord[] =>
    readAgentRecords(state).filter(({ id, groups }) => groups.every((group) => isNamedFor(group, id)));
  return () => {
    try {
      const { version, fresh } = fileStamp(agentRecordsFolder(state), Date.now());
      if (version === 'missing') return [];
      if (known?.version !== version) known = { version: fresh ? '' : version, records: read() };
      return known.records.flatMap((record) => {
        const start = startOf(record, bootId);
        return start !== null && record.groups.some(isThere) && !record.groups.some(isReplaced) ? [start] : [];
      });
    } catch {
      return [];
    }
  };
};
