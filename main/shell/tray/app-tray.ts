import type { MenuItemConstructorOptions, NativeImage, Rectangle } from 'electron';
import { Menu, nativeImage, nativeTheme, screen, Tray } from 'electron';
import { sameValue } from '../../../app/contract/difference/same-value.ts';
import type { DesktopTexts } from '../../../app/text/voice.ts';
import { trayIconFile } from './icons.ts';
import { trayMenuOf, type MenuAction, type MenuEntry } from './tray-menu.ts';
import { statusLine, trayStateOf, type Watch } from './tray-state.ts';

/**
 * The name under which macOS remembers where the user put the icon
 * (https://www.electronjs.org/docs/latest/api/tray#new-trayimage-guid). Never to be changed.
 */
const placeInMenuBar = '7d1f2c0e-5c1b-4f0e-9a57-0b8b6f1f3a15';

export interface AppTrayOptions {
  readonly platform: NodeJS.Platform;
  /** Folder of the icons. */
  readonly icons: string;
  readonly onClick: () => void;
  /** A double click after its single click: the popover must be open afterwards. */
  readonly onDoubleClick: () => void;
  readonly act: (action: MenuAction) => void;
  readonly texts: () => DesktopTexts;
}

/** What the system was given last, part by part, so that nothing is set twice. */
interface Shown {
  readonly icon: string;
  readonly tip: string;
  readonly title: string;
  readonly menu: readonly MenuEntry[];
}

/** `&` marks menu keys (https://www.electronjs.org/docs/latest/api/menu-item); commands have it. */
const plainLabel = (label: string): string => label.replaceAll('&', '&&');

/**
 * The tray icon, drawn from the state of the watch by one function that can be called at any time.
 * Which clicks arrive differs (https://www.electronjs.org/docs/latest/api/tray): on macOS and
 * Windows a left click opens the popover and a right click the menu; on Linux the menu belongs to
 * the panel (StatusNotifierItem), must be set anew after each change, and the desktop's activation
 * arrives as `click`. Desktops without a tray (GNOME) show nothing and report nothing: there a
 * second start opens the popover. Seen on Linux with Electron 25, in Xfce's panel and in a tray of
 * X11; elsewhere with a stand-in only.
 */
export class AppTray {
  readonly #options: AppTrayOptions;
  readonly #tray: Tray;
  #shown: Shown | null = null;
  #menu: Menu | null = null;
  #watch: Watch = { kind: 'starting' };

  /** Call after `ready`. */
  constructor(options: AppTrayOptions) {
    this.#options = options;
    const picture = this.#picture(this.#file(trayStateOf(this.#watch, options.texts()).picture));
    this.#tray = options.platform === 'darwin' ? new Tray(picture, placeInMenuBar) : new Tray(picture);
    this.#tray.on('click', options.onClick);
    if (options.platform !== 'linux') {
      this.#tray.on('right-click', () => this.#tray.popUpContextMenu(this.#menu ?? Menu.buildFromTemplate([])));
      this.#tray.on('double-click', options.onDoubleClick);
    }
    if (options.platform === 'darwin') this.#tray.setIgnoreDoubleClickEvents(true);
    nativeTheme.on('updated', () => this.render(this.#watch));
    screen.on('display-metrics-changed', () => this.render(this.#watch));
    this.render(this.#watch);
  }

  /** Returns where the icon is; null if unknown. */
  bounds(): Rectangle | null {
    return this.#options.platform === 'linux' ? null : this.#tray.getBounds();
  }

  /** Shows a state of the watch. Repeating the same state changes nothing. */
  render(watch: Watch): void {
    this.#watch = watch;
    const texts = this.#options.texts();
    const state = trayStateOf(watch, texts);
    const next: Shown = {
      icon: this.#file(state.picture),
      tip: texts.tray.tip([statusLine(state), state.held, state.freed].filter(Boolean).join('\n')),
      title: state.count > 0 ? `${state.count} · ${state.size ?? ''}` : '',
      menu: trayMenuOf(watch, texts),
    };
    const last = this.#shown;
    this.#shown = next;
    if (last?.icon !== next.icon) this.#tray.setImage(this.#picture(next.icon));
    if (last?.tip !== next.tip) this.#tray.setToolTip(next.tip);
    // The words beside the icon are for macOS; elsewhere the tooltip and the menu show it.
    if (this.#options.platform === 'darwin' && last?.title !== next.title)
      this.#tray.setTitle(next.title, { fontType: 'monospacedDigit' });
    if (last === null || !sameValue(last.menu, next.menu)) this.#setMenu(next.menu);
  }

  /** Removes the icon. */
  end(): void {
    this.#tray.destroy();
  }

  #setMenu(entries: readonly MenuEntry[]): void {
    this.#menu = Menu.buildFromTemplate(entries.map((entry) => this.#item(entry)));
    // With a menu set, macOS opens it with the left click too and sends no click.
    if (this.#options.platform === 'linux') this.#tray.setContextMenu(this.#menu);
  }

  #item(entry: MenuEntry): MenuItemConstructorOptions {
    switch (entry.kind) {
      case 'line':
        return { type: 'separator' };
      case 'text':
        return { label: plainLabel(entry.label), enabled: false };
      case 'menu':
        return { label: plainLabel(entry.label), submenu: entry.entries.map((inner) => this.#item(inner)) };
      case 'action':
        return {
          label: plainLabel(entry.label),
          click: () => this.#options.act(entry.action),
          ...(entry.checked === undefined ? {} : { type: 'checkbox', checked: entry.checked }),
        };
    }
  }

  #file(picture: ReturnType<typeof trayStateOf>['picture']): string {
    const { platform, icons } = this.#options;
    // Linux panels are dark nearly everywhere, whatever the windows' theme, and programs can't
    // query it.
    const dark = platform === 'linux' || nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
    const scaleFactor = Math.max(1, ...screen.getAllDisplays().map((display) => display.scaleFactor));
    return trayIconFile(icons, picture, { platform, dark, scaleFactor });
  }

  #picture(file: string): NativeImage {
    const image = nativeImage.createFromPath(file);
    if (this.#options.platform === 'darwin') image.setTemplateImage(true);
    return image;
  }
}
