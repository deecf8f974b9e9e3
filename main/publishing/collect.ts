import type { Said } from '../../app/format/said.ts';
import { warned } from '../../app/text/say.ts';
import manifest from '../../package.json' with { type: 'json' };
import { expose, type ExpositionFormat } from '../../app/metrics/exposition.ts';
import type { EndTotals } from '../../app/metrics/facts.ts';
import { metricFamilies } from '../../app/metrics/families.ts';
import { readMetricsFile } from './metrics-file.ts';
import { StoreFailure, sayStoreNotice } from '../store/database/store-failure.ts';
import { History } from '../store/history/history.ts';
import { historyPlace } from '../store/history/history-design.ts';
import type { Places } from '../store/places.ts';

/** Where the numbers come from. */
type Sources = Pick<Places, 'metrics' | 'history'>;

const endTotals = (path: string, warn: (said: Said) => void): EndTotals => {
  const place = historyPlace(path, Date.now, (notice) => warn(warned(sayStoreNotice(notice))));
  try {
    return new History(place).endTotals();
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    warn(warned(error.said));
    return { kind: 'unreadable' };
  }
};

/**
 * Returns all that is known as text: what the running supervisor published, and what the record
 * counts. Looks at no process, so that a number is never of another look than the supervisor's, and
 * a machine that no supervisor watches says so.
 * @param warn hears why the record could not be read
 */
export const metricsText = (places: Sources, format: ExpositionFormat, warn: (said: Said) => void): string =>
  expose(
    metricFamilies({
      version: manifest.version,
      watching: readMetricsFile(places.metrics, Date.now()),
      ends: endTotals(places.history, warn),
    }),
    format,
  );
