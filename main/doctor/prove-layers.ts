import type { Said } from '../../app/format/said.ts';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { say, saidOf, joined } from '../../app/text/say.ts';
import { defaultAgent } from '../../app/agents/common/agent-id.ts';
import type { Autostart } from '../../app/contract/app-questions.ts';
import { formatAge } from '../../app/format/age.ts';
import { passEverySeconds } from '../autostart/autostart-plan.ts';
import { dropEvent, eventText } from '../agents/hooks/inbox/drop-event.ts';
import type { HookFolders } from '../agents/hooks/form/folders.ts';
import { hasProbe, supervisorProbe, takeProbe } from '../agents/hooks/inbox/inbox.ts';
import { latestPassMs } from '../agents/hooks/inbox/latest-pass.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const pollMs = 50;
/** A timer that is less late than this is accurate enough, seconds. */
const lateSeconds = 3 * passEverySeconds;

/** The process that drops the event, and how long it waits. */
export interface LoopProof {
  readonly uid: number;
  /** This process, for the name of the event's file. */
  readonly self: { readonly pid: number; readonly startTicks: number };
  /** Milliseconds, longer than the interval between two scans. */
  readonly patienceMs: number;
}

/**
 * Checks that the recorded supervisor works: drops a marked event, which it removes at its next
 * scan. Takes milliseconds if it listens, at most `patienceMs`.
 */
export const proveLoop = async (folders: HookFolders, { uid, self, patienceMs }: LoopProof): Promise<Finding> => {
  const mark = `${supervisorProbe}${randomUUID()}`;
  const text = eventText(JSON.stringify({ session_id: mark }), {
    agent: defaultAgent,
    event: 'probe',
    ancestors: [],
    declaredPid: null,
  });
  try {
    dropEvent(folders, self, text ?? '');
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
      if (!hasProbe(folders, uid, mark)) return ok('Supervisor', say('It took a marked event out of its inbox.'));
      await pause(pollMs);
    }
    takeProbe(folders, uid, mark);
    return problem(
      'Supervisor',
      say(
        'A marked event lay in its inbox for {age} and was not taken: it does not look any more. End it and start it again.',
        { age: formatAge(patienceMs / 1000) },
      ),
    );
  } catch (error) {
    return problem('Supervisor', say('No event could be dropped for it: {why}.', { why: saidOf(error) }));
  }
};

const whenever = (folders: HookFolders, nowMs: number): Said => {
  const atMs = latestPassMs(folders);
  return atMs === null
    ? say('No pass has run yet.')
    : say('The latest pass was {age} ago.', { age: formatAge((nowMs - atMs) / 1000) });
};

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export interface PassProof {
  /** The file that the pass runs. */
  readonly program: string;
  /** Wall clock in ms: now, and the start of the machine. */
  readonly nowMs: number;
  readonly bootedMs: number;
}

export interface SetUp extends Pick<Autostart, 'state' | 'text'> {
  readonly files: readonly string[];
  /** A pass is expected to come; a supervisor is checked by `proveLoop`. */
  readonly kind: 'pass' | 'supervisor' | null;
}

/** Checks that the periodic pass really comes. */
export const provePass = (folders: HookFolders, autostart: SetUp, { program, nowMs, bootedMs }: PassProof): Finding => {
  // The line for cron comes last, so that it can be copied.
  const text = joined(whenever(folders, nowMs), autostart.text);
  if (autostart.state !== 'enabled') return note('Autostart', text);
  if (!existsSync(program)) return problem('Autostart', say('{program}, which it starts, is gone.', { program }));
  if (autostart.kind !== 'pass') return ok('Autostart', autostart.text);
  // Earliest time for a pass: set up, and the machine running.
  const sinceMs = Math.max(latestPassMs(folders) ?? 0, bootedMs, ...autostart.files.map(changedMs));
  if (nowMs - sinceMs <= lateSeconds * 1000) return ok('Autostart', text);
  const late = say(
    'Unless this machine was asleep, what is to start it does not: `curfew autostart enable` sets it up anew.',
  );
  return problem('Autostart', joined(text, late));
};
