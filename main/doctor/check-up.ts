import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { isNewer, seenVersions } from '../../app/agents/seen-versions.ts';
import { byKey } from '../../app/format/said.ts';
import { visibleText } from '../../app/format/visible.ts';
import type { Job } from '../../app/model/job.ts';
import { type ReaderCheck, failedParts } from '../../app/process/reader-check.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { processTree } from '../../app/process/tree.ts';
import { sayStaleLocks } from '../../app/text/abandoned/locks.ts';
import { sayPileUp } from '../../app/text/pile-ups.ts';
import { sayFailedParts, sayUnprovedOf } from '../../app/text/reader-check.ts';
import { joined, listed, saidOf, say } from '../../app/text/say.ts';
import type { Engine } from '../engine/engine.ts';
import { otherReapers } from '../home/other-reapers.ts';
import { supervisorInWords } from '../home/supervisor-lock-holder.ts';
import { findLocks } from '../sweep/locks.ts';
import type { Look } from '../observing/look.ts';
import type { RunningAgent } from '../../app/model/running-agent.ts';
import { wholeMachineProblems } from '../observing/whole-machine.ts';
import { readBoundedText } from '../os/files/own-file.ts';
import { whyNoJobs } from '../os/open-job.ts';
import { runsHaveSubreaper } from '../os/open-launcher.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { selfCheck } from '../os/self-check/self-check.ts';
import { controlGroupHere } from '../run/members/control-group.ts';
import { leftFiles } from '../sweep/pile-ups.ts';
import { type SweepPlan, planSweep } from '../sweep/sweep.ts';
import { container } from './container.ts';
import { type Finding, type SaidFinding, note, ok, problem } from './finding.ts';
import { z } from 'zod';
import { hasJobObjects } from '../os/this-system.ts';

const manifest = z.looseObject({ name: z.string(), version: z.string() });

/** A program lies at most this deep in its package. */
const maxFolders = 6;

const packageVersion = (file: string, packageName: string): string | null => {
  let folder = dirname(file);
  for (let up = 0; up < maxFolders; up++, folder = dirname(folder)) {
    try {
      const parsed = manifest.safeParse(JSON.parse(readBoundedText(join(folder, 'package.json'))));
      if (parsed.success && parsed.data.name.startsWith(packageName)) return parsed.data.version;
    } catch {
      // No package here, or none that can be read.
    }
  }
  return null;
};

/** Installers of agents keep each version in a folder of its name: `versions/2.1.330`. */
const folderVersion = (file: string): string | null =>
  /[/\\]versions[/\\](?<version>\d+\.\d+\.\d+)(?:[/\\]|$)/u.exec(file)?.groups?.['version'] ?? null;

const realFile = (file: string): string | null => {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
};

/** Returns the version of the agent whose program one of these files is; null where none tells. */
export const versionOf = (agent: AgentId, files: readonly string[]): string | null => {
  const seen = seenVersions[agent];
  if (seen === 'none') return null;
  for (const file of files) {
    const real = realFile(file);
    const version = real === null ? null : (folderVersion(real) ?? packageVersion(real, seen.package));
    if (version !== null) return version;
  }
  return null;
};

/** The names of the signatures that told a job: of a shell's wrapper, a mark, an output file. */
const signaturesOf = ({ provenance }: Job): readonly string[] =>
  provenance.flatMap((one) =>
    one.code === 'wrapper' || one.code === 'marker' ? [one.rule] : one.code === 'output' ? [one.code] : [],
  );

const whatMatched = (look: Look, { parts, tree, session }: RunningAgent) => {
  const own = new Set(parts.map(({ pid }) => Number(pid)));
  const below = tree.filter(({ pid }) => !own.has(Number(pid)));
  const pids = new Set(below.map(({ pid }) => pid));
  const jobs = [...look.jobs.values()].map(({ job }) => job);
  const members = new Set([...jobs.flatMap((job) => job.members.map(({ row }) => row.pid)), ...(look.serving ?? [])]);
  const figures = { count: below.length, found: below.filter(({ pid }) => members.has(pid)).length };
  const commands = jobs.filter((job) => job.members.some(({ row }) => pids.has(row.pid)));
  const names = [...new Set(commands.flatMap(signaturesOf))].toSorted().join(', ');
  return joined(
    session === null
      ? say('Of the {count} processes below it {found} are recognised; its session is not on record.', figures)
      : say('Of the {count} processes below it {found} are recognised, and its session is on record.', figures),
    names === ''
      ? say('No command of it shows whether its signatures still match.')
      : say('Signatures that still match: {names}.', { names }),
  );
};

/**
 * Says of each running agent that is newer than the newest version that Curfew was tried with what
 * of it is still recognised. `filesOf` returns the program files of a process.
 */
export const newerAgents = (
  look: Look,
  nameOf: (agent: AgentId) => string,
  filesOf: (row: ProcessRow) => readonly string[],
): readonly SaidFinding[] =>
  (look.agents ?? []).flatMap((sighting) => {
    const { agent, parts } = sighting;
    const seen = seenVersions[agent];
    const version = versionOf(agent, parts.flatMap(filesOf));
    if (seen === 'none' || version === null || !isNewer(version, seen.version)) return [];
    const newer = say('{agent} {version} is newer than the newest version that Curfew was tried with ({seen}).', {
      agent: nameOf(agent),
      version,
      seen: seen.version,
    });
    return [note('Agents', joined(newer, whatMatched(look, sighting)))];
  });

/** Says through what processes are read, and what of them is not told. */
export const howProcessesAreRead = (
  source: Pick<ProcessSource, 'name' | 'canReap' | 'gaps'>,
  table: Pick<ProcessTable, 'rows' | 'complete' | 'unread'>,
): SaidFinding => {
  const { name, canReap } = source;
  if (!canReap)
    return problem(
      'Processes',
      say(
        'Read through {source}, which can’t identify processes safely enough to end them; Curfew only reports here.',
        { source: name },
      ),
    );
  const { unread = 0 } = table;
  if (unread > 0)
    return problem(
      'Processes',
      say(
        'Read through {source}, which could not read {count} of the system’s rows, so a session that isn’t seen counts as unknown.',
        { source: name, count: unread },
      ),
    );
  if (!table.complete)
    return note(
      'Processes',
      say('Read through {source}; the machine hides a part of them, so a session that isn’t seen counts as unknown.', {
        source: name,
      }),
    );
  const unanswered = source.gaps?.unanswered() ?? [];
  const all = say('{count} read through {source}.', { count: table.rows.size, source: name });
  if (unanswered.length === 0) return ok('Processes', all);
  return note(
    'Processes',
    joined(
      all,
      say(
        'The system does not tell what these have open, as where a network volume is out of reach: {pids}. That proves nothing, and ends nothing.',
        { pids: unanswered.join(', ') },
      ),
    ),
  );
};

/**
 * Returns children of living agents that look like tool shells (a shell with `-c` in its own kernel
 * session) and match no signature. Agents change their shells without notice; Curfew would miss
 * such a job once the agent is gone.
 */
const unrecognised = (engine: Engine, table: ProcessTable): ReadonlyMap<AgentId, readonly number[]> => {
  const tree = processTree(table.rows);
  const found = new Map<AgentId, readonly number[]>();
  for (const row of table.rows.values()) {
    const agent = engine.evidence.program(row);
    if (agent === null || engine.evidence.signature(agent)?.toolShells !== 'child-session') continue;
    for (const child of tree.children(row.pid)) {
      const looksLike = Number(child.sid) === Number(child.pid) && /^-[a-z]*c$/u.test(child.argv[1] ?? '');
      if (looksLike && engine.evidence.claims(child).length === 0)
        found.set(agent, [...(found.get(agent) ?? []), child.pid]);
    }
  }
  return found;
};

/** Proves the reader anew, whatever was kept of an earlier check. */
const proved = (engine: Engine): SaidFinding => {
  const unproved = sayUnprovedOf(engine.trust);
  if (unproved !== null) return problem('Self-check', joined(unproved, inDetail(engine.trust.checks)));
  if (!engine.source.canReap) return note('Self-check', say('Not made: nothing can be ended here.'));
  const check = selfCheck(engine);
  const failed = sayFailedParts(check);
  return failed === null
    ? ok(
        'Self-check',
        say('{count} known facts were reproduced through {reader}.', {
          count: check.parts.length,
          reader: check.reader,
        }),
      )
    : problem(
        'Self-check',
        say('Not reproduced through {reader}: {failed}. {found}', {
          reader: check.reader,
          failed,
          found: inDetail([check]),
        }),
      );
};

/** What was found instead, for a report. */
const inDetail = (checks: readonly ReaderCheck[]): string =>
  checks
    .flatMap(failedParts)
    .map(({ part, found }) => `${part}: ${visibleText(found)}`)
    .join('; ');

const signals = (engine: Engine): SaidFinding => {
  const { mechanism } = engine.signaller;
  return mechanism.startsWith('pidfd') || mechanism === 'audit token' || mechanism === 'held handle'
    ? ok(
        'Signals',
        say('Sent through {mechanism}: a recycled process id can’t be hit.', { mechanism: byKey(mechanism) }),
      )
    : note(
        'Signals',
        say('Sent after reading the process again ({mechanism}); the kernel’s process handles are not in use.', {
          mechanism: byKey(mechanism),
        }),
      );
};

const mode = (engine: Engine): SaidFinding => {
  const chosen = engine.settings().mode;
  if (chosen === null)
    return note(
      'Mode',
      say('Not chosen yet, so Curfew only observes. `curfew settings set mode enforce` lets it end overdue jobs.'),
    );
  return ok(
    'Mode',
    chosen === 'enforce'
      ? say('Enforce: a running supervisor ends what is due.')
      : say('Observe: Curfew won’t end anything on its own.'),
  );
};

/** Returns by what `curfew run` holds a command together here. */
const runsOnWindows = (): SaidFinding => {
  const missing = whyNoJobs();
  return missing === null
    ? ok('Runs', say('`curfew run` holds its processes together by a job object.'))
    : problem('Runs', say('`curfew run` starts nothing here, because there is no job object: {missing}.', { missing }));
};

const runs = (): SaidFinding => {
  if (hasJobObjects) return runsOnWindows();
  const subreaper = runsHaveSubreaper();
  const group = controlGroupHere();
  const held = listed(
    [
      say('session, process group and environment cookie'),
      ...(subreaper === true ? [say('subreaper')] : []),
      ...(group === 'own' ? [say('control group')] : []),
      ...(group === 'user-manager' ? [say('control group in a scope of the user’s service manager')] : []),
    ],
    ', ',
  );
  const missing = [
    ...(subreaper === true ? [] : [say('no subreaper: {why}', { why: subreaper.reason })]),
    ...(typeof group === 'string' ? [] : [say('no control group: {why}', { why: group.reason })]),
  ];
  const text =
    missing.length === 0
      ? say('`curfew run` tracks its processes by {held}.', { held })
      : say('`curfew run` tracks its processes by {held} ({missing}).', { held, missing: listed(missing, '; ') });
  return subreaper === true
    ? ok('Runs', text)
    : note('Runs', joined(text, say('A process that gives up all of these can get away.')));
};

const supervisor = (engine: Engine): SaidFinding => {
  const holder = supervisorInWords(engine);
  return holder === null
    ? note('Supervisor', say('None is running. `curfew watch` starts one.'))
    : ok('Supervisor', say('It is {holder}.', { holder }));
};

const journal = (engine: Engine): SaidFinding => {
  const broken = engine.journalProblem();
  return broken === null
    ? ok('Record', say('Incidents can be written to {path}.', { path: engine.places.history }))
    : problem('Record', saidOf(broken));
};

const shells = (engine: Engine, table: ProcessTable, nameOf: (agent: AgentId) => string): readonly SaidFinding[] => {
  const strange = [...unrecognised(engine, table)];
  if (strange.length === 0) return [ok('Agents', say('Every running agent’s commands are recognised.'))];
  return strange.map(([agent, pids]) =>
    problem(
      'Agents',
      joined(
        say('Commands of {agent} look different from those Curfew knows (process ids: {pids}).', {
          agent: nameOf(agent),
          pids: pids.join(', '),
        }),
        say('They are missed once the agent has ended; please report its version.'),
      ),
    ),
  );
};

const wholeMachine = (look: Look, plan: SweepPlan): readonly SaidFinding[] => {
  const found = [...wholeMachineProblems(look).map(sayPileUp), ...leftFiles(plan)];
  if (found.length === 0)
    return [ok('Pile-ups', say('No session runs many commands at once, no sockets and no outputs pile up.'))];
  return found.map(({ text, advice }) => note('Pile-ups', joined(text, advice)));
};

const locks = (engine: Engine, look: Look): SaidFinding => {
  const stale = findLocks(engine, null, look).filter(({ verdict }) => verdict.state === 'stale').length;
  return stale === 0 ? ok('Locks', say('No lock is held by what has ended.')) : note('Locks', sayStaleLocks(stale));
};

/**
 * Checks that everything Curfew needs is in place; `hooks` are the findings about the agents'
 * hooks. Signals nothing and changes nothing but the probes of the record and of a control group.
 */
export const checkUp = (
  engine: Engine,
  nameOf: (agent: AgentId) => string,
  hooks: readonly Finding[],
): readonly Finding[] => {
  const look = engine.observer.look();
  const { table } = look;
  const reapers = otherReapers(table.rows.values(), engine.home);
  return [
    howProcessesAreRead(engine.source, table),
    proved(engine),
    signals(engine),
    journal(engine),
    ...engine.notices().map((text) => problem('Settings', text)),
    ok('Settings', say('Read from {path}.', { path: engine.places.settings })),
    mode(engine),
    supervisor(engine),
    runs(),
    ...container(table.rows),
    ...shells(engine, table, nameOf),
    ...newerAgents(look, nameOf, (row) => {
      const file = engine.source.facts([row]).get(row.pid)?.executable ?? null;
      // The script of an interpreter is the second word.
      return [...(row.argv[1] === undefined ? [] : [row.argv[1]]), ...(file === null ? [] : [file])];
    }),
    ...hooks,
    ...wholeMachine(look, planSweep(engine, {}, look)),
    locks(engine, look),
    ...(reapers.length === 0
      ? [ok('Other reapers', say('None was found on this machine.'))]
      : reapers.map((one) => note('Other reapers', say('{one}; what it ends is not in Curfew’s record.', { one })))),
  ];
};
