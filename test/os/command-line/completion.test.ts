import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const curfew = join(import.meta.dirname, '../../../build/out/cli/curfew.js');

const scriptFor = (shell: string): string => {
  const { stdout, status } = spawnSync(process.execPath, [curfew, 'completion', shell], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout;
};

/** Returns bash's completions after these words; the last word is the one being typed. */
const inBash = (...words: readonly string[]): readonly string[] => {
  const asked = `${scriptFor('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _curfew; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', asked, 'bash', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const unless = (shell: string): string => (isThere(shell) ? '' : ` (SKIPPED: no ${shell})`);

describe('completion in bash', () => {
  test('offers the commands, and their commands', () => {
    expect(inBash('curfew', '')).toEqual(expect.arrayContaining(['scan', 'reap', 'run', 'hooks', '--help']));
    expect(inBash('curfew', 'hooks', '')).toEqual(expect.arrayContaining(['status', 'install', 'uninstall']));
    expect(inBash('curfew', 're').toSorted()).toEqual(['reap', 'report']);
  });

  test('offers the options of the current command only', () => {
    expect(inBash('curfew', 'reap', '--')).toEqual(expect.arrayContaining(['--dry-run', '--max-age', '--job']));
    expect(inBash('curfew', 'scan', '--')).not.toContain('--dry-run');
  });

  test('offers the values of an option, or files', () => {
    expect(inBash('curfew', 'history', '--outcome', 'k')).toEqual(['killed']);
    expect(inBash('curfew', 'run', '--lock', '/etc/host')).toContain('/etc/hosts');
    expect(inBash('curfew', 'keep', '--for', '')).toEqual([]);
  });

  test('offers the names of settings', () => {
    expect(inBash('curfew', 'settings', 'set', 'orphan')).toEqual(['orphanGraceSeconds']);
    expect(inBash('curfew', 'settings', 'get', 'guard.')).toContain('guard.enabled');
  });

  test('leaves what follows -- to the other program', () => {
    expect(inBash('curfew', 'run', '--', 'ech')).toContain('echo');
    expect(inBash('curfew', 'run', '--name', 'x', '--', 'tru')).toContain('true');
  });
});

describe('completion in other shells', () => {
  test.skipIf(!isThere('zsh'))(`is a script that zsh can read${unless('zsh')}`, () => {
    expect(spawnSync('zsh', ['-n'], { input: scriptFor('zsh'), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test.skipIf(!isThere('fish'))(`offers the commands in fish${unless('fish')}`, () => {
    const asked = `${scriptFor('fish')}\ncomplete -C 'curfew hooks '`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', asked], { encoding: 'utf8' });
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['status', 'install', 'uninstall']),
    );
  });

  test.skipIf(!isThere('pwsh'))('offers commands, options and values in PowerShell', () => {
    const offered = (...lines: readonly string[]): readonly string[] => {
      const asked = lines.map(
        (line) => `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText -join ' '`,
      );
      const { stdout, stderr } = spawnSync(
        'pwsh',
        ['-NoProfile', '-NonInteractive', '-Command', [scriptFor('powershell'), ...asked].join('\n')],
        { encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      return stdout.trimEnd().split('\n');
    };
    const [hooks, reap, outcome, setting] = offered(
      'curfew hooks ',
      'curfew reap --dr',
      'curfew history --outcome k',
      'curfew settings set orphan',
    );
    expect(hooks?.split(' ')).toEqual(expect.arrayContaining(['status', 'install', 'uninstall', '--help']));
    expect([reap, outcome, setting]).toEqual(['--dry-run', 'killed', 'orphanGraceSeconds']);
  });

  test('an unknown shell is refused in one line', () => {
    const { stderr, status } = spawnSync(process.execPath, [curfew, 'completion', 'tcsh'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('bash, zsh, fish')]);
  });
});
