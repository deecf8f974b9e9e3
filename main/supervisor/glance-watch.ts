import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/**
 * Between two glances while an agent is at work, milliseconds. A tool call takes 50 ms at least, of
 * which its shell reads the user's settings for most (Claude Code 2.1).
 */
const betweenMs = 30;
/** The same while none is. It takes longer from the user's word to the first tool call. */
const restingMs = 500;
/** The same while there is no agent. */
const aloneMs = 1000;
/** So many glances go on in the pace of work after the last sign of it. */
const maxSpurt = 60;
/** In the pace of work new agents are looked for less often. */
const glancesPerSearch = 15;
/** Of more new processes than this no agent is looked for: the next look finds it. */
const maxYoung = 64;

/** What a watch of glances works with. */
export interface GlanceTools {
  readonly source: Pick<ProcessSource, 'glance' | 'read'>;
  /** True for an agent's own process. */
  readonly isAgent: (row: ProcessRow) => boolean;
  /** Gets what a glance throws; it goes on with the next look. */
  readonly failed: (error: unknown) => void;
}

/**
 * Glances at what living agents start between two looks: what loses its parent in between was seen
 * below its agent all the same. An agent that begins in between is followed from then on.
 */
export class GlanceWatch {
  readonly #tools: GlanceTools;
  #agents: readonly ProcessRef[] = [];
  /** Began since an agent was looked for: a process runs what its parent runs until it execs. */
  #young = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #spurt = 0;
  #glances = 0;

  constructor(tools: GlanceTools) {
    this.#tools = tools;
  }

  /** Goes on with the agents of this look. */
  follow({ agents = [] }: Pick<Look, 'agents'>): void {
    this.#agents = agents.flatMap(({ parts }) => parts);
    if (this.#timer === null && this.#tools.source.glance !== undefined) this.#glance();
  }

  /** Ends it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #glance(): void {
    this.#timer = null;
    try {
      const { works, fresh } = this.#tools.source.glance?.(this.#agents) ?? { works: false, fresh: [] };
      this.#spurt = works ? maxSpurt : Math.max(0, this.#spurt - 1);
      if (this.#spurt === 0 || ++this.#glances % glancesPerSearch === 0) this.#findAgents(new Set(fresh));
      else for (const pid of fresh) this.#young.add(pid);
      this.#timer = setTimeout(() => this.#glance(), this.#pauseMs()).unref();
    } catch (error) {
      this.#tools.failed(error);
    }
  }

  #pauseMs(): number {
    if (this.#agents.length === 0) return aloneMs;
    return this.#spurt > 0 ? betweenMs : restingMs;
  }

  #findAgents(fresh: Set<number>): void {
    const asked = new Set([...this.#young, ...fresh]);
    this.#young = fresh;
    if (asked.size > maxYoung) return;
    for (const pid of asked) {
      const row = this.#agents.some((one) => one.pid === pid) ? null : this.#tools.source.read(asPid(pid));
      if (row !== null && this.#tools.isAgent(row)) this.#agents = [...this.#agents, row];
    }
  }
}
