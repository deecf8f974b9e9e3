import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactArguments, redactCommand } from '../../../app/format/secrets/redact.ts';

/** Characters that a placeholder is made of. */
const sets: Readonly<Record<string, string>> = {
  hex: '0123456789abcdef',
  a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
};

let seed = 7;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const made = (set: string, length: number): string => {
  const characters = sets[set] ?? '';
  return Array.from({ length }, () => characters.charAt(random(characters.length))).join('');
};

interface Line {
  readonly text: string;
  readonly secrets: readonly string[];
}

const linesOf = (name: string): readonly Line[] =>
  readFileSync(join(import.meta.dirname, 'lines', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const secrets: string[] = [];
      const text = line
        .replaceAll(String.raw`\n`, line.includes('printf') ? String.raw`\n` : '\n')
        .replaceAll(/\{(hex|a|A):(\d+)\}|\[\[(.+?)\]\]/gu, (_, set: string, length: string, given?: string) => {
          const value = given ?? made(set, Number(length));
          secrets.push(value);
          return value;
        });
      return { text, secrets };
    });

/** The command as Claude Code starts it. */
const wrapped = (command: string): readonly string[] => [
  '/bin/bash',
  '-c',
  `source /home/me/.claude/shell-snapshots/snapshot-bash-1700000000000-abc123.sh 2>/dev/null || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd`,
];

const secretLines = linesOf('secret-lines.txt');
const innocentLines = linesOf('innocent-lines.txt');
/** One in a hundred. */
const most = (lines: readonly Line[]): number => Math.floor(lines.length / 100);

const ways: readonly (readonly [string, (command: string) => string])[] = [
  ['as a command', redactCommand],
  ['as the arguments of its process', (command) => redactArguments(wrapped(command))],
  ['as the arguments of its process, joined', (command) => redactCommand(wrapped(command).join(' '))],
];

test('there are 400 lines, about half of them innocent', () => {
  expect(secretLines.length).toBeGreaterThanOrEqual(200);
  expect(innocentLines.length).toBeGreaterThanOrEqual(200);
  expect(secretLines.filter(({ secrets }) => secrets.length === 0)).toEqual([]);
});

test.each(ways)('at most one secret in a hundred is shown: %s', (_, redact) => {
  const shown = secretLines.filter(({ text, secrets }) => secrets.some((secret) => redact(text).includes(secret)));
  expect(shown.map(({ text }) => text).slice(most(secretLines))).toEqual([]);
});

test.each(ways)('at most one innocent line in a hundred is changed: %s', (_, redact) => {
  const before = redact === redactCommand ? (text: string) => text : (text: string) => wrapped(text).join(' ');
  const changed = innocentLines.filter(({ text }) => redact(text) !== before(text));
  expect(changed.map(({ text }) => text).slice(most(innocentLines))).toEqual([]);
});

test.each(secretLines.map(({ text }) => text))('the name before a secret stays: %s', (text) => {
  expect(redactCommand(redactCommand(text))).toBe(redactCommand(text));
  expect(redactCommand(text)).not.toBe('***');
});

test.each([
  ['pulumi config set --secret dbPassword hunter2-x', 'pulumi config set --secret dbPassword ***'],
  ['redis-cli AUTH default hunter2', 'redis-cli AUTH default ***'],
  ['redis-cli AUTH hunter2', 'redis-cli AUTH ***'],
  ['psql -c "ALTER USER app PASSWORD \'hunter2\'"', 'psql -c "ALTER USER app PASSWORD ***"'],
  ['password = "hunter2"', 'password = ***'],
])('%s becomes %s', (text, expected) => {
  expect(redactCommand(text)).toBe(expected);
});
