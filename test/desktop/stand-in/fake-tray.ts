import { EventEmitter } from 'node:events';
import type { Rectangle, Tray } from 'electron';
import { desktop } from './desktop.ts';
import type { FakeMenu } from './fake-menu.ts';
import type { FakeNativeImage } from './fake-rest.ts';

type Used = 'setToolTip' | 'setTitle' | 'setIgnoreDoubleClickEvents' | 'getBounds' | 'destroy';

/** The tray icon. `bounds` is what the system would report; zeros as on Linux. */
export class FakeTray extends EventEmitter implements Pick<Tray, Used> {
  /** What was set, in order: rendering twice must set nothing twice. */
  readonly set: string[] = [];
  bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  icon: string;
  tip = '';
  title = '';
  /** The menu from `setContextMenu`, which a panel opens on its own. */
  panelMenu: FakeMenu | null = null;
  popped: FakeMenu | null = null;
  destroyed = false;

  constructor(image: FakeNativeImage) {
    super();
    desktop.mustBeReady('Tray');
    this.icon = image.file;
    desktop.trays.push(this);
  }

  setImage(image: FakeNativeImage): void {
    this.set.push('image');
    this.icon = image.file;
    this.#tell();
  }

  setToolTip(tip: string): void {
    this.set.push('tip');
    this.tip = tip;
    this.#tell();
  }

  setTitle(title: string): void {
    this.set.push('title');
    this.title = title;
    this.#tell();
  }

  setContextMenu(menu: FakeMenu): void {
    this.set.push('menu');
    this.panelMenu = menu;
    desktop.menu = menu;
    desktop.tell({ kind: 'menu', items: menu.shown() });
  }

  popUpContextMenu(menu: FakeMenu): void {
    this.popped = menu;
    desktop.menu = menu;
    desktop.tell({ kind: 'menu', items: menu.shown() });
  }

  setIgnoreDoubleClickEvents(): void {
    this.set.push('ignoreDoubleClick');
  }

  getBounds(): Rectangle {
    return this.bounds;
  }

  destroy(): void {
    this.destroyed = true;
    desktop.trays = desktop.trays.filter((tray) => tray !== this);
  }

  #tell(): void {
    desktop.tell({ kind: 'tray', icon: this.icon, tip: this.tip, title: this.title });
  }
}
