import { formatBytes } from '../format/bytes.ts';
import { counted } from './figures.ts';

/** What one look found, as far as its first line says it. */
export interface ScanSum {
  /** Leftovers whose descent was witnessed. */
  readonly proved: number;
  readonly probable: number;
  /** What all leftovers hold. */
  readonly rssBytes: number;
  readonly ports: readonly number[];
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

const portWords = (ports: readonly number[]): string =>
  ports.length === 0 ? '' : ` and ${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;

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
