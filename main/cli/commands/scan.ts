import { jobView } from '../../../app/contract/job-view-of.ts';
import { scanDocument } from '../../../app/contract/scan.ts';
import { english } from '../../../app/text/english.ts';
import type { Look } from '../../supervisor/look.ts';
import { openEngine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus } from '../exit-status.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import type { Output } from '../output.ts';
import { writeJson } from '../output.ts';
import { scanTable } from '../scan-table.ts';

/** Options of `curfew scan`, checked. */
export interface ScanOptions {
  readonly json: boolean;
  readonly explain: boolean;
  readonly all: boolean;
  readonly uid: number | null;
}

/** The document of a look. Protected jobs are left out unless all are asked for. */
export const documentOf = (
  look: Look,
  mode: 'enforce' | 'observe' | null,
  all: boolean,
): ReturnType<typeof scanDocument> =>
  scanDocument({
    host: 'local',
    atMs: look.table.takenAtMs,
    mode,
    processes: look.table.rows.size,
    tookMs: Math.round(look.tookMs * 100) / 100,
    sessions: look.sessions,
    jobs: worstFirst(look.jobs.values())
      .filter((judged) => all || judged.verdict.state !== 'protected')
      .map((judged) => jobView({ ...judged, table: look.table }, english)),
  });

/** `curfew scan`: one look, printed. Signals nothing. */
export const scan = async (options: ScanOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: output.warn });
  try {
    await engine.source.refresh?.();
    const look = engine.observer.look();
    if (options.json) await writeJson(output, documentOf(look, engine.settings().mode, options.all));
    else await output.write(scanTable(look, output, options));
    return exitStatus.done;
  } finally {
    engine.close();
  }
};
