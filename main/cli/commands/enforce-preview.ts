import { endedByEnforcing } from '../../../app/judge/preview.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { formatAge } from '../../../app/format/age.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { openEngine } from '../../engine/engine.ts';
import type { Output } from '../common/output.ts';

/**
 * Prints on standard error what the mode enforce would end now. Scans the machine; changes nothing.
 */
export const tellWhatEnforcingEnds = (output: Output): void => {
  const engine = openEngine({ uid: null, warn: output.warn });
  try {
    const settings = engine.settings();
    if (settings.mode === 'enforce') return;
    const { jobs, table } = engine.observer.look();
    const ended = endedByEnforcing(worstFirst(jobs.values()), settings, table.takenAtMs);
    if (ended.length === 0) return;
    const count = ended.length === 1 ? '1 job' : `${ended.length} jobs`;
    output.warn(
      `A supervisor that enforces ends ${count} of now, each announced ${formatAge(settings.noticeSeconds)} ahead:`,
    );
    for (const { job } of ended) {
      const where = job.project === null ? '' : ` in ${visibleText(job.project)}`;
      output.warn(`  ${job.id}  ${formatAge(job.ageSeconds)} old: ${visibleText(job.command)}${where}`);
    }
    output.warn('Keep one with `curfew keep JOB`.');
  } finally {
    engine.close();
  }
};
