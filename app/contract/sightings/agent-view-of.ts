import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Reach } from '../../model/reach.ts';
import type { ProcessIdentity } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { startedAtMs, type ProcessTable } from '../../process/table.ts';
import { canEnd, reachActions } from '../../reach/units.ts';
import type { AgentView } from '../views/agent-view.ts';
import { moment, momentOrNull } from '../../format/moment.ts';
import { safeView } from '../../format/secrets/safe-view.ts';
import type { Wording } from '../views/wording.ts';

export interface AgentSeen {
  readonly agent: AgentId;
  readonly process: ProcessIdentity;
  readonly parts: readonly ProcessRow[];
  readonly reach: Reach;
  readonly session: string | null;
  readonly project: string | null;
  readonly lastWriteMs: number | null;
  readonly idleSinceMs: number | null;
  readonly tree: readonly ProcessRow[];
  readonly cpuPercent: number | null;
  readonly ownEnd: { readonly id: string; readonly command: readonly string[] } | null;
  readonly job: string | null;
}

type AgentWording = Pick<Wording, 'args' | 'reach' | 'reachWord' | 'refusal' | 'command'>;

/** Returns an agent in the published form, its command lines redacted. */
export const agentView = (seen: AgentSeen, table: ProcessTable, wording: AgentWording): AgentView => {
  const own = new Set(seen.parts.map(({ pid }) => pid));
  const endWith = seen.ownEnd === null ? null : wording.command(seen.ownEnd.command);
  return safeView<AgentView>({
    agent: seen.agent,
    pid: seen.process.pid,
    startedAt: moment(startedAtMs(table, seen.process.startTicks)),
    state: seen.reach.state,
    word: wording.reachWord(seen.reach.state),
    text: wording.reach(seen.reach),
    session: seen.session,
    project: seen.project,
    canEnd: canEnd(seen.reach) && seen.job !== null,
    job: seen.job,
    refusal: wording.refusal(seen.reach, endWith),
    endWith,
    ownEnd: seen.ownEnd?.id ?? null,
    idleSince: momentOrNull(seen.idleSinceMs),
    lastWriteAt: momentOrNull(seen.lastWriteMs),
    cpuPercent: seen.cpuPercent === null ? null : Math.round(seen.cpuPercent * 10) / 10,
    rssBytes: seen.tree.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    tree: seen.tree.map((row) => ({
      pid: row.pid,
      ppid: row.ppid,
      args: wording.args(row.argv, row.comm),
      rssBytes: row.rssBytes,
      own: own.has(row.pid),
    })),
  });
};

/** Whether an agent is told of where only those that need a look are. */
export const isShownAgent = ({ reach }: Pick<AgentSeen, 'reach'>): boolean => reachActions[reach.state].shown;
