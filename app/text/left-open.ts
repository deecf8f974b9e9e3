import { visibleText } from '../format/visible.ts';
import type { Veto } from '../judge/verdict.ts';
import type { LeftOpen, LeftOpenRefusal } from '../left-open/left-open.ts';

/** Says why a process is protected. */
type SayVeto = (veto: Veto) => string;

/** Says what is left open, in a few words. */
export const leftOpenWord = ({ keeper, name }: Pick<LeftOpen, 'keeper' | 'name'>): string =>
  keeper === 'tmux' || keeper === 'screen'
    ? `${keeper} session ${visibleText(name)}`
    : `${keeper} container ${visibleText(name)}`;

const because = (refusal: LeftOpenRefusal, sayVeto: SayVeto): string => {
  switch (refusal.code) {
    case 'may-belong':
      return 'that a tool call opened it is likely and not proved';
    case 'attached':
      return 'a client is attached to it';
    case 'was-attached':
      return 'a client was attached to it, so a user may work in it';
    case 'unanswered':
      return visibleText(refusal.why);
    case 'protected':
      return `process ${refusal.veto.pid} in it is protected: ${sayVeto(refusal.veto)}`;
  }
};

/** Says why Curfew does not end it, as a whole sentence; null: it may be ended. */
export const refuseLeftOpen = (
  { refusal, endWith }: Pick<LeftOpen, 'refusal' | 'endWith'>,
  sayVeto: SayVeto,
): string | null => {
  if (refusal === null) return null;
  const yourself = refusal.code === 'was-attached' ? ` You can: ${commandText(endWith)}` : '';
  return `Curfew does not end it: ${because(refusal, sayVeto)}.${yourself}`;
};

/** Returns a command as a user would write it. */
export const commandText = (command: readonly string[]): string =>
  command.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');

const sessions: Readonly<Record<LeftOpen['owner'], string>> = {
  live: 'its session is open',
  gone: 'its session has ended',
  unknown: 'it is unknown whether its session has ended',
};

/** Says whose it is and how that is known, as a sentence without a full stop. */
export const sayOwnerOfLeftOpen = ({ owner, evidence }: Pick<LeftOpen, 'owner' | 'evidence'>): string =>
  `${sessions[owner]}; ${visibleText(evidence)}`;
