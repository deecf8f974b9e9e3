import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../os/scene/claude.ts';
import { reap, runCurfew, startCurfew } from '../os/scene/curfew.ts';
import { scene, type Scene } from '../os/scene/scene.ts';
import { promtool, RealPrometheus, startNodeExporter } from './real-prometheus.ts';

const root = join(import.meta.dirname, '../..');
const rules = join(root, 'build/metrics/curfew.rules.yml');
const token = '/tmp/curfew-home/metrics-token';
const ports = { prometheus: 29_090, nodeExporter: 29_100, curfew: 28_734 } as const;

const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(readFileSync(join(root, 'build/metrics/curfew-dashboard.json'), 'utf8')));

/** What Grafana puts in for its variables. */
const filledIn = (expression: string): string =>
  expression.replaceAll('$job', 'curfew').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '30s');

const networkOf = (stage: Scene): string => stage.proc.replace(/\/root\/proc$/u, '/ns/net');

const target = (port: number) => [{ targets: [`127.0.0.1:${port}`] }];

test('promtool finds the rules and their tests right', () => {
  expect(promtool(['check', 'rules', rules])).toMatchObject({ status: 0 });
  const tried = promtool(['test', 'rules', join(root, 'test/prometheus/curfew.rules.test.yml')]);
  expect({ ...tried, said: tried.said.trim().split('\n').at(-1)?.trim() }).toEqual({ status: 0, said: 'SUCCESS' });
});

test(
  'Prometheus follows a leftover from the scrape address, node_exporter from the textfile, and the rules from both',
  scene(async (stage) => {
    // The machine web1 is a pid namespace beside this one, behind an ssh without a network.
    stage.write(
      '/tmp/scene/path/ssh',
      '#!/bin/sh\ncase "$*" in *"-O exit"*) exit 0;; *nowhere*) exit 255;; esac\nexec unshare --pid --fork --mount-proc --kill-child /bin/sh\n',
      0o755,
    );
    stage.write(
      '/tmp/curfew-home/settings.json',
      JSON.stringify({ scanIntervalSeconds: 1, hosts: ['web1', 'nowhere'] }),
    );
    const textfiles = stage.folder('/tmp/textfiles');
    const claude = await FakeClaude.start(stage);
    await claude.bash('sleep 3600 | cat');
    await claude.crash();
    const watch = await startCurfew(stage, ['watch', '--observe', '--json', '--metrics-port', String(ports.curfew)]);
    await stage.until('the scrape address is told', () => watch.stderr().includes('/metrics;'));
    const network = networkOf(stage);
    const exporter = startNodeExporter(network, ports.nodeExporter, stage.outside(textfiles));
    const prometheus = await RealPrometheus.start(
      network,
      ports.prometheus,
      [
        {
          job_name: 'curfew',
          authorization: { credentials_file: stage.outside(token) },
          static_configs: target(ports.curfew),
        },
        { job_name: 'stranger', authorization: { credentials: 'x'.repeat(43) }, static_configs: target(ports.curfew) },
        { job_name: 'node', static_configs: target(ports.nodeExporter) },
      ],
      [rules],
    );
    try {
      await prometheus.until(
        'a leftover is scraped',
        () => prometheus.query('sum(curfew_leftovers{job="curfew",agent="claude-code"})')[0]?.value === 1,
      );
      // Only the OpenMetrics form has it.
      expect(prometheus.query('curfew_scan_duration_seconds_created{job="curfew"}')).toHaveLength(1);
      await prometheus.until('each target was asked once', () =>
        prometheus.targets().every(({ health }) => health !== 'unknown'),
      );
      const targets = new Map(prometheus.targets().map((one) => [one.scrapePool, one]));
      expect(targets.get('curfew')).toMatchObject({ health: 'up', lastError: '' });
      expect(targets.get('stranger')).toMatchObject({ health: 'down' });
      expect(targets.get('stranger')?.lastError).toContain('401 Unauthorized');

      await prometheus.until(
        'both other machines are asked',
        () => prometheus.query('curfew_host_reachable').length === 2,
      );
      expect(prometheus.query('curfew_host_reachable{host="nowhere"}')[0]?.value).toBe(0);
      const questions = dashboard.panels.flatMap(({ title, targets: asked }) =>
        asked.map(({ expr }) => ({ title, expr })),
      );
      expect(questions.length).toBeGreaterThan(15);
      for (const { title, expr } of questions)
        await prometheus.until(`“${title}” has data: ${expr}`, () => prometheus.query(filledIn(expr)).length > 0);

      const text = await runCurfew(stage, ['metrics', '--format', 'text']);
      expect(promtool(['check', 'metrics'], text.stdout)).toEqual({ status: 0, said: '' });
      expect((await runCurfew(stage, ['metrics', '--textfile', '/tmp/textfiles/curfew.prom'])).code).toBe(0);
      await prometheus.until(
        'the textfile is scraped',
        () => prometheus.query('curfew_up{job="node"} == 1').length > 0,
      );
      expect(prometheus.query('node_textfile_scrape_error')[0]?.value).toBe(0);
      expect(prometheus.query('sum(curfew_leftovers{job="node"})')[0]?.value).toBe(1);

      const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '60s']);
      expect(incidents.map(({ outcome }) => outcome)).toEqual(['reaped']);
      await prometheus.until(
        'the end is counted',
        () => prometheus.query('curfew_ends_total{job="curfew",outcome="reaped",agent="claude-code"}')[0]?.value === 1,
      );
      await prometheus.until(
        'the leftover is gone',
        () => prometheus.query('sum(curfew_leftovers{job="curfew"})')[0]?.value === 0,
      );
      // It was there at 0 before: else the first end of all would be none for Prometheus.
      expect(
        prometheus.query('increase(curfew_ends_total{job="curfew",outcome="reaped",agent="claude-code"}[10m])')[0]
          ?.value,
      ).toBeGreaterThan(0);

      await watch.signal('INT');
      expect((await watch.ended()).code).toBe(0);
      expect((await runCurfew(stage, ['metrics', '--textfile', '/tmp/textfiles/curfew.prom'])).code).toBe(0);
      await prometheus.until(
        'the textfile says that no supervisor watches',
        () => prometheus.query('curfew_up{job="node"} == 0').length > 0,
      );
      expect(prometheus.query('curfew_leftovers{job="node"}')).toEqual([]);
      await prometheus.until('an alert waits for its time', () =>
        prometheus.rules().some(({ name, state }) => name === 'CurfewNotWatching' && state === 'pending'),
      );
      await prometheus.until('the address is gone', () =>
        prometheus.targets().some(({ scrapePool, health }) => scrapePool === 'curfew' && health === 'down'),
      );
      await prometheus.until('each rule was evaluated once', () =>
        prometheus.rules().every(({ health }) => health !== 'unknown'),
      );
      const evaluated = prometheus.rules();
      expect(evaluated.length).toBeGreaterThan(10);
      for (const { name, health, lastError } of evaluated)
        expect({ name, health, lastError: lastError ?? '' }).toEqual({ name, health: 'ok', lastError: '' });
    } finally {
      await prometheus.end();
      await exporter.end();
    }
  }),
);
