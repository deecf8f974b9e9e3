import { EventEmitter } from 'node:events';
import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Rectangle,
  WebContents,
  WindowOpenHandlerResponse,
} from 'electron';
import { desktop, preventable } from './desktop.ts';
import { app } from './fake-app.ts';

type OpenHandler = (details: { readonly url: string }) => WindowOpenHandlerResponse;

/** The contents of a window: messages to the page become events of the desktop. */
class FakeWebContents extends EventEmitter implements Pick<WebContents, 'id' | 'send' | 'isDevToolsOpened'> {
  readonly id = desktop.id();
  url = '';
  openHandler: OpenHandler | null = null;

  send(channel: string, payload: unknown): void {
    desktop.tell({ kind: 'tell', id: this.id, channel, payload });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  isDevToolsOpened = (): boolean => false;
}

type Used =
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'close'
  | 'destroy'
  | 'isFocused'
  | 'isVisible'
  | 'isDestroyed'
  | 'isMinimized'
  | 'restore'
  | 'center'
  | 'setPosition'
  | 'setVisibleOnAllWorkspaces'
  | 'getNormalBounds';

/** A window. As with Electron, a destroyed one throws on every call but `isDestroyed`. */
export class FakeBrowserWindow extends EventEmitter implements Pick<BrowserWindow, Used> {
  static getFocusedWindow(): FakeBrowserWindow | null {
    return desktop.focused;
  }

  readonly options: BrowserWindowConstructorOptions;
  readonly contents = new FakeWebContents();
  position: { readonly x: number; readonly y: number } | 'centre' | null = null;
  onAllWorkspaces = false;
  minimized = false;
  #visible = false;
  #destroyed = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    desktop.mustBeReady('BrowserWindow');
    this.options = options;
    desktop.windows.set(this.contents.id, this);
    app.emit('web-contents-created', {}, this.contents);
    const { width = 800, height = 600 } = options;
    desktop.tell({ kind: 'window', id: this.contents.id, width, height });
  }

  get webContents(): FakeWebContents {
    this.#mustLive();
    return this.contents;
  }

  async loadURL(url: string): Promise<void> {
    this.#mustLive();
    this.contents.url = url;
    const preload = this.options.webPreferences?.preload ?? '';
    desktop.tell({ kind: 'load', id: this.contents.id, url, preload });
    await Promise.resolve();
    if (!desktop.drawnElsewhere) this.drawn();
  }

  /** The page was drawn for the first time. */
  drawn(): void {
    if (!this.#destroyed) this.emit('ready-to-show');
  }

  show(): void {
    this.#mustLive();
    if (this.#visible) return;
    this.#visible = true;
    desktop.tell({ kind: 'show', id: this.contents.id });
    this.emit('show');
  }

  hide(): void {
    this.#mustLive();
    if (!this.#visible) return;
    this.#visible = false;
    desktop.tell({ kind: 'hide', id: this.contents.id });
    this.emit('hide');
  }

  focus(): void {
    this.#mustLive();
    desktop.focused = this;
  }

  blur(): void {
    if (desktop.focused === this) desktop.focused = null;
    this.emit('blur');
  }

  close(): void {
    this.#mustLive();
    const event = preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#visible = false;
    desktop.windows.delete(this.contents.id);
    if (desktop.focused === this) desktop.focused = null;
    desktop.tell({ kind: 'gone', id: this.contents.id });
    this.emit('closed');
    if (desktop.windows.size === 0) app.emit('window-all-closed');
  }

  isFocused(): boolean {
    return desktop.focused === this;
  }

  isVisible(): boolean {
    this.#mustLive();
    return this.#visible;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  isMinimized(): boolean {
    this.#mustLive();
    return this.minimized;
  }

  restore(): void {
    this.minimized = false;
  }

  center(): void {
    this.#mustLive();
    this.position = 'centre';
  }

  setPosition(x: number, y: number): void {
    this.#mustLive();
    this.position = { x, y };
  }

  setVisibleOnAllWorkspaces(visible: boolean): void {
    this.onAllWorkspaces = visible;
  }

  getNormalBounds(): Rectangle {
    this.#mustLive();
    const { x = 10, y = 20, width = 800, height = 600 } = this.options;
    return { x, y, width, height };
  }

  #mustLive(): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
  }
}
