import { expect, test } from 'vitest';
import {
  assembleScript,
  installedScript,
  lookScript,
  outputScript,
  signalScript,
} from '../../../main/remote/scripts/scripts.ts';

test('a part stands where it is included first, and once', () => {
  const parts = { 'a.sh': 'a\n', 'b.sh': '. ./a.sh\nb\n' };
  expect(assembleScript('. ./a.sh\n. ./b.sh\nend\n', parts, {})).toBe('a\nb\nend\n');
});

test('comments and blank lines are not sent, and what only looks like a comment is', () => {
  expect(assembleScript("# why\n\n  # shellcheck disable=SC2086\n  echo '#a' # b\n", {}, {})).toBe("  echo '#a' # b\n");
});

test('a part or a value that is not there is an error', () => {
  expect(() => assembleScript('. ./a.sh\n', {}, {})).toThrow('no part a.sh');
  expect(() => assembleScript('echo @A_B@\n', {}, {})).toThrow('no value for @A_B@');
});

test('a value is put in as it is, and no mark in it is looked at', () => {
  expect(assembleScript('echo @A@ "$@" @%p\n', {}, { A: '$& @B@' })).toBe('echo $& @B@ "$@" @%p\n');
});

test.each(Object.entries({ lookScript, signalScript, outputScript, installedScript }))(
  '%s has one beginning and one answer, no include and no mark',
  (_name, script) => {
    expect(script.match(/^curfew_begin\(\) \{$/gmu)).toHaveLength(1);
    expect(script.match(/^curfew_answer\(\) \{$/gmu)).toHaveLength(1);
    expect(script).not.toMatch(/^\. /mu);
    expect(script).not.toMatch(/@[A-Z_]+@/u);
    expect(script).not.toMatch(/^\s*#/mu);
  },
);
