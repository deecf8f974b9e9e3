import type { MenuItemConstructorOptions } from 'electron';
import { desktop } from './desktop.ts';
import type { ShownItem } from './events.ts';

const labelShown = (label: string): string => label.replaceAll(/&(&?)/gu, '$1');

/** A menu from its template; `&` in labels is read as the systems read it. */
export class FakeMenu {
  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): FakeMenu {
    return new FakeMenu(template);
  }

  static setApplicationMenu(menu: FakeMenu | null): void {
    FakeMenu.application = menu;
  }

  static application: FakeMenu | null = null;

  readonly template: readonly MenuItemConstructorOptions[];

  private constructor(template: readonly MenuItemConstructorOptions[]) {
    desktop.mustBeReady('Menu');
    this.template = template;
  }

  shown(): readonly ShownItem[] {
    return this.template.map((item) => ({
      label: labelShown(item.label ?? item.role ?? ''),
      enabled: item.enabled ?? true,
      checked: item.checked ?? false,
      separator: item.type === 'separator',
      items: Array.isArray(item.submenu) ? new FakeMenu(item.submenu).shown() : [],
    }));
  }

  /**
   * Chooses an entry by the labels on its path. Throws when there is no such entry, or it can't be
   * chosen.
   */
  choose([label, ...rest]: readonly string[]): void {
    const item = this.template.find((candidate) => labelShown(candidate.label ?? '').startsWith(label ?? ' '));
    if (item === undefined)
      throw new Error(
        `no entry “${label}” in ${this.shown()
          .map((shown) => shown.label)
          .join(' | ')}`,
      );
    if (rest.length > 0 && Array.isArray(item.submenu)) return new FakeMenu(item.submenu).choose(rest);
    if (item.enabled === false || item.click === undefined) throw new Error(`“${label}” can't be chosen`);
    // The shell's entries ignore Electron's arguments.
    (item.click as () => void)();
  }
}
