import { safe } from './safe.ts';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import { moment } from '../../../app/format/moment.ts';
import type { SceneEngine } from './scene-engine.ts';

/** How a reaping of the scene ends: at the first signal, only by KILL, or not at all. */
export type Ending = 'reaped' | 'killed' | 'survived' | 'spared';

const graceMs = 10_000;

/**
 * Plays the ending of a job as the engine reports it: checked, signalled, waited, killed if needed,
 * recorded.
 */
export class SceneReaping {
  readonly id: string;
  readonly #engine: SceneEngine;
  readonly #ending: Ending;
  #takeBack: () => void = () => {};

  constructor(engine: SceneEngine, jobId: string, ending: Ending) {
    this.#engine = engine;
    this.#ending = ending;
    this.id = `reaping-${jobId}`;
    const job = engine.job(jobId);
    if (job === undefined) throw new Error(`the scene has no job ${jobId}`);
    const { command, agent, project, host, members } = job;
    const nowMs = Date.now();
    this.#put({
      id: this.id,
      job: jobId,
      host,
      command,
      agent,
      project,
      phase: 'confirming',
      startedAt: moment(nowMs),
      signal: null,
      graceEndsAt: null,
      processes: members.length,
      left: members.length,
      endedAt: null,
      outcome: null,
      freed: null,
      problem: null,
    });
    if (ending === 'spared') {
      this.#next(400, () => {
        this.#end('One of its processes is another one now; nothing was signalled.');
      });
      return;
    }
    const stubborn = ending !== 'reaped';
    this.#next(300, () => {
      this.#update({ phase: 'asked', signal: 'TERM', graceEndsAt: moment(Date.now() + graceMs) });
      this.#next(1200, () => {
        this.#update({ left: stubborn ? 1 : Math.ceil(members.length / 2) });
        this.#next(stubborn ? graceMs - 1200 : 1500, () => {
          this.#kill();
        });
      });
    });
  }

  /** KILL now. */
  hurry(): void {
    this.#takeBack();
    this.#kill();
  }

  #kill(): void {
    if (this.#ending === 'reaped') {
      this.#end(null);
      return;
    }
    this.#update({ phase: 'killing', signal: 'KILL', graceEndsAt: null });
    this.#next(900, () => {
      this.#end(this.#ending === 'survived' ? 'Process 4719 is in an uninterruptible wait and can’t be ended.' : null);
    });
  }

  #end(problem: string | null): void {
    const job = this.#engine.job(this.#view().job);
    const gone = this.#ending === 'reaped' || this.#ending === 'killed';
    this.#update({
      phase: 'ended',
      graceEndsAt: null,
      left: gone ? 0 : 1,
      endedAt: moment(Date.now()),
      outcome: this.#ending,
      freed: {
        processes: gone ? (job?.members.length ?? 0) : 0,
        rssBytes: gone ? (job?.holds.rssBytes ?? 0) : 0,
        cameAndWent: 0,
        ports: gone ? (job?.holds.ports ?? []) : [],
        locks: [],
      },
      problem: safe(problem),
    });
    if (gone) this.#engine.change({ jobs: this.#engine.snapshot.jobs.filter(({ id }) => id !== job?.id) });
    this.#next(20_000, () => {
      this.#engine.change({ reapings: this.#engine.snapshot.reapings.filter(({ id }) => id !== this.id) });
    });
  }

  #view(): ReapingView {
    const view = this.#engine.snapshot.reapings.find(({ id }) => id === this.id);
    if (view === undefined) throw new Error(`the scene has no reaping ${this.id}`);
    return view;
  }

  #put(view: ReapingView): void {
    const others = this.#engine.snapshot.reapings.filter(({ id }) => id !== view.id);
    this.#engine.change({ reapings: [...others, view] });
  }

  #update(parts: Partial<ReapingView>): void {
    this.#put({ ...this.#view(), ...parts });
  }

  #next(ms: number, happen: () => void): void {
    this.#takeBack = this.#engine.pace.later(ms, happen);
  }
}
