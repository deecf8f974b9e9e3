import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { oversizedAnswer } from '../../../app/mcp/oversized.ts';
import { BoundedLines, type OversizedLine } from '../../../main/mcp/server/bounded-lines.ts';

const program = join(import.meta.dirname, '../../../main/cli/index.ts');
const answerSchema = z.object({
  id: z.union([z.number(), z.string(), z.null()]),
  error: z.unknown().optional(),
  result: z
    .looseObject({ content: z.array(z.object({ text: z.string() })) })
    .optional()
    .catch(undefined),
});
type Answer = z.infer<typeof answerSchema>;

/** Writes each text to a server and waits for one answer after each. */
const ask = async (texts: readonly string[]): Promise<readonly Answer[]> => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-mcp-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = spawn(process.execPath, [program, 'mcp'], {
    env: { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const answers: Answer[] = [];
  let said = '';
  let wake = (): void => undefined;
  server.stdout.on('data', (part: Buffer) => {
    said += part.toString('utf8');
    for (let feed = said.indexOf('\n'); feed !== -1; feed = said.indexOf('\n')) {
      answers.push(answerSchema.parse(JSON.parse(said.slice(0, feed))));
      said = said.slice(feed + 1);
    }
    wake();
  });
  for (const [index, text] of texts.entries()) {
    server.stdin.write(`${text}\n`);
    while (answers.length <= index)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  server.stdin.end();
  return answers;
};

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
});
const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
const huge = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'x', params: { text: 'a'.repeat(1.1 * 1024 * 1024) } });
const hugeWithIdLast = JSON.stringify({ method: 'x', params: { text: 'a'.repeat(1.1 * 1024 * 1024) }, id: 'last' });

describe('a message of more than 1 MiB', () => {
  test('is answered with an error, and what follows is answered as ever', async () => {
    const answers = await ask([initialize, huge, hugeWithIdLast, list]);
    expect(answers.map(({ id, error }) => [id, error !== undefined])).toEqual([
      [1, false],
      [3, true],
      ['last', true],
      [2, false],
    ]);
  });

  test('is answered also where it is the first', async () => {
    const answers = await ask([huge, initialize, list]);
    expect(answers.map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  test('has its id at one of its ends, or none', () => {
    const idOf = (start: string, end: string): unknown =>
      answerSchema.parse(JSON.parse(oversizedAnswer(start, end))).id;
    expect(idOf('{"id": 5, "params"', '}')).toBe(5);
    expect(idOf('{"params": {"id": 5, "x"', '"},"id":"a-1"}\n')).toBe('a-1');
    expect(idOf('{"params": {"id": 5, "x"', '"}}')).toBeNull();
  });
});

test('of thousands of unknown fields the first are named', async () => {
  const names = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, 0]));
  const call = { name: 'wait_for_my_job', arguments: names };
  const [, answer] = await ask([
    initialize,
    JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
  ]);
  const text = answer?.result?.content[0]?.text ?? '';
  expect([text.includes('"field9"'), text.length < 3000]).toEqual([true, true]);
});

describe('lines', () => {
  test.each([1, 3, 7, 100])('come out whole, whatever pieces of %i bytes they come in', (size) => {
    const dropped: OversizedLine[] = [];
    const lines = new BoundedLines(8, (line) => dropped.push(line));
    const bytes = Buffer.from('one\n\nfar too long for this\ntwo\nthree');
    const whole: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      whole.push(...lines.take(bytes.subarray(at, at + size)).map((line) => line.toString()));
    expect(whole).toEqual(['one\n', '\n', 'two\n']);
    expect(dropped.map(({ bytes: length, end }) => [length, end.endsWith('for this\n')])).toEqual([[22, true]]);
  });
});
