import { expect } from 'vitest';

// Replaces `vitest` in test files while mutants are tried: runs nothing, collects all tests. It has
// only what those tests use; https://vitest.dev/api/ documents it.

type Step = (...given: never[]) => unknown;

/** One test of a file with its steps. */
export interface Collected {
  readonly file: string;
  readonly name: string;
  readonly run: () => Promise<void>;
}

interface Suite {
  readonly name: string;
  readonly before: Step[];
  readonly after: Step[];
}

const collected: Collected[] = [];
let suites: readonly Suite[] = [];
let file = '';

const call = async (steps: readonly Step[], given: readonly unknown[] = []): Promise<void> => {
  for (const step of steps) await (step as (...all: readonly unknown[]) => unknown)(...given);
};

const add = (name: string, step: Step, given: readonly unknown[] = []): void => {
  const around = suites;
  const own = [...around.map((suite) => suite.name), name].join(' > ');
  const same = collected.filter((one) => one.file === file && one.name.startsWith(own)).length;
  collected.push({
    file,
    // Rows of a table share a name.
    name: same === 0 ? own : `${own} (${same + 1})`,
    run: async () => {
      for (const { before } of around) await call(before);
      try {
        await call([step], given);
      } finally {
        for (const { after } of around.toReversed()) await call(after);
      }
    },
  });
};

const within = (name: string, tell: Step, given: readonly unknown[] = []): void => {
  const outside = suites;
  suites = [...outside, { name, before: [], after: [] }];
  (tell as (...all: readonly unknown[]) => unknown)(...given);
  suites = outside;
};

type Register = (name: string, step: Step, given?: readonly unknown[]) => void;

/** A row that is a list is passed as several arguments. */
const each =
  (tell: Register) =>
  (rows: readonly unknown[]) =>
  (name: string, step: Step): void => {
    for (const row of rows) tell(name, step, Array.isArray(row) ? row : [row]);
  };

const nothing: Register = () => undefined;

export const test = Object.assign((name: string, step: Step) => add(name, step), {
  each: each(add),
  for:
    (rows: readonly unknown[]) =>
    (name: string, step: Step): void => {
      for (const row of rows) add(name, step, [row, { expect }]);
    },
  skipIf: (condition: boolean): Register => (condition ? nothing : add),
});

export const describe = Object.assign((name: string, tell: Step) => within(name, tell), { each: each(within) });

const current = (): Suite => {
  const suite = suites.at(-1);
  if (suite === undefined) throw new Error(`${file} is not being collected`);
  return suite;
};

export const beforeEach = (step: Step): void => void current().before.push(step);
export const afterEach = (step: Step): void => void current().after.push(step);
/** Tests are run again for each mutant, so what follows the last of them waits for the end. */
export const afterAll = (step: Step): void => void process.once('exit', () => void call([step]));
export { expect } from 'vitest';

/**
 * Loads test files, one after another, and returns their tests. Throws what a file throws while it
 * is loaded.
 */
export const collect = async (
  files: readonly { readonly name: string; readonly url: string }[],
): Promise<readonly Collected[]> => {
  for (const { name, url } of files) {
    file = name;
    suites = [{ name, before: [], after: [] }];
    await import(url);
  }
  return collected;
};
