import { codeOf } from '../../../../app/format/error-message.ts';
import { type EndedSession, endedSessions } from '../../../../app/jobs/sessions/ended-sessions.ts';
import type { HookEvent } from '../../../../app/jobs/sessions/hook-event.ts';
import {
  type HookedSession,
  registerHookEvents,
  sessionsFromEvents,
} from '../../../../app/jobs/sessions/hook-sessions.ts';
import type { Adoption, AgentSession } from '../../../../app/model/session.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import type { HookFolders } from '../form/folders.ts';
import { drainInbox, peekInbox } from './inbox.ts';
import { z } from 'zod';
import { once } from '../../../../app/format/once.ts';
import { agentIds } from '../../../../app/agents/common/agent-id.ts';
import { sessionIdFrom } from '../../../../app/agents/common/marker-value.ts';
import { asBootId, asPid } from '../../../../app/process/identity.ts';
import { NoRegularFile } from '../../../os/files/own-file.ts';
import { readJsonFile } from '../../../store/files/json-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';

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

/** Sessions told by hooks so far; the unreadable are forgotten, thus unknown. Never throws. */
const loadRegister = (folders: HookFolders): readonly HookedSession[] => {
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
const saveRegister = (folders: HookFolders, sessions: readonly HookedSession[]): void =>
  writeWholeFile(folders.register, `${JSON.stringify({ version: 1, sessions })}\n`);

export interface HookReading {
  readonly sessions: readonly AgentSession[];
  readonly adoptions: readonly Adoption[];
  /** Those that told a short while ago that they end. */
  readonly ended: readonly EndedSession[];
}

const folderProblem = (error: unknown): boolean => error instanceof NoRegularFile || codeOf(error) !== null;

/**
 * Sessions as hooks told of them. The supervisor takes events out of the inbox (`takes`), and so
 * does a pass that a hook started; every other process only looks at them, so that the supervisor
 * still gets them.
 */
export class HookedSessions {
  readonly #folders: HookFolders;
  readonly #uid: number;
  readonly #takes: boolean;
  #register: readonly HookedSession[] | null = null;

  constructor(input: { readonly folders: HookFolders; readonly uid: number; readonly takes: boolean }) {
    this.#folders = input.folders;
    this.#uid = input.uid;
    this.#takes = input.takes;
  }

  /** One look. Never throws for what the disk holds or refuses; hooks are one layer of several. */
  read(table: ProcessTable): HookReading {
    let register = this.#register ?? loadRegister(this.#folders);
    const take = (waiting: readonly HookEvent[]): void => {
      register = registerHookEvents(register, waiting, table);
      if (this.#takes) saveRegister(this.#folders, register);
    };
    try {
      if (this.#takes) drainInbox(this.#folders, this.#uid, take);
      else take(peekInbox(this.#folders, this.#uid));
    } catch (error) {
      if (!folderProblem(error)) throw error;
    }
    // A process that only looks begins with the file each time, because another one changes it.
    this.#register = this.#takes ? register : null;
    return { ...sessionsFromEvents(register, table), ended: endedSessions(register, table.takenAtMs) };
  }
}
