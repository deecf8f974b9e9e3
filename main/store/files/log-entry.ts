/** The importance of an entry. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The fields of an entry besides its message. Errors, nested objects and lists are allowed; a value
 * that JSON lacks is left out.
 */
export type LogFields = Readonly<Record<string, unknown>>;

/** The fields of every entry; a field of the same name is left out. */
const own = new Set(['time', 'level', 'pid', 'message']);

/** Deeper, wider and longer values are cut, so that an entry stays a readable line. */
const deepest = 4;
const widest = 100;
const maxTextLength = 8_192;

const plain = (value: unknown, redact: (text: string) => string, depth: number): unknown => {
  if (typeof value === 'string') return redact(value).slice(0, maxTextLength).toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return undefined;
  if (depth >= deepest) return '…';
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return plain({ name, message, stack, cause }, redact, depth + 1);
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, widest).map((item) => plain(item, redact, depth + 1));
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return Object.fromEntries(
    entries.slice(0, widest).map(([name, item]) => [String(name), plain(item, redact, depth + 1)]),
  );
};

/**
 * Returns an entry of the log: one line of JSON with its line end. Every text in it has gone
 * through `redact`.
 * @param atMs wall clock, milliseconds
 */
export const logLine = (
  entry: {
    readonly atMs: number;
    readonly level: LogLevel;
    readonly pid: number;
    readonly message: string;
    readonly fields: LogFields;
  },
  redact: (text: string) => string,
): string => {
  const fields = Object.entries(entry.fields).filter(([name]) => !own.has(name));
  const line = {
    time: new Date(entry.atMs).toISOString(),
    level: entry.level,
    pid: entry.pid,
    message: plain(entry.message, redact, 0),
    ...Object.fromEntries(fields.map(([name, value]) => [name, plain(value, redact, 0)])),
  };
  return `${JSON.stringify(line)}\n`;
};
