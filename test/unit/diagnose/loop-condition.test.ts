import { expect, test } from 'vitest';
import { lockFileIn, loopConditionOf, searchedProcess } from '../../../app/diagnose/loop-condition.ts';

test.each([
  ['until [ -f done ]; do sleep 5; done', { kind: 'asked', text: 'until [ -f done ]' }],
  [
    'cd x && while ! curl -sf http://localhost:3000\ndo\n  sleep 1\ndone',
    { kind: 'asked', text: 'while ! curl -sf http://localhost:3000' },
  ],
  ['while true; do date; sleep 1; done', { kind: 'regular' }],
  ['while :; do test -e x && break; sleep 1; done', { kind: 'inside' }],
  ['until false; do sleep 1; done', { kind: 'regular' }],
  // What goes through a list, counts, or works at intervals asks for nothing.
  ['while sleep 60; do ./sync.sh; done', { kind: 'regular' }],
  ['while IFS= read -r url; do curl -sO "$url"; sleep 5; done < urls.txt', { kind: 'regular' }],
  ['cat urls | while read u; do wget -q "$u"; sleep 5; done', { kind: 'regular' }],
  ['for page in $(seq 100); do curl -sO "$url?page=$page"; sleep 5; done', { kind: 'regular' }],
  ['for ((i = 0; i < 100; i++)); do ./step $i; sleep 5; done', { kind: 'regular' }],
  ['i=0; while [ $i -lt 100 ]; do ./step $i; i=$((i+1)); sleep 5; done', { kind: 'regular' }],
  ['i=0; while (( i < 100 )); do ./step $i; ((i++)); sleep 5; done', { kind: 'regular' }],
  ['for i in 1 2 3; do curl -sf localhost && break; sleep 5; done', { kind: 'inside' }],
  ['while sleep 5; do test -e done && exit 0; done', { kind: 'inside' }],
  [
    'while [ $(ls out | wc -l) -lt 100 ]; do sleep 5; done',
    { kind: 'asked', text: 'while [ $(ls out | wc -l) -lt 100 ]' },
  ],
  ['while [ $n -lt 3 ]; do n2=1; sleep 5; done', { kind: 'asked', text: 'while [ $n -lt 3 ]' }],
  ['for f in a b; do until [ -e $f ]; do sleep 1; done; done', { kind: 'asked', text: 'until [ -e $f ]' }],
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
