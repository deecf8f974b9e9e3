import { parseJson } from '../../../../app/format/json.ts';
import { z } from 'zod';
import { once } from '../../../../app/format/once.ts';
import { agentIds } from '../../../../app/agents/common/agent-id.ts';
import { sessionIdFrom } from '../../../../app/agents/common/marker-value.ts';
import type { HookEvent, HookTask } from '../../../../app/jobs/sessions/hook-event.ts';
import { hookEventKinds } from '../../../../app/agents/common/hook-form.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { isAbsolutePath, plainPath } from '../../../../app/paths/path.ts';
import { redactCommand } from '../../../../app/format/secrets/redact.ts';

const pidSchema = once(() => z.int().min(1).max(4_194_304));
const shortText = once(() => z.string().min(1).max(256).optional().catch(undefined));

/** The first line of an event's file: what the script wrote. */
const recordSchema = once(() =>
  z.object({
    version: z.literal(1),
    agent: z.enum(agentIds),
    event: z.enum([...hookEventKinds, 'probe']),
    ancestors: z.array(z.tuple([pidSchema(), z.int().nonnegative().nullable()])).max(64),
    declaredPid: pidSchema().nullable().catch(null),
    session: z.string().max(256).optional(),
    project: z.string().max(4096).optional().catch(undefined),
    source: shortText(),
    reason: shortText(),
    task: shortText(),
  }),
);

/** The second line, ending a reply: the rest of Claude Code 2.1.329's, from its tasks on. */
const tasksSchema = once(() =>
  z.object({
    background_tasks: z
      .array(
        z.object({
          id: z.string().max(128),
          status: z.string().max(64).optional().catch(undefined),
          command: z.string().max(65_536).optional().catch(undefined),
        }),
      )
      .max(1024),
  }),
);

export type EventRecord = z.input<ReturnType<typeof recordSchema>>;

/** What an inbox file holds. `probe`: a test of arrival. `nothing`: no event, or no session. */
export type EventFile =
  | { readonly kind: 'event'; readonly event: HookEvent }
  | { readonly kind: 'probe'; readonly mark: string }
  | { readonly kind: 'nothing' };

const tasksOf = (line: string | undefined): readonly HookTask[] | null => {
  const parsed = line === undefined || line === '' ? null : tasksSchema().safeParse(parseJson(line));
  if (parsed?.success !== true) return null;
  return parsed.data.background_tasks.map(({ id, status, command }) => ({
    id,
    status: status ?? null,
    command: command === undefined ? null : redactCommand(command),
  }));
};

/** Reads an inbox file. Never throws. `atMs`: when it was written, wall clock milliseconds. */
export const parseEventFile = (text: string, atMs: number): EventFile => {
  const [first = '', second] = text.split('\n', 2);
  const parsed = recordSchema().safeParse(parseJson(first));
  if (!parsed.success) return { kind: 'nothing' };
  const { data } = parsed;
  const session = sessionIdFrom(data.session);
  if (session === null) return { kind: 'nothing' };
  if (data.event === 'probe') return { kind: 'probe', mark: session };
  const common = {
    agent: data.agent,
    session,
    project:
      data.project !== undefined && isAbsolutePath(data.project) && !data.project.includes('\0')
        ? plainPath(data.project)
        : null,
    atMs,
    ancestors: data.ancestors.map(([pid, startTicks]) => ({ pid: asPid(pid), startTicks })),
    declaredPid: data.declaredPid === null ? null : asPid(data.declaredPid),
  };
  switch (data.event) {
    case 'session-start':
      return { kind: 'event', event: { ...common, kind: data.event, source: data.source ?? null } };
    case 'tool':
      return { kind: 'event', event: { ...common, kind: data.event, task: data.task ?? null } };
    case 'stop':
      return { kind: 'event', event: { ...common, kind: data.event, backgroundTasks: tasksOf(second) } };
    case 'session-end':
      return { kind: 'event', event: { ...common, kind: data.event, reason: data.reason ?? null } };
  }
};
