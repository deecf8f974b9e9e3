import { formatLimit } from '../../../../app/format/age.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import { counted } from '../../../../app/text/figures.ts';
import { formatCountdown, sayTogether } from '../../../../app/text/states.ts';
import type { JudgedJob } from '../../../observing/look.ts';
import type { Reaping } from '../../../reaping/reaping.ts';
import { fit } from '../../common/columns.ts';
import type { Output } from '../../common/output.ts';

/** How often what is going on is looked at, milliseconds. */
const pollMs = 200;

/** Says what several jobs are and hold: `5 leftovers, 2.1 GB, port 3000`. */
export const sayDue = (due: readonly JudgedJob[]): string => {
  const holds = {
    jobs: due.length,
    rssBytes: due.reduce((sum, { job }) => sum + job.holds.rssBytes, 0),
    ports: [...new Set(due.flatMap(({ job }) => job.holds.ports))].toSorted((one, other) => one - other),
  };
  return sayTogether(holds, due.every(({ job }) => job.owner.state === 'gone') ? 'leftover' : 'job');
};

const stepOf = ({ state, plan, left, judged }: Reaping): string | null => {
  const what = `${judged.job.id} ${visibleText(judged.job.command)}`;
  const rest = counted(left, 'process', 'processes');
  if (state.phase === 'asked') {
    const then = plan.graceMs === 0 ? '' : `, KILL in ${formatCountdown(plan.graceMs / 1000)} to what is left`;
    return `${plan.signal} sent to ${rest}${then}: ${what}`;
  }
  return state.phase === 'killing' ? `KILL sent to what is left: ${what}` : null;
};

const inPlace = (inProgress: readonly Reaping[], all: number): string => {
  const asked = inProgress.filter(({ state }) => state.phase === 'asked');
  const leftMs = asked.map(({ state, plan }) =>
    state.phase === 'asked' ? state.askedAtMs + plan.graceMs - performance.now() : 0,
  );
  const wait =
    leftMs.length === 0 ? '' : `, KILL in ${formatCountdown(Math.max(0, Math.max(...leftMs)) / 1000)} at the latest`;
  const processes = inProgress.reduce((sum, { left }) => sum + left, 0);
  return `Ending: ${all - inProgress.length} of ${counted(all, 'job')} done, ${counted(processes, 'process', 'processes')} left${wait}`;
};

/**
 * Tells on standard error how a reaping goes: in place on a terminal, else a line for each step.
 * The returned function ends that.
 */
export const tellReaping = (
  reaper: { readonly inProgress: readonly Reaping[] },
  due: readonly JudgedJob[],
  output: Pick<Output, 'warn'>,
): (() => void) => {
  if (due.length === 0) return () => undefined;
  output.warn(`Ending ${sayDue(due)}.`);
  const { stderr } = process;
  const said = new Map<string, string>();
  const tell = (): void => {
    if (stderr.isTTY) {
      if (reaper.inProgress.length === 0) return;
      stderr.write(`\r${fit(inPlace(reaper.inProgress, due.length), stderr.columns - 1)}\u001B[K`);
      return;
    }
    for (const reaping of reaper.inProgress) {
      const step = stepOf(reaping);
      const phase = reaping.state.phase;
      if (step === null || said.get(reaping.order.job) === phase) continue;
      said.set(reaping.order.job, phase);
      output.warn(step);
    }
  };
  const timer = setInterval(tell, pollMs);
  return () => {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write('\r\u001B[K');
  };
};

/**
 * Tells on standard error that another machine's own Curfew ends what is due there: it reports when
 * all is over. Counts the seconds on a terminal. The returned function ends that.
 */
export const tellWaiting = (host: string, output: Pick<Output, 'warn'>): (() => void) => {
  output.warn(`The Curfew on ${host} ends what is due there, and reports when it is done.`);
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  const beganMs = performance.now();
  const timer = setInterval(() => {
    const seconds = formatLimit(Math.floor((performance.now() - beganMs) / 1000));
    stderr.write(`\r${fit(`Waiting for ${host} for ${seconds}`, stderr.columns - 1)}\u001B[K`);
  }, 1000);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001B[K');
  };
};
