import { z } from 'zod';
import { messageOf } from '../../../app/format/error-message.ts';
import type { ToolCall, WorkerAnswer } from '../../../app/mcp/exchange.ts';
import { toolTexts } from '../../../app/mcp/texts.ts';
import { toolForms, type ToolName, type ToolOutput } from '../../../app/mcp/tools.ts';
import { type Engine, type EngineOptions, openEngine } from '../../engine/engine.ts';
import { Refused } from './desk.ts';
import { endJob } from './end-job.ts';
import { keepJob } from './keep-job.ts';
import { listWork, portHolder, readTail, whyEnded } from './read-tools.ts';

/** Calling is the decision, as with `curfew reap`: the mode is about what happens by itself. */
const engineOptions: Readonly<Record<ToolName, Partial<EngineOptions>>> = {
  list_my_background_work: { onlyLooks: true },
  read_output_tail: { onlyLooks: true },
  end_my_job: { mode: 'enforce' },
  keep_my_job: { onlyLooks: true },
  why_was_it_ended: { onlyLooks: true },
  who_holds_port: { onlyLooks: true },
};

/** A tool: what it gives, and that in a short text. */
type Answerer = (engine: Engine, input: unknown) => Promise<WorkerAnswer>;

const told = <Name extends ToolName>(name: Name, result: ToolOutput<Name>): WorkerAnswer => ({
  ok: true,
  structured: toolForms()[name].output.parse(result),
  text: toolTexts[name](result),
});

/**
 * Every tool; its input is checked here. A list by hand, because a generic one needs as many casts.
 */
const answerers: Readonly<Record<ToolName, Answerer>> = {
  list_my_background_work: async (engine, input) => {
    toolForms().list_my_background_work.input.parse(input);
    return told('list_my_background_work', listWork(engine));
  },
  read_output_tail: async (engine, input) =>
    told('read_output_tail', readTail(engine, toolForms().read_output_tail.input.parse(input))),
  end_my_job: async (engine, input) =>
    told('end_my_job', await endJob(engine, toolForms().end_my_job.input.parse(input))),
  keep_my_job: async (engine, input) =>
    told('keep_my_job', keepJob(engine, toolForms().keep_my_job.input.parse(input))),
  why_was_it_ended: async (engine, input) =>
    told('why_was_it_ended', whyEnded(engine, toolForms().why_was_it_ended.input.parse(input))),
  who_holds_port: async (engine, input) =>
    told('who_holds_port', portHolder(engine, toolForms().who_holds_port.input.parse(input))),
};

/**
 * Does one call of a tool, with an engine of its own. Never throws: a refusal and a failure are
 * answers, too.
 * @param warn is told of problems of settings and stores
 */
export const answerCall = async (call: ToolCall, warn: (text: string) => void): Promise<WorkerAnswer> => {
  try {
    const engine = openEngine({ uid: null, allServers: true, warn, ...engineOptions[call.tool] });
    try {
      await engine.source.refresh?.();
      return await answerers[call.tool](engine, call.input);
    } finally {
      engine.close();
    }
  } catch (error) {
    if (error instanceof z.ZodError) return { ok: false, text: z.prettifyError(error) };
    if (!(error instanceof Refused)) warn(`curfew: ${call.tool}: ${messageOf(error)}`);
    return { ok: false, text: messageOf(error) };
  }
};
