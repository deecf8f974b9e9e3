import type { Said } from '../format/said.ts';
import { resumeOf } from '../agents/names.ts';
import type { AgentView } from '../contract/views/agent-view.ts';
import type { LeftOpenView } from '../contract/views/left-open-view.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import { commandText, leftOpenRefused, leftOpenWord } from '../text/left-open.ts';
import { endRefused, idleSaid, reachWord, sayReach, usedSaid } from '../text/reach.ts';
import { inEnglish } from '../text/say.ts';
import type { IdleView } from '../contract/views/session-costs.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import { moment, momentOrNull } from '../format/moment.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import type { LeftOpen } from '../left-open/left-open.ts';
import type { Idle } from '../model/reach.ts';
import type { RunningAgent } from '../model/running-agent.ts';
import { startedAtMs, type ProcessTable } from '../process/table.ts';
import { reachActions } from '../reach/units.ts';

const sentence = (said: Said | null): string | null => (said === null ? null : inEnglish(said));

/** Returns whether an agent is idle in the published form. */
export const idleView = (idle: Idle, { takenAtMs }: Pick<ProcessTable, 'takenAtMs'>): Found<IdleView> => ({
  state: idle.state,
  since: momentOrNull('sinceMs' in idle ? idle.sinceMs : null),
  text: inEnglish(idleSaid(idle, takenAtMs)),
});

/** Returns an agent in the published form, its command lines redacted. */
export const agentView = (seen: RunningAgent, table: ProcessTable): AgentView => {
  const own = new Set(seen.parts.map(({ pid }) => pid));
  const endWith = seen.ownEnd === null ? null : commandText(seen.ownEnd.command);
  return safeView<AgentView>({
    agent: seen.agent,
    pid: seen.process.pid,
    startedAt: moment(startedAtMs(table, seen.process.startTicks)),
    state: seen.reach.state,
    word: reachWord(seen.reach.state),
    text: sayReach(seen.reach),
    session: seen.session,
    project: seen.project,
    canEnd: seen.job !== null,
    job: seen.job,
    refusal: seen.job === null ? sentence(endRefused(seen.reach, endWith, usedSaid(seen, table.takenAtMs))) : null,
    endWith,
    ownEnd: seen.ownEnd?.id ?? null,
    idleSince: momentOrNull(seen.idleSinceMs),
    idle: idleView(seen.idle, table),
    resume: resumeOf(seen.agent, seen.session),
    lastWriteAt: momentOrNull(seen.lastWriteMs),
    cpuPercent: seen.cpuPercent === null ? null : Math.round(seen.cpuPercent * 10) / 10,
    rssBytes: seen.tree.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    tree: seen.tree.map((row) => ({
      pid: row.pid,
      ppid: row.ppid,
      args: redactProcess(row),
      rssBytes: row.rssBytes,
      own: own.has(row.pid),
    })),
  });
};

/** Whether an agent is told of where only those that need a look are. */
export const isShownAgent = ({ reach }: Pick<RunningAgent, 'reach'>): boolean => reachActions[reach.state].shown;

/** Returns what is left open in the published form, its command lines redacted. */
export const leftOpenView = (seen: LeftOpen): LeftOpenView =>
  safeView<LeftOpenView>({
    id: seen.id,
    keeper: seen.keeper,
    openedBy: seen.openedBy,
    name: seen.name,
    image: seen.image,
    text: leftOpenWord(seen),
    agent: seen.agent,
    session: seen.session,
    project: seen.project,
    owner: seen.owner,
    evidence: inEnglish(seen.evidence),
    startedAt: moment(seen.startedAtMs),
    canEnd: seen.refusal === null,
    refusalCode: seen.refusal?.code ?? null,
    refusal: sentence(leftOpenRefused(seen)),
    endWith: seen.endWith.length === 0 ? null : commandText(seen.endWith),
    rssBytes: seen.inside.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    processes: seen.inside.map((row) => ({
      pid: row.pid,
      ppid: row.ppid,
      args: redactProcess(row),
      rssBytes: row.rssBytes,
    })),
  });
