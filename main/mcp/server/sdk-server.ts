import { messageOf } from '../../../app/format/error-message.ts';
import { type ToolCall, type WorkerAnswer, workerAnswerSchema } from '../../../app/mcp/worker-protocol.ts';
import { serverInfo } from '../../../app/mcp/first-answer.ts';
import { serverInstructions } from '../../../app/mcp/instructions.ts';
import { maxMessageBytes } from '../../../app/mcp/oversized.ts';
import { waitSeconds } from '../../../app/mcp/wait-limit.ts';
import { type ToolName, isToolName, toolForms, toolNames, toolWords } from '../../../app/mcp/tools.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Exchange } from '../../os/programs/exchange.ts';
import { ownEnvironment, passedOn } from '../../os/programs/passed-on.ts';
import { Turns } from '../../os/programs/turns.ts';
import type { BoundedLines } from './bounded-lines.ts';
import { callOption } from './call-option.ts';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const second = 1000;

/** For a look on a busy machine; and for the longest grace with what follows it. Milliseconds. */
const timeoutMs = ({ tool, input }: ToolCall): number =>
  (tool === 'end_my_job' ? 400 : tool === 'wait_for_my_job' ? 60 + waitedSeconds(input) : 60) * second;

const waitedSeconds = (input: unknown): number => toolForms().wait_for_my_job.input.safeParse(input).data?.seconds ?? 0;

const progressEveryMs = 10 * second;

const maxBytes = 1024 * 1024;

/** What is said of a wrong message has each of its fields, however many. */
const maxSaid = 2000;

const read = ({ answer, end }: Exchange): WorkerAnswer => {
  if (end.kind === 'aborted') return { ok: false, text: 'The call was cancelled.' };
  if (end.kind === 'too-long')
    return { ok: false, text: 'There was no answer in time; `curfew history` tells whether something was ended.' };
  try {
    return workerAnswerSchema().parse(JSON.parse(answer.toString('utf8')));
  } catch (error) {
    return { ok: false, text: `Curfew gave no answer (${messageOf(error)}); its standard error says why.` };
  }
};

/**
 * Has one call done by a process of its own, in a kernel session of its own: what is begun there is
 * carried through when the agent ends. Never rejects for what goes wrong there.
 */
const askWorker = async (call: ToolCall, signal: AbortSignal | undefined): Promise<WorkerAnswer> => {
  const { exchange } = await import('../../os/programs/exchange.ts');
  const done = await exchange({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'mcp', callOption],
    input: Buffer.from(JSON.stringify(call)),
    environment: passedOn(ownEnvironment),
    timeoutMs: timeoutMs(call),
    maxBytes,
    ...(signal === undefined ? {} : { signal }),
  });
  if (done.said !== '') process.stderr.write(done.said);
  return read(done);
};

/** Calls done at a time: each is a process of its own. */
const maxAtOnce = 2;
const maxWaits = 4;

/** The form of an object as JSON Schema, in the keywords that all drafts share. */
const objectSchema = (form: z.ZodType, io: 'input' | 'output'): Tool['inputSchema'] => {
  const { properties = {}, required, additionalProperties } = z.toJSONSchema(form, { io, target: 'draft-7' });
  const named = Object.entries(properties).flatMap(([name, one]) =>
    typeof one === 'boolean' ? [] : [[name, one] as const],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    ...(required === undefined ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
};

const describe = (name: ToolName): Tool => {
  const { title, description, reads } = toolWords[name];
  const { input, output } = toolForms()[name];
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(input, 'input'),
    outputSchema: objectSchema(output, 'output'),
    annotations: { readOnlyHint: reads, destructiveHint: name === 'end_my_job', openWorldHint: false },
  };
};

const resultOf = (answer: WorkerAnswer): CallToolResult => {
  const content: CallToolResult['content'] = [{ type: 'text', text: answer.text }];
  return answer.ok ? { content, structuredContent: answer.structured } : { content, isError: true };
};

/**
 * Standard input and output, of which the first line was read, and perhaps answered, before. The
 * SDK gets whole lines that it can hold: at more it would close itself, and stay deaf.
 */
class ContinuedTransport extends StdioServerTransport {
  readonly #began: Beginning;
  readonly #read: (lines: Buffer) => void;

  constructor(began: Beginning) {
    super(process.stdin, process.stdout, { maxBufferSize: maxMessageBytes });
    this.#began = began;
    this.#read = this._ondata;
    this._ondata = (part) => {
      for (const line of began.lines.take(part)) this.#read(line);
    };
  }

  override async start(): Promise<void> {
    await super.start();
    for (const line of this.#began.first) this.#read(line);
    // It was paused after the first line; a listener alone does not make it flow again.
    process.stdin.resume();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // The client has this answer already.
    if ('result' in message && message.id === this.#began.answered) this.#began.answered = null;
    else await super.send(message);
  }
}

/** What was read of standard input before the SDK was loaded. */
export interface Beginning {
  readonly first: readonly Buffer[];
  /** Makes lines of what follows; it may hold the beginning of one. */
  readonly lines: BoundedLines;
  /** The request in it that was answered; null: none, or it was seen again. */
  answered: string | number | null;
}

/**
 * Serves the tools through the SDK until the client is gone. Loads no engine: each call is done by
 * a process of its own, which ends with it. What the tools take and give is worked out when it is
 * first asked for; so they are not registered with the SDK's own table, which wants it at once.
 * @param gone resolves when the client is gone
 */
export const serveTools = async (began: Beginning, gone: Promise<void>): Promise<void> => {
  const { server } = new McpServer(serverInfo(manifest.version), {
    instructions: serverInstructions,
    // Nothing is ever elicited, so nothing is ever checked by it; the usual one takes 10 ms.
    jsonSchemaValidator: {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'nothing is asked for' }),
    },
  });
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolNames.map(describe) }));
  const turns = new Turns(maxAtOnce);
  // What waits does nothing: it keeps no other call from its turn.
  const waits = new Turns(maxWaits);
  /** After how long this client has given up a wait, seconds. */
  let gaveUpAfter: number | null = null;
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const { name } = params;
    if (!isToolName(name)) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)}`);
    const input = toolForms()[name].input.safeParse(params.arguments ?? {});
    if (!input.success) return resultOf({ ok: false, text: z.prettifyError(input.error).slice(0, maxSaid) });
    // An end that was begun is carried through: half of a reaping is worth nothing.
    const abort = toolWords[name].reads ? signal : undefined;
    if (name !== 'wait_for_my_job')
      return resultOf(await turns.run(() => askWorker({ tool: name, input: input.data }, abort)));
    const progressToken = params._meta?.progressToken;
    const client = {
      name: server.getClientVersion()?.name ?? null,
      environment: process.env,
      progress: progressToken !== undefined,
      gaveUpAfter,
    };
    const seconds = waitSeconds(client, toolForms().wait_for_my_job.input.parse(input.data).seconds);
    const beganMs = performance.now();
    // The user who interrupts it says so in other words.
    const noteEnd = (): void => {
      if (/time|no response/iu.test(String(signal.reason))) gaveUpAfter = (performance.now() - beganMs) / second;
    };
    signal.addEventListener('abort', noteEnd, { once: true });
    let progress = 0;
    const tell = (): void => {
      if (progressToken === undefined) return;
      progress += 1;
      const message = `waiting for ${(progress * progressEveryMs) / second} s`;
      // A client that is gone needs none: its call is aborted.
      sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
        server.onerror ?? (() => undefined),
      );
    };
    const timer = setInterval(tell, progressEveryMs);
    try {
      return resultOf(await waits.run(() => askWorker({ tool: name, input: { ...input.data, seconds } }, abort)));
    } finally {
      clearInterval(timer);
    }
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
  server.onerror = (error) => process.stderr.write(`curfew mcp: ${messageOf(error).slice(0, maxSaid)}\n`);
  const { stdout } = process;
  const deaf = new Promise<void>((resolve) => stdout.once('error', () => resolve()));
  await server.connect(new ContinuedTransport(began));
  await Promise.race([gone, deaf]);
  await server.close();
};
