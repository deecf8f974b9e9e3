import { byKey } from '../../app/format/said.ts';
import { joined, listed, saidOf, say } from '../../app/text/say.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { visibleText } from '../../app/format/visible.ts';
import { failedParts, type ReaderCheck } from '../../app/process/reader-check.ts';
import { sayFailedParts, sayUnprovedOf } from '../../app/text/reader-check.ts';
import { selfCheck } from '../os/self-check/self-check.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { processTree } from '../../app/process/tree.ts';
import { controlGroupHere } from '../run/members/control-group.ts';
import { runsHaveSubreaper } from '../os/open-launcher.ts';
import { whyNoJobs } from '../os/open-job.ts';
import type { Engine } from '../engine/engine.ts';
import { sayPileUp } from '../../app/text/pile-ups.ts';
import type { Look } from '../observing/look.ts';
import { planSweep, type SweepPlan } from '../sweep/sweep.ts';
import { leftFiles } from '../sweep/pile-ups.ts';
import { wholeMachineProblems } from '../observing/whole-machine.ts';
import { supervisorInWords } from '../home/supervisor-lock-holder.ts';
import { type Finding, note, ok, problem, type SaidFinding } from './finding.ts';
import { howProcessesAreRead } from './how-processes-are-read.ts';
import { newerAgents } from './agent-versions.ts';
import { otherReapers } from '../home/other-reapers.ts';

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
  if (process.platform === 'win32') return runsOnWindows();
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
    ...shells(engine, table, nameOf),
    ...newerAgents(look, nameOf, (row) => {
      const file = engine.source.facts([row]).get(row.pid)?.executable ?? null;
      // The script of an interpreter is the second word.
      return [...(row.argv[1] === undefined ? [] : [row.argv[1]]), ...(file === null ? [] : [file])];
    }),
    ...hooks,
    ...wholeMachine(look, planSweep(engine, {}, look)),
    ...(reapers.length === 0
      ? [ok('Other reapers', say('None was found on this machine.'))]
      : reapers.map((one) => note('Other reapers', say('{one}; what it ends is not in Curfew’s record.', { one })))),
  ];
};
