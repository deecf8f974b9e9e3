/** Height of the drawing; its width is one unit for each step. */
export const sparkHeight = 24;

/** The paths of a small chart: its line, and the area below it. */
export interface SparkPath {
  readonly line: string;
  readonly area: string;
}

/** Rounded, because a path of many digits is no finer on a screen. */
const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const runsOf = (
  values: readonly (number | null)[],
  offset: number,
): readonly (readonly (readonly [number, number])[])[] => {
  const runs: (readonly [number, number])[][] = [];
  let isOpen = false;
  values.forEach((value, index) => {
    if (value === null) {
      isOpen = false;
      return;
    }
    if (!isOpen) runs.push([]);
    isOpen = true;
    runs.at(-1)?.push([index + offset, value]);
  });
  return runs;
};

/**
 * Returns the paths for values, oldest first, which end at the right edge of `steps`. Where a value
 * is unknown the line has a gap. `max` is at the top.
 */
export const sparkPath = (values: readonly (number | null)[], steps: number, max: number): SparkPath => {
  const shown = values.slice(-steps);
  const top = max > 0 ? max : 1;
  const y = (value: number): string => fixed(sparkHeight * (1 - Math.min(1, Math.max(0, value) / top)));
  const runs = runsOf(shown, steps - shown.length);
  const lineOf = (run: readonly (readonly [number, number])[]): string =>
    // One value alone is as long as a step, or nothing would be seen.
    [...run, ...(run.length === 1 ? run.map(([x, value]) => [x - 1, value] as const) : [])]
      .map(([x, value], index) => `${index === 0 ? 'M' : 'L'}${fixed(x)} ${y(value)}`)
      .join('');
  return {
    line: runs.map(lineOf).join(''),
    area: runs
      .filter((run) => run.length > 1)
      .map((run) => `${lineOf(run)}L${run.at(-1)?.[0] ?? 0} ${sparkHeight}L${run[0]?.[0] ?? 0} ${sparkHeight}Z`)
      .join(''),
  };
};
