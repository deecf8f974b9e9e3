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
import manifest from '../../../package.json' with { type: 'json' };
import { messageOf } from '../../../app/format/error-message.ts';
import type { WorkerAnswer } from '../../../app/mcp/exchange.ts';
import { serverInfo } from '../../../app/mcp/first-answer.ts';
import { serverInstructions } from '../../../app/mcp/instructions.ts';
import { isToolName, toolForms, type ToolName, toolNames, toolWords } from '../../../app/mcp/tools.ts';
import { maxMessageBytes } from '../../../app/mcp/oversized.ts';
import { askWorker } from './ask-worker.ts';
import type { BoundedLines } from './bounded-lines.ts';
import { Turns } from '../../os/programs/turns.ts';

/** Calls done at a time: each is a process of its own. */
const maxAtOnce = 2;

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
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name } = params;
    if (!isToolName(name)) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)}`);
    const input = toolForms()[name].input.safeParse(params.arguments ?? {});
    if (!input.success) return resultOf({ ok: false, text: z.prettifyError(input.error) });
    // An end that was begun is carried through: half of a reaping is worth nothing.
    const abort = toolWords[name].reads ? signal : undefined;
    return resultOf(await turns.run(() => askWorker({ tool: name, input: input.data }, abort)));
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
  server.onerror = (error) => process.stderr.write(`curfew mcp: ${messageOf(error)}\n`);
  const { stdout } = process;
  const deaf = new Promise<void>((resolve) => stdout.once('error', () => resolve()));
  await server.connect(new ContinuedTransport(began));
  await Promise.race([gone, deaf]);
  await server.close();
};
