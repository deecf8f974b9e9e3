import { readSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

/** What the variant's main process asks of a plain Node about SQLite, in its own terms. */
export type SqliteAsked =
  | { readonly do: 'open'; readonly path: string; readonly options: object }
  | { readonly do: 'exec'; readonly connection: number; readonly text: string }
  | { readonly do: 'prepare'; readonly connection: number; readonly text: string }
  | {
      readonly do: 'run' | 'get' | 'all';
      readonly connection: number;
      readonly text: string;
      readonly given: readonly unknown[];
    }
  | { readonly do: 'close'; readonly connection: number };

/** Its answer: a value, or the fields of the error that `node:sqlite` threw. */
export type SqliteAnswered =
  | { readonly value: unknown }
  | { readonly error: string; readonly fields: Readonly<Record<string, unknown>> };

const headBytes = 4;

const readAll = (descriptor: number, into: Buffer): boolean => {
  for (let at = 0; at < into.length;) {
    const count = readSync(descriptor, into, at, into.length - at, null);
    if (count === 0) return false;
    at += count;
  }
  return true;
};

/** Waits for one message; undefined when the other end has closed. */
export const readFrame = (descriptor: number): unknown => {
  const head = Buffer.alloc(headBytes);
  if (!readAll(descriptor, head)) return undefined;
  const body = Buffer.alloc(head.readUInt32LE());
  return readAll(descriptor, body) ? deserialize(body) : undefined;
};

/** Writes one message. */
export const writeFrame = (descriptor: number, message: SqliteAsked | SqliteAnswered): void => {
  const body = serialize(message);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(body.length);
  const frame = Buffer.concat([head, body]);
  for (let at = 0; at < frame.length;) at += writeSync(descriptor, frame, at);
};
