import { z } from 'zod';
import { once } from '../format/once.ts';
import { outcomes } from '../history/incident.ts';

/**
 * One line for collectors (Loki, Elastic, an OpenTelemetry collector): flat JSON. Names with a
 * meaning in OpenTelemetry are its own (semantic conventions 1.36: `host`, `process`, `service`,
 * `event.name`; `timestamp`, `severity_*` and `body` as its log data model has them); all others
 * begin with `curfew.`. Names and meanings are a promise: fields may be added, never changed. What
 * is not known is left out. No text holds a secret or a control character.
 */

const text = once(() => z.string());
const count = once(() => z.number().int().nonnegative());
const seconds = once(() => z.number().nonnegative());
const codes = once(() => z.array(z.string()));
const numbers = once(() => z.array(count()));

/** The fields of every line. */
const common = () => ({
  timestamp: z.iso.datetime({ precision: 3 }),
  severity_text: z.enum(['INFO', 'WARN', 'ERROR']),
  /** 9, 13 and 17, in the order of the words. */
  severity_number: z.union([z.literal(9), z.literal(13), z.literal(17)]),
  /** One sentence for people. */
  body: text(),
  'service.name': z.literal('curfew'),
  'service.version': text(),
  /** The machine that the line is about. */
  'host.name': text(),
  /** A text was longer than a line may have it, and was cut. */
  'curfew.cut': z.literal(true).optional(),
});

/** The fields of a line about a job. `process.*` is its first process. */
const ofJob = () => ({
  ...common(),
  'process.pid': count().optional(),
  'process.parent_pid': count().optional(),
  'process.command_line': text().optional(),
  /** Name of the user whose process it is. */
  'process.owner': text().optional(),
  'curfew.job.id': text(),
  'curfew.agent': text(),
  'curfew.command': text(),
  'curfew.project': text().optional(),
  'curfew.session.id': text().optional(),
  'curfew.owner.state': z.enum(['live', 'gone', 'unknown']),
  'curfew.verdict': text(),
  'curfew.reasons': codes(),
  'curfew.age_seconds': seconds(),
  'curfew.processes': count(),
});

/** A job needs a look, or its end is announced. */
const noticed = once(() =>
  z.strictObject({
    'event.name': z.literal('curfew.job.noticed'),
    ...ofJob(),
    /** When it is ended if nothing changes. */
    'curfew.ends_at': z.iso.datetime({ precision: 3 }).optional(),
    'curfew.memory_bytes': count(),
  }),
);

const ended = once(() =>
  z.strictObject({
    'event.name': z.literal('curfew.job.ended'),
    ...ofJob(),
    'curfew.incident.id': text(),
    'curfew.outcome': z.enum(outcomes),
    'curfew.decided_by': z.enum(['rule', 'person', 'hook', 'command', 'agent']),
    'curfew.first_signal': text(),
    'curfew.grace_seconds': seconds(),
    'curfew.took_seconds': seconds(),
    'curfew.signals.sent': count(),
    'curfew.signals.refused': count(),
    /** What kept processes from a signal. */
    'curfew.vetoes': codes(),
    /** Pids that are left. */
    'curfew.survivors': numbers(),
    'curfew.freed.processes': count(),
    'curfew.freed.memory_bytes': count(),
    'curfew.freed.ports': numbers(),
    'curfew.freed.locks': count(),
  }),
);

/** A reaping could not be begun, or not be seen through. */
const failed = once(() =>
  z.strictObject({
    'event.name': z.literal('curfew.job.failed'),
    ...common(),
    'curfew.job.id': text(),
    'curfew.problem': text(),
  }),
);

/** Something went wrong with a look, a record or these lines; Curfew goes on. */
const problem = once(() =>
  z.strictObject({ 'event.name': z.literal('curfew.problem'), ...common(), 'curfew.problem': text() }),
);

/** Another machine went out of reach. */
const unreachable = once(() =>
  z.strictObject({
    'event.name': z.literal('curfew.host.unreachable'),
    ...common(),
    /** The name that ssh knows it by. */
    'curfew.host': text(),
    'curfew.problem': text(),
  }),
);

/** Another machine answers again. */
const returned = once(() =>
  z.strictObject({ 'event.name': z.literal('curfew.host.returned'), ...common(), 'curfew.host': text() }),
);

/** Lines before this one could not be delivered. What they told stands in the history. */
const lost = once(() =>
  z.strictObject({ 'event.name': z.literal('curfew.lines.lost'), ...common(), 'curfew.lines.lost': count() }),
);

/** Schema of every line. */
export const lineSchema = once(() =>
  z.discriminatedUnion('event.name', [noticed(), ended(), failed(), problem(), unreachable(), returned(), lost()]),
);

/** See the head of this file. */
export type Line = z.infer<ReturnType<typeof lineSchema>>;

export type LineOf<Name extends Line['event.name']> = Extract<Line, { readonly 'event.name': Name }>;

/** Returns the JSON schema of a line, for operators. */
export const lineJsonSchema = (): object => ({
  $id: 'https://curfew.invalid/incident-line.schema.json',
  title: 'A line of Curfew for collectors',
  ...z.toJSONSchema(lineSchema(), { target: 'draft-2020-12' }),
});
