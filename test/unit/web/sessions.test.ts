import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { oneUser } from '../../../build/scripts/skips.ts';
import { browsersFile, forgetBrowsers, othersLiveHere } from '../../../main/web/browsers-file.ts';
import { type KnownBrowsers, Sessions } from '../../../main/web/sessions.ts';
import { post, proof, signIn, startServer, stateFolder } from './support/page-server.ts';

const day = 86_400_000;

const forgetful: KnownBrowsers = { read: () => [], isThere: () => true, write: () => true };

const ignored = (): void => undefined;
const alone = (): boolean => false;
const opened = (known: KnownBrowsers, nowMs: number, port = 28_733): Sessions => new Sessions(known, nowMs, () => port);

test('a browser unused for a week is signed out, and one in use is not', () => {
  const sessions = opened(forgetful, 0);
  const used = sessions.open(0);
  const left = sessions.open(0);
  for (let now = 0; now <= 20 * day; now += day)
    expect([now, sessions.withBoth(used.cookie, used.key, now)]).not.toEqual([now, null]);
  expect(sessions.withBoth(left.cookie, left.key, 20 * day)).toBeNull();
  expect(sessions.withCookie(left.cookie, 0)).toBeNull();
});

test('a listening page counts as in use, and its week begins when it disconnects', () => {
  const sessions = opened(forgetful, 0);
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
  const sessions = opened(forgetful, 0);
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

test('a restart signs no browser out, and what is on disk signs none in', async () => {
  const state = stateFolder();
  const first = await startServer(0, state);
  const signed = await signIn(first);
  await first.close();
  const next = await startServer(first.port, state);
  expect((await post(next, '/api/ask/snapshot.get', {}, proof(signed))).status).toBe(200);
  const text = readFileSync(`${state}/web-browsers.json`, 'utf8');
  for (const secret of [signed.key, signed.cookie.split('=')[1] ?? '']) expect(text).not.toContain(secret);
});

test('a browser unused for a week is not signed in by a restart', () => {
  const state = stateFolder();
  const { cookie, key } = opened(browsersFile(state, ignored, alone), 0).open(0);
  const later = opened(browsersFile(state, ignored, alone), 6 * day);
  expect(later.withBoth(cookie, key, 6 * day)).not.toBeNull();
  expect(opened(browsersFile(state, ignored, alone), 9 * day).withBoth(cookie, key, 9 * day)).toBeNull();
});

test('all browsers are signed out at once, while a server runs, too', () => {
  const state = stateFolder();
  const sessions = opened(browsersFile(state, ignored, alone), 0);
  const { cookie, key } = sessions.open(0);
  expect(sessions.withBoth(cookie, key, 5000)).not.toBeNull();
  forgetBrowsers(state);
  expect(sessions.withBoth(cookie, key, 10_000)).toBeNull();
  expect(opened(browsersFile(state, ignored, alone), 0).withBoth(cookie, key, 0)).toBeNull();
});

test('what was signed out stays so, whether a browser signs in next or the server ends', () => {
  const state = stateFolder();
  const sessions = opened(browsersFile(state, ignored, alone), 0);
  const left = sessions.open(0);
  forgetBrowsers(state);
  const next = sessions.open(1);
  expect(sessions.withBoth(left.cookie, left.key, 1)).toBeNull();
  expect(sessions.withBoth(next.cookie, next.key, 1)).not.toBeNull();
  forgetBrowsers(state);
  sessions.save(2);
  expect(opened(browsersFile(state, ignored, alone), 3).withBoth(next.cookie, next.key, 3)).toBeNull();
});

test('a page that listens hears nothing more once all are signed out', async () => {
  const state = stateFolder();
  const server = await startServer(0, state);
  const page = await post(server, '/api/events', { have: null }, proof(await signIn(server)));
  forgetBrowsers(state);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
  onTestFinished(() => void vi.useRealTimers());
  server.service.change({ at: '2026-11-26T12:00:00.000Z' });
  expect(await page.text()).not.toContain('2026-11-26T12:00:00.000Z');
});

test('a file that other users could change signs none in', () => {
  const state = stateFolder();
  const { cookie, key } = opened(browsersFile(state, ignored, alone), 0).open(0);
  chmodSync(`${state}/web-browsers.json`, 0o666);
  expect(opened(browsersFile(state, ignored, alone), 0).withBoth(cookie, key, 0)).toBeNull();
});

test('a disk that takes nothing signs none out, and is told', () => {
  const told: string[] = [];
  const file = browsersFile(import.meta.filename, (_error, doing) => void told.push(doing));
  const sessions = opened(file, 0);
  const { cookie, key } = sessions.open(0);
  expect(sessions.withBoth(cookie, key, 10_000)).not.toBeNull();
  expect(told).toEqual(['remembering the signed-in browsers']);
});

// Whoever takes the port while no server runs is sent both secrets by a page that is still open.
test('a restart signs browsers out where another user has a home', () => {
  const state = stateFolder();
  const { cookie, key } = opened(browsersFile(state, ignored, alone), 0).open(0);
  const shared = opened(
    browsersFile(state, ignored, () => true),
    0,
  );
  expect(shared.withBoth(cookie, key, 0)).toBeNull();
});

// A program that holds the port of before is sent both secrets by a page that is still open.
test('a server at another port signs out who was signed in, also of the next one at the first port', () => {
  const state = stateFolder();
  const { cookie, key } = opened(browsersFile(state, ignored, alone), 0).open(0);
  for (const port of [40_000, 28_733])
    expect(opened(browsersFile(state, ignored, alone), 0, port).withBoth(cookie, key, 0)).toBeNull();
});

test('another user lives here where a home is of another uid, or homes can’t be seen', () => {
  const folder = stateFolder();
  const own = process.getuid?.() ?? 0;
  expect(othersLiveHere(join(folder, 'none'), own)).toBe(false);
  mkdirSync(join(folder, 'me'));
  expect(othersLiveHere(folder, own)).toBe(false);
  expect(othersLiveHere(folder, own + 1)).toBe(own >= 500);
  expect(othersLiveHere('/dev/null/homes', own)).toBe(false);
});

const isRoot = process.getuid?.() === 0;
const unlessRoot = isRoot ? '' : ` (SKIPPED: ${oneUser})`;

test.runIf(isRoot)(`another user lives here where a folder of root’s has a home of theirs${unlessRoot}`, () => {
  const folder = stateFolder();
  mkdirSync(join(folder, 'students/alice'), { recursive: true });
  expect(othersLiveHere(folder, 0)).toBe(false);
  chownSync(join(folder, 'students/alice'), 1234, 1234);
  expect(othersLiveHere(folder, 0)).toBe(true);
});
