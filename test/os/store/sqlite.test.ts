import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, '../../../main/store/database/sqlite.ts'));

/**
 * Standard error of a process that loads SQLite in our way, on a Node whose `node:sqlite` prints a
 * warning while it loads.
 */
const standardError = (saying: string): string => {
  const script = `
    const load = process.getBuiltinModule;
    process.getBuiltinModule = (name) => {
      if (name === 'node:sqlite') { ${saying} }
      return load(name);
    };
    const emit = process.emitWarning;
    const { sqlite } = await import(${module});
    if (typeof sqlite().DatabaseSync !== 'function') throw new Error('no SQLite');
    if (process.emitWarning !== emit) throw new Error('not put back');
    process.emitWarning('SQLite is an experimental feature of mine', 'ExperimentalWarning');
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stderr;
};

test('the warning of Node 22 is dropped while SQLite loads, and only then', () => {
  const stderr = standardError(
    `process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');`,
  );
  expect(stderr).not.toContain('might change');
  expect(stderr).toContain('experimental feature of mine');
});

test('every other warning is shown', () => {
  const stderr = standardError(
    `process.emitWarning('something else', 'ExperimentalWarning');
     process.emitWarning('SQLite is an experimental feature', 'DeprecationWarning');
     process.emitWarning(new Error('an error'));
     process.emitWarning('with options', { type: 'Custom', code: 'C1' });`,
  );
  for (const words of ['something else', 'DeprecationWarning', 'an error', '[C1] Custom: with options']) {
    expect(stderr).toContain(words);
  }
});
