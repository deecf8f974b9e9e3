import { moment } from '../../format/moment.ts';
import { safeView } from '../../format/secrets/safe-view.ts';
import type { LeftOpen } from '../../left-open/left-open.ts';
import type { LeftOpenView } from '../views/left-open-view.ts';
import type { Wording } from '../views/wording.ts';

/** Returns what is left open in the published form, its command lines redacted. */
export const leftOpenView = (
  seen: LeftOpen,
  wording: Pick<Wording, 'args' | 'leftOpen' | 'leftOpenRefusal' | 'command' | 'said'>,
): LeftOpenView =>
  safeView<LeftOpenView>({
    id: seen.id,
    keeper: seen.keeper,
    openedBy: seen.openedBy,
    name: seen.name,
    image: seen.image,
    text: wording.leftOpen(seen),
    agent: seen.agent,
    session: seen.session,
    project: seen.project,
    owner: seen.owner,
    evidence: wording.said(seen.evidence),
    startedAt: moment(seen.startedAtMs),
    canEnd: seen.refusal === null,
    refusalCode: seen.refusal?.code ?? null,
    refusal: wording.leftOpenRefusal(seen),
    endWith: seen.endWith.length === 0 ? null : wording.command(seen.endWith),
    rssBytes: seen.inside.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    processes: seen.inside.map((row) => ({
      pid: row.pid,
      ppid: row.ppid,
      args: wording.args(row.argv, row.comm),
      rssBytes: row.rssBytes,
    })),
  });
