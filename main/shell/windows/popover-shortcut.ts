import { globalShortcut } from 'electron';
import type { ShortcutState } from '../../../app/contract/app-questions.ts';
import type { SettingValue } from '../../../app/settings/settings.ts';

/** A shortcut of the settings, as Electron writes it, or `off`. */
export type ChosenShortcut = SettingValue<'shortcut'>;

export interface PopoverShortcutOptions {
  readonly onPress: () => void;
  /** The system did not give it: another program has it. Called once for each choice. */
  readonly onTaken: (shortcut: ChosenShortcut) => void;
}

/** The shortcut that opens the popover from everywhere, held as long as the app runs. */
export class PopoverShortcut {
  readonly #options: PopoverShortcutOptions;
  #chosen: ChosenShortcut = 'off';
  #state: ShortcutState = 'off';

  constructor(options: PopoverShortcutOptions) {
    this.#options = options;
  }

  get state(): ShortcutState {
    return this.#state;
  }

  /** Takes the settings' shortcut instead of the one before. Repeating changes nothing. */
  follow(chosen: ChosenShortcut): void {
    if (chosen === this.#chosen) return;
    this.end();
    this.#chosen = chosen;
    if (chosen === 'off') return;
    this.#state = globalShortcut.register(chosen, this.#options.onPress) ? 'on' : 'taken';
    if (this.#state === 'taken') this.#options.onTaken(chosen);
  }

  /** Gives the shortcut up. */
  end(): void {
    if (this.#state === 'on' && this.#chosen !== 'off') globalShortcut.unregister(this.#chosen);
    this.#chosen = 'off';
    this.#state = 'off';
  }
}
