import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isDisposable } from '../../build/scripts/disposable.ts';

const root = join(import.meta.dirname, '../..');

const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.string()).optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      'timeout-minutes': z.number(),
      strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }).optional(),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: z.object({ path: z.string().default(''), 'node-version': z.coerce.string().optional() }).optional(),
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

  // The interface is drawn by one Chromium, a Debian package and Debian's Prometheus are for
  // Debian, and Wine is for Linux.
  const ofOneSystem = ['interface', 'deb', 'metrics', 'wine', 'real', 'rosetta'];

  test.each(jobs.filter(([name]) => !ofOneSystem.includes(name)))(
    'runs %s on Linux, macOS and Windows, within a limit',
    (_name, job) => {
      const systems = new Set(job.strategy?.matrix.os.map((os) => os.split('-')[0]));
      expect([...systems]).toEqual(['ubuntu', 'macos', 'windows']);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    },
  );

  test('asks each kind of Mac and of Windows, and ends processes on Macs that are thrown away', () => {
    expect(workflow.jobs['test']?.strategy?.matrix.os).toEqual(
      expect.arrayContaining(['macos-15', 'macos-15-intel', 'macos-26', 'windows-2025', 'windows-11-arm']),
    );
    const { steps = [], strategy } = workflow.jobs['real'] ?? {};
    expect(strategy?.matrix.os.every((os) => os.startsWith('macos-'))).toBe(true);
    const runs = steps.flatMap(({ run }) => run ?? []).filter((run) => run.includes('test:real'));
    expect(runs.map((run) => run.split(' -- ')[1])).toEqual([
      'os test/os/pid-reuse.test.ts',
      'os-scenes test/os/spared',
      'os-runs test/os/run',
      'safety',
    ]);
    expect(isDisposable({ CURFEW_TEST_DISPOSABLE: 'yes' })).toBe(false);
    const hosted = { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted' };
    expect(isDisposable({ ...hosted, CURFEW_TEST_DISPOSABLE: 'yes' })).toBe(true);
    expect(isDisposable(hosted)).toBe(false);
    expect(isDisposable({ ...hosted, CURFEW_TEST_DISPOSABLE: 'yes', RUNNER_ENVIRONMENT: 'self-hosted' })).toBe(false);
  });

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

  test('tries runs on a Windows, and keeps what became of them', () => {
    const { steps = [] } = workflow.jobs['test'] ?? {};
    const runs = steps.flatMap(({ run }) => run ?? []).join('\n');
    expect(runs).toContain('for tried in runs servers storms; do');
    expect(runs).toContain('node "test/windows/programs/$tried.ts" build/out/cli/curfew.js > "$tried.txt"');
    expect(steps.flatMap((step) => step.with?.path ?? [])).toContain(
      'build/out/reports/*.json\ndoctor.json\nruns.txt\nservers.txt\nstorms.txt\n',
    );
  });

  test('plays scenes and worlds under Wine, as root so that it can be installed', () => {
    const { steps = [], 'timeout-minutes': minutes } = workflow.jobs['wine'] ?? {};
    expect(steps.at(-1)?.run).toBe('sudo env "PATH=$PATH" CI=true npm run test:windows');
    expect(minutes).toBeLessThanOrEqual(90);
  });

  test('the report for a Mac has at most 20 commands', () => {
    const lines = readFileSync(join(root, 'build/macos/report.sh'), 'utf8').split('\n');
    const asked = lines.filter((line) => line !== '' && !/^(?:#|set -u|H=|\w+\(\) \{)/u.test(line));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThanOrEqual(20);
  });

  test('the report for a Mac ends by name nothing that a user could have open, and no newest process', () => {
    const report = readFileSync(join(root, 'build/macos/report.sh'), 'utf8');
    expect(report).not.toMatch(/TextEdit|pgrep -\w*[no]|killall|pkill/u);
    const ended = [...report.matchAll(/kill (?:-\w+ )?"\$(?<what>\w+)"/gu)].map(
      (match) => match.groups?.['what'] ?? '',
    );
    expect(ended).toEqual(['app', 'reader']);
    // Each is a child, or found by a folder that was made for it.
    expect(report).toMatch(/^own=\$\(mktemp -d\)\/CurfewProbe\.app;/mu);
    expect(report).toMatch(/app=\$\(pgrep -f "\^\/bin\/sh \$own\/"\)/u);
    expect(report).toMatch(/& reader=\$!;/u);
  });

  test('finds the same bytes on Windows: git writes no CRLF there', () => {
    expect(readFileSync(join(root, '.gitattributes'), 'utf8')).toMatch(/^\* text=auto eol=lf$/mu);
  });

  test('calls only scripts that exist', () => {
    const called = [...text.matchAll(/npm run (?<script>[\w:]+)/gu)].map((match) => match.groups?.['script'] ?? '');
    expect(called.length).toBeGreaterThan(0);
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
  });
});

describe('the workflow of headers', () => {
  const headersText = readFileSync(join(root, '.github/workflows/headers.yml'), 'utf8');
  const headers = Workflow.parse(parse(headersText));

  test('reads the repository alone, each week, by pinned actions', () => {
    expect(headers.permissions).toEqual({ contents: 'read' });
    expect(headersText).toMatch(/cron: '\d+ \d+ \* \* \d'/u);
    const used = Object.values(headers.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.every((action) => text.includes(action))).toBe(true);
    expect(headersText).toContain('npm run headers:windows');
  });
});

describe('the workflow of a release', () => {
  const releaseText = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const release = Workflow.parse(parse(releaseText));
  const releaseJobs = Object.entries(release.jobs);
  const steps = releaseJobs.flatMap(([, job]) => job.steps);

  test('reads the repository and no secret; one job has more rights, and no code of a dependency runs in it', () => {
    expect(release.permissions).toEqual({ contents: 'read' });
    expect(releaseText).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/u);
    expect(releaseJobs.filter(([, { permissions }]) => permissions !== undefined).map(([name]) => name)).toEqual([
      'publish',
    ]);
    const { permissions, steps: published = [] } = release.jobs['publish'] ?? {};
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
    expect(published.flatMap(({ uses }) => uses?.split('@')[0] ?? [])).not.toContain('actions/checkout');
    expect(published.flatMap(({ run }) => run ?? []).join('\n')).not.toMatch(/npm (?:ci|install|run|exec)|npx|node /u);
  });

  test('pins every action by its hash, those of both workflows alike', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/u);
    const both = [...used, ...jobs.flatMap(([, job]) => job.steps.flatMap(({ uses }) => uses ?? []))];
    const names = new Set(both.map((action) => action.split('@')[0]));
    expect(new Set(both).size).toBe(names.size);
  });

  test('is built with the Node that the project brings, which the Debian package carries', () => {
    const { devDependencies } = z
      .object({ devDependencies: z.object({ node: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
    expect(versions.length).toBe(releaseJobs.length);
    for (const version of versions) expect(version).toBe(devDependencies.node);
  });

  test('tests, packs twice, installs the Debian package, and only then publishes with provenance', () => {
    const runs = (name: string): string => (release.jobs[name]?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');
    for (const part of ['check-release.ts', 'npm test', 'npm run test:reproducible', 'npm pack'])
      expect(runs('npm')).toContain(part);
    expect(runs('deb')).toContain('vitest run --project deb');
    expect(runs('describe')).toContain('release-files.ts --sums');
    expect(runs('publish')).toContain('npm publish --provenance');
    expect(release.jobs['publish']).toMatchObject({ needs: 'describe' });
    expect(release.jobs['describe']).toMatchObject({ needs: ['npm', 'deb'] });
  });

  test('calls only scripts that exist, each job within a limit', () => {
    const called = [...releaseText.matchAll(/npm run (?<script>[\w:]+)/gu)].map(
      (match) => match.groups?.['script'] ?? '',
    );
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
    for (const [, job] of releaseJobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
  });
});
