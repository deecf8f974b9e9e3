import type { FieldKind, Layout } from './layouts.ts';

type Value<Kind extends FieldKind> = Kind extends 'address' ? bigint : number;

export type Decoded<One extends Layout> = { readonly [Name in keyof One['fields']]: Value<One['fields'][Name][0]> };

/** Returns the value of a field; null for a number that can't be exact. */
const valueAt = (bytes: Buffer, kind: FieldKind, at: number): number | bigint | null => {
  switch (kind) {
    case 'u8':
      return bytes.readUInt8(at);
    case 'u16':
      return bytes.readUInt16LE(at);
    case 'u16be':
      return bytes.readUInt16BE(at);
    case 'u32':
      return bytes.readUInt32LE(at);
    case 'i32':
      return bytes.readInt32LE(at);
    case 'address':
      return bytes.readBigUInt64LE(at);
    case 'i64':
    case 'u64': {
      const value = Number(kind === 'i64' ? bytes.readBigInt64LE(at) : bytes.readBigUInt64LE(at));
      return Number.isSafeInteger(value) ? value : null;
    }
  }
};

/** Returns the struct's fields at `start`; null: cut short, or impossible numbers. Never throws. */
export const decodeAt = <One extends Layout>(layout: One, bytes: Buffer, start: number): Decoded<One> | null => {
  if (start < 0 || start + layout.size > bytes.length) return null;
  const fields: Record<string, number | bigint> = {};
  for (const [name, [kind, offset]] of Object.entries(layout.fields)) {
    const value = valueAt(bytes, kind, start + offset);
    if (value === null) return null;
    fields[name] = value;
  }
  return fields as Decoded<One>;
};

/** The same where the kernel gave exactly this struct; any other length is malformed. */
export const decode = <One extends Layout>(layout: One, bytes: Buffer): Decoded<One> | null =>
  bytes.length === layout.size ? decodeAt(layout, bytes, 0) : null;

/** Returns the NUL-ended text within `length` bytes; null: none. Bad UTF-8 is replaced. */
export const textAt = (bytes: Buffer, start: number, length: number): string | null => {
  if (start < 0 || start + length > bytes.length) return null;
  const end = bytes.subarray(start, start + length).indexOf(0);
  return end === -1 ? null : bytes.toString('utf8', start, start + end);
};
