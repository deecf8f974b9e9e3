import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PortTaken } from '../../../main/web/listen.ts';
import { post, proof, request, sendRaw, signIn, startServer, type TestServer } from './support/page-server.ts';

const host = (server: TestServer): string => `Host: 127.0.0.1:${server.port}`;
const statusOf = (answer: string): string => answer.split('\r\n', 1)[0] ?? '';

test('every answer carries the policy, and none allows another origin', async () => {
  const server = await startServer();
  const answers = [
    await fetch(server.origin),
    await fetch(`${server.origin}/nothing`),
    await fetch(server.origin, { method: 'DELETE' }),
    await post(server, '/api/enter', { pass: server.pass() }),
    await post(server, '/api/ask/snapshot.get', {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 200, 401]);
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|http|\*/u);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a foreign name that resolves to this machine gets nothing', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const answer = await sendRaw(
    server,
    request(
      'POST /api/ask/watch.resume HTTP/1.1',
      [
        `Host: evil.example:${server.port}`,
        `Origin: http://evil.example:${server.port}`,
        `Cookie: ${signed.cookie}`,
        `X-Curfew-Key: ${signed.key}`,
        'Content-Type: application/json',
        'Content-Length: 2',
      ],
      '{}',
    ),
  );
  expect(statusOf(answer)).toBe('HTTP/1.1 403 Forbidden');
  expect(server.service.asked).toEqual([]);
});

test('a page of another origin asks nothing, even with a cookie and a key, and its preflight fails', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  for (const Origin of ['http://evil.example', 'http://127.0.0.1:3000', `https://127.0.0.1:${server.port}`, 'null']) {
    for (const path of ['/api/ask/watch.resume', '/api/events']) {
      expect((await post(server, path, {}, { ...proof(signed), Origin })).status).toBe(403);
    }
  }
  const preflight = await fetch(`${server.origin}/api/events`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.status).toBe(405);
  expect(server.service.asked).toEqual([]);
});

test.for([
  '/../secret.html',
  '/..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/assets/../../secret.html',
  '/assets/..%5c..%5csecret.html',
  '/assets/..\\..\\secret.html',
  '//etc/passwd',
  '///etc/passwd',
  '/etc/passwd',
  '/assets/index.js%00.html',
  '/assets//index.js',
  '/assets/',
  '/assets',
  '/assets/index.js/',
  '/assets/index.js.map',
  '/ASSETS/index.js',
  '/%61ssets/index.js',
  '/./assets/index.js',
  '/.git/config',
  '/index.html/../../secret.html',
  '/__proto__',
  '/constructor',
  '/api',
  '/api/../index.html',
])('the path %s leads to no file', async (path) => {
  const server = await startServer();
  const answer = await sendRaw(server, request(`GET ${path} HTTP/1.1`, [host(server)]));
  expect(statusOf(answer)).toMatch(/^HTTP\/1\.1 40[0-9] /u);
  expect(answer).not.toMatch(/a secret|root:|export \{\}|<!doctype/u);
});

test.for([
  ['GET http://127.0.0.1/ HTTP/1.1'],
  ['GET http://evil.example/ HTTP/1.1'],
  ['CONNECT 127.0.0.1:22 HTTP/1.1'],
  ['OPTIONS * HTTP/1.1'],
  ['GET /\u0000 HTTP/1.1'],
  ['TRACE / HTTP/1.1'],
  ['PRI * HTTP/2.0'],
  ['POST /api/ask/watch.resume HTTP/1.1', 'X-HTTP-Method-Override: GET'],
  ['GET /api/ask/watch.resume HTTP/1.1', 'X-HTTP-Method-Override: POST'],
  ['GET / HTTP/1.1', 'Host: evil.example'],
  ['GET / HTTP/1.1', 'X-A: a\rSet-Cookie: b'],
  ['GET / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 5'],
  ['POST /api/events HTTP/1.1', 'Transfer-Encoding: chunked, identity'],
  ['GET / HTTP/1.1', `X-Long: ${'a'.repeat(20_000)}`],
])('the odd request %j is turned away', async ([line = '', ...headers]) => {
  const server = await startServer();
  const answer = await sendRaw(server, request(line, [host(server), ...headers]));
  // CONNECT, and a request that HTTP/1 can't carry, get no answer at all.
  expect(statusOf(answer)).toMatch(/^(?:HTTP\/1\.1 4\d\d .*)?$/u);
  expect(answer).not.toContain('<!doctype');
  expect(server.service.asked).toEqual([]);
});

test('a question is a POST with its own content type, and nothing else', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  expect((await fetch(`${server.origin}/api/ask/watch.resume`, { headers: proof(signed) })).status).toBe(404);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await post(server, '/api/ask/watch.resume', {}, { ...proof(signed), 'Content-Type': type });
    expect(answer.status).toBe(415);
  }
  for (const body of ['', '{', 'undefined', '\u0000']) {
    const answer = await fetch(`${server.origin}/api/ask/watch.resume`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: server.origin, ...proof(signed) },
      body,
    });
    expect(answer.status).toBe(400);
  }
  const unknown = await post(server, '/api/ask/__proto__', {}, proof(signed));
  expect(await unknown.json()).toMatchObject({ ok: false, failure: { code: 'invalid' } });
  expect(server.service.asked).toEqual([]);
});

test('a body that is too long is refused, announced or in pieces, and nothing of it stays', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const long = { text: 'a'.repeat(600_000) };
  expect((await post(server, '/api/ask/watch.resume', long, proof(signed))).status).toBe(413);
  expect((await post(server, '/api/enter', { pass: 'a'.repeat(600_000) })).status).toBe(413);
  const headers = [
    host(server),
    `Origin: ${server.origin}`,
    `Cookie: ${signed.cookie}`,
    `X-Curfew-Key: ${signed.key}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
  for (const body of [piece.repeat(12), '2\r\n{}\r\n0\r\n\r\n'])
    for (const path of ['/api/ask/watch.resume', '/api/enter']) {
      const answer = await sendRaw(server, request(`POST ${path} HTTP/1.1`, headers, body));
      expect(statusOf(answer)).toBe('HTTP/1.1 411 Length Required');
    }
  expect([server.service.asked, server.reported]).toEqual([[], []]);
});

test('endless headers and bodies are cut off', { timeout: 120_000 }, async () => {
  const server = await startServer();
  const [headers, body] = await Promise.all([
    sendRaw(server, `GET / HTTP/1.1\r\n${host(server)}\r\nX-Slow: `),
    sendRaw(
      server,
      `POST /api/enter HTTP/1.1\r\n${host(server)}\r\nOrigin: ${server.origin}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ),
  ]);
  expect(statusOf(headers)).toMatch(/408|^$/u);
  expect(statusOf(body)).toMatch(/408|^$/u);
});

test('a thousand silent connections do not lock out the user', { timeout: 120_000 }, async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let batch = 0; batch < 20; batch += 1) {
    const opened = Array.from({ length: 50 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined));
    sockets.push(...opened);
    await Promise.all(opened.map(async (socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  }
  expect((await fetch(server.origin)).status).toBe(200);
  expect((await post(server, '/api/ask/watch.resume', {}, proof(signed))).status).toBe(200);
  await signIn(server);
});

test('guesses are slowed down, and the user is not', { timeout: 120_000 }, async () => {
  const server = await startServer();
  const signed = await signIn(server);
  // Time stands still, so that a slow machine allows no more than the burst.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const guess = async (): Promise<number> => (await post(server, '/api/enter', { pass: 'A'.repeat(72) })).status;
  const guesses: number[] = [];
  for (let round = 0; round < 5; round += 1) guesses.push(...(await Promise.all(Array.from({ length: 20 }, guess))));
  expect(guesses.filter((status) => status === 401)).toHaveLength(60);
  expect(guesses.filter((status) => status === 429)).toHaveLength(40);
  expect((await post(server, '/api/ask/watch.resume', {}, proof(signed))).status).toBe(200);
  // A new address works too: otherwise another user of the machine could lock out the user for
  // ever.
  expect((await post(server, '/api/enter', { pass: server.pass() })).status).toBe(200);
});

test('both loopback addresses answer on one port, and no other address does', async () => {
  const server = await startServer();
  const six = await sendRaw(server, request('GET / HTTP/1.1', [`Host: [::1]:${server.port}`]), '::1');
  expect(statusOf(six)).toBe('HTTP/1.1 200 OK');
  await expect(sendRaw(server, 'GET / HTTP/1.1\r\n\r\n', '127.0.0.2')).rejects.toThrow('ECONNREFUSED');
  const taken = `port ${server.port} is taken by another program; name another one with --port, or 0 for any`;
  await expect(startServer(server.port)).rejects.toThrow(new PortTaken(taken));
});
