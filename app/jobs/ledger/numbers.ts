import type { ProcessRow } from '../../process/row.ts';

interface Numbers {
  readonly living: ReadonlySet<number>;
  readonly starters: ReadonlySet<number>;
}

const known = new WeakMap<ReadonlyMap<unknown, ProcessRow>, Numbers>();

const numbersIn = (rows: ReadonlyMap<unknown, ProcessRow>): Numbers => {
  let found = known.get(rows);
  if (found === undefined) {
    const all = [...rows.values()].flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]));
    found = { living: new Set(all.map(({ own }) => own)), starters: new Set(all.map(({ starter }) => starter)) };
    known.set(rows, found);
  }
  return found;
};

/**
 * Returns the numbers to remember of a job, by which the next look knows what it started, also when
 * the starter has ended meanwhile: those of its processes, and of ended ones that a living process
 * still names. One that became something else (an agent, a program of the user) is forgotten.
 * @param parts its living processes, without agents and programs of the user
 * @param before what was remembered at the look before
 */
export const numbersOf = (
  rows: ReadonlyMap<unknown, ProcessRow>,
  parts: readonly ProcessRow[],
  before: readonly number[],
): readonly number[] => {
  const own = parts.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers.own]));
  if (own.length === 0 && before.length === 0) return [];
  const { living, starters } = numbersIn(rows);
  const ended = before.filter((number) => !living.has(number) && starters.has(number));
  return [...new Set([...own, ...ended])].toSorted((left, right) => left - right);
};
