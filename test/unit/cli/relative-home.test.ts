import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = join(import.meta.dirname, '../../../main/cli/index.ts');

test.skipIf(process.platform === 'win32').each(['', '.'])(
  'a HOME that is no whole path leads to no settings of a repository, nor to a folder in it: %j',
  (home) => {
    const repository = mkdtempSync(join(tmpdir(), 'curfew-repository-'));
    onTestFinished(() => rmSync(repository, { recursive: true }));
    mkdirSync(join(repository, '.config/curfew'), { recursive: true });
    mkdirSync(join(repository, '.local/state/curfew'), { recursive: true, mode: 0o700 });
    writeFileSync(join(repository, '.config/curfew/settings.json'), '{ "hosts": ["of-the-repository"] }');
    const { CURFEW_HOME: _own, XDG_CONFIG_HOME: _config, XDG_STATE_HOME: _state, ...environment } = process.env;
    const said = execFileSync(process.execPath, [program, 'settings', 'get', 'hosts'], {
      cwd: repository,
      env: { ...environment, HOME: home },
      encoding: 'utf8',
    });
    expect(said).not.toContain('of-the-repository');
    expect(readdirSync(join(repository, '.local/state/curfew'))).toEqual([]);
  },
);
