import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.string()).optional(),
      'timeout-minutes': z.number(),
      // The interface is drawn by the same Chromium everywhere.
      strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }).optional(),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: z.object({ path: z.string().default('') }).optional(),
        }),
      ),
    }),
  ),
});

const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
const workflow = Workflow.parse(parse(text));
const jobs = Object.entries(workflow.jobs);
const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts;

describe('the workflow', () => {
  test('reads the repository and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.filter(([, { permissions }]) => permissions !== undefined)).toEqual([]);
    expect(text).not.toMatch(/secrets\./u);
  });

  test('pins every action by its hash', () => {
    const used = jobs.flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/u);
  });

  test.each(jobs.filter(([name]) => name !== 'interface'))(
    'runs %s on Linux, macOS and Windows, within a limit',
    (_name, job) => {
      expect(job.strategy?.matrix.os.map((os) => os.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    },
  );

  test('asks axe about every view, and keeps a picture of each', () => {
    const { steps = [], 'timeout-minutes': minutes } = workflow.jobs['interface'] ?? {};
    const runs = steps.flatMap(({ run }) => run ?? []);
    expect(runs).toEqual(['npm ci', 'npm run test:ui -- accessibility opened', 'npm run screenshots']);
    expect(steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/u);
    expect(minutes).toBeLessThanOrEqual(90);
  });

  test('asks a Mac for its self-check, and keeps what it says', () => {
    const { steps = [] } = workflow.jobs['test'] ?? {};
    const runs = steps.flatMap(({ run }) => run ?? []).join('\n');
    expect(runs).toContain('doctor --json > doctor.json');
    expect(runs).toContain('build/macos/report.sh > report.txt');
    expect(steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/u);
    expect(steps.at(-1)?.with?.path.split('\n')).toEqual(['doctor.json', 'report.txt', '']);
  });

  test('the report for a Mac has at most 20 commands', () => {
    const lines = readFileSync(join(root, 'build/macos/report.sh'), 'utf8').split('\n');
    const asked = lines.filter((line) => line !== '' && !/^(?:#|set -u|H=|\w+\(\) \{)/u.test(line));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThanOrEqual(20);
  });

  test('calls only scripts that exist', () => {
    const called = [...text.matchAll(/npm run (?<script>[\w:]+)/gu)].map((match) => match.groups?.['script'] ?? '');
    expect(called.length).toBeGreaterThan(0);
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
  });
});
