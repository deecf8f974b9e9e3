import { describe, expect, test } from 'vitest';
import { exemptionOf, testExemption } from '../../../app/judge/exemptions.ts';

const createdAt = '2026-11-20T00:00:00Z';
const subject = { project: '/home/me/shop', command: 'npm run  dev -- --port 3000', holds: { ports: [3000, 9229] } };
const matches = (parts: object, more: object = {}): boolean =>
  testExemption({ ...parts, createdAt }, { ...subject, ...more }).matches;

describe('the project', () => {
  test.each(['/home/me/shop', '/home/me/shop/', '/home/me', '/'])('%s: the job is in it', (project) => {
    expect(matches({ project })).toBe(true);
  });
  test.each(['/home/me/sho', '/home/me/shop2', '/home/me/shop/api', 'shop', '/HOME/me/shop'])(
    '%s: it is not',
    (project) => {
      expect(matches({ project })).toBe(false);
    },
  );
  test('a job without a project is in none', () => {
    expect(matches({ project: '/' }, { project: null })).toBe(false);
  });
  test('on Windows', () => {
    expect(matches({ project: 'C:\\work' }, { project: 'C:\\work\\shop' })).toBe(true);
    expect(matches({ project: 'C:\\work' }, { project: 'C:\\workshop' })).toBe(false);
  });
});

describe('the command', () => {
  test.each([
    'npm run dev -- --port 3000',
    ' npm  run dev   -- --port 3000 ',
    'npm run dev*',
    '*--port 3000',
    'npm*dev*3000',
    '*',
    'npm run dev -- --port 3000*',
  ])('“%s” fits', (command) => {
    expect(matches({ command })).toBe(true);
  });
  test.each(['npm run dev', 'npm', '*--port', 'pm*', 'npm*dev*dev*', 'n.*', 'npm run dev -- --port 3000*3000'])(
    '“%s” does not',
    (command) => {
      expect(matches({ command })).toBe(false);
    },
  );
  test('a secret is compared as it is shown', () => {
    const command = 'deploy --token ***';
    expect(matches({ command: 'deploy --token hunter2secret' }, { command })).toBe(true);
    expect(matches({ command: 'deploy --token ***' }, { command })).toBe(true);
  });
  test('a pattern of many stars takes no time', () => {
    expect(matches({ command: '*a'.repeat(200) + 'b' }, { command: 'a'.repeat(5000) })).toBe(false);
  });
});

test('the port is one of those it listens on', () => {
  expect(matches({ port: 9229 })).toBe(true);
  expect(matches({ port: 300 })).toBe(false);
});

test('every part that is given must match', () => {
  expect(matches({ project: '/home/me', port: 3000 })).toBe(true);
  expect(matches({ project: '/home/me', port: 3001 })).toBe(false);
  expect(testExemption({ project: '/home/me', port: 3001, createdAt }, subject)).toEqual({
    project: true,
    command: null,
    port: false,
    matches: false,
  });
});

test('one without any part spares nothing', () => {
  expect(matches({})).toBe(false);
});

test('the first that matches is named', () => {
  const exemptions = [
    { port: 1, createdAt },
    { project: '/home', createdAt, note: 'mine' },
    { port: 3000, createdAt },
  ];
  expect(exemptionOf(exemptions, subject)).toBe(exemptions[1]);
  expect(exemptionOf(exemptions.slice(0, 1), subject)).toBeNull();
});
