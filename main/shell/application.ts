import { saidOf, inEnglish } from '../../app/text/say.ts';
import { messageOf } from '../../app/format/error-message.ts';
import { shortcutKeys } from '../../app/format/shortcut-keys.ts';
import type { Asked } from '../../app/contract/asked.ts';
import { app, dialog, nativeTheme, Menu, powerMonitor, session } from 'electron';
import type { Answer } from '../../app/contract/answer.ts';
import type { QuestionInput, QuestionName, QuestionOutput } from '../../app/contract/contract.ts';
import { answerQuestion } from '../../app/contract/answerers.ts';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import { germanVoice } from '../../app/text/de/voice.ts';
import { languageOf } from '../../app/text/languages.ts';
import { englishVoice, type Voice } from '../../app/text/voice.ts';
import type { CurfewService, ServiceEvent, ServiceOptions } from '../interface/curfew-service.ts';
import { SupervisionTaken } from '../home/watch-session.ts';
import { carryQuestions, unwatched } from './ipc/carrier.ts';
import { followActivations } from './notifications/activations.ts';
import { Notices } from './notifications/notices.ts';
import { denyPermissions, denyRemote } from './security/harden.ts';
import { appScheme } from './security/policy.ts';
import { servedFiles } from './security/served-files.ts';
import { desktopSurface } from './surface/desktop-surface.ts';
import { startedAtLogin } from './surface/login-item.ts';
import type { XdgAutostartInput } from './surface/xdg-autostart.ts';
import { AppTray } from './tray/app-tray.ts';
import type { MenuAction } from './tray/tray-menu.ts';
import type { Watch } from './tray/tray-state.ts';
import { AppWindows, type AppWindowsOptions } from './windows/app-windows.ts';
import { PopoverShortcut } from './windows/popover-shortcut.ts';
import { windowPartition } from './windows/window-options.ts';
import { WindowPlaces } from './windows/window-places.ts';

/** What the app is started with. */
export interface ApplicationOptions extends Pick<
  AppWindowsOptions,
  'platform' | 'preload' | 'placeable' | 'dropAfterMs' | 'warn'
> {
  readonly openService: (options: ServiceOptions) => Promise<CurfewService>;
  /** Absolute paths of what was built, and of what is kept. */
  readonly pages: string;
  readonly trayIcons: string;
  readonly state: string;
  readonly autostart: XdgAutostartInput;
  readonly argv: readonly string[];
}

/** The desktop app around one service: tray, windows, notifications. It owns no other state. */
export class Application {
  readonly #options: ApplicationOptions;
  readonly #windows: AppWindows;
  readonly #tray: AppTray;
  readonly #notices: Notices;
  readonly #shortcut: PopoverShortcut;
  #service: CurfewService | null = null;
  #watch: Watch = { kind: 'starting' };
  #ending: 'no' | 'on its way' | 'done' = 'no';
  #chosenLanguage: Snapshot['settings']['values']['language'] = 'system';

  private constructor(options: ApplicationOptions) {
    this.#options = options;
    const { platform, preload, placeable, trayIcons, dropAfterMs, warn } = options;
    this.#tray = new AppTray({
      platform,
      icons: trayIcons,
      onClick: () => this.#windows.toggle(),
      onDoubleClick: () => this.open(),
      act: (action) => this.#act(action),
      texts: () => this.#voice().desktop,
    });
    const places = new WindowPlaces(options.state);
    const trayBounds = () => this.#tray.bounds();
    this.#windows = new AppWindows({ platform, preload, placeable, dropAfterMs, warn, places, trayBounds });
    this.#notices = new Notices({
      platform,
      warn,
      snapshot: () => this.#known(),
      ask: (question) => void this.#ask(question),
      answer: (name, input) => this.#answer(name, input),
      voice: () => this.#voice(),
      open: (place) => this.#windows.open(place),
      awaits: (job) => this.#service?.awaitsNotice(job) === true,
      seen: (jobs) => this.#service?.noticesSeen(jobs),
    });
    followActivations({ platform, answeredMs: () => this.#notices.answeredMs, open: () => this.open() });
    this.#shortcut = new PopoverShortcut({
      onPress: () => this.#windows.toggle(),
      onTaken: (keys) => this.#notices.shortcutTaken(shortcutKeys(keys, platform === 'darwin')),
    });
  }

  /** Resolves when the app watches, or has shown why it can't. Call after `ready`, once. */
  static async start(options: ApplicationOptions): Promise<Application> {
    const { pages, platform } = options;
    const windowSession = session.fromPartition(windowPartition, { cache: false });
    denyPermissions(session.defaultSession);
    denyPermissions(windowSession);
    denyRemote(windowSession);
    windowSession.protocol.handle(appScheme, servedFiles(pages));
    // macOS takes the keys for copy, paste and close from the menu.
    Menu.setApplicationMenu(
      platform === 'darwin'
        ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
        : null,
    );
    const application = new Application(options);
    application.#listen();
    await application.#begin();
    return application;
  }

  /** Shows the popover, or the first run's question: a second start asks for it. */
  open(): void {
    if (this.#watch.kind === 'watching' && !this.#watch.snapshot.modeChosen) this.#windows.openWelcome();
    else this.#windows.open({ window: 'popover', job: null });
  }

  /** Finishes reapings, then quits. Called again, at once: the journal tells the next start. */
  quit(event: Pick<Electron.Event, 'preventDefault'>): void {
    if (this.#ending !== 'no') return;
    event.preventDefault();
    this.#ending = 'on its way';
    void this.#end();
  }

  #listen(): void {
    carryQuestions({
      service: () => this.#service,
      windows: () => this.#windows.ids,
      listens: (id) => {
        if (this.#service !== null) this.#windows.tellOne(id, { event: 'snapshot', payload: this.#service.snapshot() });
      },
    });
    app.on('before-quit', (event) => this.quit(event));
    // Delays a shutdown until the reaping in progress is over (macOS, Linux); Windows gives no
    // time, but the journal is on disk. The event is documented, the types leave it out:
    // https://www.electronjs.org/docs/latest/api/power-monitor#event-shutdown-linux-macos
    if (this.#options.platform !== 'win32')
      powerMonitor.on('shutdown', (event?: Pick<Electron.Event, 'preventDefault'>) => {
        event?.preventDefault();
        app.quit();
      });
  }

  async #begin(): Promise<void> {
    const { platform, openService, autostart, warn, argv } = this.#options;
    const surface = desktopSurface(
      platform,
      () => this.#windows,
      autostart,
      () => this.#shortcut.state,
      () => this.#voice().desktop,
    );
    const beganAtMs = Date.now();
    try {
      const service = await openService({ what: 'app', surface, uid: null, warn: (said) => warn(inEnglish(said)) });
      this.#service = service;
      service.subscribe((event) => this.#hear(event));
      this.#follow();
      this.#notices.begin(service.snapshot().jobs, beganAtMs);
      this.#windows.tell({ event: 'connection', payload: 'connected' });
    } catch (error) {
      const taken = error instanceof SupervisionTaken;
      if (!taken) warn(messageOf(error));
      const { desktop, said } = this.#voice();
      await this.#unwatched(taken ? desktop.dialog.takenTitle : desktop.dialog.failedTitle, said(saidOf(error)));
      return;
    }
    if (this.#known()?.modeChosen === false && !startedAtLogin(platform, argv)) this.#windows.openWelcome();
  }

  /** The language that was chosen last, or the system's. */
  #voice(): Voice {
    const snapshot = this.#known();
    if (snapshot !== null) this.#chosenLanguage = snapshot.settings.values.language;
    const wanted = app.getPreferredSystemLanguages();
    return languageOf(this.#chosenLanguage, wanted) === 'de' ? germanVoice : englishVoice;
  }

  #known(): Snapshot | null {
    return this.#watch.kind === 'watching' ? this.#watch.snapshot : null;
  }

  #hear(event: ServiceEvent): void {
    switch (event.kind) {
      case 'difference':
        this.#windows.tell({ event: 'difference', payload: event.difference });
        return this.#follow();
      case 'noticed':
        return this.#notices.noticed(event.job);
      case 'ended':
        return this.#notices.ended(event.incident);
      case 'lost': {
        const { lostTitle, lostMeaning } = this.#voice().desktop.dialog;
        this.#service = null;
        this.#windows.tell({ event: 'connection', payload: 'lost' });
        void this.#unwatched(lostTitle, `${this.#voice().said(event.problem)}. ${lostMeaning}`);
      }
    }
  }

  /** Shows the latest snapshot in tray and notifications. */
  #follow(): void {
    if (this.#service === null || this.#ending !== 'no') return;
    const snapshot = this.#service.snapshot();
    this.#watch = { kind: 'watching', snapshot };
    this.#tray.render(this.#watch);
    this.#notices.follow(snapshot);
    this.#shortcut.follow(snapshot.settings.values.shortcut);
    const { appearance } = snapshot.settings.values;
    if (nativeTheme.themeSource !== appearance) nativeTheme.themeSource = appearance;
  }

  async #unwatched(title: string, detail: string): Promise<void> {
    this.#watch = { kind: 'unwatched' };
    this.#tray.render(this.#watch);
    const { product, dialog: words } = this.#voice().desktop;
    const { again, quit } = words;
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      title: product,
      message: title,
      detail,
      buttons: [again, quit],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    });
    if (response === 0) await this.#begin();
    else app.quit();
  }

  #act(action: MenuAction): void {
    switch (action.do) {
      case 'ask':
        return void this.#ask(action.question);
      case 'open':
        return this.#windows.open(action.place);
      case 'welcome':
        return this.#windows.openWelcome();
      case 'quit':
        if (this.#ending === 'no') app.quit();
        else app.exit(0);
    }
  }

  /** Asks for the user who used tray or notification; a failure is shown. */
  async #ask({ name, input }: Asked): Promise<void> {
    if (this.#service === null) return;
    const answer = await this.#answer(name, input);
    if (!answer.ok) this.#notices.failed(answer.failure.message, answer.failure.advice);
  }

  async #answer<Name extends QuestionName>(
    name: Name,
    input: QuestionInput<Name>,
  ): Promise<Answer<QuestionOutput<Name>>> {
    if (this.#service === null) return unwatched;
    const { answerers, report } = this.#service;
    // `answerQuestion` has checked the answer against its schema.
    return (await answerQuestion(answerers, name, input, report)) as Answer<QuestionOutput<Name>>;
  }

  async #end(): Promise<void> {
    this.#tray.render({ kind: 'ending' });
    this.#windows.end();
    this.#notices.end();
    this.#shortcut.end();
    try {
      await this.#service?.stop();
    } catch (error) {
      this.#options.warn(`Curfew did not end as it should: ${messageOf(error)}`);
    }
    this.#ending = 'done';
    this.#tray.end();
    app.quit();
  }
}
