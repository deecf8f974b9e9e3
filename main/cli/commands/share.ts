import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { pictureOf, sharedRows } from '../../../app/share/share.ts';
import { sayVerdict } from '../../../app/text/scan-verdict.ts';
import { saidOf } from '../../../app/text/say.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { withEngine } from '../../engine/engine.ts';
import { type ExitStatus, exitStatus, notDone } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import type { Output } from '../common/output.ts';
import { sumOf } from '../common/scan-table.ts';
import { column, wrap } from '../common/table.ts';
import { words } from '../common/words.ts';
import { settledLook } from './scan.ts';

const gap = '  ';
const maxColumns = 90;

/** Cells as lines: each column as wide as its widest cell; one cell alone is a line of its own. */
const linesOf = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => (row.length === 1 ? 0 : (row[at]?.length ?? 0)))),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => column(cell, Math.max(cell.length, widths[at] ?? 0)))
      .join(gap)
      .trimEnd(),
  );
};

const write = (file: string, text: string): void => {
  try {
    writeFileSync(resolve(file), text, { flag: 'wx' });
  } catch (error) {
    throw notDone('{path} was not written: {why}', { path: file, why: saidOf(error) });
  }
};

/**
 * `curfew scan --share [FILE]`: what a look saw without any name of the user's, to be posted; with
 * a file also as a picture. Signals nothing.
 * @throws NotDone where the file exists or can't be written
 */
export const share = async (file: string | null, output: Output): Promise<ExitStatus> =>
  withEngine(
    {
      uid: null,
      warn: output.warn,
      onlyLooks: true,
      keepsNothing: (places) => keepsNothing(import.meta.filename, places),
    },
    async (engine) => {
      await engine.source.refresh?.();
      const look = await settledLook(() => engine.observer.look());
      const rows = sharedRows(worstFirst(look.jobs.values())).map((row) => row.map(words));
      const lines = [
        ...wrap(words(sayVerdict(sumOf(look, false, 'unknown'))), maxColumns),
        ...(rows.length === 0 ? [] : ['', ...linesOf(rows)]),
        '',
        `curfew ${manifest.version} · npx curfew`,
      ];
      if (file !== null) write(file, pictureOf(lines));
      await output.write(`${lines.join('\n')}\n`);
      return exitStatus.done;
    },
  );
