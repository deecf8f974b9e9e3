import { readFileSync } from 'node:fs';
import type { GuardedProcess } from '../../app/guard/script/guard-call.ts';
import { argumentsOf } from './linux/proc/command-texts.ts';
import { StatFields, readStat } from './linux/proc/stat.ts';

const maxAncestors = 16;

/**
 * The agent that called this hook and what it runs in, the nearest first, as pgrep(1) sees them:
 * name and arguments. What the hook itself consists of is left out: everything up to the shell that
 * was given Curfew's own script. Empty where there is no /proc. Never throws.
 */
export const hookAncestors = (parent: number): readonly GuardedProcess[] => {
  const found: GuardedProcess[] = [];
  let ofHook = 0;
  try {
    const fields = new StatFields();
    for (let pid = parent; pid > 1 && found.length < maxAncestors; pid = fields.ppid) {
      const stat = readFileSync(`/proc/${pid}/stat`);
      if (!readStat(stat, stat.length, fields)) break;
      const args = argumentsOf(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), false);
      found.push({ name: stat.toString('utf8', fields.nameStart, fields.nameEnd), commandLine: args.join(' ') });
      if (args.some((arg) => arg.includes('curfew-hook'))) ofHook = found.length;
    }
  } catch {
    // No /proc, or a process that has just ended: what is known so far is all that is known.
  }
  return found.slice(ofHook);
};
