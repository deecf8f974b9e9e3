import { worded } from '../common/words.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { asJobId } from '../../../app/model/job.ts';
import { formatAge, formatLimit } from '../../../app/format/age.ts';
import { putOff } from '../../../app/judge/putting-off.ts';
import { terminalSafeJson } from '../../../app/format/json.ts';
import { visibleLines, visibleText } from '../../../app/format/visible.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import { type Engine, withEngine } from '../../engine/engine.ts';
import { type ExitStatus, wrongCall, notDone, exitStatus } from '../common/exit-status.ts';
import { isAskedByAgent } from '../common/asked-by-agent.ts';
import { type Output, writeJson } from '../common/output.ts';
import { withHost } from '../common/with-host.ts';

/** Options of `curfew keep` and `curfew unkeep`, checked. */
interface KeepOptions {
  readonly json: boolean;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
}

interface Found extends Pick<JudgedJob, 'job'> {
  readonly look: Look;
}

const inLook = (look: Look, id: string): Found => {
  const judged = jobIdPattern.test(id) ? look.jobs.get(asJobId(id)) : undefined;
  if (judged !== undefined) return { job: judged.job, look };
  throw wrongCall('no job {ids}; run `curfew scan` to list jobs', { ids: JSON.stringify(id) });
};

/**
 * Returns the job, here or on another machine. Null: the Curfew installed on that machine has done
 * it, and its answer is printed.
 * @throws WrongCall for an unknown job, NotDone for an unreachable machine
 */
const jobOf = async (
  engine: Engine,
  id: string,
  { host, json }: KeepOptions,
  { call, byAgent }: { readonly call: readonly string[]; readonly byAgent: boolean },
  output: Output,
): Promise<Found | null> => {
  if (host === null) return inLook(engine.observer.look(), id);
  return withHost(engine, host, {}, async (remote, hosts) => {
    const installed = await hosts.installed(host);
    if (installed === null) return inLook(await remote.look(), id);
    if (!jobIdPattern.test(id)) throw wrongCall('no job {ids}', { ids: JSON.stringify(id) });
    // Over there nothing would tell that an agent asks, and the user may move the hard cap.
    if (byAgent)
      throw notDone('only you can say that for {host}: do it from a terminal or window of your own', { host });
    const said = await installed.text([...call, id, ...(json ? ['--json'] : [])]);
    await output.write(json ? terminalSafeJson(said) : visibleLines(said));
    return null;
  });
};

/**
 * `curfew keep JOB --mine`: the processes of the job are the user's, for as long as they live.
 * @throws WrongCall for an unknown job or another machine, NotDone where an agent asks
 */
const sayMine = async (engine: Engine, id: string, options: KeepOptions, output: Output): Promise<ExitStatus> => {
  if (options.host !== null) throw wrongCall('--mine works on this machine only; say it there');
  const look = engine.observer.look();
  const { job } = inLook(look, id);
  if (isAskedByAgent(engine, look))
    throw notDone('only you can say that a job is yours: do it from a terminal or window of your own');
  engine.sayMine(job, look.table);
  engine.log.info('said to be the user’s', { job: id, command: job.command });
  if (options.json) await writeJson(output, { schema: 1, job: job.id, mine: true });
  else
    await output.write(
      `${worded('Yours from now on, and no job any more: {command}', { command: visibleText(job.command) })}\n`,
    );
  return exitStatus.done;
};

/**
 * `curfew keep JOB [--for D]`: puts off the job's limit, at most to its hard cap.
 * @throws WrongCall for an unknown job
 */
export const keep = async (
  id: string,
  options: KeepOptions & { readonly forSeconds: number; readonly mine: boolean },
  output: Output,
): Promise<ExitStatus> => {
  return withEngine({ uid: options.uid, warn: output.warn }, async (engine) => {
    if (options.mine) return sayMine(engine, id, options, output);
    const { host } = options;
    const byAgent = host !== null && isAskedByAgent(engine, engine.observer.look());
    const call = ['keep', `--for=${options.forSeconds}s`];
    const found = await jobOf(engine, id, options, { call, byAgent }, output);
    if (found === null) return exitStatus.done;
    const { job, look } = found;
    const by = byAgent || (host === null && isAskedByAgent(engine, look)) ? 'session' : 'user';
    const put = putOff(job, { table: look.table, settings: engine.settings() }, { seconds: options.forSeconds, by });
    if (put.kind === 'past-cap')
      throw notDone(
        'job {id} is past its hard cap of {cap}; only you, from a terminal of your own, can move that, and not of a `curfew run`',
        { id, cap: formatLimit(put.capSeconds) },
      );
    const { keep: wanted, atHardCap } = put;
    // The user's keep, where an agent's tool call asks: it moves no cap, and is the user's to undo.
    engine.keep(job, look.table, { ...wanted, by: 'user' });
    const until = new Date(Date.now() + wanted.seconds * 1000).toISOString();
    if (options.json) await writeJson(output, { schema: 1, job: job.id, keptUntil: until, atHardCap });
    else {
      const kept = worded(
        atHardCap ? 'Kept for {age} (the hard cap limits it): {command}' : 'Kept for {age}: {command}',
        { age: formatAge(wanted.seconds), command: visibleText(job.command) },
      );
      await output.write(`${kept}\n`);
    }
    return exitStatus.done;
  });
};

/**
 * `curfew unkeep JOB`: undoes a keep.
 * @throws WrongCall for an unknown job
 */
export const unkeep = async (id: string, options: KeepOptions, output: Output): Promise<ExitStatus> => {
  return withEngine({ uid: options.uid, warn: output.warn }, async (engine) => {
    if (options.host === null) engine.observer.look();
    // What the user said is theirs is no job any more.
    const said = options.host === null ? engine.observer.saidMine(id) : null;
    if (said !== null) {
      engine.unkeep(said.id, said.at);
      if (options.json) await writeJson(output, { schema: 1, job: id, mine: false });
      else await output.write(`${worded('No longer said to be yours: {id}', { id })}\n`);
      return exitStatus.done;
    }
    const found = await jobOf(engine, id, options, { call: ['unkeep'], byAgent: false }, output);
    if (found === null) return exitStatus.done;
    const { job, look } = found;
    engine.unkeep(job.id, look.table);
    if (options.json) await writeJson(output, { schema: 1, job: job.id, keptUntil: null });
    else await output.write(`${worded('No longer kept: {command}', { command: visibleText(job.command) })}\n`);
    return exitStatus.done;
  });
};
