import { formatAge } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import { type Form, listed, portsSaid, say, several, sized } from './form.ts';

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

/** What ends a due job automatically. `unknown`: another machine's supervisor can't be asked. */
export type Ends = 'supervisor' | 'observe' | 'no-supervisor' | 'unknown';

const endsWords = {
  supervisor: 'due jobs are ended after a notice',
  observe: 'observe mode, nothing is ended by itself',
  'no-supervisor': 'no supervisor runs, nothing is ended by itself',
  unknown: null,
} as const satisfies Readonly<Record<Ends, Form | null>>;

/** `12 MB and port 3000`. */
const held = ({ rssBytes, ports }: ScanSum): Said =>
  ports.length === 0 ? sized(rssBytes) : say('{list} and {last}', { list: sized(rssBytes), last: portsSaid(ports) });

const others = ({ overdue, running }: ScanSum): readonly Said[] => [
  ...(overdue === 0 ? [] : [say('{count} overdue', { count: overdue })]),
  ...(running === 0 ? [] : [say('{count} running', { count: running })]),
];

/**
 * Returns the verdict of a look in one line: `5 leftovers (2 proved, 3 probable) hold 419 MB and
 * port 3000 · 8 running · observe mode, nothing is ended by itself`.
 */
export const sayScan = (sum: ScanSum): Said => {
  const { proved, probable, overdue, running } = sum;
  const left = proved + probable;
  const kinds = [
    ...(proved === 0 ? [] : [say('{count} proved', { count: proved })]),
    ...(probable === 0 ? [] : [say('{count} probable', { count: probable })]),
  ];
  const ends = endsWords[sum.ends];
  return listed(
    [
      left === 0
        ? say('No leftovers')
        : say(left === 1 ? '{leftovers} ({kinds}) holds {held}' : '{leftovers} ({kinds}) hold {held}', {
            leftovers: several(left, 'leftover'),
            kinds: listed(kinds, ', '),
            held: held(sum),
          }),
      ...others(sum),
      ...(ends === null || left + overdue + running === 0 ? [] : [say(ends)]),
    ],
    ' · ',
  );
};

/**
 * Returns the same in one sentence for bare `curfew`: `7 leftovers of 3 closed sessions hold 4.1 GB
 * and port 3000; the oldest is 16 h old, 2 are proved.`
 */
export const sayVerdict = (sum: ScanSum): Said => {
  const { proved, probable, sessions, oldestSeconds } = sum;
  const left = proved + probable;
  if (left === 0)
    return others(sum).length === 0
      ? say('No agent has left a command running.')
      : say('No leftovers; {others}.', { others: listed(others(sum), ', ') });
  const kinds =
    probable === 0
      ? ''
      : proved === 0
        ? say(left === 1 ? ', only probable' : ', all only probable')
        : say(', {proved} proved and {probable} probable', { proved, probable });
  return say(
    left === 1
      ? '{leftovers}{of} holds {held}; it is {age} old{kinds}.'
      : '{leftovers}{of} hold {held}; the oldest is {age} old{kinds}.',
    {
      leftovers: several(left, 'leftover'),
      of: sessions === 0 ? '' : say(' of {sessions}', { sessions: several(sessions, 'closed session') }),
      held: held(sum),
      age: formatAge(oldestSeconds),
      kinds,
    },
  );
};

/** Returns what to type next after a look; null where there is nothing to do. */
export const sayNextAfterScan = (
  { proved, probable, overdue, running }: ScanSum,
  isExplained: boolean,
): Said | null => {
  if (proved + probable + overdue + running === 0) return null;
  const steps = [
    ...(isExplained ? [] : [say('`curfew scan --explain` says why')]),
    ...(proved === 0 ? [] : [say('`curfew reap --dry-run` shows what is due')]),
    ...(probable === 0 ? [] : [say('`curfew reap --probable` ends what is probable, after asking')]),
    ...(proved + probable === 0 && overdue > 0
      ? [say('`curfew reap --job JOB` ends one, `curfew keep JOB` keeps it')]
      : []),
  ];
  return steps.length === 0 ? null : say('Next: {steps}', { steps: listed(steps, ' · ') });
};
