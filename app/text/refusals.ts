import type { EndRefusal } from '../ending/refusal.ts';
import type { Said } from '../format/said.ts';
import { leftOpenRefused } from './left-open.ts';
import { endRefused } from './reach.ts';
import { joined, saidOf, say, sayObjection } from './say.ts';

/** Says why something that was asked for is not ended, in whole sentences. */
export const sayRefusal = (refusal: EndRefusal): Said => {
  switch (refusal.kind) {
    case 'not-found':
      return say('It has ended.');
    case 'changed':
      return say('It is not what it was a moment ago, so nothing was done.');
    case 'busy':
      return say('It is being ended already.');
    case 'unrecordable':
      return joined(say('The record can’t be written, so nothing is done.'), saidOf(refusal.problem));
    case 'stopping':
      return say('Curfew is ending and takes nothing new up.');
    case 'protected': {
      const { veto } = refusal;
      return say('Curfew does not end it: process {pid} is protected: {veto}.', {
        pid: veto.pid,
        veto: sayObjection(veto),
      });
    }
    case 'within-reach':
      if (refusal.use !== undefined) return say('Curfew does not signal it: {why}.', { why: refusal.use });
      return endRefused(refusal.reach, null) ?? say('Curfew does not end it.');
    case 'left-open':
      return leftOpenRefused(refusal.leftOpen) ?? say('Curfew does not end it.');
    case 'no-command':
      return say('Its command was not run: {why}.', { why: refusal.why });
  }
};
