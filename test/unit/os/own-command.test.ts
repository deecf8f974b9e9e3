import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inEnglish } from '../../../app/text/say.ts';
import { expect, onTestFinished, test } from 'vitest';
import { canLink } from '../../needs.ts';
import { commandLineFile, ownCommand, whyNoCommandLine } from '../../../main/os/programs/bounded-program.ts';

const folder = (): string => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-own-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

const file = (path: string): string => {
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
};

test('outside of the app it is this Node, whatever is on the path', () => {
  const commandLine = file(join(folder(), 'curfew.js'));
  const plain = { isElectron: false, path: '/nowhere' };
  expect(ownCommand(commandLine, plain)).toEqual([realpathSync(process.execPath), commandLine]);
  expect(whyNoCommandLine(commandLine, plain)).toBeNull();
});

test('inside of the app it is the Node on the path, never the app itself', () => {
  const bin = folder();
  const node = file(join(bin, 'node'));
  const commandLine = file(join(bin, 'curfew.js'));
  const inApp = { isElectron: true, path: bin };
  expect(ownCommand(commandLine, inApp)).toEqual([node, commandLine]);
  expect(whyNoCommandLine(commandLine, inApp)).toBeNull();
});

test('a missing one is reported, and the expected file is still named', () => {
  const bin = folder();
  const commandLine = join(bin, 'curfew.js');
  expect(ownCommand(commandLine, { isElectron: true, path: bin })).toEqual(['node', commandLine]);
  const why = (name: string): string => inEnglish(whyNoCommandLine(name, { isElectron: true, path: bin }) ?? '');
  expect(why(file(commandLine))).toContain('did not find Node');
  file(join(bin, 'node'));
  expect(why(join(bin, 'gone.js'))).toContain('did not find Node');
});

test('the command line is the one that was built along, if that is there', () => {
  const bin = folder();
  const built = join(bin, 'built.js');
  expect(commandLineFile(built, bin)).toBe(built);
  file(join(bin, 'curfew'));
  file(built);
  expect(commandLineFile(built, bin)).toBe(built);
});

test.skipIf(!canLink())('else it is the installed one, behind a link', () => {
  const bin = folder();
  const installed = file(join(bin, 'real.js'));
  symlinkSync(installed, join(bin, 'curfew'));
  expect(commandLineFile(join(bin, 'built.js'), bin, 'linux')).toBe(installed);
});

test('on Windows it is the one beside npm’s batch file, never the script for sh', () => {
  const bin = folder();
  const built = join(bin, 'built.js');
  file(join(bin, 'curfew'));
  file(join(bin, 'curfew.cmd'));
  const path = [folder(), bin].join(delimiter);
  expect(commandLineFile(built, path, 'win32')).toBe(built);
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    readonly name: string;
    readonly bin: { readonly curfew: string };
  };
  const installed = join(bin, 'node_modules', manifest.name, manifest.bin.curfew);
  mkdirSync(dirname(installed), { recursive: true });
  expect(commandLineFile(built, path, 'win32')).toBe(built);
  file(installed);
  expect(commandLineFile(built, path, 'win32')).toBe(installed);
});
