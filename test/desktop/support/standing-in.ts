import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { curfewEnvironment } from '../../os/scene/curfew.ts';
import type { Identity } from '../../os/scene/processes.ts';
import type { Scene } from '../../os/scene/scene.ts';
import { StageError } from '../../os/scene/stage-error.ts';
import type { DesktopEvent, ShownItem } from '../stand-in/events.ts';
import { DesktopLine } from './line.ts';
import { WindowPages } from './pages.ts';

const project = join(import.meta.dirname, '../../..');
const built = join(project, 'build/out/shell/main.js');
const register = join(project, 'test/desktop/stand-in/register.ts');
let apps = 0;

type Notification = DesktopEvent & { readonly kind: 'notification' };

const launch = async (stage: Scene) => {
  if (!existsSync(built)) throw new Error(`${built} isn't there: run npm run build first`);
  apps += 1;
  const socket = `/tmp/scene/control/desktop-${apps}`;
  const out = stage.write(`/tmp/scene/runs/app-${apps}.out`, '');
  const errors = stage.write(`/tmp/scene/runs/app-${apps}.err`, '');
  const pid = await stage.top.start({
    file: process.execPath,
    argv: [process.execPath, '--import', register, built],
    env: { ...curfewEnvironment(stage), CURFEW_STAND_IN_SOCKET: socket },
    cwd: stage.home,
    setsid: true,
    fds: { 1: out, 2: errors },
  });
  return { pid, socket, errors };
};

/**
 * The built app in a scene, under plain Node with a stand-in for Electron, its windows shown in
 * Chromium.
 */
export class StandingIn {
  readonly identity: Identity;
  readonly line: DesktopLine;
  readonly pages: WindowPages;
  readonly #stage: Scene;
  readonly #errors: string;

  private constructor(stage: Scene, pid: number, line: DesktopLine, pages: WindowPages, errors: string) {
    this.#stage = stage;
    this.identity = stage.identity(pid);
    this.line = line;
    this.pages = pages;
    this.#errors = errors;
  }

  /** Starts it a second time, which should exit; resolves with its exit status. */
  static async startAgain(stage: Scene): Promise<number> {
    const { pid } = await launch(stage);
    const { code, signal } = await stage.top.ended(pid);
    return signal > 0 ? 128 + signal : code;
  }

  /** Starts it and waits until it watches or says why it doesn't. */
  static async start(stage: Scene, browser: Browser): Promise<StandingIn> {
    const { pid, socket, errors } = await launch(stage);
    await stage.until(`the app listens\n${stage.read(errors)}`, () => stage.has(socket) || stage.row(pid) === null);
    let line: DesktopLine | null = null;
    const pages = new WindowPages(browser, () => {
      if (line === null) throw new Error('there is no line yet');
      return line;
    });
    const early: DesktopEvent[] = [];
    while (line === null) {
      line = await DesktopLine.open(stage.outside(socket), (event) => {
        if (line === null) early.push(event);
        else pages.follow(event);
      });
      if (line === null && stage.row(pid) === null) throw new Error(`the app ended at once\n${stage.read(errors)}`);
    }
    for (const event of early) pages.follow(event);
    const app = new StandingIn(stage, pid, line, pages, errors);
    await stage.until(`the app is up\n${app.stderr()}`, () => line?.told.some(({ kind }) => kind === 'menu'));
    return app;
  }

  /** Returns its standard error. */
  stderr(): string {
    return this.#stage.read(this.#errors);
  }

  /** Returns all events of a kind so far. */
  told<Kind extends DesktopEvent['kind']>(kind: Kind): readonly (DesktopEvent & { readonly kind: Kind })[] {
    return this.line.told.filter((event): event is Extract<DesktopEvent, { kind: Kind }> => event.kind === kind);
  }

  /** Returns the tray's current state. */
  tray(): DesktopEvent & { readonly kind: 'tray' } {
    const last = this.told('tray').at(-1);
    if (last === undefined) throw new Error('the tray was never drawn');
    return last;
  }

  /** Returns the current menu. */
  menu(): readonly ShownItem[] {
    return this.told('menu').at(-1)?.items ?? [];
  }

  /** Waits until the tray shows this. */
  async trayTells(text: string): Promise<void> {
    await this.until(`the tray says “${text}”`, () => this.tray().tip.includes(text));
  }

  /** Waits for a notification whose title or body contains this. */
  async notification(text: string): Promise<Notification> {
    return this.until(`a notification says “${text}”`, () =>
      this.told('notification').find(({ title, body }) => `${title}\n${body}`.includes(text)),
    );
  }

  /** Waits for the page of the visible window whose address contains this. */
  async page(place: string): Promise<Page> {
    const window = await this.until(`a window shows ${place}`, () => this.pages.find(place));
    return window.page;
  }

  /** Waits; the error includes the app's output. */
  async until<T>(what: string, check: () => T | null | undefined | false): Promise<T> {
    try {
      return await this.#stage.until(what, check);
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      const told = this.line.told.filter(({ kind }) => kind !== 'tell').slice(-20);
      // The awaited event comes first: it identifies a timed-out wait.
      throw new StageError(
        `${error.message}\n${JSON.stringify(told)}\n${this.pages.complaints.join('\n')}\n${this.stderr()}`,
        { cause: error },
      );
    }
  }

  /** Waits for its exit status. */
  async ended(): Promise<number> {
    const { code, signal } = await this.#stage.top.ended(this.identity.pid);
    return signal > 0 ? 128 + signal : code;
  }

  /** Closes the connection; the app ends with its scene. */
  close(): void {
    this.line.close();
  }
}
