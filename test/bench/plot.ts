/** A line of a plot: its name and points, rising in x. */
export interface PlotLine {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

/** Lines over logarithmic axes, so that proportions show as slopes: one that rises by 45 degrees grows linearly. */
export interface Plot {
  /** File name without extension. */
  readonly file: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly PlotLine[];
}

const width = 720;
const height = 480;
const margin = { left: 64, right: 128, top: 48, bottom: 52 } as const;
const colours = ['#8a5a44', '#c2703d', '#2f6f8f', '#2a8f5b', '#8a8f98'] as const;

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const decades = (low: number, high: number): readonly number[] => {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
};

const scale = (values: readonly number[], from: number, to: number): ((value: number) => number) => {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
};

const labelHeight = 15;

/** Moves labels that would cover each other apart, downward, keeping their order. */
const spread = (wanted: readonly number[]): readonly number[] => {
  const placed = [...wanted];
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  let free = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    free = Math.max(wanted[index] ?? 0, free);
    placed[index] = free;
    free += labelHeight;
  }
  return placed;
};

const figure = (value: number): string => (value >= 1 ? value.toLocaleString('en') : String(value));

/** The plot as an SVG document. Throws for a line with a value that has no logarithm. */
export const svgOf = (plot: Plot): string => {
  const xs = plot.lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = plot.lines.flatMap(({ points }) => points.map(([, y]) => y));
  if ([...xs, ...ys].some((value) => !(value > 0))) throw new Error(`${plot.title}: a value has no logarithm`);
  const ticks = decades(Math.min(...ys), Math.max(...ys));
  const x = scale(xs, margin.left, width - margin.right);
  const y = scale(ticks, height - margin.bottom, margin.top);
  const labels = spread(plot.lines.map(({ points }) => y(points.at(-1)?.[1] ?? 1)));
  const parts = [
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${margin.left} ${y(tick)}H${width - margin.right}"/>` +
        `<text x="${margin.left - 8}" y="${y(tick) + 4}" text-anchor="end">${figure(tick)}</text>`,
    ),
    ...[...new Set(xs)].map(
      (value) =>
        `<path class="grid" d="M${x(value)} ${margin.top}V${height - margin.bottom}"/>` +
        `<text x="${x(value)}" y="${height - margin.bottom + 20}" text-anchor="middle">${figure(value)}</text>`,
    ),
    ...plot.lines.flatMap(({ name, points }, index) => {
      const colour = colours[index % colours.length] ?? '#000';
      const [endX, endY] = points.at(-1) ?? [0, 0];
      const path = points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`);
      return [
        `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>`),
        `<text x="${x(endX) + 10}" y="${(labels[index] ?? 0) + 4}" fill="${colour}">${escape(name)} ${endY.toFixed(1)}</text>`,
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>.grid{stroke:#d5d8dc;stroke-width:1}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${margin.left}" y="26" font-size="15" font-weight="600">${escape(plot.title)}</text>
<text x="${(margin.left + width - margin.right) / 2}" y="${height - 12}" text-anchor="middle">${escape(plot.x)}</text>
<text transform="translate(18 ${height / 2}) rotate(-90)" text-anchor="middle">${escape(plot.y)}</text>
${parts.join('\n')}
</svg>
`;
};
