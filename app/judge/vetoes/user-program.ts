import { userProgramOf } from '../../programs/classify.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * It is a program that the user works in or relies on: editor, terminal, multiplexer, login shell,
 * browser, shared daemon.
 */
export const userProgram: VetoRule = (row, facts, _role, { rows }) => {
  const found = userProgramOf(row, facts, rows);
  return found === null ? null : veto(found.kind, row, { name: found.name });
};
