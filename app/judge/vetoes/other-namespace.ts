import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * It lives in another pid namespace than Curfew and not as a part of a job that lives in ours:
 * another container or sandbox. The nested namespace of a sandboxed command hangs below its tool
 * shell and goes with it. Unreadable proves nothing.
 */
export const otherNamespace: VetoRule = (row, facts, role, context) => {
  const theirs = facts?.pidNamespace ?? null;
  if (theirs === null || context.pidNamespace === null || theirs === context.pidNamespace) return null;
  return role.isRoot || !role.descendsFromRoot ? veto('other-namespace', row) : null;
};
