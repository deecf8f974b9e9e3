import { z } from 'zod';
import { once } from '../../../../app/format/once.ts';
import { agentIds } from '../../../../app/agents/common/agent-id.ts';
import { sessionIdFrom } from '../../../../app/agents/common/marker-value.ts';
import type { HookedSession } from '../../../../app/jobs/sessions/hook-sessions.ts';
import { asBootId, asPid } from '../../../../app/process/identity.ts';
import { readJsonFile } from '../../../store/files/json-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from '../form/folders.ts';

const entrySchema = once(() =>
  z.object({
    agent: z.enum(agentIds),
    id: z.string().transform(sessionIdFrom),
    project: z.string().nullable(),
    process: z
      .object({ bootId: z.string(), pid: z.int().min(1), startTicks: z.number().nonnegative() })
      .transform(({ bootId, pid, startTicks }) => ({ bootId: asBootId(bootId), pid: asPid(pid), startTicks }))
      .nullable(),
    lastMs: z.number(),
    ended: z.object({ atMs: z.number(), reason: z.string().nullable() }).nullable(),
    continues: z.string().transform(sessionIdFrom).nullable(),
    // Not in what earlier versions wrote.
    tasks: z.array(z.string()).catch([]),
    running: z.array(z.string()).catch([]),
  }),
);

const registerSchema = once(() => z.object({ version: z.literal(1), sessions: z.array(z.unknown()) }));

/**
 * The sessions that hooks told of so far. What can't be read is forgotten: then nothing is known of
 * those sessions. Never throws.
 */
export const loadRegister = (folders: HookFolders): readonly HookedSession[] => {
  const file = readJsonFile(folders.register);
  if (file.kind !== 'value') return [];
  const parsed = registerSchema().safeParse(file.value);
  if (!parsed.success) return [];
  return parsed.data.sessions.flatMap((entry): HookedSession[] => {
    const { success, data } = entrySchema().safeParse(entry);
    return success && data.id !== null ? [{ ...data, id: data.id }] : [];
  });
};

/** Keeps the sessions that hooks told of. Throws the file system's error. */
export const saveRegister = (folders: HookFolders, sessions: readonly HookedSession[]): void =>
  writeWholeFile(folders.register, `${JSON.stringify({ version: 1, sessions })}\n`);
