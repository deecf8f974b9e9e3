import type { Answer, FailureCode } from '../../../app/contract/answer.ts';
import type { EndRefusal } from '../../../app/ending/refusal.ts';
import type { Said } from '../../../app/format/said.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { shortfallOf } from '../../../app/text/outcomes.ts';
import { sayRefusal } from '../../../app/text/refusals.ts';
import { saidOf, say } from '../../../app/text/say.ts';
import type { EndResult } from '../../ending/end.ts';
import { JobTaken } from '../../reaping/admission.ts';
import { JournalUnwritable } from '../../store/database/store-failure.ts';
import { type Refusal, refused } from './failures.ts';

const codes: Readonly<Record<EndRefusal['kind'], FailureCode>> = {
  'not-found': 'not-found',
  changed: 'refused',
  busy: 'busy',
  unrecordable: 'journal',
  stopping: 'refused',
  protected: 'vetoed',
  'within-reach': 'vetoed',
  'left-open': 'vetoed',
  'no-command': 'refused',
};

const advice: Partial<Readonly<Record<EndRefusal['kind'], () => Said>>> = {
  'not-found': () => say('The history tells what Curfew ended, and how.'),
  changed: () => say('Look at it again; if it still is to be ended, press End once more.'),
};

/** Returns the answer to what is not ended. */
export const refusalAnswer = (refusal: EndRefusal): Refusal =>
  refusal.kind === 'unrecordable'
    ? refused('journal', say('The record can’t be written, so nothing is done.'), saidOf(refusal.problem))
    : refused(codes[refusal.kind], sayRefusal(refusal), advice[refusal.kind]?.());

const ended = (incident: Incident): Refusal =>
  incident.outcome === 'spared'
    ? refused(
        'vetoed',
        say('Nothing was signalled: {why}.', { why: shortfallOf(incident) }),
        say('The history keeps that you asked for it.'),
      )
    : refused('not-found', say('It had already ended on its own.'));

const failed = (error: unknown): Refusal => {
  if (error instanceof JobTaken) return refusalAnswer({ kind: 'busy' });
  if (error instanceof JournalUnwritable) return refusalAnswer({ kind: 'unrecordable', problem: error });
  throw error instanceof Error ? error : new Error('a reaping was given up', { cause: error });
};

/** Maps the result of a user-requested reap to an answer; rethrows unexpected errors. */
export const reapAnswer = (came: EndResult): Answer<{ reaping: string }> => {
  if (came.kind === 'begun') return { ok: true, value: { reaping: came.incident } };
  if (came.kind === 'ended') return ended(came.incident);
  return came.kind === 'failed' ? failed(came.error) : refusalAnswer(came);
};
