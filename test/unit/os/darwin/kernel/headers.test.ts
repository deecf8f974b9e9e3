import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compareWithHeaders, headerStructs, type HeaderStruct } from '../../../../darwin/header-offsets.ts';

// A `long` of Windows is shorter than one of a Mac.
const hasCompiler = process.platform !== 'win32' && spawnSync('cc', ['--version']).error === undefined;
const mayMiss = process.env['CI'] !== 'true';

// Skipped where there is no Mac with Apple's command line tools; a failure on GitHub's Macs.
test.skipIf(process.platform !== 'darwin' || (!hasCompiler && mayMiss))(
  'every field lies where the headers of this Mac put it',
  () => {
    const includes = ['sys/types.h', 'sys/sysctl.h', 'sys/resource.h', 'sys/proc_info.h', 'libproc.h'];
    const { compared, wrong, absent } = compareWithHeaders(includes, headerStructs);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(40);
    // Apple declares these in a private header, which `npm run headers:darwin` reads.
    const hidden = ['struct proc_uniqidentifierinfo', 'struct proc_pidcoalitioninfo'];
    expect(absent.filter((name) => !hidden.includes(name))).toEqual([]);
  },
);

/** A header of our own, in place of Apple's. */
const headers = (text: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-header-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'stand-in.h'), text);
  return ['-I', folder];
};

const isDescriptor = ({ name }: HeaderStruct): boolean => name === 'struct proc_fdinfo';
const isPrivate = ({ onlyWith }: HeaderStruct): boolean => onlyWith !== undefined;

test.skipIf(!hasCompiler)('a compiler finds fields that lie elsewhere, and structs that are not declared', () => {
  const structs = headerStructs.filter((one) => isDescriptor(one) || isPrivate(one));
  const [right, moved] = [
    'struct proc_fdinfo { int proc_fd; unsigned proc_fdtype; };',
    'struct proc_fdinfo { int proc_fd; int other; unsigned proc_fdtype; };',
  ].map((text) => compareWithHeaders(['stand-in.h'], structs, headers(text)));
  expect(right).toEqual({
    compared: 3,
    wrong: [],
    absent: ['struct proc_uniqidentifierinfo', 'struct proc_pidcoalitioninfo'],
  });
  expect(moved?.wrong).toEqual([
    'struct proc_fdinfo size: 12, read at 8',
    'struct proc_fdinfo proc_fdtype: 8, read at 4',
  ]);
  expect(() => compareWithHeaders(['no-such.h'], structs)).toThrow('it does not compile');
});
