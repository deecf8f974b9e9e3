import { expect, onTestFinished, test, vi } from 'vitest';
import { Sessions } from '../../../main/web/sessions.ts';
import { post, proof, signIn, startServer } from './support/page-server.ts';

const day = 86_400_000;

test('a browser that was not seen for a week is signed out, and one that is used is not', () => {
  const sessions = new Sessions();
  const used = sessions.open(0);
  const left = sessions.open(0);
  for (let now = 0; now <= 20 * day; now += day)
    expect([now, sessions.withBoth(used.cookie, used.key, now)]).not.toEqual([now, null]);
  expect(sessions.withBoth(left.cookie, left.key, 20 * day)).toBeNull();
  expect(sessions.withCookie(left.cookie, 0)).toBeNull();
});

test('a page that listens is seen all the time, and its week begins when it hangs up', () => {
  const sessions = new Sessions();
  const { cookie, key } = sessions.open(0);
  const session = sessions.withBoth(cookie, key, 0);
  if (session === null) throw new Error('not signed in');
  const hangUp = session.listens();
  expect(sessions.withBoth(cookie, key, 30 * day)).toBe(session);
  hangUp(60 * day);
  expect(sessions.withBoth(cookie, key, 66 * day)).toBe(session);
  expect(sessions.withBoth(cookie, key, 74 * day)).toBeNull();
});

test('a clock that was set back signs nobody out', () => {
  const sessions = new Sessions();
  const { cookie, key } = sessions.open(100 * day);
  expect(sessions.withBoth(cookie, key, 0)).not.toBeNull();
  expect(sessions.withBoth(cookie, key, 100 * day)).not.toBeNull();
});

test('a session that has run out is worth nothing to the server', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * day });
  onTestFinished(() => void vi.useRealTimers());
  expect((await post(server, '/api/ask/watch.resume', {}, proof(signed))).status).toBe(401);
  expect((await post(server, '/api/events', { have: null }, proof(signed))).status).toBe(401);
  expect(server.service.asked).toEqual([]);
});
