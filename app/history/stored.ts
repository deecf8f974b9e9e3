import { parseJson } from '../format/json.ts';
import { type Said, withTexts } from '../format/said.ts';
import { z } from 'zod';
import { redactCommand } from '../format/secrets/redact.ts';
import { safeName } from '../format/secrets/safe-view.ts';
import { once } from '../format/once.ts';
import { agentIds } from '../agents/common/agent-id.ts';
import type { Objection } from '../judge/stop-reason.ts';
import type { Reason, ReasonCode, VetoCode } from '../judge/verdict.ts';
import { signalNames } from '../process/signal.ts';
import { outcomes, type Freed, type IncidentEvent, type Intent } from './incident.ts';

/**
 * Schemas of records in the history's database, written by this or an earlier Curfew, or edited by
 * hand. Essential fields must be valid; any other invalid value becomes an empty one, because a
 * partial record is better than none.
 */

const text = once(() => z.string().catch(''));
const textOrNull = once(() => z.string().nullable().catch(null));
/** Hidden again: this Curfew may know more forms of secrets than the one that wrote it. */
const safe = once(() => text().transform(safeName));
const safeOrNull = once(() => textOrNull().transform((given) => (given === null ? null : safeName(given))));
const count = once(() => z.number().nonnegative().catch(0));
/** Range of JavaScript's Date in milliseconds (ECMA-262, time values). */
const moment = once(() => z.number().min(-8.64e15).max(8.64e15));
const figures = once(() => z.record(z.string(), z.union([z.number(), z.string().transform(safeName)])).catch({}));

const saidOrText = once((): z.ZodType<Said> =>
  z.union([
    z.string(),
    z.object({ key: z.string(), figures: z.record(z.string(), z.union([z.number(), z.lazy(saidOrText)])) }),
  ]),
);
/** Hidden again, as texts are. What is invalid is left out: the English text stands beside it. */
const safeSaid = once(() => saidOrText().transform((given) => withTexts(given, safeName)));
const said = once(() =>
  safeSaid()
    .exactOptional()
    .catch(undefined as never),
);

/** A list whose invalid elements are dropped. */
const listOf = <Element>(element: z.ZodType<Element>): z.ZodType<readonly Element[]> =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((item) => {
        const parsed = element.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      }),
    );

// Unknown codes are kept: `app/text` shows the code itself.
const reason = once((): z.ZodType<Reason> =>
  z.object({ code: z.string().transform((code) => code as ReasonCode), figures: figures() }),
);
const veto = once((): z.ZodType<Objection> =>
  z.object({
    code: z.string().transform((code) => code as VetoCode),
    pid: count(),
    figures: figures(),
  }),
);

const recordedProcess = once(() =>
  z.object({
    pid: z.number(),
    ppid: count(),
    startTicks: count(),
    args: text().transform(redactCommand),
    rssBytes: count(),
  }),
);

const freed = once((): z.ZodType<Freed> =>
  z
    .object({
      processes: count(),
      rssBytes: count(),
      cameAndWent: count(),
      ports: listOf(z.number()),
      locks: listOf(z.string().transform(safeName)),
    })
    .catch({ processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] }),
);

const signal = once(() =>
  z.object({
    atMs: moment(),
    signal: z.enum(signalNames),
    target: text(),
    pids: listOf(z.number()),
    result: z.enum(['sent', 'gone', 'refused', 'vetoed']),
    note: safeOrNull(),
    said: said(),
  }),
);

const intent = once((): z.ZodType<Intent> =>
  z.object({
    id: z.string().min(1),
    atMs: moment(),
    host: text(),
    bootId: text(),
    // Placeholder: a writer with this mark never lives, so its record counts as interrupted.
    writer: z.object({ pid: z.number(), startTicks: z.number() }).catch({ pid: 0, startTicks: 0 }),
    job: z.string(),
    // A later Curfew may know more agents and store them in the same table.
    agent: z.enum(agentIds).catch('other'),
    rule: text(),
    command: z.string().transform(redactCommand),
    project: safeOrNull(),
    session: textOrNull(),
    task: safeOrNull(),
    output: safeOrNull(),
    ageSeconds: count(),
    owner: z.enum(['live', 'gone', 'unknown']).catch('unknown'),
    ownerEvidence: safe(),
    ownerSaid: said(),
    decidedBy: z.enum(['rule', 'person', 'hook', 'command', 'agent']),
    verdict: text(),
    reasons: listOf(reason()),
    evidence: listOf(z.string().transform(safeName)),
    evidenceSaid: z
      .array(safeSaid())
      .exactOptional()
      .catch(undefined as never),
    processes: listOf(recordedProcess()),
    firstSignal: z.enum(signalNames).catch('TERM'),
    graceSeconds: count(),
  }),
);

const event = once((): z.ZodType<IncidentEvent> =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('signal'), signal: signal() }),
    z.object({ kind: z.literal('veto'), atMs: moment(), vetoes: listOf(veto()) }),
    z.object({ kind: z.literal('died'), atMs: moment(), pids: listOf(z.number()) }),
    z.object({ kind: z.literal('note'), atMs: moment(), text: safe(), said: said() }),
    z.object({
      kind: z.literal('ended'),
      atMs: moment(),
      outcome: z.enum(outcomes),
      survivors: listOf(recordedProcess()),
      freed: freed(),
      outputTail: safeOrNull(),
    }),
  ]),
);

/** Parses a stored intent; null if it is invalid. */
export const storedIntent = (body: string): Intent | null => {
  const parsed = intent().safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
};

/** Parses a stored event; null if it is invalid. */
export const storedEvent = (body: string): IncidentEvent | null => {
  const parsed = event().safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
};
