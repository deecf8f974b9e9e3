import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  argumentKey,
  argumentTextsIn,
  shortName,
  splitArguments,
  unvis,
} from '../../../../main/os/darwin/ps/ps-arguments.ts';
import { cpuTimeMs, fieldsIn, terminalNumber } from '../../../../main/os/darwin/ps/ps-fields.ts';

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
const fieldLines = fixture('ps-fields.txt').trimEnd().split('\n');
const texts = argumentTextsIn(fixture('ps-arguments.txt'));
const started = 'Fri Nov 21 01:22:59 2025';

test('every line of the fields is read', () => {
  expect(fieldLines.map((line) => fieldsIn(line)?.pid)).toEqual([1, 742, 51698, 51757, 61296, 61301, 61302, 61400]);
});

test('a tool shell: session leader without a terminal', () => {
  expect(fieldsIn(fieldLines[4] ?? '')).toEqual({
    pid: 61296,
    ppid: 51757,
    pgid: 61296,
    session: 0,
    sessionLeader: true,
    tty: 0,
    uid: 501,
    state: 'S',
    started,
    startMs: Date.UTC(2025, 10, 21, 1, 22, 59),
    cpuMs: 20,
    rssBytes: 2224 * 1024,
  });
});

test('a process held by a debugger or tracer has the state traced, running or not', () => {
  const line = fieldLines.map((text) => ({ text, fields: fieldsIn(text) })).find(({ fields }) => fields?.state === 'S');
  const flags = /\d (S\S*)\s+(?=[A-Z][a-z]{2} )/u.exec(line?.text ?? '')?.[1] ?? '';
  const traced = line?.text.replace(` ${flags} `, ` ${flags}X `) ?? '';
  expect(traced).toContain(`${flags}X`);
  expect(fieldsIn(traced)).toEqual({ ...line?.fields, state: 't' });
});

test('states, terminals and users in Apple’s notation', () => {
  const [, , shell, agent, , waiting, zombie, unsigned] = fieldLines.map(fieldsIn);
  expect(shell?.tty).toBe(16 * 2 ** 24 + 3);
  expect(agent?.tty).toBe(shell?.tty);
  expect(agent?.cpuMs).toBe((139 * 60 + 17) * 1000 + 710);
  expect([waiting?.state, zombie?.state, unsigned?.state]).toEqual(['D', 'Z', 'S']);
  expect(unsigned?.uid).toBe(4294967294);
});

test.each([
  ['0:00.03', 30],
  ['139:17.71', 8_357_710],
  ['00:00:07', 7_000],
  ['1-02:03:04', 93_784_000],
  ['nonsense', null],
])('the CPU time %s', (text, ms) => {
  expect(cpuTimeMs(text)).toBe(ms);
});

test.each([
  ['??', 0],
  ['?', 0],
  ['-', 0],
  ['pts/3', 1],
  ['16/0', 16 * 2 ** 24],
])('the terminal %s', (text, number) => {
  expect(terminalNumber(text)).toBe(number);
});

test('lines of another form are no fields, and nothing throws', () => {
  expect(fieldsIn('')).toBeNull();
  expect(fieldsIn('  PID  PPID')).toBeNull();
  expect(fieldsIn('61296 51757 61296 0 ?? 501 Ss Xyz Abc 99 99:99:99 2025 0:00.02 2224')).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => fieldsIn(text) === null || /^\s*\d/.test(text)));
});

test('a wrapper comes out as shell, -c and one string, with its newline and its accents', () => {
  const text = unvis(texts.get(argumentKey(61296, started)) ?? '');
  const argv = splitArguments(text);
  expect(argv.slice(0, 2)).toEqual(['/bin/zsh', '-c']);
  expect(argv).toHaveLength(3);
  expect(argv[2]).toContain(`eval 'echo "caf\né" | cat' < /dev/null`);
});

test.each([
  ['/bin/bash -c -l source x && eval y', ['/bin/bash', '-c', '-l', 'source x && eval y']],
  ['bash -lc  two  spaces', ['bash', '-lc', ' two  spaces']],
  ['-zsh', ['-zsh']],
  ['bash --norc --noprofile -c x', ['bash', '--norc', '--noprofile', '-c', 'x']],
  ['bash script.sh -c x', ['bash', 'script.sh', '-c', 'x']],
  ['node server.js --port 3000', ['node', 'server.js', '--port', '3000']],
  ['(launchd)', []],
  ['', []],
])('%j', (text, argv) => {
  expect(splitArguments(text)).toEqual(argv);
});

test.each([
  ['/sbin/launchd', 'launchd'],
  ['-zsh', 'zsh'],
  ['(nfsd)', 'nfsd'],
  ['claude --model opus', 'claude'],
])('the short name of %j', (text, name) => {
  expect(shortName(text)).toBe(name);
});

test('invalid UTF-8 stays as ps printed it', () => {
  expect(unvis('M-C alone, \\240, C:\\Users')).toBe('M-C alone, \\240, C:\\Users');
});

test('all valid UTF-8 survives vis(3) and back', () => {
  // Returns one byte as Apple's ps prints it in the C locale (strvis with VIS_TAB | VIS_NL |
  // VIS_NOSLASH).
  const vis = (byte: number): string => {
    if (byte === 0x09 || byte === 0x0a) return `\\0${byte.toString(8)}`;
    if (byte === 0xa0) return '\\240';
    if (byte < 0x80) return String.fromCharCode(byte);
    const low = byte & 0x7f;
    return low < 0x20 || low === 0x7f ? `M^${String.fromCharCode(low ^ 0x40)}` : `M-${String.fromCharCode(low)}`;
  };
  const character = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
    .filter((one) => !/[\\M]/.test(one) && (/[\t\n]/.test(one) || !/\p{Cc}/u.test(one)));
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join('');
      expect(unvis([...Buffer.from(text)].map(vis).join(''))).toBe(text);
    }),
  );
});

test('an unescaped newline continues the line before', () => {
  const forged = argumentTextsIn(`  10 ${started} bash -c echo\nmore words\n  11 ${started} cat\n`);
  expect([...forged]).toEqual([
    [argumentKey(10, started), 'bash -c echo\nmore words'],
    [argumentKey(11, started), 'cat'],
  ]);
});

test('a process that forges a line for another makes its command line unknown and sets none', () => {
  const evil = `bash -c x\n  11 ${started} claude`;
  expect(argumentTextsIn(`  10 ${started} ${evil}\n  11 ${started} cat\n`).has(argumentKey(11, started))).toBe(false);
  expect(argumentTextsIn(`  11 ${started} cat\n  12 ${started} ${evil}\n`).has(argumentKey(11, started))).toBe(false);
});
