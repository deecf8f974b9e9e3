import { say } from '../../../app/text/say.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { putOff } from '../../../app/judge/putting-off.ts';
import { moment } from '../../../app/format/moment.ts';
import { usageStepMs } from '../../../app/jobs/measure/usage-series.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import { formatLimit } from '../../../app/format/age.ts';
import type { Engine } from '../../engine/engine.ts';
import { outputPart } from '../../output/output-part.ts';
import type { HostWatch } from '../../remote/watch/host-watch.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';
import { addExemption, type ExemptionScope } from './exemption-change.ts';
import { done, inWords, type Refusal, refusalOf, refused, refusedChanges } from './failures.ts';
import { elsewhereOutput, elsewhereReap, lookAgain, reapAllAnswer, toldElsewhere } from './host-answers.ts';
import type { HostJobs } from '../snapshot/snapshot-content.ts';
import { snapshotJob } from '../snapshot/job-views.ts';
import type { KnownJob, KnownJobs } from '../snapshot/known-jobs.ts';
import type { UsageWatch } from '../snapshot/usage-watch.ts';
import { reapAnswer } from './reap-answer.ts';

export interface JobDesk {
  readonly engine: Engine;
  readonly supervisor: Supervisor;
  readonly jobs: KnownJobs;
  readonly hosts: HostWatch;
  readonly hostJobs: HostJobs;
  readonly usage: UsageWatch;
}

/** Above this the clock was set, seconds. */
const maxSinceLookSeconds = 60;

interface Asked {
  readonly job: string;
  readonly host: string;
}

type JobName = Extract<keyof Answerers, `job.${string}`>;

const gone = (): Refusal =>
  refused('not-found', say('This job has ended.'), say('The history tells what Curfew ended, and how.'));

const reportOnly = ({ engine }: JobDesk): Refusal =>
  refused(
    'unsupported',
    say(
      'On this system Curfew can only report: through {source} it can’t identify processes safely enough to end them.',
      { source: engine.source.name },
    ),
  );

/** Answers with a job that was seen recently. */
const withKnown = <Value>(
  { jobs, hostJobs }: JobDesk,
  { job, host }: Asked,
  answer: (known: KnownJob) => Answer<Value>,
): Answer<Value> => {
  const known = (host === localHost ? jobs : hostJobs.of(host))?.find(job) ?? null;
  return known === null ? gone() : inWords(() => answer(known));
};

/** Answers with a job of the latest scan. */
const withPresent = <Value>(desk: JobDesk, asked: Asked, answer: (known: KnownJob) => Answer<Value>): Answer<Value> =>
  withKnown(desk, asked, (known) => (known.present ? answer(known) : gone()));

const keep = (desk: JobDesk, host: string, { judged, table }: KnownJob, seconds: number): Answer<{ until: string }> => {
  const { engine } = desk;
  const { job } = judged;
  const now = Date.now();
  // It counts from the look, which was made a while ago.
  const sinceLook = Math.min(maxSinceLookSeconds, Math.max(0, (now - table.takenAtMs) / 1000));
  const wanted = { seconds: seconds + sinceLook, by: 'user' } as const;
  const put = putOff(job, { table, settings: engine.settings() }, wanted);
  if (put.kind === 'past-cap')
    return refused(
      'refused',
      say('It is past its hard cap of {cap}, which can’t be extended.', { cap: formatLimit(put.capSeconds) }),
    );
  engine.keep(job, table, put.keep);
  lookAgain(desk, host);
  return { ok: true, value: { until: moment(Math.round(now + (put.keep.seconds - sinceLook) * 1000)) } };
};

const mine = (desk: JobDesk, host: string, { judged, table }: KnownJob): Answer<Record<string, never>> => {
  if (host !== localHost)
    return refused(
      'unsupported',
      say('This can only be said on the machine where the job runs.'),
      say('Call `curfew keep JOB --mine` there.'),
    );
  desk.engine.sayMine(judged.job, table);
  desk.engine.log.info('said to be the user’s', { job: judged.job.id, command: judged.job.command });
  lookAgain(desk, host);
  return done;
};

/** Undoes what the user said of a job that is none any more because of it; null: they did not. */
const notMine = (desk: JobDesk, { job, host }: Asked): Answer<Record<string, never>> | null => {
  const { engine } = desk;
  const said = host === localHost ? engine.observer.saidMine(job) : null;
  if (said === null) return null;
  engine.unkeep(said.id, said.at);
  lookAgain(desk, host);
  return done;
};

const exempt = (
  desk: JobDesk,
  host: string,
  { judged }: KnownJob,
  scope: ExemptionScope,
): Answer<{ createdAt: string }> => {
  const { project } = judged.job;
  if (scope === 'project' && project === null)
    return refused(
      'invalid',
      say('It is not known to which project this job belongs.'),
      say('Exempt its command instead.'),
    );
  const result = addExemption(desk.engine.settingsFile, scope, judged.job, Date.now());
  if (!result.ok) return refusedChanges(result.problems);
  lookAgain(desk, host);
  return { ok: true, value: { createdAt: result.createdAt } };
};

const output = ({ engine }: JobDesk, { judged }: KnownJob, fromByte: number | null) => {
  const path = judged.job.output;
  const part = path === null ? null : outputPart(path, engine.uid, fromByte, Date.now());
  return part === null
    ? refused('not-found', say('This job has no output file that could be read.'))
    : ({ ok: true, value: part } as const);
};

/** Returns the answers about single jobs. A change is scanned at once, for all windows. */
export const jobAnswers = (desk: JobDesk): Pick<Answerers, JobName> => ({
  'job.details': (asked) =>
    withKnown(desk, asked, ({ judged, table }) => ({ ok: true, value: snapshotJob(judged, table, asked.host) })),
  'job.reap': async (asked) => {
    if (asked.host !== localHost) return elsewhereReap(desk.hosts, asked.host, asked.job);
    const known = withKnown(desk, asked, ({ judged }) => ({ ok: true, value: judged.job.id }));
    if (!known.ok) return known;
    if (!desk.engine.source.canReap) return reportOnly(desk);
    return desk.supervisor.reap(known.value).then(reapAnswer).catch(refusalOf);
  },
  'job.reapAll': ({ jobs }) =>
    desk.engine.source.canReap || jobs.every(({ host }) => host !== localHost)
      ? reapAllAnswer(desk.supervisor, desk.hosts, jobs)
      : reportOnly(desk),
  'job.killNow': ({ reaping }) =>
    inWords(() => {
      if (desk.supervisor.endGrace(reaping) || desk.hosts.endGrace(reaping)) return done;
      const known = [...desk.engine.reaper.inProgress, ...desk.hosts.reapings()].some(
        ({ intent }) => intent?.id === reaping,
      );
      return known ? done : refused('not-found', say('This reaping is over.'));
    }),
  'job.usage': ({ jobs }) => ({
    ok: true,
    value: {
      stepSeconds: usageStepMs / 1000,
      usage: jobs.flatMap(({ job, host }) => {
        const series = desk.usage.series(host, job);
        if (series === null) return [];
        return [{ job, host, cpuPercent: [...series.cpuPercent], rssBytes: [...series.rssBytes] }];
      }),
    },
  }),
  'job.keep': ({ seconds, ...asked }) => {
    const answer = withPresent(desk, asked, (known) => keep(desk, asked.host, known, seconds));
    return toldElsewhere(desk.hosts, asked, seconds, answer);
  },
  'job.mine': (asked) => withPresent(desk, asked, (known) => mine(desk, asked.host, known)),
  'job.unkeep': (asked) => {
    const taken = inWords(() => notMine(desk, asked) ?? gone());
    if (taken.ok) return taken;
    const answer = withPresent(desk, asked, ({ judged, table }) => {
      desk.engine.unkeep(judged.job.id, table);
      lookAgain(desk, asked.host);
      return done;
    });
    return toldElsewhere(desk.hosts, asked, null, answer);
  },
  'job.exempt': ({ scope, ...asked }) => withKnown(desk, asked, (known) => exempt(desk, asked.host, known, scope)),
  'job.output': ({ fromByte, ...asked }) =>
    asked.host === localHost
      ? withKnown(desk, asked, (known) => output(desk, known, fromByte))
      : elsewhereOutput(
          desk.hosts,
          asked.host,
          desk.hostJobs.of(asked.host)?.find(asked.job)?.judged.job.output ?? null,
          fromByte,
        ),
});
