import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page, Route } from '@playwright/test';
import type { DesktopEvent, DesktopOrder, Served } from '../stand-in/events.ts';
import type { DesktopLine } from './line.ts';
import { preloadScript } from './preload-world.ts';

/**
 * What the browser shows instead of `app://curfew`, a scheme that it doesn't know. No network is
 * used.
 */
const shown = 'http://curfew.localhost';
const own = 'app://curfew';

const toShown = (url: string): string => (url.startsWith(own) ? `${shown}${url.slice(own.length)}` : url);
const toOwn = (url: string): string => (url.startsWith(shown) ? `${own}${url.slice(shown.length)}` : url);

interface Shown {
  readonly id: number;
  readonly page: Promise<Page>;
  /** Messages arrive in order. */
  told: Promise<unknown>;
  visible: boolean;
  url: string;
}

/**
 * Shows each window of the app as a page of Chromium, with the built preload and the files that the
 * app itself serves.
 */
export class WindowPages {
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #line: () => DesktopLine;
  readonly #windows = new Map<number, Shown>();

  constructor(browser: Browser, line: () => DesktopLine) {
    this.#browser = browser;
    this.#line = line;
  }

  /** Follows the events of the desktop. */
  follow(event: DesktopEvent): void {
    if (event.kind === 'window') this.#open(event.id, event);
    else if (event.kind === 'load') this.#load(event.id, event.url, event.preload);
    else if (event.kind === 'tell') this.#tell(event.id, event.channel, event.payload);
    else if (event.kind === 'show' || event.kind === 'hide') this.#seen(event.id, event.kind === 'show');
    else if (event.kind === 'gone') this.#close(event.id);
  }

  /** Returns the visible window whose address contains this, or null. */
  find(place: string): { readonly id: number; readonly page: Promise<Page> } | null {
    for (const window of this.#windows.values()) if (window.visible && window.url.includes(place)) return window;
    return null;
  }

  get count(): number {
    return this.#windows.size;
  }

  #open(id: number, size: { readonly width: number; readonly height: number }): void {
    const page = this.#browser
      .newContext({ viewport: { width: size.width, height: size.height }, reducedMotion: 'reduce', locale: 'en-GB' })
      .then(async (context: BrowserContext) => {
        context.setDefaultTimeout(60_000);
        return context.newPage();
      });
    this.#windows.set(id, { id, page, told: page, visible: false, url: '' });
  }

  #load(id: number, url: string, preload: string): void {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    window.url = url;
    window.told = window.page.then(async (page) => {
      page.on('pageerror', (error) => this.complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
      });
      page.on('framenavigated', (frame) => {
        if (frame !== page.mainFrame()) return;
        const went = toOwn(frame.url());
        if (went === window.url) return;
        window.url = went;
        void this.#orderOrComplain(id, { do: 'went-to', id, url: went });
      });
      await page.exposeBinding(
        '__curfewLine',
        ({ frame }, kind: 'invoke' | 'send', channel: string, input: unknown[]) =>
          this.#line().order({ do: kind, from: { id, url: toOwn(frame.url()) }, channel, input }),
      );
      await page.addInitScript(preloadScript(readFileSync(preload, 'utf8')));
      await page.route('**/*', (route) => this.#serve(id, route));
      await page.goto(toShown(url));
      await this.#orderOrComplain(id, { do: 'drawn', id });
    });
    window.told.catch((error: unknown) => this.#complain(id, `window ${id}: ${String(error)}`));
  }

  /** A failure because the window was closed or the app has ended is no complaint. */
  #complain(id: number, complaint: string): void {
    if (this.#windows.has(id) && !this.#line().closed) this.complaints.push(complaint);
  }

  async #orderOrComplain(id: number, order: DesktopOrder): Promise<unknown> {
    try {
      return await this.#line().order(order);
    } catch (error) {
      this.#complain(id, `${order.do}: ${String(error)}`);
      return null;
    }
  }

  async #serve(id: number, route: Route): Promise<void> {
    const { url, method } = { url: toOwn(route.request().url()), method: route.request().method() };
    const served = (await this.#orderOrComplain(id, { do: 'request', url, method })) as Served | null;
    const answered =
      served === null
        ? route.abort()
        : route.fulfill({ status: served.status, headers: served.headers, body: Buffer.from(served.body) });
    await answered.catch((error: unknown) => this.#complain(id, `${url}: ${String(error)}`));
  }

  #tell(id: number, channel: string, payload: unknown): void {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    const told = async (): Promise<void> => {
      const page = await window.page;
      // A window that is being closed receives nothing more, as in Electron.
      await page
        .evaluate(
          ([to, what]) =>
            (globalThis as unknown as { __curfewTell: (a: unknown, b: unknown) => void }).__curfewTell(to, what),
          [channel, payload],
        )
        .catch((error: unknown) => this.#complain(id, `window ${id}: ${String(error)}`));
    };
    window.told = window.told.then(told, told);
  }

  #seen(id: number, visible: boolean): void {
    const window = this.#windows.get(id);
    if (window !== undefined) window.visible = visible;
  }

  #close(id: number): void {
    const window = this.#windows.get(id);
    this.#windows.delete(id);
    void window?.page.then((page) => page.context().close());
  }
}
