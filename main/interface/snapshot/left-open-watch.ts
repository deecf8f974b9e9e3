import type { LeftOpenItem, LeftOpenTools } from '../../left-open/found.ts';
import { leftOpenOf, mayBeLeftOpen } from '../../left-open/survey.ts';
import type { Look } from '../../observing/look.ts';

/** Keepers are asked again after this time, milliseconds. */
const everyMs = 30_000;

/**
 * What tool calls left open, for the windows. Asked only while a window shows it and where a look
 * has a process that keeps something; an idle watch asks nothing.
 */
export class LeftOpenWatch {
  readonly #tools: LeftOpenTools;
  readonly #told: { readonly changed: () => void; readonly failed: (error: unknown) => void };
  #found: readonly LeftOpenItem[] = [];
  #askedMs = -Infinity;
  #asking = false;

  constructor(tools: LeftOpenTools, told: { readonly changed: () => void; readonly failed: (error: unknown) => void }) {
    this.#tools = tools;
    this.#told = told;
  }

  /** As it was found last. */
  get found(): readonly LeftOpenItem[] {
    return this.#found;
  }

  /** What is found counts no longer: something was ended. */
  forget(): void {
    this.#askedMs = -Infinity;
  }

  /** A look was made. Never throws. */
  looked(look: Look, isShown: boolean): void {
    const nowMs = performance.now();
    if (!isShown || this.#asking || nowMs - this.#askedMs < everyMs) return;
    if (!mayBeLeftOpen(look)) {
      if (this.#found.length > 0) this.#take([]);
      return;
    }
    this.#asking = true;
    this.#askedMs = nowMs;
    void this.#ask(look);
  }

  async #ask(look: Look): Promise<void> {
    try {
      this.#take(await leftOpenOf(this.#tools, look));
    } catch (error) {
      this.#told.failed(error);
    } finally {
      this.#asking = false;
    }
  }

  #take(found: readonly LeftOpenItem[]): void {
    this.#found = found;
    this.#told.changed();
  }
}
