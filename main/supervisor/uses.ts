import type { Draft } from '../../app/jobs/draft.ts';
import type { SocketsOfJob } from '../../app/jobs/in-use.ts';
import { usesOf } from '../../app/jobs/in-use.ts';
import type { JobId, Use } from '../../app/jobs/job.ts';
import { isBrowser } from '../../app/judge/vetoes/browser.ts';
import { programOf } from '../../app/judge/vetoes/program.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { Probing } from '../os/probing.ts';

const socketsOf = (facts: MemberFacts | undefined): ReadonlySet<string> =>
  new Set((facts?.openFiles ?? []).flatMap(({ target }) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []));

/**
 * Who uses the jobs of a look that may be ended at it: those whose session has ended, and those of living ones that are past their max
 * elapsed and listen on no port (a service is not ended then). Others are not asked about, so that an ordinary look costs nothing. Throws ProcessTableUnreadable.
 */
export const readUses = (
  probing: Pick<Probing, 'serving'> | undefined,
  table: ProcessTable,
  drafts: readonly Draft[],
  facts: ReadonlyMap<number, MemberFacts>,
  settings: Settings,
): ReadonlyMap<JobId, Use> => {
  if (probing === undefined) return new Map();
  const asked = drafts.filter(
    ({ run, owner, startTicks, members }) =>
      run === null &&
      (owner.state === 'gone' ||
        (owner.state === 'live' &&
          awakeSeconds(table, startTicks) >= settings.backgroundMaxElapsedSeconds &&
          members.every(({ row }) => (facts.get(row.pid)?.ports ?? []).length === 0))),
  );
  if (asked.length === 0) return new Map();
  const jobs = asked.map(({ members }) => {
    // A browser that a person uses is spared by its own veto; the windows of one that a program drives are nobody's.
    const own = members.map(({ row }) => ({
      pid: row.pid,
      facts: facts.get(row.pid),
      showsWindows: !isBrowser(programOf(row)),
    }));
    const ports = new Set(own.flatMap((one) => one.facts?.ports ?? []));
    return own.map(({ pid, showsWindows, ...one }) => ({ pid, sockets: socketsOf(one.facts), ports, showsWindows }));
  });
  const served = probing.serving(jobs.flat()).values();
  return usesOf(
    asked.map(({ id, owner }, index): SocketsOfJob => ({
      id,
      ended: owner.state === 'gone',
      sockets: new Set(jobs[index]?.flatMap(({ sockets }) => [...sockets])),
      served: (jobs[index] ?? []).flatMap(() => served.next().value ?? []),
    })),
  );
};
