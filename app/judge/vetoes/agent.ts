import type { VetoRule } from './context.ts';
import { programOf } from './program.ts';
import { veto } from './veto.ts';

/** An agent, also one that was started inside another agent's tool shell: ending it would end somebody's work. */
export const agent: VetoRule = (row, _facts, _role, context) =>
  context.isAgent(row) ? veto('agent', row, { name: [...programOf(row).names][0] ?? row.comm }) : null;
