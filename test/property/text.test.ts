import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactArguments, redactCommand, redactedLengthLimit } from '../../app/format/secrets/redact.ts';
import { jsonText, terminalSafeJson } from '../../app/format/json.ts';
import { visibleText } from '../../app/format/visible.ts';

const runs = { numRuns: 3000 };
/** Pieces that the rules look for, so that they meet in every order. */
const piece = fc.constantFrom(
  '--token',
  '--password=',
  'TOKEN=',
  'x --api-key ',
  'Authorization: ',
  'Bearer ',
  'password: ',
  '"secret":',
  ' -p',
  ' -u me:pw ',
  'mysql ',
  'curl ',
  'sshpass ',
  'redis-cli -a ',
  'docker login -p ',
  'openssl -k ',
  'https://me:pw@host/',
  'srt1:pw@x ',
  '://',
  '@',
  ':',
  'sk-ant-api03-abcdefgh',
  'ghp_abcdefghij0123456789',
  'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJI.eyJzdWIiOiI',
  '-----BEGIN PRIVATE KEY-----',
  '"',
  "'",
  '\\',
  '\\"',
  `'"'"'`,
  ' ',
  '\n',
  ';',
  '|',
  '&',
  '$X',
  '${X}',
  '$(x)',
  '***',
  '…',
  '=',
  '-',
  ',',
  '}',
  '\u202E',
  '😀',
  '\uD83D',
);
const command = fc
  .array(fc.oneof(piece, piece, fc.string({ maxLength: 8, unit: 'binary' })), { maxLength: 24 })
  .map((pieces) => pieces.join(''));
const long = fc
  .tuple(command, fc.integer({ min: 1, max: 4000 }))
  .map(([text, times]) => text.repeat(Math.min(times, Math.ceil(60_000 / (text.length + 1)))));

describe('redacting', () => {
  test('never throws, is bounded, and doing it again changes nothing', () => {
    fc.assert(
      fc.property(command, (text) => {
        const once = redactCommand(text);
        expect(once.length).toBeLessThanOrEqual(redactedLengthLimit);
        expect(redactCommand(once)).toBe(once);
      }),
      runs,
    );
  });

  test('also of long texts', () => {
    fc.assert(
      fc.property(long, (text) => {
        const once = redactCommand(text);
        expect(once.length).toBeLessThanOrEqual(redactedLengthLimit);
        expect(redactCommand(once)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  const secret = fc
    .string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'X', 'Y', 'Z', '0', '1', '9'), minLength: 12, maxLength: 24 })
    .map((text) => `q7${text}`);
  const forms: readonly ((value: string) => string)[] = [
    (value) => `--token ${value}`,
    (value) => `--password="${value} ${value}"`,
    (value) => `DB_PASSWORD='${value}'`,
    (value) => `curl -H 'Authorization: Bearer ${value}'`,
    (value) => `curl -u me:${value} https://x`,
    (value) => `git clone https://me:${value}@host/x`,
    (value) => `-d '{"password": "${value}"}'`,
    (value) => `mysql -p${value} db`,
    (value) => `https://x/?api_key=${value}`,
    (value) => `bash -c "run --token \\"${value}\\""`,
  ];
  const around = fc.constantFrom('', 'x ', 'cd /x && ', 'FOO=1 ', 'echo "a b"; ', "eval 'y' | ");

  test('a secret in a known place is always hidden, whatever surrounds it', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...forms), around, around, (value, form, before, after) => {
        expect(redactCommand(`${before}${form(value)} ${after}`)).not.toContain(value);
        expect(redactCommand(`bash -c '${before}${form(value)}' ${after}`)).not.toContain(value);
      }),
      runs,
    );
  });

  test('as arguments too', () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom('--token', '--password', '-password', '--api-key'),
        fc.array(fc.string()),
        (value, name, rest) => {
          expect(redactArguments(['x', name, `${value} ${value}`, ...rest])).not.toContain(value);
          expect(redactArguments(['x', `${name}=${value}`, ...rest])).not.toContain(value);
        },
      ),
      runs,
    );
  });

  test('words without any of those names or forms stay as they are', () => {
    const harmless = fc.array(
      fc.constantFrom(
        'npm',
        'run',
        'dev',
        '--port',
        '3000',
        '-p',
        'src/index.ts',
        '/home/me/x',
        'a=b',
        '3f786850e387550fdab836ed7e6dc881de23001b',
        '550e8400-e29b-41d4-a716-446655440000',
        '|',
        'tee',
        'log',
      ),
    );
    fc.assert(
      fc.property(harmless, (words) => {
        expect(redactCommand(words.join(' '))).toBe(words.join(' '));
      }),
      runs,
    );
  });
});

test('visible text has nothing invisible in it, and is visible already', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom('\u202E', '\0', '\u200B', '\uD800', 'a'), fc.string({ unit: 'binary' })),
      }),
      (text) => {
        const once = visibleText(text);
        expect(once).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u200B]/u);
        expect(visibleText(once)).toBe(once);
      },
    ),
    runs,
  );
});

describe('JSON for a terminal', () => {
  test('reads back as the same value and holds nothing that can not be seen', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = jsonText(value);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(terminalSafeJson(text)).toBe(text);
      }),
    );
  });
});
