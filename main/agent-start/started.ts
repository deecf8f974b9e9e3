import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import type { AgentStart } from '../../app/jobs/lineage/evidence.ts';
import { type AgentGroup, isNamedFor, isReplaced } from '../os/containment/agent-groups.ts';
import { pidsInGroup } from '../os/containment/control-group.ts';
import { killFrozen } from '../os/containment/frozen-group.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { LeftGroup } from '../reaping/whole-group.ts';
import { whyNotDead } from '../run/record/proved-dead.ts';
import { fileStamp } from '../store/files/json-file.ts';
import { thawAbandoned, whileNoted } from './frozen.ts';
import { type AgentRecord, agentRecordsFolder, frozenFile, readAgentRecords } from './record.ts';

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

/** The group of version 2 with what tool calls left; the agent's own where they share one. */
const leftGroupOf = (
  { id, groups, host, process }: AgentRecord,
  state: string,
  source: Pick<ProcessSource, 'bootId' | 'read'>,
): LeftGroup | null => {
  const own = groups.filter(({ hierarchy }) => hierarchy === '');
  const group = own.find(({ holds }) => holds === 'calls') ?? own[0];
  if (group === undefined || whyNotDead({ ...process, host }, source) !== null) return null;
  const { folder } = group;
  return {
    path: group.path,
    pids: () => ({
      inside: pidsInGroup(folder),
      beside: own.flatMap((one) => (one === group ? [] : pidsInGroup(one.folder))),
    }),
    killIf: (mayEnd) =>
      isReplaced(group) ? null : whileNoted(frozenFile(state, id), folder, source, () => killFrozen(folder, mayEnd)),
  };
};

export interface StartedAgents {
  readonly starts: () => readonly AgentStart[];
  readonly left: () => readonly LeftGroup[];
}

/**
 * Opens a reader of the agents that `curfew agent` started and of which no group was made again by
 * another process. What a record says alone counts for nothing: its groups are named for it, are
 * where it says, and have the inodes of those that were made. Costs one question about a folder,
 * and one about each group.
 */
export const openAgentStarts = (state: string, source: Pick<ProcessSource, 'bootId' | 'read'>): StartedAgents => {
  let known: { readonly version: string; readonly records: readonly AgentRecord[] } | null = null;
  let isFrozen = true;
  const read = (): readonly AgentRecord[] =>
    readAgentRecords(state).filter(({ id, groups }) => groups.every((group) => isNamedFor(group, id)));
  const records = (): readonly AgentRecord[] => {
    try {
      const { version, fresh } = fileStamp(agentRecordsFolder(state), Date.now());
      if (version === 'missing') return [];
      if (known?.version !== version) {
        known = { version: fresh ? '' : version, records: read() };
        isFrozen = true;
      }
      // Asked again as long as one is noted: the Curfew that froze it may end later.
      isFrozen &&= thawAbandoned(state, known.records, source);
      return known.records.filter(({ groups }) => groups.some(isThere) && !groups.some(isReplaced));
    } catch {
      return [];
    }
  };
  return {
    starts: () => records().flatMap((record) => startOf(record, source.bootId) ?? []),
    left: () => records().flatMap((record) => leftGroupOf(record, state, source) ?? []),
  };
};
