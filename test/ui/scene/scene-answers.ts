import { failure, type Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { appAnswers } from './scene-app-answers.ts';
import type { SceneEngine } from './scene-engine.ts';
import { historyAnswers } from './scene-history-answers.ts';
import { SceneReaping, type Ending } from './scene-reaping.ts';
import { sceneUsage } from './scene-usage.ts';
import { settingsAnswers } from './scene-settings-answers.ts';

const done = { ok: true, value: {} } as const;

const missing: Answer<never> = {
  ok: false,
  failure: failure('not-found', 'This job has ended.', { advice: 'The history tells how.' }),
};

const outputText = [
  '============================= test session starts ==============================',
  'platform linux -- Python 3.13.1, pytest-9.0.2, pluggy-1.6.0',
  'created: 8/8 workers',
  '8 workers [412 items]',
  '........................................................................ [ 17%]',
  '..........\u001B[31mF\u001B[0m............................................................. [ 34%]',
  '',
].join('\n');

/** Answers as the main process would, from the state of a scene. */
export const sceneAnswers = (engine: SceneEngine, ending: Ending, historySize: number): Answerers => {
  const reapings = new Map<string, SceneReaping>();
  const mine = new Map<string, SnapshotJob>();
  const withJob = <Value>(id: string, act: (job: SnapshotJob) => Value): Answer<Value> => {
    const job = engine.job(id);
    return job === undefined ? missing : { ok: true, value: act(job) };
  };
  return {
    ...appAnswers(engine),
    ...settingsAnswers(engine),
    ...historyAnswers(historySize, engine),
    'job.details': ({ job }) => withJob(job, (found) => found),
    'job.reap': ({ job }) => {
      if (!engine.snapshot.health.journalWritable) {
        return {
          ok: false,
          failure: failure('journal', 'The record can’t be written, so nothing is signalled.', {
            advice: 'Make room on the disk of ~/.local/share/curfew, then try again.',
          }),
        };
      }
      const { agents } = engine.snapshot;
      if (agents.some((agent) => agent.job === job)) {
        engine.change({ agents: agents.filter((agent) => agent.job !== job) });
        return { ok: true, value: { reaping: 'agent' } };
      }
      return withJob(job, () => {
        const reaping = new SceneReaping(engine, job, ending);
        reapings.set(reaping.id, reaping);
        return { reaping: reaping.id };
      });
    },
    'job.reapAll': ({ jobs }) => {
      const known = jobs.filter(({ job }) => engine.job(job) !== undefined);
      for (const { job } of known) {
        const reaping = new SceneReaping(engine, job, ending);
        reapings.set(reaping.id, reaping);
      }
      const refused = jobs.filter((one) => !known.includes(one));
      return {
        ok: true,
        value: { begun: known.length, refused: refused.map((one) => ({ ...one, message: 'This job has ended.' })) },
      };
    },
    'leftOpen.end': ({ id }) => {
      engine.change({ leftOpen: engine.snapshot.leftOpen.filter((one) => one.id !== id) });
      return { ok: true, value: { incident: 'left-open' } };
    },
    'agent.end': ({ id }) => {
      engine.change({ agents: engine.snapshot.agents.filter((one) => one.ownEnd !== id) });
      return { ok: true, value: { incident: 'agent-service' } };
    },
    'job.killNow': ({ reaping }) => {
      reapings.get(reaping)?.hurry();
      return done;
    },
    'job.keep': ({ job, seconds }) =>
      withJob(job, (found) => {
        const until = moment(Date.now() + seconds * 1000);
        engine.changeJob(job, {
          keptUntil: until,
          verdict: { ...found.verdict, state: 'kept', action: 'none', at: until, endsAt: null },
        });
        return { until };
      }),
    'job.unkeep': ({ job }) => {
      const said = mine.get(job);
      if (said !== undefined) {
        mine.delete(job);
        engine.change({ jobs: [...engine.snapshot.jobs, said] });
        return done;
      }
      return withJob(job, (found) => {
        engine.changeJob(job, {
          keptUntil: null,
          verdict: { ...found.verdict, state: 'overdue', action: 'notify', at: null, endsAt: null },
        });
        return {};
      });
    },
    'job.mine': ({ job }) =>
      withJob(job, (found) => {
        mine.set(job, found);
        engine.change({ jobs: engine.snapshot.jobs.filter(({ id }) => id !== job) });
        return {};
      }),
    'job.exempt': ({ job, scope }) =>
      withJob(job, (found) => {
        const createdAt = moment(Date.now());
        const { settings } = engine.snapshot;
        const what = scope === 'project' ? { project: found.project ?? '' } : { command: found.command };
        const exemptions = [...settings.values.exemptions, { ...what, createdAt }];
        engine.change({ settings: { ...settings, values: { ...settings.values, exemptions } } });
        return { createdAt };
      }),
    'job.usage': ({ jobs }) => ({
      ok: true,
      value: {
        stepSeconds: 10,
        usage: jobs.flatMap(({ job }) => {
          const found = engine.job(job);
          return found === undefined ? [] : [sceneUsage(found)];
        }),
      },
    }),
    'job.output': ({ job, fromByte }) =>
      withJob(job, () => ({
        text: fromByte === null ? outputText : '',
        fromByte: fromByte ?? 0,
        nextByte: outputText.length,
        fileBytes: outputText.length,
        restarted: false,
      })),
  };
};
