import { setTimeout as pause } from 'node:timers/promises';
import { formatAge, formatLimit } from '../../../app/format/age.ts';
import { momentOrNull } from '../../../app/format/moment.ts';
import { type AtWork, isQuietFor, type Quiet } from '../../../app/reach/quiet.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { listed, say } from '../../../app/text/form.ts';
import type { Said } from '../../../app/format/said.ts';
import { withEngine } from '../../engine/engine.ts';
import { quietIn } from '../../observing/quiet.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { type Output, writeJson } from '../common/output.ts';
import { words } from '../common/words.ts';

/** Options of `curfew idle`, checked. */
export interface IdleOptions {
  readonly json: boolean;
  readonly forSeconds: number;
  readonly wait: boolean;
}

/** Between two looks while it waits, milliseconds: what does nothing needs no haste. */
const lookEveryMs = 15_000;

const sayOne = (one: AtWork): Said =>
  one.what === 'agent'
    ? say('{agent} (process {pid})', { agent: agentName(one.agent), pid: one.pid })
    : say('job {job} of {agent}', { job: one.job, agent: agentName(one.agent) });

const sayQuiet = ({ sinceMs, atWork }: Quiet, forSeconds: number, nowMs: number): Said => {
  if (atWork.length > 0) return say('At work: {list}.', { list: listed(atWork.map(sayOne), ', ') });
  if (sinceMs === null) return say('No agent and no job of one is here.');
  const time = formatAge((nowMs - sinceMs) / 1000);
  return isQuietFor({ sinceMs, atWork }, forSeconds, nowMs)
    ? say('Nothing has been at work for {time}.', { time })
    : say('Nothing has been at work for {time}; {limit} are asked for.', { time, limit: formatLimit(forSeconds) });
};

/**
 * `curfew idle`: status 0 when no agent and no job has been at work for so long, else 1; with
 * `wait` it returns only then. One look knows of a command no more than earlier looks saw, so
 * without a supervisor it counts as at work until it was watched.
 */
export const idle = ({ json, forSeconds, wait }: IdleOptions, output: Output): Promise<ExitStatus> =>
  withEngine({ uid: null, warn: output.warn, onlyLooks: true }, async (engine) => {
    for (;;) {
      await engine.source.refresh?.();
      const look = engine.observer.look();
      const [quiet, nowMs] = [quietIn(look), look.table.takenAtMs];
      const isQuiet = isQuietFor(quiet, forSeconds, nowMs);
      if (isQuiet || !wait) {
        const { sinceMs, atWork } = quiet;
        if (json)
          await writeJson(output, { schema: 1, idle: isQuiet, forSeconds, since: momentOrNull(sinceMs), atWork });
        else await output.write(`${words(sayQuiet(quiet, forSeconds, nowMs))}\n`);
        return isQuiet ? exitStatus.done : exitStatus.notDone;
      }
      await pause(lookEveryMs);
    }
  });
