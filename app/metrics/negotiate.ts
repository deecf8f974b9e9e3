import type { ExpositionFormat } from './exposition.ts';

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
