import { say, verbatim } from '../../../app/text/said/say.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { sayShortfall } from '../../../app/text/outcomes.ts';
import { JournalUnwritable } from '../../store/database/store-failure.ts';
import type { PersonalReap } from '../../reaping/requested.ts';
import { JobTaken } from '../../reaping/admission.ts';
import { refused, type Refusal } from './failures.ts';

const busy = (): Refusal => refused('busy', say('It is being ended already.'));

const unrecordable = (problem: Error): Refusal =>
  refused('journal', say('The record can’t be written, so nothing is signalled.'), verbatim(problem.message));

const ended = (incident: Incident): Refusal =>
  incident.outcome === 'spared'
    ? refused(
        'vetoed',
        say('Nothing was signalled: {why}.', { why: sayShortfall(incident) }),
        say('The history keeps that you asked for it.'),
      )
    : refused('not-found', say('It had already ended on its own.'));

/** Maps the result of a user-requested reap to an answer; rethrows unexpected errors. */
export const reapAnswer = (came: PersonalReap): Answer<{ reaping: string }> => {
  switch (came.kind) {
    case 'begun':
      return { ok: true, value: { reaping: came.incident } };
    case 'ended':
      return ended(came.incident);
    case 'not-found':
      return refused('not-found', say('This job has ended.'), say('The history tells what Curfew ended, and how.'));
    case 'changed':
      return refused(
        'refused',
        say('This job is not what it was a moment ago, so nothing was signalled.'),
        say('Look at it again; if it still is to be ended, press End once more.'),
      );
    case 'busy':
      return busy();
    case 'unrecordable':
      return unrecordable(came.problem);
    case 'stopping':
      return refused('refused', say('Curfew is ending and takes nothing new up.'));
    case 'failed':
      if (came.error instanceof JobTaken) return busy();
      if (came.error instanceof JournalUnwritable) return unrecordable(came.error);
      throw came.error instanceof Error ? came.error : new Error('a reaping was given up', { cause: came.error });
  }
};
