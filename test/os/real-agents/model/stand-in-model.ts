/**
 * Stands in for the models of agents on the loopback, in the forms of Anthropic, OpenAI (responses,
 * chat) and Google: `stand-in-model.ts PORT FOLDER`. The prompt `SCRIPTED:NAME` makes it give the
 * steps of FOLDER/NAME.json, one an answer; past their end, and to what is no question of an
 * agent's main loop, it says "ok". In a step `{{pattern}}` is the first group of the last match of
 * that pattern in what was said so far, and `{{file:NAME}}` the text of FOLDER/NAME, for which it
 * waits. What was said so far is in FOLDER/NAME.said. Each question of a main loop adds its name to
 * FOLDER/asked, as a line, and the step it gets and its bytes to FOLDER/NAME.asked.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Fields, Question } from './form.ts';
import { chat, responses } from './openai-forms.ts';
import { anthropic, google } from './other-forms.ts';
import { type Call, callOf, isMainLoop, type Step, stepDue, type Turn } from './step.ts';

const [port = '0', folder = '.'] = process.argv.slice(2);
const forms = [anthropic, responses, chat, google];

/** What was said, results of tools included, as text without JSON's escapes. */
const plainly = (turns: readonly Turn[]): string =>
  turns
    .map(({ said }) => said)
    .join('\n')
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

const mark = /SCRIPTED:([\w-]+)/u;

const answerTo = async ({ turns, tools }: Question, bytes: number): Promise<string | Call> => {
  if (!isMainLoop(tools)) return 'ok';
  const at = turns.findLastIndex(({ by, said }) => by === 'user' && mark.test(said));
  const name = mark.exec(turns[at]?.said ?? '')?.[1];
  if (name === undefined) return 'ok';
  appendFileSync(join(folder, 'asked'), `${name}\n`);
  const since = turns.slice(at);
  const before = plainly(since);
  writeFileSync(join(folder, `${name}.said`), before);
  const steps = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as readonly Step[];
  const due = stepDue(steps, since, plainly);
  const step = steps[due];
  appendFileSync(join(folder, `${name}.asked`), `${due} ${bytes}\n`);
  if (step === undefined) return 'ok';
  if (step.after !== undefined) await file(step.after);
  if (step.command !== undefined) return callOf(tools, step.command, step.background ?? false) ?? 'ok';
  if (step.tool === undefined) return filledIn(step.text ?? 'ok', before);
  const input: [string, unknown][] = [];
  for (const [key, value] of Object.entries(step.input ?? {}) as [string, unknown][])
    input.push([key, typeof value === 'string' ? await filledIn(value, before) : value]);
  return { name: step.tool, input: Object.fromEntries(input) };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
};

const give = (response: ServerResponse, { events, whole }: Answer, isStream: boolean): void => {
  if (!isStream) {
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

const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url?.split('?')[0] ?? '/';
  const text = await bodyOf(request);
  const form = forms.find((one) => one.path.test(path));
  if (form === undefined || request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'stand-in', object: 'model' }], input_tokens: 1 }));
    return;
  }
  const body = JSON.parse(text) as Fields;
  const unique = `${Date.now()}${Math.random().toString(36).slice(2)}`;
  const isStream = path.endsWith(':streamGenerateContent') || body['stream'] === true;
  give(response, form.answer(await answerTo(form.read(body), text.length), unique), isStream);
};

const server = createServer((request, response) => {
  reply(request, response).catch((error: unknown) => {
    appendFileSync(join(folder, 'problems'), `${String(error)}\n`);
    response.destroy();
  });
});
server.listen(Number(port), '127.0.0.1', () => writeFileSync(join(folder, 'listens'), String(process.pid)));
