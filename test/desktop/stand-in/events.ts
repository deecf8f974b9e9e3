// The events and orders of the stand-in's desktop: plain data, so that both can cross to another
// process.

/** A menu as it would be shown. `path` leads to an entry from the top. */
export interface ShownItem {
  readonly label: string;
  readonly enabled: boolean;
  readonly checked: boolean;
  readonly separator: boolean;
  readonly items: readonly ShownItem[];
}

/** What happened on the desktop. */
export type DesktopEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'window'; readonly id: number; readonly width: number; readonly height: number }
  | { readonly kind: 'load'; readonly id: number; readonly url: string; readonly preload: string }
  | { readonly kind: 'show' | 'hide' | 'gone'; readonly id: number }
  | { readonly kind: 'tell'; readonly id: number; readonly channel: string; readonly payload: unknown }
  | { readonly kind: 'tray'; readonly icon: string; readonly tip: string; readonly title: string }
  | { readonly kind: 'menu'; readonly items: readonly ShownItem[] }
  | {
      readonly kind: 'notification';
      readonly id: number;
      readonly title: string;
      readonly body: string;
      readonly silent: boolean;
      readonly actions: readonly string[];
    }
  | { readonly kind: 'notification-closed'; readonly id: number }
  | {
      readonly kind: 'message-box';
      readonly message: string;
      readonly detail: string;
      readonly buttons: readonly string[];
    }
  | { readonly kind: 'save-box'; readonly path: string }
  | { readonly kind: 'external'; readonly url: string }
  | { readonly kind: 'opened-path' | 'shown-path'; readonly path: string }
  | { readonly kind: 'clipboard'; readonly text: string };

/** The sender of a message: the window, and the frame's address. */
export interface From {
  readonly id: number;
  readonly url: string;
}

/** What a user or a page does. */
export type DesktopOrder =
  | { readonly do: 'click-tray' | 'double-click-tray' | 'right-click-tray' | 'second-start' | 'quit' }
  | { readonly do: 'choose'; readonly path: readonly string[] }
  | { readonly do: 'click-notification'; readonly id: number }
  | { readonly do: 'time-out'; readonly id: number }
  | { readonly do: 'press'; readonly id: number; readonly index: number }
  | { readonly do: 'answer-box'; readonly button: number }
  | { readonly do: 'save-as'; readonly path: string | null }
  | { readonly do: 'press-keys' | 'take-keys'; readonly accelerator: string }
  | { readonly do: 'drawn' | 'close' | 'blur' | 'crash'; readonly id: number }
  | { readonly do: 'went-to'; readonly id: number; readonly url: string }
  | {
      readonly do: 'invoke' | 'send';
      readonly from: From;
      readonly channel: string;
      readonly input: readonly unknown[];
    }
  | { readonly do: 'request'; readonly url: string; readonly method: string };

/** The response to a request for a page's file. */
export interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
