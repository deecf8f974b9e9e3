import type { MemberFacts } from '../../../../app/process/facts.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { MemberRole, VetoContext } from '../../../../app/judge/veto-rule.ts';
import { vetoesOfProcess } from '../../../../app/judge/vetoes/vetoes-of.ts';
import { factsOf, rowOf, tableOf } from '../job-builder.ts';

/** What is asked about one process, and what may differ from an ordinary machine. */
export interface Question {
  readonly row?: Partial<ProcessRow>;
  readonly facts?: Partial<MemberFacts>;
  readonly role?: Partial<MemberRole>;
  readonly context?: Partial<VetoContext>;
}

/** Curfew is 900 in group 900, started by 800; agents are called `agent`. */
export const contextOf = (more: Partial<VetoContext> = {}): VetoContext => ({
  ownPid: asPid(900),
  ownAncestors: new Set([asPid(800), asPid(1)]),
  ownGroup: 900,
  uid: 1000,
  pidNamespace: '4026531836',
  cgroups: { '': '/user.slice/user-1000.slice/session-3.scope' },
  isAgent: (row) => row.comm === 'agent',
  ownerServices: [],
  keptByAgent: [],
  rows: tableOf(),
  ...more,
});

/** The codes of every veto of a process 100 that was started by argv. */
export const vetoesOn = (argv: readonly string[], { row, facts, role, context }: Question = {}): readonly string[] => {
  const asked = rowOf(100, argv, row);
  const part = { isRoot: false, descendsFromRoot: true, toolShell: null, ...role };
  const table = tableOf(asked, ...(context?.rows?.values() ?? []));
  return vetoesOfProcess(asked, factsOf(facts), part, contextOf({ ...context, rows: table })).map(({ code }) => code);
};
