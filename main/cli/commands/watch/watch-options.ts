/** Options of `curfew watch`, checked. */
export interface WatchOptions {
  readonly json: boolean;
  readonly mode: 'enforce' | 'observe' | null;
  readonly uid: number | null;
}
