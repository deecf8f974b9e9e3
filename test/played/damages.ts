import type * as fc from 'fast-check';

// Each field that a reader reads is damaged, one at a time. Either the self-check finds it, and
// nothing is ended automatically; or no random world has an innocent that is hit.

/** A stretch of bytes that is read of some structs. */
export interface Field {
  readonly name: string;
  readonly structs: readonly string[];
  readonly at: number;
  readonly length: number;
  /** An answer is a list, and each of its entries takes so many bytes. */
  readonly every?: number;
}

/** What a wrong reader finds in a struct of the kernel; the same buffer where it reads it right. */
export type Change = (struct: string, bytes: Buffer) => Buffer;

/** A wrong reading of one field. */
export interface Damage {
  readonly name: string;
  readonly change: Change;
}

/** What stands in the field instead: always the same, or what stands behind it. */
const ways = (number: number): Readonly<Record<string, (bytes: Buffer, at: number, length: number) => unknown>> => ({
  'always none': (bytes, at, length) => bytes.fill(0, at, at + length),
  'always one': (bytes, at, length) => bytes.fill(0, at, at + length).fill(1, at, at + 1),
  [`always ${number}`]: (bytes, at, length) => bytes.fill(0, at, at + length).fill(number, at, at + 1),
  'all bits': (bytes, at, length) => bytes.fill(0xff, at, at + length),
  'the bytes behind it': (bytes, at, length) => bytes.copy(bytes, at, at + length, at + 2 * length),
});

/**
 * Every damage of these fields.
 * @param number one that stands in many fields, as an id that is given out
 */
export const damagesOf = (fields: readonly Field[], number: number): readonly Damage[] =>
  fields.flatMap(({ name, structs, at: first, length, every = Infinity }) =>
    Object.entries(ways(number)).map(([what, damage]) => ({
      name: `${name}: ${what}`,
      change: (struct: string, bytes: Buffer): Buffer => {
        if (!structs.includes(struct) || first + length > bytes.length) return bytes;
        const copy = Buffer.from(bytes);
        for (let at = first; at + length <= copy.length; at += every) damage(copy, at, length);
        return copy;
      },
    })),
  );

/** What came of a world. */
export interface World {
  readonly hit: readonly string[];
  readonly innocents: number;
}

/** A simulated kernel of which the fields are damaged. */
export interface DamagedKernel<Plan> {
  readonly damages: readonly Damage[];
  /** Whether a Curfew that reads so would end anything automatically. */
  readonly isBelieved: (change: Change) => boolean;
  readonly plans: fc.Arbitrary<Plan>;
  readonly play: (plan: Plan, change: Change) => World;
}

/** Limits so near that a world of few looks reaches them: to play many that only look for hits. */
export const nearLimits = { looks: 45, hardCapSeconds: 100 } as const;

/**
 * Plays a world rightly read, and gives the damages that change anything in it: with all others it
 * is the same world to its end.
 */
export const telling = <Plan>(
  { play }: Pick<DamagedKernel<Plan>, 'play'>,
  plan: Plan,
  damages: readonly Damage[],
): { readonly world: World; readonly damages: readonly Damage[] } => {
  const changing = new Set<Damage>();
  const world = play(plan, (struct, bytes) => {
    for (const one of damages) if (!changing.has(one) && !one.change(struct, bytes).equals(bytes)) changing.add(one);
    return bytes;
  });
  return { world, damages: [...changing] };
};
