import type { MemberRole, VetoContext, VetoRule } from '../veto-rule.ts';
import type { Job, Provenance } from '../../model/job.ts';
import type { MemberFacts } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Veto } from '../verdict.ts';
import { agent, curfew } from './curfew-and-agents.ts';
import { container, init, kernelThread, launched, otherNamespace, otherUser, serviceManager } from './machine.ts';
import {
  holdsTerminal,
  livesIn,
  providesDevice,
  proxyInUse,
  takenOver,
  traced,
  userProgram,
  window,
} from './users-programs.ts';
import { keepMarker, keptByAgent, noProvenance } from './marked.ts';
import { takesOthers } from './takes-others.ts';
import { service, unread } from './windows.ts';

/** Returns the rule that says what the first of several says: one reason is enough. */
const firstOf =
  (...several: readonly VetoRule[]): VetoRule =>
  (...asked) => {
    for (const rule of several) {
      const found = rule(...asked);
      if (found !== null) return found;
    }
    return null;
  };

/** It is, or lives in, a program that the user works in or relies on. */
const ofUserPrograms = firstOf(userProgram, service, livesIn, holdsTerminal, takenOver, providesDevice, launched);

/** Every rule about one process, the ones that concern the machine first. */
const rules: readonly VetoRule[] = [
  init,
  kernelThread,
  curfew,
  otherUser,
  agent,
  ofUserPrograms,
  serviceManager,
  container,
  otherNamespace,
  keepMarker,
  keptByAgent,
  traced,
  takesOthers,
  unread,
  proxyInUse,
  window,
];

/**
 * Every reason why this process may not be signalled; empty when there is none. Asked for the whole
 * job at each look, and again with a row and facts read afresh immediately before each signal.
 */
export const vetoesOfProcess = (
  row: ProcessRow,
  facts: MemberFacts | null,
  role: MemberRole,
  context: VetoContext,
): readonly Veto[] => rules.map((rule) => rule(row, facts, role, context)).filter((found) => found !== null);

const descendsFrom = (row: ProcessRow, root: Pid, rows: VetoContext['rows']): boolean => {
  const seen = new Set<Pid>();
  let parent = row.ppid;
  while (parent !== root) {
    const next = rows.get(parent);
    if (next === undefined || seen.has(parent)) return false;
    seen.add(parent);
    parent = next.ppid;
  }
  return true;
};

/** What proves the root itself, and not only what lies below it. */
const rootedBy: ReadonlySet<string> = new Set(['wrapper', 'rule', 'parent', 'agent'] satisfies Provenance['code'][]);

/** The part that a process plays in a job, by parentage at this look. */
export const roleOf = (
  row: ProcessRow,
  job: Pick<Job, 'root' | 'provenance'>,
  rows: VetoContext['rows'],
): MemberRole => {
  const isRoot = row.pid === job.root.pid;
  return {
    isRoot,
    descendsFromRoot: !isRoot && descendsFrom(row, job.root.pid, rows),
    toolShell: job.provenance.some(({ code }) => rootedBy.has(code)) ? job.root.pid : null,
  };
};

/** The same for a member, working out its part. `row` and `facts` may be fresher than the job's. */
export const vetoesOfMember = (
  job: Pick<Job, 'root' | 'provenance'>,
  row: ProcessRow,
  facts: MemberFacts | null,
  context: VetoContext,
): readonly Veto[] => vetoesOfProcess(row, facts, roleOf(row, job, context.rows), context);

/** Every veto of every member, the root's first. One is enough to protect the whole job. */
export const vetoesOf = (
  job: Pick<Job, 'root' | 'members' | 'facts' | 'provenance'>,
  context: VetoContext,
): readonly Veto[] => {
  const others = job.members.map(({ row }) => row).filter(({ pid }) => pid !== job.root.pid);
  const ofMembers = [job.root, ...others].flatMap((row) =>
    vetoesOfMember(job, row, job.facts.get(row.pid) ?? null, context),
  );
  const unproven = noProvenance(job);
  return unproven === null ? ofMembers : [...ofMembers, unproven];
};
