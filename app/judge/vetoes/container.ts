import { containersOf } from '../../process/containers-of.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/** It lives in a container that Curfew itself is not in: its runtime decides over it. */
export const container: VetoRule = (row, facts, _role, context) => {
  const own = new Set(containersOf(context.cgroups).map(({ path }) => path));
  const other = containersOf(facts?.cgroups ?? null).find(({ path }) => !own.has(path));
  return other === undefined ? null : veto('container', row, { runtime: other.runtime, path: other.path });
};
