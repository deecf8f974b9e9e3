import type { TurnState } from '../../app/model/reach.ts';
import type { AgentSession } from '../../app/model/session.ts';
import { changedMsOf } from '../os/files/small-file.ts';
import { agentParts } from './dossiers.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { AgentNote } from '../../app/jobs/lineage/evidence.ts';
import { runsConfigured } from '../../app/agents/common/configured-server.ts';
import type { ServerMark } from '../../app/agents/common/server-form.ts';
import type { ProcessRow } from '../../app/process/row.ts';

/** Marks as an environment holds them, of an agent that clears the environments of its servers. */
type ConfiguredMarks = (row: ProcessRow) => readonly { readonly agent: AgentId; readonly mark: ServerMark }[];

/**
 * Returns a reader of what agents' settings say of a process: that it runs the command of one of
 * their servers. Such agents give each server a process group of its own, so only the leaders of
 * one are compared.
 * @param home home folder of the user whose files the settings have to be
 */
export const openConfiguredMarks = (home: string, uid: number): ConfiguredMarks => {
  const readers = Object.entries(agentParts).flatMap(([agent, { configuredServers }]) =>
    configuredServers === 'none' ? [] : [{ agent: agent as AgentId, servers: configuredServers(home, uid) }],
  );
  return (row) => {
    // Windows has neither groups nor sessions.
    const leadsGroup = Number(row.pgid) === Number(row.pid) && Number(row.sid) !== Number(row.pid);
    if (row.uid !== uid || (row.windows === undefined && !leadsGroup)) return [];
    return readers.flatMap(({ agent, servers }) => {
      if (!servers().some((one) => runsConfigured(row.argv, one))) return [];
      const rule = `${agent}-configured`;
      return [{ agent, mark: { rule, role: 'configured', ownerPid: null, session: null, project: null } as const }];
    });
  };
};

/**
 * Returns a reader of what agents note of their tasks beside the output files: of an agent and the
 * path of an output file, null where nothing is noted.
 * @param uid whose files the notes have to be
 */
export const openTaskNotes = (uid: number): ((agent: AgentId, output: string) => AgentNote | null) => {
  const readers = new Map<string, (output: string) => AgentNote | null>(
    Object.entries(agentParts).flatMap(([agent, { taskNotes }]) =>
      taskNotes === 'none' ? [] : [[agent, taskNotes(uid)] as const],
    ),
  );
  return (agent, output) => readers.get(agent)?.(output) ?? null;
};

/** Returns a transcript's last write (wall clock, milliseconds), or null where unknown. */
export const transcriptWrittenMs = (session: AgentSession): number | null => {
  const { transcript } = agentParts[session.agent];
  const path = transcript === 'none' ? null : transcript(session);
  return path === null ? null : changedMsOf(path, true);
};

/** Returns whether a session on this machine may wake by itself; null where it is not known. */
export const sessionWakes = (session: AgentSession, uid: number): boolean | null => {
  const { wakes } = agentParts[session.agent];
  return wakes === 'none' ? null : wakes(session, uid);
};

/** Returns whether the last turn of a session has ended; null where it is not known. */
export const sessionTurn = (session: AgentSession, uid: number): TurnState | null => {
  const { turn } = agentParts[session.agent];
  return turn === 'none' ? null : turn(session, uid);
};

/** Returns the same of a teammate, by what its team notes. */
export const teammateTurn = (agent: AgentId, row: ProcessRow, home: string, uid: number): TurnState | null => {
  const { turnInTeam } = agentParts[agent];
  return turnInTeam === 'none' ? null : turnInTeam(row, home, uid);
};
