import { parseJson } from '../../../../app/format/json.ts';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookEventKind } from '../../../../app/agents/common/hook-form.ts';
import type { EventRecord } from './event-file.ts';
import { type HookFolders, createHookFolders } from '../form/folders.ts';
import { renameOver } from '../../../store/files/whole-file.ts';

const text = z.string().min(1).optional().catch(undefined);

/** What agents tell their hooks, as far as used. Copilot and Cursor have names of their own. */
const payloadSchema = z.object({
  session_id: text,
  sessionId: text,
  conversation_id: text,
  cwd: text,
  source: text,
  reason: text,
  tool_response: z.object({ backgroundTaskId: text }).optional().catch(undefined),
  background_tasks: z.array(z.unknown()).optional().catch(undefined),
});

/** Who calls the hook. */
export interface HookCaller {
  readonly agent: AgentId;
  readonly event: HookEventKind | 'probe';
  /** The hook's ancestors, the nearest first: pid and start time. */
  readonly ancestors: readonly (readonly [pid: number, startTicks: number | null])[];
  readonly declaredPid: number | null;
}

/** An event as the script's files have it, from an agent's JSON object, else null. Never throws. */
export const eventText = (payload: string, caller: HookCaller): string | null => {
  const parsed = payloadSchema.safeParse(parseJson(payload));
  if (!parsed.success) return null;
  const { data } = parsed;
  const { event } = caller;
  const record: EventRecord = {
    version: 1,
    agent: caller.agent,
    event,
    ancestors: caller.ancestors.map(([pid, startTicks]): [number, number | null] => [pid, startTicks]),
    declaredPid: caller.declaredPid,
    session: data.session_id ?? data.sessionId ?? data.conversation_id,
    project: data.cwd,
    source: event === 'session-start' ? data.source : undefined,
    reason: event === 'session-end' ? data.reason : undefined,
    task: event === 'tool' ? data.tool_response?.backgroundTaskId : undefined,
  };
  const tasks = event === 'stop' && data.background_tasks !== undefined;
  return `${JSON.stringify(record)}\n${tasks ? `${JSON.stringify({ background_tasks: data.background_tasks })}\n` : ''}`;
};

/**
 * Puts an event into the inbox: whole or not at all.
 * @param name distinguishes this writer from every other: its pid and start time
 * @throws the file system's error
 */
export const dropEvent = (
  folders: HookFolders,
  name: { readonly pid: number; readonly startTicks: number },
  event: string,
): void => {
  createHookFolders(folders);
  const fresh = join(folders.inbox, `.${name.pid}-${name.startTicks}`);
  try {
    writeFileSync(fresh, event, { flag: 'wx', mode: 0o600 });
    renameOver(fresh, join(folders.inbox, `${name.pid}-${name.startTicks}.event`));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};
