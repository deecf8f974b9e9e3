import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * Process 1 of the namespace: without it everything ends. Pids below are none and would mean groups
 * to kill(2).
 */
export const init: VetoRule = (row) => (row.pid <= 1 ? veto('init', row) : null);
