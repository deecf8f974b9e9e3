import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { expose } from '../../../app/metrics/exposition.ts';
import { metricFamilies } from '../../../app/metrics/families.ts';
import { readExposition } from '../../property/metrics/read-exposition.ts';
import { sampleFacts } from './sample-facts.ts';

// What Prometheus and Grafana themselves say of these files: npm run test:prometheus.

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['critical', 'warning', 'info']) }),
            annotations: z.strictObject({ summary: z.string(), description: z.string(), action: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('build/metrics/curfew.rules.yml')))
  .groups.flatMap((group) => group.rules);

const panels = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })) })
  .parse(JSON.parse(read('build/metrics/curfew-dashboard.json'))).panels;

const names = new Set(
  readExposition(expose(metricFamilies(sampleFacts), 'text'), 'text').flatMap(({ samples }) =>
    samples.map(({ name }) => name),
  ),
);

const namesIn = (text: string): readonly string[] => [...text.matchAll(/\bcurfew_\w+/gu)].map(([name]) => name);

describe('the alert rules', () => {
  test.each(rules)('$alert asks for numbers that there are', ({ expr }) => {
    expect(namesIn(expr).length).toBeGreaterThan(0);
    expect(namesIn(expr).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(rules)('$alert says what happened, what it means and what to do', ({ annotations }) => {
    for (const text of Object.values(annotations)) expect(text).toMatch(/^.{20,}\.?$/su);
    expect(annotations.summary).toContain('$labels.instance');
  });

  test('are each tried by promtool', () => {
    const tried = read('test/prometheus/curfew.rules.test.yml');
    expect(rules.map(({ alert }) => alert).filter((alert) => !tried.includes(alert))).toEqual([]);
  });
});

describe('the dashboard', () => {
  test.each(panels)('$title asks for numbers that there are', ({ targets }) => {
    const asked = targets.flatMap(({ expr }) => namesIn(expr));
    expect(asked.length).toBeGreaterThanOrEqual(targets.length);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
  });
});

test('the page for operators lists every number', () => {
  const page = read('docs/operators.md');
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
