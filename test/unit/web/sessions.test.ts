import { expect, onTestFinished, test, vi } from 'vitest';
import { Sessions } from '../../../main/web/sessions.ts';
import { post, proof, signIn, startServer } from './support/page-server.ts';

const day = 86_400_000;

test('a browser unused for a week is signed out, and one in use is not', () => {
  const sessions = new Sessions();
  const used = sessions.open(0);
  const left = sessions.open(0);
  for (let now = 0; now <= 20 * day; now += day)
    expect([now, sessions.withBoth(used.cookie, used.key, now)]).not.toEqual([now, null]);
  expect(sessions.withBoth(left.cookie, left.key, 20 * day)).toBeNull();
  expect(sessions.withCookie(left.cookie, 0)).toBeNull();
});

test('a listening page counts as in use, and its week begins when it disconnects', () => {
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

test('a clock set back signs no browser out', () => {
  const sessions = new Sessions();
  const { cookie, key } = sessions.open(100 * day);
  expect(sessions.withBoth(cookie, key, 0)).not.toBeNull();
  expect(sessions.withBoth(cookie, key, 100 * day)).not.toBeNull();
});

test('an expired session is refused', async () => {
  const server = await startServer();
  const signed = await signIn(server);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * day });
  onTestFinished(() => void vi.useRealTimers());
  expect((await post(server, '/api/ask/watch.resume', {}, proof(signed))).status).toBe(401);
  expect((await post(server, '/api/events', { have: null }, proof(signed))).status).toBe(401);
  expect(server.service.asked).toEqual([]);
});
