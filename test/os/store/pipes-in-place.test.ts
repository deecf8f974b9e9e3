import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const store = join(import.meta.dirname, '../../../main/store');
const from = (file: string, names: string): string => `import { ${names} } from ${JSON.stringify(join(store, file))};`;
const opened = (work: string): string => `try { ${work} } catch (error) { console.log(error.message); }`;

/** Each opens FILE, which is a pipe that nothing else has open. */
const readers: Readonly<Record<string, string>> = {
  'what is spared is read': `${from('spared/spared-copy.ts', 'SparedCopy')} ${opened('new SparedCopy(FILE).read()')}`,
  'a folder that a look saw is noted': `${from('seen-list.ts', 'seenFolders')}
    seenFolders({ state: FOLDER }).add([{ agent: 'codex', what: '/x' }]);`,
  'a lock is asked for': `${from('lock-request.ts', 'requestLock')} ${opened("requestLock(FILE.replace(/\\.wanted$/u, ''))")}`,
  'the log is written': `${from('files/rotating-file.ts', 'RotatingFile')}
    ${opened("new RotatingFile(FILE, { bytes: 1000, files: 2 }).append('x')")}`,
};
const names: Readonly<Record<string, string>> = {
  'a folder that a look saw is noted': 'seen-folders.jsonl',
  'a lock is asked for': 'lock.wanted',
};

/** Far above what any of them takes, and what a wait for a pipe exceeds. Milliseconds. */
const patience = 60_000;

test.runIf(process.platform !== 'win32').each(Object.entries(readers))(
  'nothing waits where a pipe lies in the place of a file: %s',
  (what, program) => {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-pipe-'));
    try {
      const file = join(folder, names[what] ?? 'file');
      execFileSync('mkfifo', [file]);
      const script = `const FILE = ${JSON.stringify(file)}, FOLDER = ${JSON.stringify(folder)};\n${program}\nconsole.log('went on');`;
      const { stdout, signal } = spawnSync(
        process.execPath,
        ['--no-warnings', '--input-type=module-typescript', '-e', script],
        { encoding: 'utf8', timeout: patience, killSignal: 'SIGKILL' },
      );
      expect(signal).toBeNull();
      expect(stdout).toContain('went on');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
