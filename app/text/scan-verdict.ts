import { formatAge } from '../format/age.ts';
import { formatBytes } from '../format/bytes.ts';
import { counted, named } from './figures.ts';

/** What one look found, as far as its first line says it. */
export interface ScanSum {
  /** Leftovers whose descent was witnessed. */
  readonly proved: number;
  readonly probable: number;
  /** What all leftovers hold. */
  readonly rssBytes: number;
  readonly ports: readonly number[];
  /** Different sessions that left them, where that is known. */
  readonly sessions: number;
  /** Age of the oldest leftover, seconds. */
  readonly oldestSeconds: number;
  /** Jobs that are no leftovers and past a limit. */
  readonly overdue: number;
  /** Other jobs that are shown. */
  readonly running: number;
  readonly ends: Ends;
}

/**
 * What ends a due job without the user. `unknown`: another machine, whose supervisor can't be
 * asked.
 */
export type Ends = 'supervisor' | 'observe' | 'no-supervisor' | 'unknown';

const endsWords: Readonly<Record<Ends, string | null>> = {
  supervisor: 'due jobs are ended after a notice',
  observe: 'observe mode, nothing is ended by itself',
  'no-supervisor': 'no supervisor runs, nothing is ended by itself',
  unknown: null,
};

const portWords = (ports: readonly number[]): string => (ports.length === 0 ? '' : ` and ${named('port', ports)}`);

/**
 * Returns the verdict of a look in one line: `5 leftovers (2 proved, 3 probable) hold 419 MB and
 * port 3000 · 8 running · observe mode, nothing is ended by itself`.
 */
export const sayScan = ({ proved, probable, rssBytes, ports, overdue, running, ends }: ScanSum): string => {
  const left = proved + probable;
  const kinds = [...(proved === 0 ? [] : [`${proved} proved`]), ...(probable === 0 ? [] : [`${probable} probable`])];
  const holds = `${left === 1 ? 'holds' : 'hold'} ${formatBytes(rssBytes)}${portWords(ports)}`;
  return [
    left === 0 ? 'No leftovers' : `${counted(left, 'leftover')} (${kinds.join(', ')}) ${holds}`,
    ...(overdue === 0 ? [] : [`${overdue} overdue`]),
    ...(running === 0 ? [] : [`${running} running`]),
    ...(endsWords[ends] === null || left + overdue + running === 0 ? [] : [endsWords[ends]]),
  ].join(' · ');
};

/**
 * Returns the same in one sentence for bare `curfew`: `7 leftovers of 3 closed sessions hold 4.1 GB
 * and port 3000; the oldest is 16 h old, 2 are proved.`
 */
export const sayVerdict = (sum: ScanSum): string => {
  const { proved, probable, rssBytes, ports, sessions, oldestSeconds, overdue, running } = sum;
  const left = proved + probable;
  const others = [...(overdue === 0 ? [] : [`${overdue} overdue`]), ...(running === 0 ? [] : [`${running} running`])];
  if (left === 0)
    return others.length === 0 ? 'No agent has left a command running.' : `No leftovers; ${others.join(', ')}.`;
  const of = sessions === 0 ? '' : ` of ${counted(sessions, 'closed session')}`;
  const holds = `${left === 1 ? 'holds' : 'hold'} ${formatBytes(rssBytes)}${portWords(ports)}`;
  const oldest = left === 1 ? `it is ${formatAge(oldestSeconds)} old` : `the oldest is ${formatAge(oldestSeconds)} old`;
  const kinds =
    probable === 0
      ? ''
      : proved === 0
        ? `, ${left === 1 ? '' : 'all '}only probable`
        : `, ${proved} proved and ${probable} probable`;
  return `${counted(left, 'leftover')}${of} ${holds}; ${oldest}${kinds}.`;
};

/** Returns what to type next after a look; null where there is nothing to do. */
export const sayNextAfterScan = (
  { proved, probable, overdue, running }: ScanSum,
  isExplained: boolean,
): string | null => {
  if (proved + probable + overdue + running === 0) return null;
  const steps = [
    ...(isExplained ? [] : ['`curfew scan --explain` says why']),
    ...(proved === 0 ? [] : ['`curfew reap --dry-run` shows what is due']),
    ...(probable === 0 ? [] : ['`curfew reap --probable` ends what is probable, after asking']),
    ...(proved + probable === 0 && overdue > 0 ? ['`curfew reap --job JOB` ends one, `curfew keep JOB` keeps it'] : []),
  ];
  return steps.length === 0 ? null : `Next: ${steps.join(' · ')}`;
};
