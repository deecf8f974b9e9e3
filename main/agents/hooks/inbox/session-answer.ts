import { parseJson } from '../../../../app/format/json.ts';
import { renameSync, rmSync } from 'node:fs';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { answers } from '../../../../app/agents/answers.ts';
import { isAbsence } from '../../../os/files/small-file.ts';
import type { HookFolders } from '../form/folders.ts';
import { noticePath } from './notices.ts';
import { readBoundedText } from '../../../os/files/own-file.ts';

/**
 * Returns what is to be told to a session that starts in a project, as a line of JSON in its
 * agent's form, or null for nothing. It is told once. For an agent that takes no such text it stays
 * where it is, for the next session of another agent.
 * @throws the file system's error
 */
export const takeSessionAnswer = (folders: HookFolders, agent: AgentId, project: string): string | null => {
  const path = noticePath(folders, project);
  const { hooks } = answers[agent];
  if (path === null || hooks === 'none' || hooks.sessionAnswer === 'none') return null;
  const own = `${path}.${process.pid}`;
  try {
    renameSync(path, own);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const [line = ''] = readBoundedText(own).split('\n');
  rmSync(own, { force: true });
  // A full disk, or the user, left no text there.
  const text = parseJson(`"${line}"`);
  return typeof text !== 'string' || text === '' ? null : JSON.stringify(hooks.sessionAnswer(text));
};
