import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readableNode } from '../../os/machine-facts.ts';
import type { Actor } from '../../os/scene/actor.ts';
import type { Identity } from '../../os/scene/processes.ts';
import { curfewFile } from '../../os/scene/curfew.ts';
import { historyIncident } from '../../os/scene/schemas.ts';
import type { Scene } from '../../os/scene/scene.ts';
import { addUsers, give, ownEtc, type SceneUser } from '../../os/scene/users.ts';

/** What shows tray icons in a session: by StatusNotifierItem (D-Bus), by XEmbed (X11), nothing. */
export type TrayHost = 'sni' | 'xembed' | 'none';

/** A point of the screen. */
interface Point {
  readonly x: number;
  readonly y: number;
}

interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

const middle = ({ x, y, width, height }: Rectangle): Point => ({
  x: Math.round(x + width / 2),
  y: Math.round(y + height / 2),
});

/** Xfce's panel in the upper right corner with nothing but the tray. */
const panelSettings = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=2;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="28"/>
      <property name="length" type="uint" value="1"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
`;

/** Each notification is written down too; a click on it is a click on what it is about. */
const notificationSettings = (told: string): string => `[global]
origin = bottom-left
offset = 20x20
width = 360
mouse_left_click = do_action, close_current
[told]
summary = "*"
script = ${told}
`;

/** Windows take the focus by a click, as on most desktops; no bar of its own. */
const windowSettings = '<?xml version="1.0"?><JWM><FocusModel>click</FocusModel></JWM>\n';

const recorded = z.looseObject({ incidents: z.array(historyIncident) });
type Incident = z.infer<typeof historyIncident>;
const labelOf = z.looseObject({ data: z.string() }).optional();
const busAnswer = z.looseObject({ data: z.unknown() });
const menuNode: z.ZodType<MenuNode> = z.lazy(() =>
  z
    .tuple([
      z.number(),
      z.record(z.string(), z.looseObject({ data: z.unknown() })),
      z.array(z.looseObject({ data: menuNode })),
    ])
    .transform(([id, properties, children]) => ({
      id,
      label: labelOf.parse(properties['label'])?.data ?? '',
      enabled: properties['enabled']?.data !== false,
      children: children.map(({ data }) => data),
    })),
);

/** An entry of the tray's menu as the panel gets it. */
export interface MenuNode {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly children: readonly MenuNode[];
}

/**
 * The graphical session of a user in a scene: an X server, a bus, a window manager, a service for
 * notifications and a tray, all of them Debian's own programs.
 */
export class DesktopSession {
  readonly stage: Scene;
  readonly user: SceneUser;
  readonly tray: TrayHost;
  readonly #parent: Actor;
  #runs = 0;

  private constructor(stage: Scene, user: SceneUser, tray: TrayHost) {
    this.stage = stage;
    this.user = user;
    this.tray = tray;
    this.#parent = stage.top;
  }

  /** Starts one and waits until all of it is up. */
  static async open(stage: Scene, tray: TrayHost): Promise<DesktopSession> {
    await ownEtc(stage);
    const [user] = addUsers(stage, 'eva');
    if (user === undefined) throw new Error('no user was added');
    const session = new DesktopSession(stage, user, tray);
    const { home } = user;
    stage.folder('/tmp/.X11-unix');
    chmodSync(stage.outside('/tmp/.X11-unix'), 0o1777);
    for (const folder of [session.#runtime, `${home}/shop`]) stage.folder(folder);
    stage.write(`${home}/.jwmrc`, windowSettings);
    stage.write(`${home}/.config/dunst/dunstrc`, notificationSettings(`${home}/told.sh`));
    stage.write(`${home}/.config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml`, panelSettings);
    stage.write(
      `${home}/told.sh`,
      `#!/bin/sh\nprintf '%s\\n%s\\n' "$DUNST_SUMMARY" "$DUNST_BODY" >>${home}/told\n`,
      0o755,
    );
    stage.write(`${home}/told`, '');
    give(stage, home, user.uid);
    give(stage, session.#runtime, user.uid);
    chmodSync(stage.outside(session.#runtime), 0o700);
    await session.#begin();
    return session;
  }

  get #runtime(): string {
    return `/tmp/users/${this.user.name}-runtime`;
  }

  get #bus(): string {
    return `unix:path=${this.#runtime}/bus`;
  }

  /** The environment of the user's programs in this session. */
  environment(): Record<string, string> {
    const { home, name } = this.user;
    return {
      ...this.stage.userEnvironment(),
      HOME: home,
      USER: name,
      LOGNAME: name,
      CURFEW_HOME: `${home}/curfew`,
      DISPLAY: ':7',
      DBUS_SESSION_BUS_ADDRESS: this.#bus,
      XDG_RUNTIME_DIR: this.#runtime,
      XDG_SESSION_TYPE: 'x11',
      // No service for assistive programs is started beside.
      NO_AT_BRIDGE: '1',
    };
  }

  /** Starts a program as the user; its output is in `output` and `errors`. */
  async start(
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly identity: Identity; readonly output: () => string; readonly errors: () => string }> {
    const { stage, user } = this;
    const name = `/tmp/scene/runs/desktop-${this.#runs++}`;
    const out = stage.write(`${name}.out`, '', 0o666);
    const err = stage.write(`${name}.err`, '', 0o666);
    const [program] = argv;
    const identity = await this.#parent.begin({
      file: program.startsWith('/') ? program : `/usr/bin/${program}`,
      argv,
      env: { ...this.environment(), ...env },
      cwd: user.home,
      uid: user.uid,
      setsid: true,
      fds: { 0: '/dev/null', 1: out, 2: err },
    });
    return { identity, output: () => stage.read(out), errors: () => stage.read(err) };
  }

  /** Runs a program as the user to its end; returns what it wrote, or null when it failed. */
  async run(...argv: readonly [string, ...string[]]): Promise<string | null> {
    const { identity, output } = await this.start(argv);
    const { code, signal } = await this.#parent.ended(identity.pid);
    return code === 0 && signal === 0 ? output() : null;
  }

  /** Waits for the end of a program that was started; 128 + n when a signal ended it. */
  async ended(identity: Identity): Promise<number> {
    const { code, signal } = await this.#parent.ended(identity.pid);
    return signal > 0 ? 128 + signal : code;
  }

  /** Waits until a question to a program has an answer. */
  async until<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
    for (let turn = 0; turn < 600; turn++) {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      await sleep(100);
    }
    return this.stage.until<T>(what, () => null, 0);
  }

  async #begin(): Promise<void> {
    const { stage } = this;
    await this.start(['Xvfb', ':7', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    await stage.until('the X server is up', () => stage.has('/tmp/.X11-unix/X7'));
    await this.start(['dbus-daemon', '--session', `--address=${this.#bus}`, '--nofork']);
    await stage.until('the bus is up', () => stage.has(`${this.#runtime}/bus`));
    await this.start(['jwm']);
    await this.start(['dunst']);
    await this.until('a service for notifications is there', () => this.#owned('org.freedesktop.Notifications'));
    if (this.tray === 'sni') {
      await this.start(['xfce4-panel', '--disable-wm-check']);
      await this.until('a panel shows trays', () => this.#owned('org.kde.StatusNotifierWatcher'));
    }
    if (this.tray === 'xembed') {
      // In the lower right corner.
      const words = ['--edge', 'bottom', '--align', 'right', '--widthtype', 'request', '--height', '28'] as const;
      await this.start(['trayer', ...words]);
    }
  }

  async #owned(name: string): Promise<boolean> {
    const words = ['org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'NameHasOwner', 's', name] as const;
    // Null while the bus does not answer yet.
    const [has] = z
      .tuple([z.boolean()])
      .nullable()
      .parse(await this.#call(...words)) ?? [false];
    return has;
  }

  /** Calls a method on the user's bus; null when it fails. */
  async #call(...words: readonly string[]): Promise<unknown> {
    const said = await this.run('busctl', `--address=${this.#bus}`, '--json=short', '--', 'call', ...words);
    return said === null ? null : busAnswer.parse(JSON.parse(said)).data;
  }

  async #property(owner: string, path: string, face: string, name: string): Promise<unknown> {
    const words = [`--address=${this.#bus}`, '--json=short', 'get-property', owner, path, face, name] as const;
    const said = await this.run('busctl', ...words);
    return said === null ? null : busAnswer.parse(JSON.parse(said)).data;
  }

  /** The tray's item as the panel knows it; null while there is none. */
  async #item(): Promise<{ readonly owner: string; readonly path: string } | null> {
    const watcher = [
      'org.kde.StatusNotifierWatcher',
      '/StatusNotifierWatcher',
      'org.kde.StatusNotifierWatcher',
    ] as const;
    const items = await this.#property(...watcher, 'RegisteredStatusNotifierItems');
    const [item] = z.array(z.string()).nullable().parse(items) ?? [];
    if (item === undefined) return null;
    const at = item.indexOf('/');
    return { owner: item.slice(0, at), path: item.slice(at) };
  }

  async #ofItem(name: string): Promise<unknown> {
    const item = await this.#item();
    return item === null ? null : this.#property(item.owner, item.path, 'org.kde.StatusNotifierItem', name);
  }

  /** The text that the panel shows for the icon. */
  async tip(): Promise<string> {
    const given = await this.#ofItem('ToolTip');
    const [, , title, text] = z.tuple([z.string(), z.unknown(), z.string(), z.string()]).nullable().parse(given) ?? [];
    return [title, text].join('\n');
  }

  /** The icon's menu as the panel gets it; null while there is none. */
  async menu(): Promise<MenuNode | null> {
    const item = await this.#item();
    const path = z
      .string()
      .nullable()
      .parse(await this.#ofItem('Menu'));
    if (item === null || path === null) return null;
    const words = [path, 'com.canonical.dbusmenu', 'GetLayout', 'iias', '0', '-1', '0'] as const;
    const [, root] = z.tuple([z.number(), menuNode]).parse(await this.#call(item.owner, ...words));
    return root;
  }

  /** Writes the settings of the user's Curfew. */
  settings(values: Readonly<Record<string, unknown>>): void {
    const folder = this.environment()['CURFEW_HOME'] ?? '';
    this.stage.write(`${folder}/settings.json`, JSON.stringify(values));
    give(this.stage, folder, this.user.uid);
  }

  /** The user's own record, newest first, as the command line of another Node reads it. */
  async history(): Promise<readonly Incident[]> {
    const said = await this.run(readableNode, curfewFile, 'history', '--json');
    return recorded.parse(JSON.parse(said ?? '{}')).incidents;
  }

  /** All notifications that were shown, title and text each on a line. */
  told(): string {
    return this.stage.read(`${this.user.home}/told`);
  }

  /** Where the visible window is that belongs to a program; null while it has none. */
  async #window(...search: readonly string[]): Promise<Rectangle | null> {
    const found = await this.run('xdotool', 'search', '--onlyvisible', ...search, 'getwindowgeometry', '--shell', '%@');
    const of = (name: string): number =>
      Number(new RegExp(`^${name}=(?<value>\\d+)$`, 'mu').exec(found ?? '')?.groups?.['value']);
    const window = { x: of('X'), y: of('Y'), width: of('WIDTH'), height: of('HEIGHT') };
    return Object.values(window).some(Number.isNaN) ? null : window;
  }

  /** Whether a window with this title is on the screen. */
  async shows(title: string): Promise<boolean> {
    return (await this.#window('--name', `^${title.replaceAll(/[^\w ]+/gu, '.*')}$`)) !== null;
  }

  /** Presses a button of the mouse on the icon: 1 is the left one, 3 the right one. */
  async clickTray(button: 1 | 3 = 1): Promise<void> {
    const panel = this.tray === 'sni' ? 'xfce4-panel' : 'trayer';
    const { x, y } = await this.until('the icon is in the panel', async () => {
      const found = await this.#window('--class', panel);
      // Without an icon it has hardly a width.
      return found !== null && found.width > 16 && middle(found);
    });
    await this.run('xdotool', 'mousemove', String(x), String(y), 'click', String(button));
  }

  /** Clicks on the notification that is shown. */
  async clickNotification(): Promise<void> {
    const { x, y } = await this.until('a notification is on the screen', async () => {
      const found = await this.#window('--class', 'Dunst');
      return found !== null && { x: found.x + 40, y: found.y + 20 };
    });
    await this.run('xdotool', 'mousemove', String(x), String(y), 'click', '1');
  }

  /** Presses keys, as the X server hears them from a keyboard. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.run('xdotool', 'key', '--delay', '150', ...keys);
  }

  async #windows(...search: readonly string[]): Promise<readonly string[]> {
    return ((await this.run('xdotool', 'search', '--onlyvisible', ...search)) ?? '').split('\n').filter(Boolean);
  }

  /** Opens the icon's menu with the mouse; returns its window. */
  async openMenu(): Promise<string> {
    const before = new Set(await this.#windows('--name', '.*'));
    await this.clickTray(3);
    const menu = await this.until('the menu is on the screen', async () => {
      // The popover may go at the same moment, and a notification come.
      const notifications = await this.#windows('--class', 'Dunst');
      return (await this.#windows('--name', '.*')).find((one) => !before.has(one) && !notifications.includes(one));
    });
    // It hears the keyboard a moment later than it is there.
    await sleep(500);
    return menu;
  }

  /**
   * Chooses an entry of the icon's menu, with the mouse and the keyboard, counted from its end;
   * `picture` is its picture's name.
   */
  async choose(fromEnd: number, picture?: string): Promise<void> {
    const menu = await this.openMenu();
    if (picture !== undefined) await this.picture(picture);
    await this.until('the menu hears the keyboard', async () => {
      await this.press(...Array.from({ length: fromEnd }, () => 'Up'), 'Return');
      for (let turn = 0; turn < 30; turn++) {
        if (!(await this.#windows('--name', '.*')).includes(menu)) return true;
        await sleep(100);
      }
      return false;
    });
  }

  /** Writes what is on the screen into a file of the machine, where $CURFEW_TEST_PICTURES asks. */
  async picture(name: string): Promise<void> {
    const folder = process.env['CURFEW_TEST_PICTURES'] ?? '';
    if (folder === '') return;
    const path = `/tmp/users/${this.user.name}-runtime/screen.png`;
    await sleep(700);
    await this.run('import', '-window', 'root', path);
    mkdirSync(folder, { recursive: true });
    copyFileSync(this.stage.outside(path), `${folder}/${name}.png`);
  }
}
