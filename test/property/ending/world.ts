import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Intent } from '../../../app/history/incident.ts';
import type { JobId } from '../../../app/model/job.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { asPid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import type { Look } from '../../../main/observing/look.ts';
import { placesFor } from '../../../main/store/places.ts';
import { claudeEnvironment, claudeShell, type Plant, sessionA } from '../../unit/jobs/plant.ts';
import { Stage } from '../../unit/supervisor/stage.ts';

/** What happens between the first look and the second. */
const changes = [
  'nothing',
  'another job',
  'a child',
  'root ends',
  'root is another',
  'all end',
  'keep marker',
  'no record',
  'no intent',
  'another Curfew ends it',
] as const;
export type Change = (typeof changes)[number];

/** One history of a machine on which something is asked to be ended. */
export interface Story {
  readonly change: Change;
  /** Seconds awake between two looks: fewer than a pause where timers fire early. */
  readonly seconds: number;
  /** Processes of the job below its root. */
  readonly children: number;
}

/** Every change once and more, the rest at random. */
export const stories = (): readonly Story[] => {
  const rest = fc.sample(
    fc.record({
      change: fc.constantFrom(...changes),
      seconds: fc.constantFrom(0.1, 0.9, 2.9, 5, 60),
      children: fc.nat({ max: 3 }),
    }),
    10,
  );
  return [...changes.map((change) => ({ change, seconds: 5, children: 1 })), ...rest];
};

/** Changes after which what was seen first may be ended: it is still there, and the same. */
const harmless: ReadonlySet<Change> = new Set(['nothing', 'another job', 'a child']);
/** True where the end must come. */
export const mustEnd = ({ change, seconds }: Story): boolean => harmless.has(change) && seconds >= 2.9;
/** Changes after which another thing is there, which must be seen twice in its turn. */
const anew: ReadonlySet<Change> = new Set(['root ends', 'root is another']);
/** The first look at which something may be signalled; Infinity: none. */
export const mayEndAt = ({ change }: Story, looksOn: boolean): number => {
  if (harmless.has(change)) return 2;
  return anew.has(change) && looksOn ? 3 : Infinity;
};

const rootPid = 69;
const agentPid = 34;
const env = claudeEnvironment({ pid: agentPid });
const keptEnv = { ...env, CURFEW_KEEP: '1' };

/**
 * A machine with an orphan that was announced and is due, a job of the user’s own beside it, and
 * whatever the story says between the looks of the caller that is tried.
 */
export class World {
  readonly stage: Stage;
  readonly story: Story;
  readonly folder = mkdtempSync(join(tmpdir(), 'curfew-ending-'));
  readonly places;
  readonly id: JobId;
  /** Signals that came before the intent was on disk, or to a process that is not of the job. */
  readonly wrong: string[] = [];
  looks = 0;
  /** How many looks there had been at the first signal; null: there was none. */
  signalledAtLook: number | null = null;
  journalProblem: Error | null = null;
  #rival: Intent | null = null;

  constructor(story: Story, session: 'gone' | 'living') {
    this.story = story;
    const children = Array.from({ length: story.children }, (_, at): Plant => {
      return { pid: 70 + at, ppid: rootPid, start: 99_001 + at, argv: `sleep ${100 + at}`, env };
    });
    const agent: readonly Plant[] = [
      { pid: agentPid, start: 98_000, argv: 'claude', comm: 'claude' },
      { pid: process.pid, ppid: agentPid, start: 98_001, argv: ['node', '/opt/curfew.js', 'mcp', '--call'] },
    ];
    this.stage = new Stage(
      ...(session === 'living' ? agent : []),
      { pid: 40, start: 98_500, argv: 'node mine.js' },
      {
        pid: rootPid,
        start: 99_000,
        ppid: session === 'living' ? agentPid : 1,
        sid: rootPid,
        argv: claudeShell('sleep 9 | cat'),
        env,
      },
      ...children,
    );
    const { stage } = this;
    this.places = placesFor({
      platform: 'linux',
      environment: { CURFEW_HOME: this.folder },
      home: this.folder,
      workingFolder: this.folder,
    });
    if (session === 'living') {
      const row = stage.machine.source.read(asPid(agentPid));
      if (row === null) throw new Error('there is no agent');
      const by = identityOf(stage.machine.table(), row);
      stage.directory = {
        ...emptySessionDirectory,
        sessions: [
          {
            agent: 'claude-code',
            id: asAgentSessionId(sessionA),
            process: by,
            pid: row.pid,
            state: 'live',
            project: '/home/me/shop',
            source: 'registry',
          },
        ],
      };
    }
    stage.observer.look();
    stage.pass(5);
    stage.observer.look();
    stage.announce();
    stage.pass(61);
    const [job] = [...stage.observer.look().jobs.values()].filter(({ job: { root } }) => Number(root.pid) === rootPid);
    if (job === undefined) throw new Error('there is no job');
    this.id = job.job.id;
    stage.onSignal = (signal, pid) => {
      this.signalledAtLook ??= this.looks;
      if (!stage.journal.intents.some((intent) => intent.job === this.id && intent !== this.#rival))
        this.wrong.push(`${signal} ${pid} before the intent`);
      if (pid < rootPid || pid > 79) this.wrong.push(`${signal} ${pid} to a stranger`);
    };
  }

  /** The next look, with what happens before it. */
  readonly look = (): Look => {
    this.looks += 1;
    this.stage.pass(this.story.seconds);
    if (this.looks === 2) this.#happen(this.story.change);
    return this.stage.observer.look();
  };

  /** Null, or why no record can be kept. */
  readonly problem = (): Error | null => this.journalProblem;

  /** Processes that were signalled. */
  get signalled(): ReadonlySet<number> {
    return new Set(this.stage.heard.map(({ pid }) => pid));
  }

  /** What goes on disk of what was decided here. */
  get intents(): readonly Intent[] {
    return this.stage.journal.intents.filter((intent) => intent !== this.#rival);
  }

  /** Gives the folder up. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #happen(change: Change): void {
    const { machine, journal } = this.stage;
    const all = [rootPid, 70, 71, 72].filter((pid) => machine.planted(pid) !== undefined);
    switch (change) {
      case 'nothing':
        break;
      case 'another job':
        machine.start({ pid: 90, start: 99_500, sid: 90, argv: claudeShell('sleep 12'), env });
        break;
      case 'a child':
        machine.start({ pid: 79, start: 99_900, ppid: rootPid, argv: 'sleep 200', env });
        break;
      case 'root ends':
        machine.end(rootPid);
        break;
      case 'root is another':
        for (const pid of all) machine.end(pid);
        machine.start({ pid: rootPid, start: 99_950, sid: rootPid, argv: claudeShell('sleep 9 | cat'), env });
        break;
      case 'all end':
        for (const pid of all) machine.end(pid);
        break;
      case 'keep marker':
        machine.change(rootPid, { env: keptEnv });
        break;
      case 'no record':
        this.journalProblem = new Error('the disk is full');
        break;
      case 'no intent':
        journal.broken = 'intent';
        break;
      case 'another Curfew ends it':
        machine.start({ pid: 900, start: 99_000, argv: 'curfew watch' });
        this.#rival = {
          job: this.id,
          host: 'local',
          bootId: machine.table().bootId,
          writer: { pid: 900, startTicks: 9_900_000 },
        } as unknown as Intent;
        journal.intents.push(this.#rival);
    }
  }
}
