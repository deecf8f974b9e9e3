import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { programOf } from '../../../build/agents/table.ts';
import { realElectron, variantFolder } from '../../../build/electron/electron.ts';
import type { WalkedDesktop } from '../../desktop/support/walk.ts';
import { lives, type Identity } from '../../os/scene/processes.ts';
import type { Scene } from '../../os/scene/scene.ts';
import { debuggerLine } from './line.ts';
import type { DesktopSession } from './session.ts';

const electron = '/tmp/electron';
const node = '/tmp/electron-node';

const mount = async (stage: Scene, from: string, to: string): Promise<void> => {
  const argv = ['mount', '--bind', from, to];
  const pid = await stage.first.start({ file: '/usr/bin/mount', argv, env: stage.userEnvironment() });
  const { code } = await stage.first.ended(pid);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
};

/**
 * Lays Electron with the variant of the app into a scene, where every user can read it that can
 * enter the folders that they are in.
 */
export const layElectron = async (stage: Scene): Promise<void> => {
  stage.folder(electron);
  stage.write(node, '');
  await mount(stage, join(programOf(realElectron), '..'), electron);
  await mount(stage, variantFolder, `${electron}/resources/app`);
  await mount(stage, process.execPath, node);
};

/** A tray app that does nothing, to compare with. */
const emptyApp = `
  const { app, Menu, nativeImage, Tray } = require('electron');
  app.whenReady().then(() => {
    globalThis.tray = new Tray(nativeImage.createFromPath('${electron}/resources/app/icons/tray/well-22Light.png'));
    globalThis.tray.setToolTip('Empty');
    globalThis.tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit', role: 'quit' }]));
  });
`;

/** Lays a second Electron beside the first, with an app that does nothing; returns its program. */
export const layEmptyApp = async (stage: Scene): Promise<string> => {
  const folder = '/tmp/electron-empty';
  stage.folder(folder);
  await mount(stage, join(programOf(realElectron), '..'), folder);
  stage.write('/tmp/empty-app/package.json', JSON.stringify({ name: 'empty', main: 'main.js' }));
  stage.write('/tmp/empty-app/main.js', emptyApp);
  await mount(stage, '/tmp/empty-app', `${folder}/resources/app`);
  return `${folder}/electron`;
};

/** The variant of the app on the real Electron, in a session of a user. */
export class RealApp {
  readonly identity: Identity;
  readonly errors: () => string;
  readonly #session: DesktopSession;
  readonly #browser: Browser;

  private constructor(session: DesktopSession, identity: Identity, errors: () => string, browser: Browser) {
    this.#session = session;
    this.identity = identity;
    this.errors = errors;
    this.#browser = browser;
  }

  /** Starts the program of the app as the user does, and leaves it. */
  static async launch(
    session: DesktopSession,
    words: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): ReturnType<DesktopSession['start']> {
    const sqlite = `${electron}/resources/app/out/sqlite/main.mjs`;
    return session.start([`${electron}/electron`, ...words], {
      CURFEW_VARIANT_NODE: node,
      CURFEW_VARIANT_SQLITE: sqlite,
      ...env,
    });
  }

  /** Starts it and connects to its pages. */
  static async start(
    session: DesktopSession,
    env: Readonly<Record<string, string>> = {},
    words: readonly string[] = [],
  ): Promise<RealApp> {
    const { stage } = session;
    const { identity, errors } = await RealApp.launch(session, ['--remote-debugging-port=0', ...words], env);
    const address = await stage.until(`the app's pages can be reached`, () => {
      const found = /^DevTools listening on (?<address>\S+)$/mu.exec(errors())?.groups?.['address'];
      if (found === undefined && !stage.lives(identity)) throw new Error(`the app ended at once\n${errors()}`);
      return found;
    });
    // Nothing of the pages is changed: neither their colours nor their focus.
    const browser = await chromium.connectOverCDP(await debuggerLine(stage, address), { noDefaults: true });
    for (const context of browser.contexts()) context.setDefaultTimeout(60_000);
    return new RealApp(session, identity, errors, browser);
  }

  /** Starts it once more, which should end; resolves with its exit status. */
  static async startAgain(session: DesktopSession): Promise<number> {
    const { identity } = await RealApp.launch(session);
    return session.ended(identity);
  }

  /** Returns its pages, shown or hidden. */
  pages(): readonly Page[] {
    return this.#browser.contexts().flatMap((context) => context.pages());
  }

  /** Waits for the page of the window that is shown and whose address contains this. */
  async page(place: string): Promise<Page> {
    return this.#session.until(`a window shows ${place}`, async () => {
      for (const page of this.pages()) {
        if (!page.url().includes(place)) continue;
        const [state, title] = await page
          .evaluate<readonly [string, string]>('[document.visibilityState, document.title]')
          .catch(() => ['closed', '']);
        // A window that was never shown says that it is visible, too.
        if (state === 'visible' && (await this.#session.shows(title))) return page;
      }
      return null;
    });
  }

  /** Whether no window with this in its address is shown. */
  async hides(place: string): Promise<void> {
    await this.#session.until(`no window shows ${place}`, async () => {
      const states = await Promise.all(
        this.pages()
          .filter((page) => page.url().includes(place))
          .map((page) => page.evaluate('document.visibilityState').catch(() => 'closed')),
      );
      return !states.includes('visible');
    });
  }

  /** What Curfew itself wrote to its standard error; Chromium's lines are left out. */
  complaints(): readonly string[] {
    return this.errors()
      .split('\n')
      .filter((line) => line !== '' && !/^(?:\[\d+:\d+\/|DevTools listening|Gtk-|\()/u.test(line));
  }

  /** Kills the main process alone, and waits until what held its locks has ended. */
  async kill(): Promise<void> {
    const { stage } = this.#session;
    await stage.first.signal(this.identity.pid, 'KILL');
    await this.ended();
    const holds = ({ argv }: { readonly argv: readonly string[] }): boolean => argv.join(' ').includes('/sqlite/');
    await stage.until('its locks are free', () => !stage.table().some((row) => lives(row) && holds(row)));
  }

  /** Waits for its exit status. */
  async ended(): Promise<number> {
    return this.#session.ended(this.identity);
  }
}

/** Entries of the tray's menu by their place, counted from its end. */
const fromEnd = { Quit: 1, History: 2, 'Settings…': 3 } as const;

/** The session with the app for the walk that the stand-in is taken on, too. */
export const walkedDesktop = (session: DesktopSession, app: RealApp): WalkedDesktop => ({
  trayTells: async (text) => {
    let last = '';
    try {
      await session.until(`the tray says “${text}”`, async () => (last = await session.tip()).includes(text));
    } catch (error) {
      throw new Error(`the tray says “${last}”`, { cause: error });
    }
  },
  notified: (text) => session.until(`a notification says “${text}”`, async () => session.told().includes(text)),
  clickTray: () => session.clickTray(),
  choose: (entry) => session.choose(fromEnd[entry as keyof typeof fromEnd]),
  page: (place) => app.page(place),
});
