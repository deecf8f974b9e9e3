import type { FakeNotification } from './fake-notification.ts';
import type { FakeMenu } from './fake-menu.ts';
import type { FakeTray } from './fake-tray.ts';
import type { FakeBrowserWindow } from './fake-window.ts';
import type { DesktopEvent } from './events.ts';

type Handler = (event: unknown, ...input: unknown[]) => unknown;

/** Everything on the stand-in's desktop. One for a process, as with Electron. */
class Desktop {
  readonly told: DesktopEvent[] = [];
  readonly windows = new Map<number, FakeBrowserWindow>();
  readonly notifications = new Map<number, FakeNotification>();
  readonly handlers = new Map<string, Handler>();
  trays: FakeTray[] = [];
  menu: FakeMenu | null = null;
  focused: FakeBrowserWindow | null = null;
  ready = false;
  exited: number | null = null;
  /** Answers the next message box; waits when null. */
  answerBox: ((button: number) => void) | null = null;
  saveAs: string | null = null;
  /** The system opens no path. */
  unopened = false;
  readonly shortcuts = new Map<string, () => void>();
  /** Shortcuts of other programs. */
  readonly takenShortcuts = new Set<string>();
  /** Whether another process draws the pages and reports when. */
  drawnElsewhere = false;
  listener: (event: DesktopEvent) => void = () => undefined;
  #id = 0;

  id(): number {
    this.#id += 1;
    return this.#id;
  }

  tell(event: DesktopEvent): void {
    this.told.push(event);
    this.listener(event);
  }

  /** Like Electron, throws when something is made too early. */
  mustBeReady(what: string): void {
    if (!this.ready) throw new Error(`${what} can only be used after the app is ready`);
  }

  mustNotBeReady(what: string): void {
    if (this.ready) throw new Error(`${what} can only be used before the app is ready`);
  }
}

/** The desktop of this process. */
export const desktop = new Desktop();

/** An event that can be prevented. */
export const preventable = (): { readonly preventDefault: () => void; readonly defaultPrevented: boolean } => {
  let prevented = false;
  return {
    preventDefault: () => {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
};
