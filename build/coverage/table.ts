import { relative, sep } from 'node:path';
import type { Lines } from './lines.ts';

interface Share {
  lines: number;
  run: number;
}

/** Returns `app/judge` for all that is in it, also deeper; `app` for a file directly in it. */
const folderOf = (root: string, file: string): string =>
  relative(root, file).split(sep).slice(0, -1).slice(0, 2).join('/');

const sharesOf = (root: string, lines: Lines): ReadonlyMap<string, Share> => {
  const shares = new Map<string, Share>();
  for (const [file, counts] of lines) {
    const folder = folderOf(root, file);
    for (const name of new Set([folder, `all of ${folder.split('/')[0] ?? ''}`])) {
      const share = shares.get(name) ?? { lines: 0, run: 0 };
      for (const count of counts.values()) {
        share.lines += 1;
        if (count > 0) share.run += 1;
      }
      shares.set(name, share);
    }
  }
  return shares;
};

const percent = ({ lines, run }: Share): string => (lines === 0 ? '' : `${((run / lines) * 100).toFixed(1)} %`);

/**
 * Returns a table in Markdown: for each folder its lines, and how many of them each kind of tests
 * runs. All kinds have the same lines.
 */
export const coverageTable = (root: string, kinds: ReadonlyMap<string, Lines>): string => {
  const shares = [...kinds].map(([kind, lines]) => ({ kind, of: sharesOf(root, lines) }));
  const rows = [...(shares[0]?.of ?? [])]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([folder, { lines }]) =>
        `| ${folder} | ${lines} | ${shares.map(({ of }) => percent(of.get(folder) ?? { lines: 0, run: 0 })).join(' | ')} |`,
    );
  return [
    `| folder | lines | ${shares.map(({ kind }) => kind).join(' | ')} |`,
    `|---|---|${shares.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n');
};

/** Returns the lines that no test ran, by file: `main/os/processes/signaller.ts: 12, 40-44`. */
export const linesNotRun = (root: string, lines: Lines): readonly string[] =>
  [...lines]
    .map(([file, counts]) => {
      const missed = [...counts].flatMap(([line, count]) => (count === 0 ? [line] : []));
      return { file: relative(root, file).split(sep).join('/'), missed: missed.toSorted((one, other) => one - other) };
    })
    .filter(({ missed }) => missed.length > 0)
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ file, missed }) => `${file}: ${missed.join(', ')}`);
