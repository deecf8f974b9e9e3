import { safe } from '../../ui/scene/safe.ts';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { expect, onTestFinished, test } from 'vitest';
import { applyDifference } from '../../../app/contract/difference/difference.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { post, proof, signIn, startServer, type SignedIn, type TestServer } from './support/page-server.ts';

interface Listener {
  /**
   * Resolves with the next message except heartbeats, whose number depends on how long a test
   * takes.
   */
  readonly next: () => Promise<EventSourceMessage>;
  readonly first: () => Promise<EventSourceMessage>;
  readonly hangUp: () => Promise<void>;
}

const listen = async (
  server: TestServer,
  signed: SignedIn,
  have: { readonly revision: number; readonly at: string } | null = null,
): Promise<Listener> => {
  const response = await post(server, '/api/events', { have }, proof(signed));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  if (response.body === null) throw new Error('no body');
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  onTestFinished(async () => reader.cancel());
  const first = async (): Promise<EventSourceMessage> => {
    const { value } = await reader.read();
    if (value === undefined) throw new Error('the stream has ended');
    return value;
  };
  return {
    first,
    next: async () => {
      let message = await first();
      while (message.event === 'alive') message = await first();
      return message;
    },
    hangUp: async () => reader.cancel(),
  };
};

test('a page gets the whole first, then every change; two pages get the same', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const [one, two] = [await listen(server, signed), await listen(server, signed)];
  for (const page of [one, two]) {
    const whole = await page.next();
    expect(whole.event).toBe('snapshot');
    expect(JSON.parse(whole.data)).toMatchObject({ revision: 1 });
  }
  server.service.change({ mode: 'enforce' });
  for (const page of [one, two]) {
    const change = await page.next();
    expect(change.event).toBe('difference');
    expect(JSON.parse(change.data)).toMatchObject({ from: 1, to: 2, parts: { mode: 'enforce' } });
  }
});

test('a page that returns with the current state doesn’t get it again; with any other it does', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  server.service.change({ mode: 'enforce' });
  const { revision, at } = server.service.snapshot();
  const same = await listen(server, signed, { revision, at });
  expect((await same.first()).event).toBe('alive');
  server.service.change({ mode: 'observe' });
  expect(JSON.parse((await same.next()).data)).toMatchObject({ from: revision, to: revision + 1 });
  for (const have of [
    { revision, at },
    { revision: revision + 1, at: '2026-11-20T10:00:00.000Z' },
  ])
    expect((await (await listen(server, signed, have)).next()).event).toBe('snapshot');
});

test('under quick changes the sent differences add up to the state', async () => {
  const server = await startServer();
  const page = await listen(server, await signIn(server));
  let held = JSON.parse((await page.next()).data) as Snapshot;
  for (let round = 0; round < 200; round += 1) {
    server.service.change({ at: `2026-11-21T10:00:00.${String(round).padStart(3, '0')}Z` });
    if (round % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  while (held.revision < 201) {
    const { event, data } = await page.next();
    expect(event).toBe('difference');
    const next = applyDifference(held, JSON.parse(data) as Parameters<typeof applyDifference>[1]);
    if (next === null) throw new Error(`a gap after revision ${held.revision}`);
    held = next;
  }
  expect(held).toEqual(server.service.snapshot());
});

test('a page that reads nothing causes no backlog', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    [
      'POST /api/events HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${server.origin}`,
      `Cookie: ${signed.cookie}`,
      `X-Curfew-Key: ${signed.key}`,
      'Content-Type: application/json',
      'Content-Length: 13',
      '',
      '{"have":null}',
    ].join('\r\n'),
  );
  const page = await listen(server, signed);
  await page.next();
  const before = await heldBytes();
  const text = 'x'.repeat(200_000);
  for (let round = 0; round < 400; round += 1) {
    // A large part that changes each time: 80 MB in all.
    server.service.change({ health: { ...server.service.snapshot().health, problems: [problem(`${round} ${text}`)] } });
    await page.next();
  }
  expect((await heldBytes()) - before).toBeLessThan(40_000_000);
});

/** Returns the bytes held after a garbage collection, whose own schedule depends on the load. */
const heldBytes = async (): Promise<number> => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().arrayBuffers;
};

const problem = (text: string): Snapshot['health']['problems'][number] => ({
  code: 'test',
  text: safe(text),
  figures: {},
  severity: 'warning',
  advice: null,
});

test('the number of pages is limited, and a closed one makes room', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const pages: Listener[] = [];
  for (let index = 0; index < 32; index += 1) pages.push(await listen(server, signed));
  expect((await post(server, '/api/events', { have: null }, proof(signed))).status).toBe(503);
  await pages[0]?.hangUp();
  await expect.poll(async () => (await post(server, '/api/events', { have: null }, proof(signed))).status).toBe(200);
});

test('closing the server ends the streams', async () => {
  const server = await startServer();
  const page = await listen(server, await signIn(server));
  await page.next();
  const [next] = await Promise.allSettled([page.next(), server.close()]);
  expect(next).toMatchObject({ status: 'rejected', reason: new Error('the stream has ended') });
});
