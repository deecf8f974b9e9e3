import { readSync } from 'node:fs';
import type { TurnState } from '../../../app/model/reach.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { changedMsOf } from '../../os/files/small-file.ts';
import { withOutput } from '../../output/output-file.ts';
import { codexTranscript } from './records.ts';

/** What is read of the end of a transcript at most. */
const maxBytes = 1024 * 1024;
/** Transcripts that are remembered. */
const maxRemembered = 256;

/**
 * The events that begin and end a turn (0.169, observed). Each is a line of its own: within what
 * was said the quotes are escaped. A turn that waits for an approval has not ended.
 */
const event =
  /^\{"timestamp":"[^"]{1,40}",(?:"ordinal":\d{1,12},)?"type":"event_msg","payload":\{"type":"(task_started|task_complete|turn_started|turn_complete|turn_aborted)"/gmu;

const tailOf = (path: string, uid: number): Buffer | null =>
  withOutput(path, uid, ({ fd, bytes }) => {
    const length = Math.min(bytes, maxBytes);
    const buffer = Buffer.alloc(length);
    return readSync(fd, buffer, 0, length, bytes - length) === length ? buffer : null;
  });

const read = new Map<string, { readonly changedMs: number; readonly turn: TurnState | null }>();

/**
 * Returns whether the last turn of a session of Codex has ended, by its transcript; null where that
 * does not tell. A transcript is read once for each time that it is written.
 */
export const codexTurn = (session: AgentSession, uid: number): TurnState | null => {
  const path = codexTranscript(session);
  const changedMs = path === null ? null : changedMsOf(path, true);
  if (path === null || changedMs === null) return null;
  const known = read.get(path);
  if (known?.changedMs === changedMs) return known.turn;
  const last = [...(tailOf(path, uid)?.toString('latin1') ?? '').matchAll(event)].at(-1)?.[1];
  const turn = last === undefined ? null : last.endsWith('_started') ? 'open' : 'ended';
  if (read.size >= maxRemembered) read.clear();
  read.set(path, { changedMs, turn });
  return turn;
};
