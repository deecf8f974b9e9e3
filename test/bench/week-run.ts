// A week of the supervisor on a simulated machine, as fast as possible: prints the memory after
// garbage collection once per simulated day, as one JSON document. Everything is real but
// processes, signals and the clock.
import { setImmediate as turn } from 'node:timers/promises';
import { rmSync } from 'node:fs';
import { emptySessionDirectory } from '../../app/model/session.ts';
import { defaultSettings } from '../../app/settings/defaults.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { historyPlace } from '../../main/store/history/history-design.ts';
import { HistoryJournal } from '../../main/store/history/journal.ts';
import { LedgerFile } from '../../main/store/ledger/ledger.ts';
import { UnexplainedExits } from '../../main/home/unexplained-exits.ts';
import { evidenceFrom } from '../../main/observing/evidence.ts';
import { Observer } from '../../main/observing/observer.ts';
import { Reaper } from '../../main/reaping/reaper.ts';
import { Supervisor } from '../../main/supervisor/supervisor.ts';
import { playedSignaller } from '../unit/supervisor/played-signaller.ts';
import { WeekWorld } from './week-world.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: week-run.ts FOLDER');
const collect = globalThis.gc;
if (collect === undefined) throw new Error('to be run with --expose-gc');

/** The supervisor's interval while there is nothing to watch: 40,320 scans in a week. */
const secondsPerLook = 15;
const daySeconds = 86_400;
const days = 7;
const settings = { ...defaultSettings, mode: 'enforce' } as const;

const world = new WeekWorld();
const { machine } = world;
let wallMs = machine.table().takenAtMs;
const now = (): number => wallMs;
const say = (notice: unknown): void => console.error('week:', notice);
const journal = new HistoryJournal(historyPlace(`${folder}/history.db`, now, say), redactCommand);
const ledger = new LedgerFile(`${folder}/ledger.db`, now, say);
const { source } = machine;
const observer = new Observer({
  source,
  evidence: evidenceFrom(
    source,
    () => settings.rules,
    () => machine.table().rows,
  ),
  readSessions: () => emptySessionDirectory,
  ledger,
  settings: () => settings,
  now,
  fileBytes: () => null,
  freeBytes: () => null,
  numberIn: () => null,
});
const reaper = new Reaper({
  source,
  signaller: playedSignaller(machine, (_signal, pid) => world.end(pid)),
  journal,
  now,
  steadyNow: now,
  writer: { pid: 999, startTicks: 1 },
  vetoContext: (job, look) => observer.vetoContext(job, look),
  outputTail: () => null,
  outputToTellIn: () => null,
  tellAgent: () => ({ told: false, text: 'nowhere' }),
});
let reaped = 0;
let looks = 0;
const unexplained = new UnexplainedExits(source);
const supervisor = new Supervisor({
  observer,
  reaper,
  settings: () => settings,
  journalProblem: () => journal.problem(),
  rememberNotices: (notices, atMs) => ledger.rememberNotices(notices, atMs),
  now,
  paused: () => false,
  departed: (look, isOurs) => unexplained.look(look, isOurs).flatMap(() => []),
  events: {
    looked: () => (looks += 1),
    noticed: () => undefined,
    reaping: () => undefined,
    ended: () => (reaped += 1),
    failed: ({ error }) => {
      throw error;
    },
    problem: say,
  },
});

const points: { day: number; heapMb: number; residentMb: number }[] = [];
supervisor.start();
for (let seconds = 0; seconds < days * daySeconds;) {
  seconds += secondsPerLook;
  wallMs += secondsPerLook * 1000;
  world.pass(secondsPerLook);
  supervisor.lookNow();
  // Timers and finalizers get a turn, as between any two scans.
  if (seconds % 500 === 0) await turn();
  if (seconds % daySeconds !== 0) continue;
  await turn();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  points.push({ day: seconds / daySeconds, heapMb: (heapUsed + external) / 2 ** 20, residentMb: rss / 2 ** 20 });
}
await supervisor.stop();
journal.close();
ledger.close();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ points, looks, reaped, started: world.started }));
