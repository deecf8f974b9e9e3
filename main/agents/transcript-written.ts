import type { AgentSession } from '../../app/model/session.ts';
import { changedMsOf } from '../os/files/small-file.ts';
import { agentParts } from './dossiers.ts';

/**
 * Returns when the transcript of a session on this machine was written last (wall clock,
 * milliseconds), or null where it is not known.
 */
export const transcriptWrittenMs = (session: AgentSession): number | null => {
  const { transcript } = agentParts[session.agent];
  const path = transcript === 'none' ? null : transcript(session);
  return path === null ? null : changedMsOf(path);
};
