import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { redactOutput } from '../../../app/format/secrets/redact-output.ts';
import { lastLines } from '../../../main/output/output-file.ts';

const keys = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed25519: generateKeyPairSync('ed25519'),
};

describe.each(['rsa', 'ed25519'] as const)('a private key (%s) that a program printed is hidden', (kind) => {
  const key = keys[kind].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const lines = key.trim().split('\n');
  const shownOf = (shown: string): readonly string[] => lines.slice(1, -1).filter((line) => shown.includes(line));

  test('with the lines around it shown', () => {
    const shown = redactOutput(`$ cat key.pem\n${key}done\n`);
    expect(shownOf(shown)).toEqual([]);
    expect(shown.split('\n')).toHaveLength(lines.length + 3);
    expect([shown.startsWith('$ cat key.pem\n'), shown.endsWith('\ndone\n')]).toEqual([true, true]);
  });

  test('where the part begins or ends within it', () => {
    for (let at = 1; at < lines.length; at += 1) {
      expect(shownOf(redactOutput(`${lines.slice(at).join('\n')}\ndone`))).toEqual([]);
      expect(shownOf(redactOutput(`begin\n${lines.slice(0, at).join('\n')}`))).toEqual([]);
    }
  });

  test('in the last lines that are recorded', () => {
    expect(shownOf(lastLines(`${key}done\n`) ?? '')).toEqual([]);
  });
});

test('the end of one long line is not recorded: it may be the second half of a secret', () => {
  expect(lastLines('x'.repeat(10_000))).toBeNull();
});

test('lines that only look like a key stay as they are', () => {
  const lines = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.iso',
    'added 312 packages, and audited 313 packages in 4s',
    './src/components/TheNavigationBarOfTheApplication/index.tsx:12:4',
    '----------------------------------------------------------------',
    'PASS',
  ];
  expect(redactOutput(lines.join('\r\n'))).toBe(lines.join('\r\n'));
});
