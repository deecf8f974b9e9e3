import type { LinesTarget } from '../../../lines/incident-lines.ts';

/** Options of `curfew watch`, checked. */
export interface WatchOptions {
  readonly json: boolean;
  readonly mode: 'enforce' | 'observe' | null;
  readonly uid: number | null;
  /** Where numbers for Prometheus are served; 0: any free port; null: nowhere. */
  readonly metricsPort: number | null;
  /** Where lines for collectors go; null: as the settings say. */
  readonly incidents: LinesTarget | null;
}
