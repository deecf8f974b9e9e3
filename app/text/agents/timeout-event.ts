import type { Decider, Intent, Outcome, RecordedProcess } from '../../history/incident.ts';
import { formatAge } from '../../format/age.ts';
import { sayWhy } from '../job.ts';
import { visibleText } from '../../format/visible.ts';

/** An ending as reported to the agent. */
export interface TimeoutEvent extends Pick<Intent, 'firstSignal' | 'decidedBy' | 'command' | 'ageSeconds' | 'reasons'> {
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  readonly outcome: Extract<Outcome, 'reaped' | 'killed' | 'survived'>;
  readonly survivors: readonly Pick<RecordedProcess, 'pid'>[];
}

const deciders: Readonly<Record<Decider, string>> = {
  rule: 'by its rules',
  person: 'because the user asked for it',
  hook: 'because its session reported its end',
  command: 'because `curfew reap` was called',
  agent: 'because its own session asked for it',
};

const maxCommandLength = 100;

const shortened = (command: string): string => {
  const text = visibleText(command);
  return text.length <= maxCommandLength ? text : `${text.slice(0, maxCommandLength - 1).toWellFormed()}…`;
};

/** Advice for the agent. It must not restart a command that the user ended without asking. */
const advice: Readonly<Record<Decider, string>> = {
  rule: 'If it has to run longer, start it with `curfew run --max-elapsed 4h -- COMMAND`, or use `curfew keep JOB` while it runs (`curfew scan` names it).',
  hook: 'If it has to outlive its session, start it with `curfew run --background -- COMMAND`.',
  person: 'Ask before you start it again.',
  command: 'Ask before you start it again.',
  agent: 'Start it again if it is needed.',
};

const how = ({ outcome, firstSignal, survivors }: TimeoutEvent): string => {
  switch (outcome) {
    case 'reaped':
      return firstSignal;
    case 'killed':
      return `${firstSignal}, then KILL`;
    case 'survived':
      return `${firstSignal}, then KILL; still running: ${survivors.map(({ pid }) => pid).join(', ') || 'processes that it keeps restarting'}`;
  }
};

/**
 * Returns the line that Curfew appends to the output file of a command it ended. The agent then
 * learns when, by what and why the command was ended, and does not mistake it for finished. One
 * line with its line feed, without control characters.
 */
export const timeoutEventLine = (event: TimeoutEvent): string => {
  const at = new Date(event.atMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const why = sayWhy(event.reasons);
  const what = `\`${shortened(event.command)}\` after ${formatAge(event.ageSeconds)} (${how(event)})`;
  const text = `[curfew ${at}] Curfew ended ${what}, ${deciders[event.decidedBy]}: ${why}. ${advice[event.decidedBy]}`;
  return `${visibleText(text)}\n`;
};
