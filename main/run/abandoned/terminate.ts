import { listed, say } from '../../../app/text/say.ts';
import type { Said } from '../../../app/format/said.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { uptime } from 'node:os';
import { type RunId, asBootId, asPid } from '../../../app/process/identity.ts';
import { workInProgressGraceSeconds } from '../../../app/reap/grace.ts';
import type { ProcessHandle, SignalResult } from '../../os/processes/signaller.ts';
import { askRunToEnd } from '../ending/end-requests.ts';
import { whyNotDead } from '../record/proved-dead.ts';
import { endAbandonedRun, type AbandonedTools } from './abandoned.ts';
import type { RunRecord } from '../record/record.ts';
import { RunFolder } from '../record/run-folder.ts';
import { hearsSignals } from '../../os/this-system.ts';

/** The end of a run, as asked. `was-over`: before. `unfinished`: its supervisor took too long. */
export type Termination =
  | { readonly kind: 'ended' | 'was-over'; readonly record: RunRecord }
  | { readonly kind: 'unfinished'; readonly record: RunRecord; readonly why: Said };

/** Seconds beyond the grace: for KILL, the record and a slow machine. */
const slackSeconds = 15;

const pauseMs = 50;
/** Tries to reach a supervisor that lives, with the pauses two seconds. */
const askRounds = 40;
/** The supervisor's process is checked once in this number of rounds. */
const roundsBetweenLooks = 20;

/** TERM ends a process of Windows at once, so its supervisor hears requests on a pipe. */
const askSupervisor = async (id: RunId, handle: ProcessHandle): Promise<SignalResult> => {
  if (hearsSignals) return handle.send('TERM');
  // It may have just begun.
  for (let round = 0; round < askRounds && handle.alive(); round += 1) {
    if ((await askRunToEnd(id)) === 'sent') return 'sent';
    await sleep(pauseMs);
  }
  return 'gone';
};

/** Why a run that was started elsewhere can't be ended here, and what the user can do. */
const notHere = ({ supervisor, host }: RunRecord, folder: RunFolder): Said =>
  say(
    'its supervisor ({process}) belongs to another boot, container or machine, so it is not known here whether it still runs. If you are sure that it does not, remove its folder: {folder}',
    {
      process: listed(
        [say('process {pid}', { pid: supervisor.pid }), host === null ? '' : say(' on {host}', { host })],
        '',
      ),
      folder: folder.path,
    },
  );

/**
 * Ends a run: asks its supervisor to end it, or ends it here if the supervisor is gone. Resolves
 * when the run has ended, or after its grace and `slackSeconds`.
 */
export const terminateRun = async (record: RunRecord, tools: AbandonedTools): Promise<Termination> => {
  if (record.end !== null) return { kind: 'was-over', record };
  const folder = new RunFolder(tools.runs, record.id);
  const { bootId, pid, startTicks } = record.supervisor;
  const why = whyNotDead({ ...record.supervisor, host: record.host }, tools.source);
  if (why !== null && why !== 'lives') return { kind: 'unfinished', record, why: notHere(record, folder) };
  const handle = tools.signaller.open({ bootId: asBootId(bootId), pid: asPid(pid), startTicks });
  const row = tools.source.read(asPid(pid));
  if (handle !== null && row !== null && row.startTicks === startTicks && row.uid !== tools.uid) {
    handle.close();
    return { kind: 'unfinished', record, why: say('process {pid} belongs to another user', { pid }) };
  }
  const asked = handle === null ? 'gone' : await askSupervisor(record.id, handle);
  // A stopped process handles no other signal.
  if (asked === 'sent') handle?.send('CONT');
  handle?.close();
  if (asked === 'refused')
    return { kind: 'unfinished', record, why: say('the system does not let this user signal process {pid}', { pid }) };
  const lastSeconds = uptime() + Math.max(record.limits.graceSeconds, workInProgressGraceSeconds) + slackSeconds;
  for (let round = 0; ; round += 1) {
    const now = folder.read();
    // A foreground run leaves no folder.
    if (now === null) return { kind: 'ended', record };
    if (now.end !== null && (!now.background || folder.readExitCode() !== null)) return { kind: 'ended', record: now };
    const abandoned = round % roundsBetweenLooks === 0 ? await endAbandonedRun(record.id, tools) : null;
    if (abandoned?.kind === 'ended') return { kind: 'ended', record: abandoned.record };
    if (uptime() >= lastSeconds)
      return { kind: 'unfinished', record: now, why: say('its supervisor (process {pid}) has not ended it', { pid }) };
    await sleep(pauseMs);
  }
};
