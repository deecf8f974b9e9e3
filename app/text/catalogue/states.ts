/** The states of a job, and of its end: the words of windows, command line and agents. */
export const states = {
  'past the hard cap': 'über der Höchstdauer',
  'left over': 'übrig geblieben',
  'probably left over': 'vermutlich übrig geblieben',
  overdue: 'überfällig',
  running: 'läuft',
  kept: 'behalten',
  protected: 'geschützt',
  // How an end goes, and how it went.
  verifying: 'wird geprüft',
  '{signal} sent': '{signal} gesendet',
  'KILL sent': 'KILL gesendet',
  ended: 'beendet',
  killed: 'mit KILL beendet',
  survived: 'überlebt',
  spared: 'verschont',
  'ended on its own': 'von allein geendet',
  interrupted: 'unterbrochen',
  'not finished': 'nicht abgeschlossen',
  'Verifying the processes…': 'Prozesse werden geprüft…',
  '{signal} sent.': '{signal} gesendet.',
  'It ignored the first signal. KILL is sent.': 'Das erste Signal wurde ignoriert. KILL wird gesendet.',
  'Ended after the first signal.': 'Beendet nach dem ersten Signal.',
  'It ignored the first signal. KILL ended it.': 'Das erste Signal wurde ignoriert. KILL hat den Job beendet.',
  'Some processes survived KILL.': 'Einige Prozesse haben KILL überlebt.',
  'Stopped: a process is protected or was replaced. Nothing else was signalled.':
    'Angehalten: Ein Prozess ist geschützt oder wurde ersetzt. Sonst wurde nichts signalisiert.',
  'It was gone before Curfew sent a signal.': 'War weg, bevor Curfew ein Signal gesendet hat.',
  'Curfew itself ended before this was over. The record is incomplete.':
    'Curfew selbst endete vorher. Die Aufzeichnung ist unvollständig.',
  'The job is being ended, or the outcome wasn’t recorded.':
    'Der Job wird gerade beendet, oder das Ergebnis wurde nicht aufgezeichnet.',
} as const;
