import type { Decider, Outcome, RecordedProcess } from '../history/incident.ts';
import type { Reason } from '../judge/verdict.ts';
import type { SignalName } from '../reap/signal.ts';
import { formatAge } from './age.ts';
import { sayReason } from './reasons.ts';
import { visibleText } from './visible.ts';

/** What is told of an ending. */
export interface TimeoutEvent {
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  readonly outcome: Extract<Outcome, 'reaped' | 'killed' | 'survived'>;
  readonly firstSignal: SignalName;
  readonly decidedBy: Decider;
  readonly ageSeconds: number;
  readonly reasons: readonly Reason[];
  readonly survivors: readonly Pick<RecordedProcess, 'pid'>[];
}

const deciders: Readonly<Record<Decider, string>> = {
  rule: 'by its rules',
  person: 'because the person at the desk said so',
  hook: 'because a hook said so',
  command: 'because somebody called `curfew reap`',
};

const how = ({ outcome, firstSignal, survivors }: TimeoutEvent): string => {
  switch (outcome) {
    case 'reaped':
      return firstSignal;
    case 'killed':
      return `${firstSignal}, then KILL`;
    case 'survived':
      return `${firstSignal}, then KILL; still running: ${survivors.map(({ pid }) => pid).join(', ')}`;
  }
};

/**
 * The line that Curfew adds to the output file of what it ended, so that the agent reads on its next look that its command was
 * ended, when, by whom and why, and doesn't take it for finished or for stopped by somebody else. One line with its end, without
 * control characters.
 */
export const timeoutEventLine = (event: TimeoutEvent): string => {
  const at = new Date(event.atMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const why = event.reasons.map(sayReason).join('; ');
  const ended = `Curfew ended this command after ${formatAge(event.ageSeconds)} (${how(event)}), ${deciders[event.decidedBy]}`;
  return `${visibleText(`[curfew ${at}] ${ended}: ${why}.`)}\n`;
};
