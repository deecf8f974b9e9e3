import { diffLines } from 'diff';
import { redactCommand } from '../../../../app/format/secrets/redact.ts';

export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed';
  readonly line: string;
}

/** How many unchanged lines are shown around a change. */
const context = 3;

/** How a text changes, line by line, with only nearby context. Empty when nothing changes. */
export const lineChanges = (before: string, after: string): readonly LineChange[] => {
  if (before === after) return [];
  const all = diffLines(before, after).flatMap(({ added, removed, value }): LineChange[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\r?\n$/u, '')
      .split(/\r?\n/u)
      .map((line) => ({ kind, line }));
  });
  const near = all.map((_, index) =>
    all.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  );
  return all.flatMap((change, index): LineChange[] => {
    if (near[index] === true) return [change];
    return near[index - 1] === true && index < all.length ? [{ kind: 'same', line: '…' }] : [];
  });
};

/** The same for people: lines around a change may hold keys, and nothing secret is shown. */
export const shownChanges = (before: string, after: string): readonly LineChange[] =>
  lineChanges(before, after).map(({ kind, line }) => ({ kind, line: kind === 'same' ? redactCommand(line) : line }));
