import type { LinesTarget } from '../../../incident-lines/incident-lines.ts';

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

/** Options of `curfew watch --all-users`, checked. */
export interface WatchAllOptions {
  readonly json: boolean;
  /** Every child only reports, whatever the users' settings say. */
  readonly observe: boolean;
  /** Only these users; empty: all. */
  readonly names: readonly string[];
  readonly minUid: number;
  readonly maxUsers: number;
  /** A child with nothing to watch ends after this time. */
  readonly restSeconds: number;
  /** Also watches the machines in the settings of users, by ssh with each user's configuration. */
  readonly allHosts: boolean;
}

/** Options of `curfew watch --unattended`, checked. */
export interface UnattendedOptions {
  readonly restSeconds: number;
  /** The machines in the settings are watched, too. */
  readonly allHosts: boolean;
  /** The descriptor on which it gives signs of life; null: none. */
  readonly signsFd: number | null;
}
