import { z } from 'zod';
import { verdictStates } from '../../judge/verdict.ts';
import { lockReasons, lockStates } from '../../locks/lock.ts';
import { agentSchema, countSchema, safeTextSchema, secondsSchema } from './view.ts';

/**
 * Returns the forms of what is known of a port: one document for the command line, the page and
 * agents, whose protocol describes texts its own way.
 * @param text the form of what programs wrote
 */
export const portForms = <Text extends z.ZodType>(text: Text) => {
  const worktree = z.object({
    folder: text,
    /** null: its HEAD is detached, or can't be read. */
    branch: text.nullable(),
    /** It was made by `git worktree add`. */
    linked: z.boolean(),
  });
  const client = z.object({
    from: z.string().nullable(),
    /** The user's process that made it; null: another machine's or user's, or it can't be told. */
    pid: countSchema.nullable(),
    name: text.nullable(),
  });
  /** Of a development server, in the folder of a holder or where the command was called. */
  const lock = z.object({
    path: text,
    /** The process that it names; null: none. */
    pid: countSchema.nullable(),
    state: z.enum(lockStates),
    reason: z.enum(lockReasons),
    pids: z.array(countSchema),
  });
  /** A process that listens on the port. */
  const holder = z.object({
    pid: countSchema,
    name: text,
    command: text,
    ageSeconds: secondsSchema,
    folder: text.nullable(),
    folderDeleted: z.boolean(),
    worktree: worktree.nullable(),
    /** For a terminal, to start it again; null: its folder is gone, or its command is not known. */
    again: text.nullable(),
    job: z
      .object({
        id: z.string(),
        agent: agentSchema,
        session: z.string().nullable(),
        state: z.enum(verdictStates),
        command: text,
        text: z.array(text),
      })
      .nullable(),
  });
  const view = z.object({
    schema: z.literal(1),
    port: countSchema,
    /** null: the system does not tell. */
    inUse: z.boolean().nullable(),
    holders: z.array(holder),
    clients: z.array(client),
    locks: z.array(lock),
  });
  return { worktree, client, lock, holder, view };
};

const forms = portForms(safeTextSchema);

export type Worktree = z.infer<typeof forms.worktree>;
export type PortClient = z.infer<typeof forms.client>;
export type PortLock = z.infer<typeof forms.lock>;
export type PortHolder = z.infer<typeof forms.holder>;

/** What is known of a port of this machine. */
export type PortView = z.infer<typeof forms.view>;

/** Every port on which a process of the user listens. */
export const portListSchema = z.object({ schema: z.literal(1), ports: z.array(forms.view) });

export type PortList = z.infer<typeof portListSchema>;
