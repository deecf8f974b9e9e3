import type { EndedSession } from '../../../../app/jobs/sessions/ended-sessions.ts';
import { endedSessions } from '../../../../app/jobs/sessions/ended-sessions.ts';
import type { HookEvent } from '../../../../app/jobs/sessions/hook-event.ts';
import type { HookedSession } from '../../../../app/jobs/sessions/hook-sessions.ts';
import { registerHookEvents, sessionsFromEvents } from '../../../../app/jobs/sessions/hook-sessions.ts';
import type { Adoption, AgentSession } from '../../../../app/model/session.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import type { HookFolders } from '../form/folders.ts';
import { drainInbox, peekInbox } from './inbox.ts';
import { loadRegister, saveRegister } from './register.ts';

export interface HookReading {
  readonly sessions: readonly AgentSession[];
  readonly adoptions: readonly Adoption[];
  /** Those that told a short while ago that they end. */
  readonly ended: readonly EndedSession[];
  /** What is new since the look before. */
  readonly events: readonly HookEvent[];
}

const folderProblem = (error: unknown): boolean => error instanceof Error && 'code' in error;

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
    const events: HookEvent[] = [];
    let register = this.#register ?? loadRegister(this.#folders);
    const take = (waiting: readonly HookEvent[]): void => {
      register = registerHookEvents(register, waiting, table);
      events.push(...waiting);
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
    return { ...sessionsFromEvents(register, table), ended: endedSessions(register, table.takenAtMs), events };
  }
}
