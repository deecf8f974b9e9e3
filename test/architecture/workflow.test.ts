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
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
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

  test('calls only scripts that exist', () => {
    const called = [...text.matchAll(/npm run (?<script>[\w:]+)/gu)].map((match) => match.groups?.['script'] ?? '');
    expect(called.length).toBeGreaterThan(0);
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
  });
});
