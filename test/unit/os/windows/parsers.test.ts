import { expect, test } from 'vitest';
import { splitCommandLine, programFile } from '../../../../main/os/windows/kernel/command-line.ts';
import { windowsPath, windowsProgram } from '../../../../app/paths/path.ts';
import { blockNames, environmentIn } from '../../../../main/os/windows/kernel/environment-block.ts';
import { sidIn } from '../../../../main/os/windows/kernel/identity.ts';
import { tcpIn } from '../../../../main/os/windows/kernel/ports.ts';
import { rowsIn } from '../../../../main/os/windows/kernel/process-rows.ts';
import { ticksAtMs, ticksOf } from '../../../../main/os/processes/file-time.ts';

test.each<[line: string, words: readonly string[]]>([
  // The table of https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
  [String.raw`x "a b c" d e`, ['x', 'a b c', 'd', 'e']],
  [String.raw`x "ab\"c" "\\" d`, ['x', 'ab"c', '\\', 'd']],
  [String.raw`x a\\\b d"e f"g h`, ['x', String.raw`a\\\b`, 'de fg', 'h']],
  [String.raw`x a\\\"b c d`, ['x', String.raw`a\"b`, 'c', 'd']],
  [String.raw`x a\\\\"b c" d e`, ['x', String.raw`a\\b c`, 'd', 'e']],
  [String.raw`x a"b"" c d`, ['x', 'ab" c d']],
  [
    String.raw`"C:\Program Files\Git\bin\bash.exe" -c "eval 'a'"`,
    [String.raw`C:\Program Files\Git\bin\bash.exe`, '-c', "eval 'a'"],
  ],
  [String.raw`"C:\a\" b`, ['C:\\a\\', 'b']],
  ['x ""', ['x', '']],
  ['x\t y', ['x', 'y']],
  ['x "open', ['x', 'open']],
  [' x', ['', 'x']],
  ['  ', []],
  ['', []],
])('a command line is split as Windows does: %s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

const block = (text: string): Buffer => Buffer.from(text, 'utf16le');

test('names in an environment block ignore case, and the first of a name counts', () => {
  const names = blockNames(['CLAUDECODE', 'MARK']);
  const found = environmentIn(block('=C:=C:\\x\0ClaudeCode=1\0claudecode=2\0mark=a=b\0Z=\0\0rest'), names);
  expect(found).toEqual({ markers: { CLAUDECODE: '1', MARK: 'a=b' }, bare: false });
});

test('a block that was cut, or is none, is unknown', () => {
  const names = blockNames(['MARK']);
  for (const text of ['MARK=1\0', 'MARK=1', 'no sign\0\0', ''])
    expect(environmentIn(block(text), names).markers).toBeNull();
  expect(environmentIn(block('\0'), names)).toEqual({ markers: {}, bare: true });
  expect(environmentIn(block(`MARK=${'x'.repeat(5_000)}\0\0`), names).markers).toEqual({});
  expect(environmentIn(block('Path=a\0SYSTEMROOT=b\0\0'), names)).toEqual({ markers: {}, bare: true });
});

test('paths have forward slashes and no prefix, programs small letters and no .exe', () => {
  expect(windowsPath(String.raw`\\?\c:\Users\Me`)).toBe('C:/Users/Me');
  expect(windowsPath(String.raw`\??\C:\a`)).toBe('C:/a');
  expect(windowsPath(String.raw`\\?\UNC\host\share\a`)).toBe('//host/share/a');
  expect(windowsPath(String.raw`\\host\share`)).toBe('//host/share');
  expect(windowsProgram(String.raw`c:\Program Files\Git\bin\Bash.EXE`)).toBe('C:/Program Files/Git/bin/bash');
  expect(programFile('Code.exe')).toBe('code');
  expect(programFile('.exe')).toBe('.exe');
});

test('start times are exact to 100 ns, and absurd ones are none', () => {
  const start = 134_117_280_000_000_001n;
  expect(ticksOf(start + 1n)).toBe((ticksOf(start) ?? 0) + 1);
  expect(ticksOf(0n)).toBeNull();
  expect(ticksOf(0xffff_ffff_ffff_ffffn)).toBeNull();
  expect(ticksAtMs(Date.UTC(2015, 0, 1, 0, 0, 1))).toBe(10_000_000);
});

const row = (fields: { readonly next?: number; readonly pid: bigint; readonly nameAt?: bigint }): Buffer => {
  const bytes = Buffer.alloc(0x108);
  bytes.writeUInt32LE(fields.next ?? 0, 0);
  bytes.writeUInt32LE(1, 4);
  bytes.writeBigUInt64LE(134_117_280_000_000_000n, 0x20);
  bytes.writeUInt16LE(8, 0x38);
  bytes.writeBigUInt64LE(fields.nameAt ?? 0x100n, 0x40);
  bytes.writeBigUInt64LE(fields.pid, 0x50);
  bytes.write('a.exe', 0x100, 'utf16le');
  return bytes;
};

test('rows that can not be one are left out and counted', () => {
  expect(rowsIn(row({ pid: 100n }), 0n)).toMatchObject({ rows: [{ pid: 100, image: 'a.ex' }], unread: 0 });
  expect(rowsIn(row({ pid: 101n }), 0n)).toEqual({ rows: [], unread: 1 });
  expect(rowsIn(row({ pid: 0n }), 0n)).toEqual({ rows: [], unread: 0 });
  expect(rowsIn(row({ pid: 100n, nameAt: 0x200n }), 0n)).toEqual({ rows: [], unread: 1 });
  expect(rowsIn(row({ pid: 100n }), 0x101n)).toEqual({ rows: [], unread: 1 });
  const twice = Buffer.concat([row({ pid: 100n, next: 0x108 }), row({ pid: 100n })]);
  expect(rowsIn(twice, 0n)).toEqual({ rows: [], unread: 1 });
  expect(rowsIn(row({ pid: 100n, next: 0x108 }), 0n)).toMatchObject({ rows: [{ pid: 100 }], unread: 1 });
  expect(rowsIn(Buffer.alloc(3), 0n)).toEqual({ rows: [], unread: 1 });
});

test('a table of ports that promises more than it holds is none', () => {
  const bytes = Buffer.alloc(4 + 24);
  bytes.writeUInt32LE(2, 0);
  expect(tcpIn(bytes, 'tcp4')).toBeNull();
  expect(tcpIn(Buffer.alloc(2), 'tcp6')).toBeNull();
  bytes.writeUInt32LE(1, 0);
  expect(tcpIn(bytes, 'tcp4')).toHaveLength(1);
});

test('a SID counts only whole', () => {
  const bytes = Buffer.alloc(16 + 12);
  bytes.writeUInt8(1, 16);
  bytes.writeUInt8(1, 17);
  expect(sidIn(bytes)).toBe(bytes.toString('hex', 16));
  expect(sidIn(bytes.subarray(0, 27))).toBeNull();
  bytes.writeUInt8(16, 17);
  expect(sidIn(bytes)).toBeNull();
  expect(sidIn(Buffer.alloc(0))).toBeNull();
});
