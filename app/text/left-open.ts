import { type Said, withTexts } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import type { LeftOpen, LeftOpenRefusal } from '../left-open/left-open.ts';
import { type Form, listed, say } from './form.ts';
import { inEnglish } from './say.ts';
import { vetoSaid } from './vetoes.ts';

/** Says what is left open, in a few words. */
export const leftOpenNamed = ({ keeper, name }: Pick<LeftOpen, 'keeper' | 'name'>): Said =>
  say(keeper === 'tmux' || keeper === 'screen' ? '{keeper} session {name}' : '{keeper} container {name}', {
    keeper,
    name: visibleText(name),
  });

/** Returns the same in English. */
export const leftOpenWord = (leftOpen: Pick<LeftOpen, 'keeper' | 'name'>): string => inEnglish(leftOpenNamed(leftOpen));

const because = (refusal: LeftOpenRefusal): Said => {
  switch (refusal.code) {
    case 'may-belong':
      return say('that a tool call opened it is likely and not proved');
    case 'attached':
      return say('a client is attached to it');
    case 'was-attached':
      return say('a client was attached to it, so a user may work in it');
    case 'unanswered':
      return refusal.why;
    case 'protected':
      return say('process {pid} in it is protected: {veto}', { pid: refusal.veto.pid, veto: vetoSaid(refusal.veto) });
  }
};

/** Says why Curfew does not end it, as a whole sentence; null: it may be ended. */
export const leftOpenRefused = ({ refusal, endWith }: Pick<LeftOpen, 'refusal' | 'endWith'>): Said | null =>
  refusal === null
    ? null
    : say('Curfew does not end it: {why}.{yourself}', {
        why: because(refusal),
        yourself: refusal.code === 'was-attached' ? say(' You can: {command}', { command: commandText(endWith) }) : '',
      });

/** Returns a command as a user would write it. */
export const commandText = (command: readonly string[]): string =>
  command.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');

const sessions = {
  live: 'its session is open',
  gone: 'its session has ended',
  unknown: 'it is unknown whether its session has ended',
} as const satisfies Readonly<Record<LeftOpen['owner'], Form>>;

/** Says whose it is and how that is known, as a sentence without a full stop. */
export const sayOwnerOfLeftOpen = ({ owner, evidence }: Pick<LeftOpen, 'owner' | 'evidence'>): Said =>
  listed([say(sessions[owner]), withTexts(evidence, visibleText)], '; ');
