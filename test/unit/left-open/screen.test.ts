import { expect, test } from 'vitest';
import { beganDetached, screenSessionsIn } from '../../../app/left-open/left-open.ts';

test('sessions of screen are read from its list, as 4.9.0 writes it and without the moment', () => {
  const text = [
    'There are screens on:',
    '\t3.watcher\t(11/22/26 21:50:46)\t(Detached)',
    '\t4.my (own) one\t(Attached)',
    '\t20.gone\t(11/22/26 21:26:30)\t(Dead ???)',
    'Remove dead screens with ’screen -wipe’.',
    '3 Sockets in /run/screen/S-root.',
  ].join('\n');
  expect(screenSessionsIn(text)).toEqual([
    { pid: 3, name: 'watcher', detached: true },
    { pid: 4, name: 'my (own) one', detached: false },
    { pid: 20, name: 'gone', detached: false },
  ]);
});

test.each([
  [['SCREEN', '-dmS', 'watcher', 'sleep', '9'], true],
  [['SCREEN', '-d', '-m', 'sleep', '9'], true],
  [['SCREEN', '-D', '-m', '-S', 'x'], true],
  [['SCREEN'], false],
  [['SCREEN', '-S', 'dm', 'tar', '-dm'], false],
  [['SCREEN', '-m'], false],
])('%j began without a client: %s', (argv, detached) => {
  expect(beganDetached(argv)).toBe(detached);
});
