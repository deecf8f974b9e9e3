import { z } from 'zod';
import { once } from '../format/once.ts';
import { toolNames } from './tools.ts';

/** What the worker is asked, on its standard input. The tool checks its own input. */
export const toolCallSchema = once(() => z.object({ tool: z.enum(toolNames), input: z.unknown() }));

export type ToolCall = z.infer<ReturnType<typeof toolCallSchema>>;

/** What it answers, on its standard output. */
export const workerAnswerSchema = once(() =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), structured: z.record(z.string(), z.unknown()), text: z.string() }),
    /** Refused or failed; the text says why. */
    z.object({ ok: z.literal(false), text: z.string() }),
  ]),
);

export type WorkerAnswer = z.infer<ReturnType<typeof workerAnswerSchema>>;
