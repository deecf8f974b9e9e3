import { expect, test } from 'vitest';
import { lockFileIn, loopConditionOf, searchedProcess } from '../../../app/diagnose/loop-condition.ts';

test.each([
  ['until [ -f done ]; do sleep 5; done', { kind: 'asked', text: 'until [ -f done ]' }],
  [
    'cd x && while ! curl -sf http://localhost:3000\ndo\n  sleep 1\ndone',
    { kind: 'asked', text: 'while ! curl -sf http://localhost:3000' },
  ],
  ['while true; do date; sleep 1; done', { kind: 'never-ends' }],
  ['while :; do test -e x && break; sleep 1; done', { kind: 'inside' }],
  ['until false; do sleep 1; done', { kind: 'never-ends' }],
  ['sleep 3600', { kind: 'hidden' }],
  ['echo meanwhile; done', { kind: 'hidden' }],
  ['node wait.js --until done', { kind: 'hidden' }],
])('the condition of %j', (command, condition) => {
  expect(loopConditionOf(command)).toEqual(condition);
});

test.each([
  [`until [ -z "$(pgrep -f 'npm test')" ]`, 'npm test'],
  ['while pgrep -f vitest > /dev/null', 'vitest'],
  ['while pgrep -u me -f "next dev"', 'next dev'],
  ['while pgrep vitest', null],
  ['while pgrep -f "$NAME"', null],
])('the search in %j', (condition, pattern) => {
  expect(searchedProcess(condition)).toBe(pattern);
});

test.each([
  ['while [ -e /tmp/build.lock ]', '/tmp/build.lock'],
  ['while test -f "./.git/index.lock"', './.git/index.lock'],
  ['until ! [ -f server.pid ]', 'server.pid'],
  ['until [ -f done ]', null],
  ['until [ -f package-lock.json ]', null],
])('the lock file in %j', (condition, file) => {
  expect(lockFileIn(condition)).toBe(file);
});
