import { messageOf } from '../../../../app/format/error-message.ts';
import type { SupervisorEvents } from '../../../supervisor/supervisor-tools.ts';
import type { Look } from '../../../observing/look.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import type { HostEvents } from '../../../remote/watch/host-events.ts';
import type { Engine } from '../../../engine/engine.ts';
import { fit } from '../../common/columns.ts';
import type { Output } from '../../common/output.ts';
import { paint } from '../../common/output.ts';
import { scanTable } from '../../common/scan-table.ts';
import { eventLines } from './watch-lines.ts';

/** Alternate screen and cursor off, and back: what was in the terminal before is there again afterwards. */
const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';
const home = '\u001B[H';
const clearLine = '\u001B[K';
const clearBelow = '\u001B[J';

const keptEvents = 8;

const modeWords = {
  enforce: 'enforcing: what overstays is ended',
  observe: 'observing: nothing is ended by itself',
} as const;

/** The jobs of now on a terminal, redrawn at each look in place, with the last events below. */
export class LiveView {
  readonly #engine: Engine;
  readonly #output: Output;
  #look: Look | null = null;
  readonly #elsewhere = new Map<string, Look>();
  #events: readonly string[] = [];

  constructor(engine: Engine, output: Output) {
    this.#engine = engine;
    this.#output = output;
    void output.write(enter);
  }

  /** What the supervisor is given to tell. */
  readonly events: SupervisorEvents = {
    looked: (look) => {
      this.#look = look;
      this.#draw();
    },
    noticed: (judged) => this.#add(eventLines.noticed(judged, this.#output)),
    reaping: (judged) => this.#add(eventLines.reaping(judged, this.#output)),
    ended: (incident) => this.#add(eventLines.ended(incident, this.#output)),
    failed: ({ job, error }) => this.#add([`job ${job}: ${messageOf(error)}`]),
    problem: (error) => this.#add([messageOf(error)]),
  };

  /** What the watch of other machines is given to tell. */
  readonly hostEvents: HostEvents = {
    looked: (host, look) => {
      this.#elsewhere.set(host, look);
      this.#draw();
    },
    noticed: (host, judged) => this.#add(eventLines.noticed(judged, this.#output, host)),
    reaping: (host, judged) => this.#add(eventLines.reaping(judged, this.#output, host)),
    ended: (incident) => this.#add(eventLines.ended(incident, this.#output)),
    failed: (host, { job, error }) => this.#add([`job ${job} on ${host}: ${messageOf(error)}`]),
    reach: (host, failure) => {
      if (failure !== null) this.#elsewhere.delete(host);
      this.#add(eventLines.reach(host, failure, this.#output));
    },
    problem: (host, error) => this.#add([`${host}: ${messageOf(error)}`]),
  };

  /** Gives the terminal back, and leaves the last events in it. */
  close(): void {
    void this.#output.write(leave + this.#events.map((line) => `${line}\n`).join(''));
  }

  #add(lines: readonly string[]): void {
    this.#events = [...this.#events, ...lines].slice(-keptEvents * 2);
    this.#draw();
  }

  #draw(): void {
    if (this.#look === null) return;
    const { columns, rows } = process.stdout;
    const output = { ...this.#output, columns };
    const { mode } = this.#engine.settings();
    const choose = mode === null ? ' · choose: curfew settings set mode enforce|observe' : '';
    const head = fit(`Curfew, ${modeWords[mode ?? 'observe']}${choose} · Ctrl-C ends`, columns);
    const jobs = scanTable(this.#look, output, { explain: false, all: false }).trimEnd().split('\n');
    for (const [host, look] of this.#elsewhere) {
      if (look.jobs.size === 0) continue;
      jobs.push(
        '',
        paint(output, 'bold', visibleText(host)),
        ...scanTable(look, output, { explain: false, all: false }).trimEnd().split('\n'),
      );
    }
    const events = this.#events.length === 0 ? [] : ['', ...this.#events];
    const space = Math.max(3, rows - 3 - events.length);
    const shown = jobs.length > space ? [...jobs.slice(0, space - 1), paint(output, 'dim', '…')] : jobs;
    const lines = [paint(output, 'bold', head), '', ...shown, ...events].slice(0, rows);
    void this.#output.write(home + lines.map((line) => line + clearLine).join('\n') + clearBelow);
  }
}
