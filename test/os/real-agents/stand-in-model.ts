/**
 * Stands in for the models of agents on the loopback: `stand-in-model.ts PORT FOLDER`. It answers
 * every question with "ok" in the forms of Anthropic, OpenAI (responses, chat) and Google. A
 * question that contains `wait-for-NAME` waits for the file FOLDER/NAME: its agent is in a turn for
 * so long. Each question adds the name that it waits for to FOLDER/asked, as a line.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '0', folder = '.'] = process.argv.slice(2);
const text = 'ok';

/** One event of a stream; `name` where the form has named events. */
type Event = readonly [name: string | null, data: object | '[DONE]'];

interface Answer {
  readonly events: readonly Event[];
  readonly whole: object;
}

const anthropic = (): Answer => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null, usage };
  const named = (type: string, data: object): Event => [type, { type, ...data }];
  return {
    whole: { ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' },
    events: [
      named('message_start', { message: { ...message, content: [], stop_reason: null } }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
      named('message_stop', {}),
    ],
  };
};

const responses = (): Answer => {
  const item = { id: 'm1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: null };
  const response = { id: 'resp_1', output: [item], usage: { ...usage, output_tokens_details: null } };
  const named = (type: string, data: object): Event => [type, { type, ...data }];
  return {
    whole: response,
    events: [
      named('response.created', { response: { id: 'resp_1' } }),
      named('response.output_item.done', { output_index: 0, item }),
      named('response.completed', { response }),
    ],
  };
};

const chat = (): Answer => {
  const common = { id: 'chat_1', model: 'stand-in', created: 1 };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choice = { index: 0, finish_reason: 'stop' };
  const chunk = { ...common, object: 'chat.completion.chunk' };
  return {
    whole: {
      ...common,
      object: 'chat.completion',
      choices: [{ ...choice, message: { role: 'assistant', content: text } }],
      usage,
    },
    events: [
      [null, { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { role: 'assistant', content: text } }] }],
      [null, { ...chunk, choices: [{ ...choice, delta: {} }], usage }],
      [null, '[DONE]'],
    ],
  };
};

/** Gemini CLI first asks, without a stream, which model is to answer. */
const choice = JSON.stringify({
  reasoning: text,
  model_choice: 'flash',
  complexity_reasoning: text,
  complexity_score: 1,
});

const google = (): Answer => {
  const answer = (said: string): object => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: said }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 },
  });
  return { whole: answer(choice), events: [[null, answer(text)]] };
};

const forms: readonly (readonly [RegExp, () => Answer])[] = [
  [/\/v1\/messages$/u, anthropic],
  [/\/responses$/u, responses],
  [/\/chat\/completions$/u, chat],
  [/:(?:streamG|g)enerateContent$/u, google],
];

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
};

const isStream = (path: string, body: string): boolean =>
  path.endsWith(':streamGenerateContent') || /"stream"\s*:\s*true/u.test(body);

const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url?.split('?')[0] ?? '/';
  const body = await bodyOf(request);
  const form = forms.find(([pattern]) => pattern.test(path))?.[1];
  if (form === undefined || request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'stand-in', object: 'model' }], input_tokens: 1 }));
    return;
  }
  const awaited = /wait-for-([a-z0-9]+)/u.exec(body)?.[1] ?? 'listens';
  appendFileSync(join(folder, 'asked'), `${awaited}\n`);
  while (!existsSync(join(folder, awaited))) await sleep(50);
  const { whole, events } = form();
  if (!isStream(path, body)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) {
    const line = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${line}\n\n`);
  }
  response.end();
};

const server = createServer((request, response) => {
  reply(request, response).catch(() => response.destroy());
});
server.listen(Number(port), '127.0.0.1', () => writeFileSync(join(folder, 'listens'), String(process.pid)));
