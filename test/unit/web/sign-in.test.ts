import { expect, test } from 'vitest';
import { PortTaken } from '../../../main/web/listen.ts';
import { post, proof, signIn, startServer, type TestServer } from './support/page-server.ts';

test('a token signs one browser in, with a cookie that no script and no other site gets', async () => {
  const server = await startServer();
  const pass = server.pass();
  const response = await post(server, '/api/enter', { pass });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      new RegExp(`^curfew-${server.port}=[A-Za-z0-9_-]{43}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict$`, 'u'),
    ) as string,
  ]);
  expect(server.entered()).toBe(1);
  expect((await post(server, '/api/enter', { pass })).status).toBe(401);
  expect(server.entered()).toBe(1);
});

test('an expired token, an invented one and other forms sign no browser in', async () => {
  const server = await startServer();
  const old = server.pass(Date.now() - 3_600_000);
  expect((await post(server, '/api/enter', { pass: old })).status).toBe(401);
  expect((await post(server, '/api/enter', { pass: 'A'.repeat(72) })).status).toBe(401);
  for (const body of [null, [], {}, { pass: 1 }, { pass: server.pass(), more: 1 }, { pass: 'A'.repeat(300) }])
    expect((await post(server, '/api/enter', body)).status).toBe(400);
  expect(server.entered()).toBe(0);
});

test('without a session nothing is answered; with one everything is', async () => {
  const server = await startServer();
  expect((await post(server, '/api/ask/snapshot.get', {})).status).toBe(401);
  expect((await post(server, '/api/events', {})).status).toBe(401);
  expect((await post(server, '/api/ask/watch.resume', {})).status).toBe(401);
  expect(server.service.asked).toEqual([]);
  const signed = await signIn(server);
  const answer = await post(server, '/api/ask/snapshot.get', {}, proof(signed));
  expect(await answer.json()).toMatchObject({ ok: true, value: { revision: 1 } });
});

test('the cookie alone, which every port of this machine sees, is not enough; neither is the key alone', async () => {
  const server = await startServer();
  const one = await signIn(server);
  const other = await signIn(server);
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await post(server, '/api/ask/watch.resume', {}, headers)).status;
  expect(await status({ Cookie: one.cookie })).toBe(401);
  expect(await status({ 'X-Curfew-Key': one.key })).toBe(401);
  expect(await status({ Cookie: one.cookie, 'X-Curfew-Key': other.key })).toBe(401);
  expect(await status({ Cookie: `${one.cookie}x`, 'X-Curfew-Key': one.key })).toBe(401);
  expect(server.service.asked).toEqual([]);
  // Another port's server set one of this name for a longer path, which is sent first.
  const tossed = `${one.cookie.split('=', 1)[0]}=tossed; ${one.cookie}`;
  expect(await status({ Cookie: tossed, 'X-Curfew-Key': other.key })).toBe(401);
  expect(await status({ Cookie: tossed, 'X-Curfew-Key': one.key })).toBe(200);
  expect(await status(proof(one))).toBe(200);
  expect(await status(proof(other))).toBe(200);
});

/** Returns a server on that port; null if another process took the port meanwhile. */
const startAgain = async (port: number): Promise<TestServer | null> =>
  startServer(port).catch((error: unknown) => {
    if (error instanceof PortTaken) return null;
    throw error;
  });

test('a session is refused by the next server on the same port', async () => {
  let server = await startServer();
  let signed = await signIn(server);
  await server.close();
  let next = await startAgain(server.port);
  while (next === null) {
    server = await startServer();
    signed = await signIn(server);
    await server.close();
    next = await startAgain(server.port);
  }
  expect((await post(next, '/api/ask/snapshot.get', {}, proof(signed))).status).toBe(401);
  expect((await post(next, '/api/enter', { pass: server.pass() })).status).toBe(401);
});

test('an export is fetched once, by a signed-in browser, under a name without folders', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const filter = {};
  const exported = await post(server, '/api/ask/history.export', { filter, format: 'csv' }, proof(signed));
  const { value } = (await exported.json()) as { value: { url: string } };
  const address = `${server.origin}${value.url}`;
  expect((await fetch(address)).status).toBe(401);
  const file = await fetch(address, { headers: { Cookie: signed.cookie } });
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="curfew__history_.csv"');
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await file.text()).toBe('id,command\n1,"npm run dev"\n');
  expect((await fetch(address, { headers: { Cookie: signed.cookie } })).status).toBe(404);
});

test('an internal failure goes to the log, and the page gets only the fact', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  const answer = await post(server, '/api/ask/doctor.run', {}, proof(signed));
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ ok: false, failure: { code: 'failed' } });
  expect(text).not.toContain('inside');
  expect(server.reported).toEqual(['doctor.run: Error: this test failed inside']);
});

test('the log contains no secret, whatever the request', async () => {
  const server = await startServer();
  const pass = server.pass();
  await post(server, '/api/enter', { pass, more: true });
  const signed = await signIn(server);
  await post(server, '/api/ask/doctor.run', {}, proof(signed));
  await post(server, `/api/ask/${pass}`, {}, proof(signed));
  const log = server.reported.join('\n');
  expect(log).not.toBe('');
  for (const secret of [pass, signed.key, signed.cookie.split('=')[1] ?? '']) expect(log).not.toContain(secret);
});
