/**
 * Stands in for Anthropic's model on the loopback, with a script: `scripted-model.ts PORT FOLDER`.
 * The prompt `SCRIPTED:NAME` makes it give the steps of FOLDER/NAME.json, one an answer: calls of
 * tools, or a text. In a step `{{pattern}}` is the first group of the last match of that pattern in
 * what was said so far, and `{{file:NAME}}` the text of FOLDER/NAME, for which it waits. What was
 * said so far is in FOLDER/NAME.said.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '0', folder = '.'] = process.argv.slice(2);

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}
interface Step {
  readonly tool?: string;
  readonly input?: object;
  readonly text?: string;
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');

/** Everything that was said, results of tools included, as text without JSON's escapes. */
const said = (messages: readonly Message[]): string =>
  JSON.stringify(messages)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll(String.raw`\\`, '\\');

const file = async (name: string): Promise<string> => {
  while (!existsSync(join(folder, name))) await sleep(50);
  return readFileSync(join(folder, name), 'utf8');
};

const filledIn = async (text: string, before: string): Promise<string> => {
  let result = text;
  for (const [mark, wanted = ''] of text.matchAll(/\{\{(.+?)\}\}/gu)) {
    const value = wanted.startsWith('file:')
      ? await file(wanted.slice(5))
      : [...before.matchAll(new RegExp(wanted, 'gu'))].at(-1)?.[1];
    result = result.replace(mark, value ?? 'nothing');
  }
  return result;
};

const stepFor = async (messages: readonly Message[]): Promise<Step> => {
  const at = messages.findIndex((message) => message.role === 'user' && /SCRIPTED:\w/u.test(textOf(message)));
  const name = at === -1 ? undefined : /SCRIPTED:(\w+)/u.exec(textOf(messages[at] ?? { role: '', content: '' }))?.[1];
  if (name === undefined) return { text: 'ok' };
  const before = said(messages.slice(at));
  writeFileSync(join(folder, `${name}.said`), before);
  const steps = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as readonly Step[];
  const step = steps[messages.slice(at).filter(({ role }) => role === 'assistant').length];
  if (step === undefined) return { text: 'done' };
  const given: [string, unknown][] = [];
  for (const [key, value] of Object.entries(step.input ?? {}) as [string, unknown][])
    given.push([key, typeof value === 'string' ? await filledIn(value, before) : value]);
  const text = step.text === undefined ? {} : { text: await filledIn(step.text, before) };
  return { ...step, ...text, input: Object.fromEntries(given) };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
};

const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await bodyOf(request);
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], input_tokens: 1 }));
    return;
  }
  const {
    messages,
    stream,
    tools = [],
  } = JSON.parse(body) as {
    readonly messages: readonly Message[];
    readonly stream?: boolean;
    readonly tools?: readonly unknown[];
  };
  const step: Step = tools.length === 0 ? { text: 'ok' } : await stepFor(messages);
  // Answers with one id are one to Claude Code.
  const unique = `${Date.now()}${Math.random().toString(36).slice(2)}`;
  const block =
    step.tool === undefined
      ? { type: 'text', text: step.text ?? '' }
      : { type: 'tool_use', id: `toolu_${unique}`, name: step.tool, input: step.input ?? {} };
  const reason = step.tool === undefined ? 'end_turn' : 'tool_use';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const common = { type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null, usage };
  const message = { id: `msg_${unique}`, ...common };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...message, content: [block], stop_reason: reason }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  event('content_block_start', { index: 0, content_block: empty });
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: step.text ?? '' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(step.input ?? {}) };
  event('content_block_delta', { index: 0, delta });
  event('content_block_stop', { index: 0 });
  event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
  event('message_stop', {});
  response.end();
};

const server = createServer((request, response) => {
  reply(request, response).catch(() => response.destroy());
});
server.listen(Number(port), '127.0.0.1', () => writeFileSync(join(folder, 'listens'), String(process.pid)));
