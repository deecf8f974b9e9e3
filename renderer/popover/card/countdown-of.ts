import { countedDown, fateOf } from '../../../app/contract/claims/fate.ts';
import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { Language } from '../../texts/texts-context.ts';
import { jobLimits } from '../details/job-limits.ts';
import type { Tone } from './chips-of.ts';

/** The most urgent fact of a job: when it ends, or by how much it is late. */
export interface CountdownText {
  readonly text: string;
  /** The time alone, for the button that ends it; null: there is no countdown. */
  readonly short: string | null;
  readonly tone: Tone;
}

interface Subject {
  readonly job: SnapshotJob;
  readonly settings: SettingsView;
  readonly nowMs: number;
  /** False while nothing is ended automatically: then no card announces an end. */
  readonly endsByItself: boolean;
  readonly language: Language;
}

/** Returns null for a job that neither ends soon nor is late. Red only past the hard cap. */
export const countdownOf = ({
  job,
  settings,
  nowMs,
  endsByItself,
  language: { texts, format },
}: Subject): CountdownText | null => {
  const words = texts.popover.countdown;
  const { state, endsAt } = job.verdict;
  const { softSeconds, capSeconds } = jobLimits(job, settings);
  const age = (nowMs - Date.parse(job.startedAt)) / 1000;
  const pastCap = state === 'past-cap';
  const fate = fateOf(state, endsByItself && endsAt !== null ? Date.parse(endsAt) : null, null, nowMs);
  if (fate.kind === 'ends' && fate.isUrgent) {
    const tone = pastCap ? 'red' : 'amber';
    if (fate.seconds < 1) return { text: words.endsNow, short: null, tone };
    const length = format.roughly(countedDown(fate.seconds));
    return { text: words.endsIn(length), short: length, tone };
  }
  if (pastCap && age > capSeconds)
    return { text: words.pastCap(format.roughly(age - capSeconds)), short: null, tone: 'red' };
  if (state === 'overdue' && age > softSeconds)
    return { text: words.over(format.roughly(age - softSeconds)), short: null, tone: 'amber' };
  return null;
};
