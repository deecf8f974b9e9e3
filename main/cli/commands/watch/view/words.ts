import { several } from '../../../../../app/text/form.ts';
import { reachWordSaid } from '../../../../../app/text/reach.ts';
import { worded, statementWords, words } from '../../../common/words.ts';
import { say, joined } from '../../../../../app/text/say.ts';
import type { ReapingView } from '../../../../../app/contract/views/reaping-view.ts';
import type { Snapshot } from '../../../../../app/contract/views/snapshot.ts';
import { formatAge } from '../../../../../app/format/age.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import type { VerdictState } from '../../../../../app/judge/verdict.ts';
import { sayHeld } from '../../../../../app/text/job.ts';
import { endingOf, endingSaid } from '../../../../../app/text/outcomes.ts';
import { claimsOf, isLeftover } from '../../../../../app/contract/claims/claims.ts';
import { holdingsOf } from '../../../../../app/contract/claims/leftovers.ts';
import {
  formatCountdown,
  sayEnd,
  sayTogether,
  englishStates,
  tones,
  type Tone,
} from '../../../../../app/text/states.ts';
import { fateOf } from '../../../../../app/contract/claims/fate.ts';
import { agentText, agentRefusal, endMsOf, type Row } from './rows.ts';

/** A text with its colour. */
export interface Toned {
  readonly text: string;
  readonly tone: Tone;
}

/** Returns how far an end in progress is. */
const reapingWords = (reaping: ReapingView, nowMs: number): Toned => {
  const { phase, graceEndsAt, problem } = reaping;
  const left = graceEndsAt === null ? null : Date.parse(graceEndsAt) - nowMs;
  const tone = phase === 'killing' ? 'red' : phase === 'ended' && problem === null ? 'quiet' : 'amber';
  const state = endingSaid(endingOf(reaping), reaping.signal);
  const text =
    phase !== 'asked' || left === null
      ? words(state)
      : worded('{state}, KILL in {age}', { state, age: formatCountdown(Math.max(0, left / 1000)) });
  return { text, tone };
};

/** Returns what becomes of a row, the most urgent first; `wide` has room for its state as well. */
export const stateWords = (row: Row, promises: boolean, nowMs: number, wide: boolean): Toned => {
  if (row.reaping !== null && (row.kind === 'ended' || row.reaping.phase !== 'ended'))
    return reapingWords(row.reaping, nowMs);
  if (row.kind === 'agent')
    return { text: words(reachWordSaid(row.agent.state)), tone: row.agent.state === 'unreachable' ? 'amber' : 'quiet' };
  if (row.kind === 'ended') return { text: words(endingSaid('reaped')), tone: 'quiet' };
  const { state } = row.job.verdict;
  const [word, tone] = [worded(englishStates[state]), tones[state]];
  const { keptUntil } = row.job;
  const fate = fateOf(state, endMsOf(row, promises), keptUntil === null ? null : Date.parse(keptUntil), nowMs);
  if (fate.kind === 'kept') return { text: worded('kept, {age}', { age: formatCountdown(fate.seconds) }), tone };
  if (fate.kind === 'stays' || !fate.isUrgent) return { text: word, tone };
  const end = words(sayEnd(fate.seconds));
  return { text: wide ? `${word}, ${end}` : end, tone: tone === 'green' ? 'amber' : tone };
};

/** Says whether anything is ended automatically now, and if not, why. */
export const modeWords = (snapshot: Snapshot, nowMs: number): Toned => {
  const { watch } = claimsOf(snapshot, 'connected', nowMs);
  switch (watch) {
    case 'enforcing':
      return { text: worded('Enforce: overdue jobs and leftovers are ended'), tone: 'green' };
    case 'paused': {
      const { pausedUntil } = snapshot;
      const text =
        pausedUntil === null || pausedUntil === 'forever'
          ? worded('Paused until you resume: nothing is ended')
          : worded('Paused for {age}: nothing is ended', {
              age: formatAge((Date.parse(pausedUntil) - nowMs) / 1000),
            });
      return { text, tone: 'amber' };
    }
    case 'observing':
      return {
        text: worded(
          snapshot.modeChosen
            ? 'Observe: nothing is ended automatically'
            : 'Observe, until you choose: curfew settings set mode enforce',
        ),
        tone: 'amber',
      };
    case 'starting':
      return { text: worded('Looking for the first time…'), tone: 'quiet' };
    case 'stale':
      return { text: worded('The last check is too long ago'), tone: 'red' };
    case 'report-only':
      return { text: worded('Report only: this machine allows no safe signals'), tone: 'amber' };
    case 'unrecorded':
      return { text: worded('Nothing is ended automatically: history can’t be written'), tone: 'red' };
    case 'offline':
    case 'signed-out':
      return { text: worded('Nothing is being watched'), tone: 'red' };
  }
};

/** Says how many jobs there are of which kind, and what the leftovers hold. */
export const totalsWords = (snapshot: Snapshot): Toned => {
  const { jobs, agents } = snapshot;
  const leftovers = holdingsOf(jobs.filter(isLeftover));
  const rest = jobs.filter((job) => !isLeftover(job));
  const inStates = (...states: readonly VerdictState[]): readonly string[] =>
    states.flatMap((state) => {
      const count = rest.filter(({ verdict }) => verdict.state === state).length;
      if (count === 0) return [];
      return [state === 'within' ? worded('{count} running', { count }) : `${count} ${worded(englishStates[state])}`];
    });
  const parts = [
    leftovers.jobs === 0 ? worded('no leftovers') : words(sayTogether(leftovers, 'leftover')),
    ...inStates('past-cap', 'probable', 'overdue'),
    ...(agents.length === 0 ? [] : [words(several(agents.length, 'agent'))]),
    ...inStates('within', 'kept', 'protected'),
  ];
  return { text: parts.join(' · '), tone: leftovers.jobs > 0 ? 'amber' : 'quiet' };
};

/** Returns the first problem of Curfew itself, with what to do; null if there is none. */
export const problemWords = ({ health }: Snapshot): Toned | null => {
  const [first, ...more] = health.problems.toSorted((one, other) => one.severity.localeCompare(other.severity));
  if (first === undefined) return null;
  const said = first.advice === null ? first.text : joined(first.text, first.advice);
  const text =
    more.length === 0
      ? words(said)
      : worded('{problem} (and {count} more: curfew doctor)', { problem: said, count: more.length });
  return { text: visibleText(text), tone: first.severity === 'failure' ? 'red' : 'amber' };
};

/** Says why a row is listed, as one line. */
export const whyWords = (row: Row): string => {
  switch (row.kind) {
    case 'job': {
      const { verdict, members, holds, vetoes, ownerSaid } = row.job;
      const why = [
        ...vetoes.slice(0, 1).map((veto) => statementWords('veto', veto)),
        ...verdict.reasons.map((reason) => statementWords('reason', reason, ownerSaid)),
      ];
      return visibleText([...new Set(why), words(sayHeld(members.length, { ports: holds.ports }))].join(' · '));
    }
    case 'agent':
      return visibleText(
        [agentText(row.agent), row.agent.refusal === null ? worded('e ends it') : agentRefusal(row.agent)].join(' · '),
      );
    case 'ended':
      return visibleText(words(row.reaping.problem ?? say('It has ended.')));
  }
};
