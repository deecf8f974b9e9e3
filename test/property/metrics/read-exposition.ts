// A strict reader of both formats, made from their grammars and not from the code that writes them:
// https://prometheus.io/docs/specs/om/open_metrics_spec/#abnf
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details

/** A line with a number. */
export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The lines under one `# TYPE`. */
export interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly help: string | null;
  readonly samples: readonly ReadSample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/u;
const numberForm = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/u;

const unescaped = (text: string, escapes: Readonly<Record<string, string>>): string => {
  let read = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter !== '\\') {
      read += letter;
      continue;
    }
    at += 1;
    const meant = escapes[text[at] ?? ''];
    if (meant === undefined) throw new Error(`an escape that there is not: ${text}`);
    read += meant;
  }
  return read;
};

const inQuotes = { '\\': '\\', '"': '"', n: '\n' };

const numberOf = (text: string): number => {
  if (!numberForm.test(text)) throw new Error(`no number: ${text}`);
  return Number(text.replace('Inf', 'Infinity'));
};

const sampleOf = (line: string): ReadSample => {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/u.exec(line)?.[0];
  if (name === undefined) throw new Error(`no name: ${line}`);
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    for (;;) {
      const pair = /^(?<label>[a-zA-Z_][a-zA-Z0-9_]*)="(?<value>(?:[^"\\\n]|\\["\\n])*)"/u.exec(rest);
      const { label, value } = pair?.groups ?? {};
      if (pair === null || label === undefined || value === undefined) throw new Error(`no label: ${rest}`);
      if (label.startsWith('__')) throw new Error(`a reserved label: ${label}`);
      if (Object.hasOwn(labels, label)) throw new Error(`a label twice: ${label}`);
      labels[label] = unescaped(value, inQuotes);
      rest = rest.slice(pair[0].length);
      if (rest.startsWith('}')) break;
      if (!rest.startsWith(',')) throw new Error(`no comma: ${rest}`);
      rest = rest.slice(1);
    }
    rest = rest.slice(1);
  }
  if (!rest.startsWith(' ')) throw new Error(`no blank before the number: ${line}`);
  return { name, labels, value: numberOf(rest.slice(1)) };
};

const suffixes: Readonly<Record<string, Readonly<Record<'openmetrics' | 'text', readonly string[]>>>> = {
  gauge: { openmetrics: [''], text: [''] },
  counter: { openmetrics: ['_total', '_created'], text: [''] },
  info: { openmetrics: ['_info'], text: [] },
  summary: { openmetrics: ['_count', '_sum', '_created'], text: ['_count', '_sum'] },
};

interface Draft {
  readonly name: string;
  readonly type: string;
  unit: string | null;
  help: string | null;
  readonly samples: ReadSample[];
}

/**
 * Reads a text of one of the formats.
 * @throws Error where it breaks a rule of its format
 */
export const readExposition = (text: string, format: 'openmetrics' | 'text'): readonly ReadFamily[] => {
  if (!text.isWellFormed()) throw new Error('no UTF-8');
  if (text === '' && format === 'text') return [];
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  const lines = text.slice(0, -1).split('\n');
  if (format === 'openmetrics' && lines.pop() !== '# EOF') throw new Error('no # EOF at the end');
  const families = new Map<string, Draft>();
  const seen = new Set<string>();
  let current: Draft | null = null;
  for (const line of lines) {
    if (line === '') continue;
    const comment = /^# (?<kind>TYPE|UNIT|HELP) (?<name>\S+) (?<rest>.*)$/su.exec(line)?.groups;
    if (line.startsWith('#')) {
      const { kind, name = '', rest = '' } = comment ?? {};
      if (!metricName.test(name)) throw new Error(`no name: ${line}`);
      if (kind === 'TYPE') {
        if (families.has(name)) throw new Error(`a family twice: ${name}`);
        current = { name, type: rest, unit: null, help: null, samples: [] };
        families.set(name, current);
      } else if (current === null || current.name !== name || current.samples.length > 0) {
        throw new Error(`out of place: ${line}`);
      } else if (kind === 'UNIT') {
        if (format === 'text') throw new Error('the text format has no units');
        if (!name.endsWith(`_${rest}`)) throw new Error(`a unit that the name lacks: ${line}`);
        current.unit = rest;
      } else {
        current.help = unescaped(rest, format === 'openmetrics' ? inQuotes : { '\\': '\\', n: '\n' });
      }
      continue;
    }
    if (current === null) throw new Error(`a number without a family: ${line}`);
    const sample = sampleOf(line);
    const { name, type } = current;
    if (!(suffixes[type]?.[format] ?? []).some((suffix) => sample.name === name + suffix))
      throw new Error(`no ${type} of ${name}: ${line}`);
    if (type === 'counter' && !(sample.value >= 0)) throw new Error(`a counter below 0: ${line}`);
    if (format === 'text' && type === 'counter' && !name.endsWith('_total')) throw new Error(`no _total: ${line}`);
    const key = JSON.stringify([
      sample.name,
      Object.entries(sample.labels)
        .map((pair) => JSON.stringify(pair))
        .toSorted(),
    ]);
    if (seen.has(key)) throw new Error(`a series twice: ${line}`);
    seen.add(key);
    current.samples.push(sample);
  }
  return [...families.values()];
};
