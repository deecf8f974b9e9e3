import { failure, type Answer } from '../../app/contract/answer.ts';
import type { Bridge } from '../../app/contract/bridge.ts';
import type { QuestionInput, QuestionName, QuestionOutput } from '../../app/contract/contract.ts';
import type { ReapingView } from '../../app/contract/views/reaping-view.ts';
import type { Snapshot, SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { moment } from '../../app/format/moment.ts';

type Answers = {
  readonly [Name in QuestionName]?: (input: QuestionInput<Name>) => QuestionOutput<Name>;
};

/** How long a made-up job takes to end, milliseconds. */
const endingMs = 1500;

const reapingOf = ({ id, host, command, agent, project, members }: SnapshotJob): ReapingView => ({
  id: `example-${id}`,
  job: id,
  host,
  command,
  agent,
  project,
  phase: 'asked',
  startedAt: moment(Date.now()),
  signal: 'TERM',
  graceEndsAt: moment(Date.now() + 10_000),
  processes: members.length,
  left: members.length,
  endedAt: null,
  outcome: null,
  freed: null,
  problem: null,
});

const over = (reaping: ReapingView, { holds, members }: SnapshotJob): ReapingView => ({
  ...reaping,
  phase: 'ended',
  graceEndsAt: null,
  left: 0,
  endedAt: moment(Date.now()),
  outcome: 'reaped',
  freed: { processes: members.length, rssBytes: holds.rssBytes, cameAndWent: 0, ports: holds.ports, locks: [] },
});

/**
 * Returns a bridge to jobs that are made up: what is done with them changes this view alone, and
 * nothing of it reaches the engine but what is copied.
 */
export const exampleBridge = (real: Bridge, first: Snapshot): Bridge => {
  let snapshot = first;
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const change = (parts: Partial<Snapshot>): void => {
    snapshot = { ...snapshot, ...parts, at: moment(Date.now()), revision: snapshot.revision + 1 };
    for (const listener of listeners) listener(snapshot);
  };
  const changeJob = (id: string, parts: Partial<SnapshotJob>): void =>
    change({ jobs: snapshot.jobs.map((job) => (job.id === id ? { ...job, ...parts } : job)) });
  const end = (id: string): string => {
    const job = snapshot.jobs.find((one) => one.id === id);
    if (job === undefined) return id;
    const reaping = reapingOf(job);
    change({ reapings: [...snapshot.reapings, reaping] });
    setTimeout(
      () =>
        change({
          jobs: snapshot.jobs.filter((one) => one.id !== id),
          reapings: snapshot.reapings.map((one) => (one.id === reaping.id ? over(reaping, job) : one)),
        }),
      endingMs,
    );
    return reaping.id;
  };
  const answers: Answers = {
    'snapshot.get': () => snapshot,
    'watch.attend': () => ({}),
    'watch.look': () => ({}),
    'job.usage': () => ({ stepSeconds: 10, usage: [] }),
    'job.reap': ({ job }) => ({ reaping: end(job) }),
    'job.reapAll': ({ jobs }) => {
      for (const { job } of jobs) end(job);
      return { begun: jobs.length, refused: [] };
    },
    'job.keep': ({ job, seconds }) => {
      const until = moment(Date.now() + seconds * 1000);
      changeJob(job, {
        keptUntil: until,
        verdict: { state: 'kept', action: 'none', at: until, endsAt: null, reasons: [] },
      });
      return { until };
    },
    'job.mine': ({ job }) => {
      change({ jobs: snapshot.jobs.filter(({ id }) => id !== job) });
      return {};
    },
    'job.unkeep': ({ job }) => {
      const was = first.jobs.find(({ id }) => id === job);
      if (was !== undefined) change({ jobs: [...snapshot.jobs.filter(({ id }) => id !== job), was] });
      return {};
    },
  };
  return {
    ask: async <Name extends QuestionName>(
      name: Name,
      input: QuestionInput<Name>,
    ): Promise<Answer<QuestionOutput<Name>>> => {
      if (name === 'app.copy') return real.ask(name, input);
      const answer = answers[name];
      return answer === undefined
        ? { ok: false, failure: failure('unsupported', 'This is an example.') }
        : { ok: true, value: answer(input) };
    },
    on: (name, listener) => {
      if (name !== 'snapshot') return () => undefined;
      const told = listener as (told: Snapshot) => void;
      listeners.add(told);
      return () => listeners.delete(told);
    },
    onConnection: (listener) => {
      listener('connected');
      return () => undefined;
    },
  };
};
