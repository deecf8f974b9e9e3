import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLineFile, ownCommand, whyNoCommandLine } from '../../../main/os/programs/own-command.ts';

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
  expect(whyNoCommandLine(file(commandLine), { isElectron: true, path: bin })).toContain('did not find Node');
  file(join(bin, 'node'));
  expect(whyNoCommandLine(join(bin, 'gone.js'), { isElectron: true, path: bin })).toContain('did not find Node');
});

test('the command line is the one that was built along, else the installed one', () => {
  const bin = folder();
  const built = join(bin, 'built.js');
  expect(commandLineFile(built, bin)).toBe(built);
  const installed = file(join(bin, 'real.js'));
  symlinkSync(installed, join(bin, 'curfew'));
  expect(commandLineFile(built, bin)).toBe(installed);
  file(built);
  expect(commandLineFile(built, bin)).toBe(built);
});
