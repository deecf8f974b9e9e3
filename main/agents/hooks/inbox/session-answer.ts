import { readFileSync, renameSync, rmSync } from 'node:fs';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { isAbsence, parseJson } from '../../common/small-file.ts';
import type { HookFolders } from '../form/folders.ts';
import { noticePath } from './notices.ts';

/** The context for a session that starts, in the form its agent takes it (Copilot and Cursor: by their documentation). */
const inForm = (agent: AgentId, text: string): unknown => {
  if (agent === 'copilot') return { additionalContext: text };
  if (agent === 'cursor') return { additional_context: text };
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } };
};

/**
 * What is to be told to a session that starts in a project, as a line of JSON; null for nothing. It is told once.
 * @throws the file system's error
 */
export const takeSessionAnswer = (folders: HookFolders, agent: AgentId, project: string): string | null => {
  const path = noticePath(folders, project);
  if (path === null || agent === 'opencode') return null;
  const own = `${path}.${process.pid}`;
  try {
    renameSync(path, own);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const [line = ''] = readFileSync(own, 'utf8').split('\n');
  rmSync(own, { force: true });
  // A disk that was full, or a person, left no text there.
  const text = parseJson(`"${line}"`);
  return typeof text !== 'string' || text === '' ? null : JSON.stringify(inForm(agent, text));
};
