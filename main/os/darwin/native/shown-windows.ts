import type { ProcessRow } from '../../../../app/process/row.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import { listWindows } from '../kernel/windows.ts';

/** Which processes show a window: `unknown` where the windows can't be listed. */
export type WindowsShown = ReadonlySet<number> | 'unknown';

/** Milliseconds for which a list is used. */
const keptMs = 1_000;

const nothingShown: ReadonlySet<number> = new Set();

/** Programs of which a user with a desktop has at least one, and nothing else starts them. */
const desktopPrograms: ReadonlySet<string> = new Set([
  'ControlCenter',
  'Dock',
  'Finder',
  'SystemUIServer',
  'WindowManager',
  'loginwindow',
]);

export interface DesktopRows {
  readonly rows: Iterable<ProcessRow>;
  /** No row is missing. */
  readonly complete: boolean;
  readonly uid: number;
}

export class ShownWindows {
  readonly #kernel: DarwinKernel;
  readonly #now: () => number;
  #kept: { readonly shown: WindowsShown; readonly atMs: number } | null = null;

  /** @param now a clock that is never set, ms */
  constructor(kernel: DarwinKernel, now: () => number) {
    this.#kernel = kernel;
    this.#now = now;
  }

  read(desktop: DesktopRows): WindowsShown {
    const atMs = this.#now();
    if (this.#kept === null || atMs - this.#kept.atMs >= keptMs) this.#kept = { shown: this.#ask(desktop), atMs };
    return this.#kept.shown;
  }

  /**
   * Over SSH, or in a daemon, this process is in no session with windows, and a program of the
   * user may still show some in a session of the user's. Only where the whole table has no part of
   * a desktop of this user there is none, and so no window. Where this process is in one, some
   * window is always there (the Dock's, those of the menu bar): a list without any is none.
   */
  #ask({ rows, complete, uid }: DesktopRows): WindowsShown {
    const found = listWindows(this.#kernel);
    if (found === 'unknown') return 'unknown';
    if (found !== 'no-session') return found.size === 0 ? 'unknown' : found;
    if (!complete) return 'unknown';
    for (const row of rows) if (row.uid === uid && desktopPrograms.has(row.comm)) return 'unknown';
    return nothingShown;
  }
}
