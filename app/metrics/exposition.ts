import type { Labels, MetricFamily } from './family.ts';

// Written here rather than with prom-client (15.1.3): that one is a registry of counters which live
// in the process that is asked, with OpenTelemetry's API and a digest of quantiles as dependencies.
// These numbers come out of a file and a database, and the format is what is below.

/**
 * `openmetrics`: OpenMetrics 1.0.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
 * `text`: Prometheus' older text format 0.0.4, the only one that node_exporter's textfile collector
 * reads (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */
export const expositionFormats = ['openmetrics', 'text'] as const;

export type ExpositionFormat = (typeof expositionFormats)[number];

/** The `Content-Type` of each format. */
export const contentTypes: Readonly<Record<ExpositionFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
};

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`);

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', String.raw`\"`)}"`;

/** OpenMetrics escapes quotes in a help text too; the text format would show the backslash. */
const helpText = (text: string, format: ExpositionFormat): string =>
  format === 'openmetrics' ? escaped(text).replaceAll('"', String.raw`\"`) : escaped(text);

const numberText = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
};

const line = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${quoted(text)}`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
};

/** The lines of a family's samples. Only OpenMetrics says since when something counts. */
const sampleLines = (family: MetricFamily, format: ExpositionFormat): readonly string[] => {
  const { name } = family;
  const created = (labels: Labels, seconds: number | null): readonly string[] =>
    format === 'text' || seconds === null ? [] : [line(`${name}_created`, labels, seconds)];
  switch (family.kind) {
    case 'gauge':
      return family.samples.map(({ labels, value }) => line(name, labels, value));
    case 'counter':
      return family.samples.flatMap(({ labels, value }) => [
        line(`${name}_total`, labels, value),
        ...created(labels, family.createdSeconds),
      ]);
    case 'info':
      return [line(`${name}_info`, family.labels, 1)];
    case 'summary':
      return [
        line(`${name}_count`, {}, family.count),
        line(`${name}_sum`, {}, family.sum),
        ...created({}, family.createdSeconds),
      ];
  }
};

const olderForm = ({ kind, name }: MetricFamily): { readonly name: string; readonly kind: string } => {
  if (kind === 'counter') return { name: `${name}_total`, kind };
  return kind === 'info' ? { name: `${name}_info`, kind: 'gauge' } : { name, kind };
};

const familyLines = (family: MetricFamily, format: ExpositionFormat): readonly string[] => {
  const samples = sampleLines(family, format);
  // A family of which nothing is known is left out: unknown is no 0.
  if (samples.length === 0) return [];
  const { name, kind } = format === 'openmetrics' ? family : olderForm(family);
  return [
    `# TYPE ${name} ${kind}`,
    ...(format === 'openmetrics' && family.unit !== null ? [`# UNIT ${name} ${family.unit}`] : []),
    `# HELP ${name} ${helpText(family.help, format)}`,
    ...samples,
  ];
};

/** Returns families as text, one line a sample, each line ended. Names must differ. */
export const expose = (families: readonly MetricFamily[], format: ExpositionFormat): string => {
  const lines = families.flatMap((family) => familyLines(family, format));
  return [...lines, ...(format === 'openmetrics' ? ['# EOF'] : []), ''].join('\n');
};

/** A header longer than this is cut. Prometheus 3 sends 236 characters. */
const maxHeaderLength = 1_000;

const quality = /^q=(?<value>0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/u;

interface Range {
  readonly format: ExpositionFormat;
  readonly quality: number;
}

/** One part of the header as a format that is served; null for any other. */
const rangeOf = (part: string): Range | null => {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  const asked = parameters.find((parameter) => parameter.startsWith('q='));
  // RFC 9110, 12.4.2: without a quality it is 1. One that makes no sense is no wish.
  const value = asked === undefined ? 1 : Number(quality.exec(asked)?.groups?.['value'] ?? 0);
  const version = parameters.find((parameter) => parameter.startsWith('version='))?.slice('version='.length);
  if (type === 'application/openmetrics-text')
    // Version 0.0.1 is the draft of 1.0.0, in the same form.
    return version === undefined || version === '1.0.0' || version === '0.0.1'
      ? { format: 'openmetrics', quality: value }
      : null;
  if (type === 'text/plain' || type === 'text/*' || type === '*/*')
    return version === undefined || version === '0.0.4' ? { format: 'text', quality: value } : null;
  return null;
};

/**
 * Returns the form that an `Accept` header prefers; where two are as good, the one named first. The
 * text format where it names none of the two, as Prometheus' own libraries do: every client reads
 * that. Linear in the length of the header.
 */
export const negotiate = (accept: string | null): ExpositionFormat => {
  if (accept === null) return 'text';
  let best: Range = { format: 'text', quality: 0 };
  for (const part of accept.slice(0, maxHeaderLength).split(',')) {
    const range = rangeOf(part);
    if (range !== null && range.quality > best.quality) best = range;
  }
  return best.format;
};
