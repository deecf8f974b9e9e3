import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { hostname, userInfo } from 'node:os';
import { messageOf } from '../../app/format/error-message.ts';
import type { Incident } from '../../app/history/incident.ts';
import type { LineSource } from '../../app/incident-lines/common.ts';
import { endedLine, noticedLine } from '../../app/incident-lines/job-lines.ts';
import { journalFields } from '../../app/incident-lines/journal-fields.ts';
import type { Line } from '../../app/incident-lines/line.ts';
import { failedLine, lostLine, problemLine, reachLine } from '../../app/incident-lines/trouble-lines.ts';
import { localHost } from '../../app/remote/host-list.ts';
import type { Settings } from '../../app/settings/settings.ts';
import manifest from '../../package.json' with { type: 'json' };
import { sendToJournald } from '../os/journald.ts';
import type { JudgedJob } from '../observing/look.ts';
import { StandardOutput, type Taken } from './standard-output.ts';

/** Where lines go. */
export type LinesTarget = Settings['incidentLines'] | 'stdout';

export interface IncidentLinesTools {
  /** Asked for each line: a changed setting counts at once. */
  readonly target: () => LinesTarget;
  /** The user whose processes are looked at here. */
  readonly uid: number;
  /** Gets a sentence when lines begin to be lost. */
  readonly warn: (said: Said) => void;
}

/** Milliseconds of writing before others get a turn: 500 ends come at once. */
const sliceMs = 10;

/** Most lines that wait; what comes beyond them is lost. */
const maxWaiting = 10_000;

/** The name of the user; null where the system has none, or it is another user's number. */
const nameOf = (uid: number): string | null => {
  try {
    const own = userInfo();
    return own.uid === uid ? own.username : null;
  } catch {
    // os.userInfo() throws for a user without an entry; the line goes without a name.
    return null;
  }
};

/** What lines of this process say of it. `uid`: the user whose processes are looked at here. */
export const lineSourceOf = (uid: number): LineSource => ({
  version: manifest.version,
  hostName: hostname(),
  userName: nameOf(uid),
});

/**
 * Tells what happens as lines for collectors, after it is in the record. Nothing here throws or
 * waits: what can't be delivered is counted, and the next line that can be says how many were lost.
 */
export class IncidentLines {
  readonly #tools: IncidentLinesTools;
  readonly #waiting: (() => Line | null)[] = [];
  #source: LineSource | null = null;
  #output: StandardOutput | null = null;
  #turn: NodeJS.Immediate | null = null;
  #lost = 0;

  constructor(tools: IncidentLinesTools) {
    this.#tools = tools;
  }

  /** A job needs a look, or its end is announced. */
  noticed(host: string, { job, verdict }: JudgedJob): void {
    const atMs = Date.now();
    this.#tell((source) => noticedLine(source, { job, verdict, host, atMs }));
  }

  ended(incident: Incident): void {
    this.#tell((source) => endedLine(source, incident));
  }

  failed(host: string, job: string, error: unknown): void {
    const where = { host, job, problem: messageOf(error), atMs: Date.now() };
    this.#tell((source) => failedLine(source, where));
  }

  /** Something went wrong; Curfew goes on. */
  problem(host: string, error: unknown): void {
    const where = { host, problem: messageOf(error), atMs: Date.now() };
    this.#tell((source) => problemLine(source, where));
  }

  /** A machine went out of reach, or came back (null). */
  reach(host: string, failure: Error | null): void {
    const where = { host, problem: failure?.message ?? null, atMs: Date.now() };
    this.#tell((source) => reachLine(source, where));
  }

  /** Writes all that waits now; at the end. */
  flush(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#turn = null;
    for (const make of this.#waiting.splice(0)) this.#write(make);
  }

  #tell(make: (source: LineSource) => Line | null): void {
    if (this.#tools.target() === 'off') return;
    if (this.#waiting.length >= maxWaiting) {
      this.#lose('too many wait');
      return;
    }
    const source = (this.#source ??= lineSourceOf(this.#tools.uid));
    this.#waiting.push(() => make(source));
    this.#turn ??= setImmediate(() => this.#go());
  }

  #go(): void {
    this.#turn = null;
    const beganMs = performance.now();
    for (let make = this.#waiting.shift(); make !== undefined; make = this.#waiting.shift()) {
      this.#write(make);
      if (this.#waiting.length > 0 && performance.now() - beganMs >= sliceMs) {
        this.#turn = setImmediate(() => this.#go());
        return;
      }
    }
  }

  #write(make: () => Line | null): void {
    try {
      const line = make();
      if (line === null) return;
      if (this.#lost > 0 && this.#source !== null) {
        const told = this.#deliver(lostLine(this.#source, { lost: this.#lost, atMs: Date.now(), host: localHost }));
        if (told.sent) this.#lost = 0;
      }
      const taken = this.#deliver(line);
      if (!taken.sent) this.#lose(taken.why);
    } catch (error) {
      this.#lose(messageOf(error));
    }
  }

  #deliver(line: Line): Taken {
    switch (this.#tools.target()) {
      case 'off':
        return { sent: true };
      case 'journald':
        return sendToJournald(journalFields(line));
      case 'stdout':
        return (this.#output ??= new StandardOutput(1, process.env)).write(line);
    }
  }

  #lose(why: string): void {
    this.#lost += 1;
    if (this.#lost > 1) return;
    this.#tools.warn(
      say(
        'A line about an incident could not be delivered: {why}. It is in `curfew history`; Curfew goes on, and the next line that can be delivered says how many were lost.',
        { why },
      ),
    );
  }
}
