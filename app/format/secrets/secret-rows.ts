import { isHarmlessValue, isSecretName } from './secret-names.ts';
import { hidden } from './secret-shapes.ts';

/** The columns of an INSERT, and its rows. */
const insert = /(\binsert\s+into\s+[^\s()]{1,200}\s*\()([^()]{1,1000})(\)\s*values\s*)((?:\([^;\n]*)?)/giu;
const value = /'(?:[^']|'')*'|"[^"]*"|[(),]|[^'"(),]+/gu;

/** Hides values by their place: each piece of a row, with how many commas stand before it. */
const hideInRow = (rows: string, isSecret: readonly boolean[]): string => {
  let [depth, column] = [0, 0];
  return rows.replace(value, (piece) => {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth === 0) column = 0;
    else if (piece === ',' && depth === 1) column += 1;
    const isGiven = /^['"]/u.test(piece) && isSecret[column] === true && !isHarmlessValue('', piece);
    return isGiven && piece.slice(1, -1) !== hidden ? `${piece.charAt(0)}${hidden}${piece.charAt(0)}` : piece;
  });
};

/** Hides secrets of `INSERT INTO users (name, password) VALUES ('me', 'value')`. */
export const hideInRows = (text: string): string =>
  text.replace(insert, (found, start: string, columns: string, between: string, rows: string) => {
    const isSecret = columns.split(',').map((name) => isSecretName(name.trim().replaceAll(/["'`\\]/gu, '')));
    return isSecret.includes(true) ? `${start}${columns}${between}${hideInRow(rows, isSecret)}` : found;
  });
