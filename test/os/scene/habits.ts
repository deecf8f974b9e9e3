/** What a resident of the scene does besides running (see fixtures/resident.pl). */
export interface Habits {
  readonly diary?: string;
  readonly port?: number;
  /** It writes this over its arguments and its environment, as setproctitle does. */
  readonly title?: string;
  readonly lock?: string;
  readonly hold?: string;
  readonly spins?: boolean;
  readonly bursts?: boolean;
  readonly floods?: boolean;
  readonly children?: number;
  /** Signals that it ignores. */
  readonly deaf?: readonly string[];
  /** On TERM it works for this many seconds and then writes this file. */
  readonly lastWords?: { readonly file: string; readonly seconds: number };
}

/** Line that precedes fixtures/resident.pl. */
export const preambleOf = (habits: Habits): string =>
  [
    `our $DIARY = '${habits.diary ?? ''}';`,
    `our $TITLE = '${habits.title ?? ''}';`,
    `our $PORT = ${habits.port ?? 0};`,
    `our $LOCK = '${habits.lock ?? ''}';`,
    `our $HOLD = '${habits.hold ?? ''}';`,
    `our $SPIN = ${habits.spins === true ? 1 : 0};`,
    `our $BURSTS = ${habits.bursts === true ? 1 : 0};`,
    `our $FLOOD = ${habits.floods === true ? 1 : 0};`,
    `our $CHILDREN = ${habits.children ?? 0};`,
    `our @DEAF = qw(${(habits.deaf ?? []).join(' ')});`,
    `our $LAST_WORDS = '${habits.lastWords?.file ?? ''}';`,
    `our $LAST_SECONDS = ${habits.lastWords?.seconds ?? 0};`,
  ].join(' ');
