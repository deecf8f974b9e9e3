import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/**
 * Between two glances while an agent is at work, milliseconds. A tool call takes 50 ms at least, of
 * which its shell reads the user's settings for most (Claude Code 2.1).
 */
const betweenMs = 100;
/** The same while none is. It takes longer from the user's word to the first tool call. */
const restingMs = 500;
/** So many glances go on in the pace of work after the last sign of it. */
const maxSpurt = 20;

/**
 * Glances at what living agents start between two looks: what loses its parent in between was seen
 * below its agent all the same.
 */
export class GlanceWatch {
  readonly #source: Pick<ProcessSource, 'glance'>;
  readonly #failed: (error: unknown) => void;
  #agents: readonly ProcessRef[] = [];
  #timer: NodeJS.Timeout | null = null;
  #spurt = 0;

  /** @param failed gets what a glance throws; it goes on with the next look */
  constructor(source: Pick<ProcessSource, 'glance'>, failed: (error: unknown) => void) {
    this.#source = source;
    this.#failed = failed;
  }

  /** Goes on with the agents of this look; without any it rests. */
  follow({ agents = [] }: Pick<Look, 'agents'>): void {
    this.#agents = agents.flatMap(({ parts }) => parts);
    if (this.#agents.length === 0) this.close();
    else if (this.#timer === null && this.#source.glance !== undefined) this.#glance();
  }

  /** Ends it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #glance(): void {
    this.#timer = null;
    try {
      const works = this.#source.glance?.(this.#agents) === true;
      this.#spurt = works ? maxSpurt : Math.max(0, this.#spurt - 1);
      this.#timer = setTimeout(() => this.#glance(), this.#spurt > 0 ? betweenMs : restingMs).unref();
    } catch (error) {
      this.#failed(error);
    }
  }
}
