import type { EndRefusal } from '../ending/refusal.ts';
import type { Said } from '../format/said.ts';
import { refuseLeftOpen } from './left-open.ts';
import { refuseEnd, sayReach } from './reach.ts';
import { joined, saidOf, say, sayObjection } from './say.ts';
import { sayVeto } from './vetoes.ts';

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
      return refuseEnd(refusal.reach, null) === null
        ? say('Curfew does not end it.')
        : say('Curfew does not signal it: {why}.', { why: sayReach(refusal.reach) });
    case 'left-open':
      return refuseLeftOpen(refusal.leftOpen, sayVeto) ?? say('Curfew does not end it.');
    case 'no-command':
      return say('Its command was not run: {why}.', { why: refusal.why });
  }
};
