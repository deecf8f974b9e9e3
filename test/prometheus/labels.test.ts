import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentTypes, expose, expositionFormats } from '../../app/metrics/exposition.ts';
import { hostileText } from '../property/hostile-text.ts';
import { RealPrometheus } from './real-prometheus.ts';

test('Prometheus reads back any label in both forms, and any number', async () => {
  const sample = fc.sample(fc.tuple(fc.oneof(hostileText, fc.string({ unit: 'binary' })), fc.double({ noNaN: true })), {
    numRuns: 400,
    seed: 17,
  });
  const wanted = new Map(sample.map(([text, value]) => [text.toWellFormed(), value]));
  // To Prometheus an empty label is none.
  wanted.delete('');
  const samples = [...wanted].map(([text, value]) => ({ labels: { agent: text }, value }));
  const server = createServer((request, response) => {
    const format = expositionFormats.find((one) => request.url === `/${one}`) ?? 'text';
    response.setHeader('Content-Type', contentTypes[format]);
    response.end(expose([{ kind: 'gauge', name: 'curfew_any', unit: null, help: 'Any.', samples }], format));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  const prometheus = await RealPrometheus.start(
    null,
    port > 40_000 ? port - 1_000 : port + 1_000,
    expositionFormats.map((format) => ({
      job_name: format,
      metrics_path: `/${format}`,
      static_configs: [{ targets: [`127.0.0.1:${port}`] }],
    })),
    [],
  );
  try {
    await prometheus.until('both forms are scraped', () => {
      const refused = prometheus.targets().find(({ lastError }) => lastError.includes('parse'));
      if (refused !== undefined) throw new Error(`${refused.scrapePool}: ${refused.lastError}`);
      // A target is up a moment before its numbers can be asked for.
      return expositionFormats.every(
        (format) => prometheus.query(`curfew_any{job="${format}"}`).length === wanted.size,
      );
    });
    for (const format of expositionFormats) {
      const read = new Map(
        prometheus.query(`curfew_any{job="${format}"}`).map(({ labels, value }) => [labels['agent'] ?? '', value]),
      );
      for (const [text, value] of wanted)
        expect({ text, value: read.get(text) }).toEqual({ text, value: value === 0 ? 0 : value });
    }
  } finally {
    await prometheus.end();
    server.close();
  }
});
