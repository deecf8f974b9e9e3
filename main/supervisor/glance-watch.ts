import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { Look } from '../observing/look.ts';
import type { Glances, ProcessSource, WrittenFile } from '../os/processes/source.ts';

/** What is watched at most, of all agents. */
const maxWatched = 128;
/** Of more changes than this between two looks no further one is heard: 100 ms of work. */
const maxChanges = 20_000;

/** What is heard: a file that came into a folder, or a change of a file. */
export type Written = 'named' | 'changed';

export interface WrittenTools {
  readonly written: Glances['written'];
  /** True for the name of what comes into the folder for temporary files with a tool call. */
  readonly isCallFile: (name: string) => boolean;
  readonly heard: (what: Written) => void;
}

/** Whether a file is there, and the user's: all users share the folder for temporary files. */
const isOwn = (path: string): boolean => {
  try {
    const { uid } = lstatSync(path);
    return uid === (process.geteuid?.() ?? uid);
  } catch {
    return false;
  }
};

/**
 * Hears when agents write to what they have open (transcripts, databases, folders for the output of
 * commands), and what comes into the folder for temporary files with a tool call. Most write of a
 * command before they start it: Claude Code 2.1 makes its output file 2 ms ahead. Where nothing can
 * be watched nothing is heard.
 */
export class WrittenWatch {
  readonly #tools: WrittenTools;
  readonly #watched = new Map<number, Map<string, FSWatcher>>();
  #temporary: FSWatcher | null = null;
  #changes = 0;

  constructor(tools: WrittenTools) {
    this.#tools = tools;
  }

  /** Begins anew to count changes, and listens to no other agents any more. */
  keepTo(agents: readonly ProcessRef[]): void {
    this.#changes = 0;
    const pids = new Set(agents.map(({ pid }) => pid));
    for (const [pid, watchers] of this.#watched) {
      if (pids.has(pid)) continue;
      for (const watcher of watchers.values()) watcher.close();
      this.#watched.delete(pid);
    }
    if (agents.length === 0) this.#endTemporary();
    else this.#temporary ??= this.#begin(tmpdir(), 'folder', this.#tools.isCallFile, () => (this.#temporary = null));
  }

  /** Listens to what an agent has open now. */
  listen({ pid }: ProcessRef): void {
    const files = this.#tools.written(pid);
    const ids = new Set(files.map(({ id }) => id));
    const watchers = this.#watched.get(pid) ?? new Map<string, FSWatcher>();
    this.#watched.set(pid, watchers);
    for (const [id, watcher] of watchers) {
      if (ids.has(id)) continue;
      watcher.close();
      watchers.delete(id);
    }
    for (const { id, path, kind } of files) {
      const count = [...this.#watched.values()].reduce((sum, { size }) => sum + size, 0);
      if (watchers.has(id) || count >= maxWatched) continue;
      const watcher = this.#begin(
        path,
        kind,
        () => true,
        () => watchers.delete(id),
      );
      if (watcher !== null) watchers.set(id, watcher);
    }
  }

  /** Listens no more. */
  close(): void {
    this.keepTo([]);
  }

  #endTemporary(): void {
    this.#temporary?.close();
    this.#temporary = null;
  }

  /** Returns null where it was closed meanwhile, or there are no more watches. */
  #begin(
    path: string,
    kind: WrittenFile['kind'],
    isMeant: (name: string) => boolean,
    ended: () => void,
  ): FSWatcher | null {
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => {
        if (++this.#changes > maxChanges) {
          watcher.close();
          ended();
        } else if (kind === 'file') this.#tools.heard('changed');
        // A change in a folder is the output of a command that runs; a name may also go.
        else if (event === 'rename' && name !== null && isMeant(name) && isOwn(join(path, name)))
          this.#tools.heard('named');
      });
      watcher.on('error', () => {
        watcher.close();
        ended();
      });
      return watcher;
    } catch {
      return null;
    }
  }
}

/**
 * Glances follow each other without a pause for this long after a call was seen to begin. A shell
 * of Claude Code 2.1 can end after 8 ms, and what it starts last loses it within one.
 */
const rushSpanMs = 15;
/** Between two glances while a tool call may begin. */
const callMs = 2;
/** Glances go on in that pace for this long after a sign of a call, milliseconds. */
const callSpanMs = 200;
/** The same after a change of a file of an agent: Codex 0.169 starts a command 1 ms later. */
const changeSpanMs = 60;
/** Changes spend at most this share of the time in that pace. */
const maxShare = 0.05;
/** The same for a busy agent's first moments, milliseconds. */
const maxCreditMs = 600;
/** Between two glances while an agent is at work, milliseconds. */
const betweenMs = 30;
/** Whether agents are at work is asked as often, milliseconds. */
const askMs = 25;
/** Between two glances while none is. It takes longer from the user's word to the first call. */
const restingMs = 500;
/** The same while there is no agent. */
const aloneMs = 1000;
/** Glances go on in the pace of work for this long after the last sign of it. */
const spurtMs = 1800;
/** In the pace of work new agents are looked for as often. */
const searchMs = 450;
/** What agents at work have open is read again as often. */
const listenMs = 2000;
/** Of more new processes than this no agent is looked for: a look finds it. */
const maxYoung = 64;
/** Then a look is asked for this long after the one before, milliseconds. */
const lookMs = 5000;

export interface GlanceTools {
  readonly source: Pick<ProcessSource, 'glances' | 'read'>;
  readonly isCallFile: (name: string) => boolean;
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
  readonly #files: WrittenWatch | null;
  #agents: readonly ProcessRef[] = [];
  #found: (() => void) | null = null;
  /** Began since an agent was looked for: a process runs what its parent runs until it execs. */
  #young = new Set<number>();
  /** Was asked once. */
  #asked: ReadonlySet<number> = new Set();
  /** Since the look more have begun than are looked at one by one. */
  #tooMany = false;
  #timer: NodeJS.Timeout | null = null;
  #rush: NodeJS.Immediate | null = null;
  /** By `performance.now`: until when a call may begin, and an agent counts as at work. */
  #rushUntilMs = -Infinity;
  #callUntilMs = -Infinity;
  #worksUntilMs = -Infinity;
  #lookedMs = -Infinity;
  #glancedMs = -Infinity;
  #askedMs = -Infinity;
  #listenedMs = -Infinity;
  #searchedMs = -Infinity;
  /** Has worked since what it has open was read. */
  readonly #unheard = new Map<number, ProcessRef>();
  #credit = { leftMs: maxCreditMs, atMs: 0 };

  constructor(tools: GlanceTools) {
    this.#tools = tools;
    const { glances } = tools.source;
    const { isCallFile } = tools;
    const heard = (what: Written): void => this.#heard(what);
    this.#files =
      glances === undefined ? null : new WrittenWatch({ written: (pid) => glances.written(pid), isCallFile, heard });
  }

  /**
   * Goes on with the agents of this look. `found`: there is another one, or may be, which can end
   * before the next look, and what it started would then be proved by nothing; called once between
   * two looks.
   */
  follow({ agents = [] }: Pick<Look, 'agents'>, found: () => void): void {
    this.#found = found;
    this.#lookedMs = performance.now();
    this.#tooMany = false;
    this.#agents = agents.flatMap(({ parts }) => parts);
    this.#files?.keepTo(this.#agents);
    if (this.#timer === null && this.#rush === null && this.#tools.source.glances !== undefined) this.#glance();
  }

  /** Ends it. */
  close(): void {
    this.#unschedule();
    this.#files?.close();
  }

  #unschedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#rush !== null) clearImmediate(this.#rush);
    this.#timer = null;
    this.#rush = null;
  }

  #glance(): void {
    this.#unschedule();
    try {
      const nowMs = performance.now();
      this.#glancedMs = nowMs;
      const { fresh, call } = this.#tools.source.glances?.glance(this.#agents) ?? { fresh: [], call: null };
      if (call === 'began') this.#expectCall(nowMs);
      if (call === 'returned') [this.#rushUntilMs, this.#callUntilMs] = [nowMs, nowMs];
      if (nowMs - this.#askedMs >= askMs) this.#ask(nowMs);
      for (const pid of fresh ?? []) this.#young.add(pid);
      if (fresh === null) this.#tooMany = true;
      if (nowMs - this.#searchedMs >= searchMs) this.#findAgents(nowMs);
      if (this.#tooMany && nowMs - this.#lookedMs >= lookMs) this.#lookOnce();
      if (nowMs < this.#rushUntilMs) this.#rush = setImmediate(() => this.#glance());
      else this.#timer = setTimeout(() => this.#glance(), this.#pauseMs(nowMs)).unref();
    } catch (error) {
      this.#tools.failed(error);
    }
  }

  #expectCall(nowMs: number): void {
    this.#rushUntilMs = nowMs + rushSpanMs;
    this.#callUntilMs = nowMs + callSpanMs;
  }

  #pauseMs(nowMs: number): number {
    if (this.#agents.length === 0) return aloneMs;
    if (nowMs < this.#callUntilMs) return callMs;
    return nowMs < this.#worksUntilMs ? betweenMs : restingMs;
  }

  /** Asks which agents are at work, and listens to these. */
  #ask(nowMs: number): void {
    this.#askedMs = nowMs;
    const working = this.#tools.source.glances?.atWork(this.#agents) ?? [];
    if (working.length > 0) this.#worksUntilMs = nowMs + spurtMs;
    for (const agent of working) this.#unheard.set(agent.pid, agent);
    if (nowMs - this.#listenedMs < listenMs) return;
    for (const agent of this.#unheard.values()) this.#files?.listen(agent);
    if (this.#unheard.size > 0) this.#listenedMs = nowMs;
    this.#unheard.clear();
  }

  /**
   * An agent has written, so it is at work. A new name is mostly a call. Other changes may go on
   * while an agent works, so they are followed in the pace of a call for a share of the time.
   */
  #heard(what: Written): void {
    if (this.#timer === null) return;
    const nowMs = performance.now();
    this.#worksUntilMs = nowMs + spurtMs;
    if (what === 'named') this.#expectCall(nowMs);
    else if (nowMs >= this.#callUntilMs && this.#takeCredit(nowMs)) this.#callUntilMs = nowMs + changeSpanMs;
    else if (nowMs - this.#glancedMs < betweenMs) return;
    this.#glance();
  }

  #takeCredit(nowMs: number): boolean {
    const { leftMs, atMs } = this.#credit;
    const creditMs = Math.min(maxCreditMs, leftMs + (nowMs - atMs) * maxShare);
    const isEnough = creditMs >= changeSpanMs;
    this.#credit = { leftMs: isEnough ? creditMs - changeSpanMs : creditMs, atMs: nowMs };
    return isEnough;
  }

  #findAgents(nowMs: number): void {
    this.#searchedMs = nowMs;
    const asked = new Set([...this.#asked, ...this.#young]);
    this.#asked = this.#young;
    this.#young = new Set();
    this.#tooMany ||= asked.size > maxYoung;
    if (this.#tooMany) return;
    for (const pid of asked) {
      const row = this.#agents.some((one) => one.pid === pid) ? null : this.#tools.source.read(asPid(pid));
      if (row === null || !this.#tools.isAgent(row)) continue;
      this.#agents = [...this.#agents, row];
      this.#lookOnce();
    }
  }

  #lookOnce(): void {
    this.#found?.();
    this.#found = null;
  }
}
