import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { diffSnapshot } from '../../../app/contract/difference/difference.ts';
import { questionNames } from '../../../app/contract/contract.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { Repeat } from '../../../app/contract/history-questions.ts';
import { failure } from '../../../app/contract/answer.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { CurfewService, ServiceEvent, ServiceOptions } from '../../../main/interface/curfew-service.ts';
import { Application, type ApplicationOptions } from '../../../main/shell/application.ts';
import { clearDesktop } from '../../desktop/stand-in/clear.ts';
import { app } from '../../desktop/stand-in/fake-app.ts';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import type { DesktopEvent } from '../../desktop/stand-in/events.ts';
import { snapshot as calm } from '../contract/sample-snapshot.ts';

const project = join(import.meta.dirname, '../../..');

/** A snapshot of a watch that has scanned once and may act. */
export const watching: Snapshot = {
  ...calm,
  mode: 'enforce',
  modeChosen: true,
  health: { ...calm.health, lastLookAt: calm.at },
  platform: { ...calm.platform, surface: 'desktop' },
};

/** A service whose state the test sets; it records the questions it gets. */
export class PlayedService implements CurfewService {
  readonly asked: { readonly name: string; readonly input: unknown }[] = [];
  /** Jobs whose announcement waits to be seen. */
  readonly awaited = new Set<string>();
  readonly seen: string[] = [];
  /** The week of which the sum was told last; null: none. */
  toldWeek: string | null = null;
  repeats: readonly Repeat[] = [];
  readonly #listeners = new Set<(event: ServiceEvent) => void>();
  state: Snapshot;
  stopped = 0;
  /** The answer to every question while it is set. */
  refusal: string | null = null;
  finishStop: (() => void) | null = null;

  constructor(state: Snapshot) {
    this.state = state;
  }

  snapshot = (): Snapshot => this.state;

  subscribe = (listener: (event: ServiceEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  // Made from the contract's list, so it is complete.
  readonly answerers = Object.fromEntries(
    questionNames.map((name) => [name, (input: unknown) => this.#answer(name, input)]),
  ) as unknown as Answerers;

  stop = async (): Promise<void> => {
    this.stopped += 1;
    if (this.finishStop !== null)
      await new Promise<void>((resolve) => {
        this.finishStop = resolve;
      });
  };

  awaitsNotice = (key: string): boolean => this.awaited.has(key);

  noticesSeen = (keys: readonly string[]): void => {
    this.seen.push(...keys);
    for (const key of keys) this.awaited.delete(key);
  };

  report = (error: unknown): void => {
    throw error;
  };

  /** Changes the state, as a scan does. */
  become(change: Partial<Snapshot>): void {
    const next = { ...this.state, ...change, revision: this.state.revision + 1 };
    const difference = diffSnapshot(this.state, next);
    this.state = next;
    this.tell({ kind: 'difference', difference });
  }

  /** Adds new jobs that need the user, as one scan finds them. */
  notice(...jobs: SnapshotJob[]): void {
    this.become({ jobs });
    for (const job of jobs) this.tell({ kind: 'noticed', job });
  }

  tell(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #answer(name: string, input: unknown) {
    if (name === 'app.told') return { ok: true as const, value: { before: this.toldWeek } };
    if (name === 'history.repeats') return { ok: true as const, value: { repeats: this.repeats } };
    this.asked.push({ name, input });
    if (this.refusal !== null) return { ok: false as const, failure: failure('refused', this.refusal) };
    return {
      ok: true as const,
      value:
        name === 'snapshot.get'
          ? this.state
          : { reaping: 'r1', until: calm.at, createdAt: calm.at, begun: 1, refused: [] },
    };
  }
}

/** An application on the stand-in's desktop. */
export interface Stage {
  readonly application: Application;
  readonly service: PlayedService;
  readonly options: ApplicationOptions;
  readonly told: <Kind extends DesktopEvent['kind']>(kind: Kind) => (DesktopEvent & { readonly kind: Kind })[];
}

/** Lets pending work finish and `milliseconds` pass. */
export const pass = async (milliseconds = 0): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

/** Opens the app on an empty desktop; what it leaves is removed after the test. Uses fake time. */
export const raise = async (more: Partial<ApplicationOptions> = {}, state: Snapshot = watching): Promise<Stage> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const folder = mkdtempSync(join(tmpdir(), 'curfew-shell-'));
  app.setPath('userData', folder);
  const service = new PlayedService(state);
  const options: ApplicationOptions = {
    platform: 'linux',
    openService: async (_options: ServiceOptions) => service,
    preload: '/built/preload/main.cjs',
    pages: join(project, 'build/icons/sources'),
    trayIcons: join(project, 'build/icons/tray'),
    state: folder,
    placeable: true,
    autostart: { home: folder, environment: {}, program: ['/opt/Curfew/curfew-app'], placesEnvironment: {} },
    argv: [],
    dropAfterMs: 60_000,
    warn: (text) => {
      throw new Error(`unexpected warning: ${text}`);
    },
    ...more,
  };
  onTestFinished(() => {
    clearDesktop();
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });
  await app.whenReady();
  const application = await Application.start(options);
  return {
    application,
    service,
    options,
    told: (kind) =>
      desktop.told.filter((event): event is Extract<DesktopEvent, { kind: typeof kind }> => event.kind === kind),
  };
};

/** Returns the only open window. */
export const onlyWindow = () => {
  expect(desktop.windows.size).toBe(1);
  const [window] = desktop.windows.values();
  if (window === undefined) throw new Error('there is no window');
  return window;
};

/** Returns the only tray icon. */
export const onlyTray = () => {
  expect(desktop.trays).toHaveLength(1);
  const [tray] = desktop.trays;
  if (tray === undefined) throw new Error('there is no tray icon');
  return tray;
};
