import { say, verbatim } from '../../../app/text/said/say.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/exchange.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { asJobId } from '../../../app/jobs/model/job.ts';
import { english } from '../../../app/text/english.ts';
import type { Engine } from '../../engine/engine.ts';
import { confirmLeftOpen, endLeftOpen } from '../../left-open/ending.ts';
import { leftOpenOf, leftOpenTools } from '../../left-open/survey.ts';
import type { Look } from '../../observing/look.ts';
import { confirmService, endService, type ServiceKept, serviceTools } from '../../ending/own-service.ts';
import type { OwnEnding } from '../../ending/by-own-command.ts';
import { JobTaken } from '../../reaping/admission.ts';
import { refused } from './failures.ts';

/** What answers about ends by a program's own command need. */
export interface OwnEndDesk {
  readonly engine: Engine;
  /** Looks at once; null before the first look. */
  readonly look: () => Look | null;
  readonly ended: (incident: Incident) => void;
}

type Ended = Promise<Answer<{ incident: string }>>;

const busy = () => refused('busy', say('It is being ended already.'));
const changed = () =>
  refused('refused', say('It is not what it was a moment ago, so nothing was done.'), say('Look at it again.'));
const gone = () => refused('not-found', say('It has ended.'));

const carryOut = async (
  { engine, ended }: OwnEndDesk,
  end: (ending: OwnEnding) => Promise<Incident | ServiceKept>,
): Ended => {
  const problem = engine.journalProblem();
  if (problem !== null)
    return refused('journal', say('The record can’t be written, so nothing is done.'), verbatim(problem.message));
  const came = await end({ source: engine.source, journal: engine.journal, now: Date.now, writer: engine.writer });
  if ('kept' in came) return refused('refused', came.kept);
  ended(came);
  if (came.outcome === 'reaped') return { ok: true, value: { incident: came.id } };
  return refused(
    'refused',
    say('It was not ended.'),
    verbatim(came.events.flatMap((event) => ('text' in event ? [event.text] : [])).join(' ')),
  );
};

const endOpen = async (desk: OwnEndDesk, id: string): Ended => {
  const tools = leftOpenTools(desk.engine);
  const came = await confirmLeftOpen(id, async () => {
    const look = desk.look();
    return look === null ? null : { look, found: await leftOpenOf(tools, look) };
  });
  switch (came.kind) {
    case 'not-found':
      return gone();
    case 'refused':
      return refused('vetoed', verbatim(english.leftOpenRefusal(came.leftOpen) ?? say('Curfew does not end it.')));
    case 'changed':
      return changed();
    case 'confirmed':
      return carryOut(desk, (ending) => endLeftOpen(ending, came, 'person'));
  }
};

const endAgent = async (desk: OwnEndDesk, id: string): Ended => {
  const { engine } = desk;
  const came = await confirmService(asJobId(id), serviceTools(engine), desk.look);
  switch (came.kind) {
    case 'not-found':
      return gone();
    case 'refused':
      return refused('vetoed', came.why);
    case 'changed':
      return changed();
    case 'confirmed':
      return carryOut(desk, (ending) => endService({ ...ending, home: engine.home }, came, 'person'));
  }
};

/** Returns the answers about what is ended by the command of the program that keeps it. */
export const ownEndAnswers = (desk: OwnEndDesk): Pick<Answerers, 'leftOpen.end' | 'agent.end'> => {
  const ending = new Set<string>();
  const once = async (id: string, end: (desk: OwnEndDesk, id: string) => Ended): Ended => {
    if (ending.has(id)) return busy();
    ending.add(id);
    try {
      return await end(desk, id);
    } catch (error) {
      if (error instanceof JobTaken) return busy();
      throw error;
    } finally {
      ending.delete(id);
    }
  };
  return {
    'leftOpen.end': ({ id }) => once(id, endOpen),
    'agent.end': ({ id }) => once(id, endAgent),
  };
};
