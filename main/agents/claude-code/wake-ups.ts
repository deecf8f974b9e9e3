import { readSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../../../app/model/session.ts';
import { changedMsOf, filesHere } from '../../os/files/small-file.ts';
import { withOutput } from '../../output/output-file.ts';
import { claudeCodeTranscript } from './transcripts.ts';

/** What is read of a transcript at most; in a longer one anything may stand. */
const maxBytes = 32 * 1024 * 1024;
/** Transcripts that are remembered. */
const maxRemembered = 256;

/**
 * A call of a tool by which a session wakes itself (2.1.330): what it planned may have been called
 * off. The names alone stand in each transcript, among the tools that it offers.
 */
const planning = /"type":"tool_use","id":"[\w-]{1,100}","name":"(?:ScheduleWakeup|CronCreate|Monitor|RemoteTrigger)"/u;

const wholeFile = (path: string, uid: number): Buffer | null =>
  withOutput(path, uid, ({ fd, bytes }) => {
    if (bytes > maxBytes) return null;
    const buffer = Buffer.alloc(bytes);
    return readSync(fd, buffer, 0, bytes, 0) === bytes ? buffer : null;
  });

const read = new Map<string, { readonly changedMs: number; readonly wakes: boolean | null }>();

/**
 * Returns whether a session of Claude Code may wake by itself: it planned something at any time, or
 * its project has scheduled tasks. null: its transcript is not there, or too long. A transcript is
 * read once for each time that it is written.
 */
export const claudeCodeWakes = (session: AgentSession, uid: number): boolean | null => {
  const path = claudeCodeTranscript(session);
  const changedMs = path === null ? null : changedMsOf(path);
  if (path === null || changedMs === null) return null;
  const { project } = session;
  // What can't be looked at may be there.
  if (project !== null && filesHere.stamp(join(project, '.claude/scheduled_tasks.json')).state !== 'absent')
    return true;
  const known = read.get(path);
  if (known?.changedMs === changedMs) return known.wakes;
  const text = wholeFile(path, uid);
  const wakes = text === null ? null : planning.test(text.toString('latin1'));
  if (read.size >= maxRemembered) read.clear();
  read.set(path, { changedMs, wakes });
  return wakes;
};
