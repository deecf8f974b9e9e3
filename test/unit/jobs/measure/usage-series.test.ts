import { describe, expect, test } from 'vitest';
import { addUsage, maxUsageSteps, usageStepMs, type UsageSeries } from '../../../../app/jobs/measure/usage-series.ts';

const start = 1_000 * usageStepMs;

const seriesOf = (...samples: readonly (readonly [seconds: number, cpuPercent: number, rssBytes: number])[]) =>
  samples.reduce<UsageSeries | null>(
    (series, [seconds, cpuPercent, rssBytes]) =>
      addUsage(series, { atMs: start + seconds * 1000, cpuPercent, rssBytes }),
    null,
  );

describe('what a job used over the last ten minutes', () => {
  test('a step has the mean of CPU and the highest memory of its looks', () => {
    expect(seriesOf([0, 10, 500], [4, 20, 900], [8, 60, 700])).toMatchObject({ cpuPercent: [30], rssBytes: [900] });
  });

  test('the next step is a new value', () => {
    expect(seriesOf([0, 10, 500], [10, 20, 600])).toMatchObject({ cpuPercent: [10, 20], rssBytes: [500, 600] });
  });

  test('a look after a short pause stands for the steps since the one before', () => {
    expect(seriesOf([0, 10, 500], [30, 40, 800])).toMatchObject({
      cpuPercent: [10, 40, 40, 40],
      rssBytes: [500, 800, 800, 800],
    });
  });

  test('after a long pause the steps between are unknown', () => {
    const series = seriesOf([0, 10, 500], [100, 40, 800]);
    expect(series?.cpuPercent).toEqual([10, ...Array.from({ length: 9 }, () => null), 40]);
    expect(series?.rssBytes).toHaveLength(11);
  });

  test('it never has more than ten minutes, after any pause', () => {
    let series: UsageSeries | null = null;
    for (let look = 0; look < 3 * maxUsageSteps; look += 1)
      series = addUsage(series, { atMs: start + look * usageStepMs, cpuPercent: look, rssBytes: look });
    expect(series?.cpuPercent).toHaveLength(maxUsageSteps);
    expect(series?.cpuPercent.at(-1)).toBe(3 * maxUsageSteps - 1);
    const slept = addUsage(series, { atMs: start + 1e9, cpuPercent: 1, rssBytes: 1 });
    expect(slept.cpuPercent).toEqual([...Array.from({ length: maxUsageSteps - 1 }, () => null), 1]);
  });

  test('a clock that was set back begins anew', () => {
    expect(seriesOf([60, 10, 500], [0, 20, 600])).toMatchObject({ looks: 1, cpuPercent: [20], rssBytes: [600] });
  });
});
