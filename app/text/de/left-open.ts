import type { LeftOpen, LeftOpenRefusal } from '../../left-open/left-open.ts';

/** Why Curfew does not end what is left open, in German. */
export const germanLeftOpen: Readonly<Record<LeftOpenRefusal['code'], string>> = {
  'may-belong': 'Curfew beendet das nicht: wahrscheinlich, aber nicht nachweislich von einem Tool-Aufruf geöffnet',
  attached: 'Curfew beendet das nicht: ein Client ist damit verbunden',
  'was-attached': 'Curfew beendet das nicht: ein Client war damit verbunden, vielleicht wird darin gearbeitet',
  unanswered: 'Curfew beendet das nicht: das Programm, das es offen hält, antwortet nicht verständlich',
  protected: 'Curfew beendet das nicht: darin läuft ein geschützter Prozess',
};

export const germanOpenedBy: Readonly<Record<LeftOpen['openedBy'], string>> = {
  call: 'ein Tool-Aufruf hat das nachweislich geöffnet',
  server: 'ein Server der Sitzung war nachweislich damit verbunden und ist beendet',
};
