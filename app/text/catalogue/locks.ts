/** Locks, and what is proved of their holders. */
export const locks = {
  'lock of git': 'Git-Sperre',
  'lock of git’s clean-up': 'Sperre der Git-Bereinigung',
  'lock of a worktree': 'Worktree-Sperre',
  'lock of a development server': 'Sperre eines Entwicklungsservers',
  stale: 'verwaist',
  held: 'gehalten',
  'not known': 'nicht bekannt',
  'the process that it names has ended, and nothing uses it':
    'der Prozess, den sie nennt, ist beendet, und nichts benutzt sie',
  'nothing has it open, and no git is at work there': 'kein Prozess hat sie geöffnet, und dort arbeitet kein Git',
  'it is open in {pids}': 'sie ist geöffnet in {pids}',
  'the process that it names runs: {pids}': 'der Prozess, den sie nennt, läuft noch: {pids}',
  'git may be at work there: {pids}': 'dort arbeitet vielleicht Git, in {pids}',
  'its folder is in use by {pids}': 'ihr Ordner wird benutzt von {pids}',
  'a session in its folder is open': 'in ihrem Ordner ist eine Sitzung offen',
  'it names no process: only who set it can say': 'sie nennt keinen Prozess: das weiß nur, wer sie gesetzt hat',
  'it is younger than a minute': 'sie ist jünger als eine Minute',
  'not every process that may use it can be seen': 'nicht jeder Prozess, der sie benutzen kann, ist zu sehen',
  'another machine may hold it': 'ein anderer Rechner kann sie halten',
  'it is another user’s': 'sie gehört einem anderen Benutzer',
  'it is no lock of that form': 'es ist keine solche Sperre',
  '`curfew locks --remove` removes it.': '„curfew locks --remove“ entfernt sie.',
  'Wait until it has ended, or end it.': 'Warten, bis das beendet ist, oder es beenden.',
  'Remove it by hand only where nothing works there.': 'Von Hand nur entfernen, wenn dort nichts mehr arbeitet.',
  'process {pids}': 'Prozess {pids}',
  'processes {pids}': 'Prozessen {pids}',
  '{kind}, {state}, {age} old: {reason}.': '{kind}, {state}, {age} alt: {reason}.',
  'It left the lock {path}. `curfew locks --remove` removes it.':
    'Zurück blieb die Sperre {path}. „curfew locks --remove“ entfernt sie.',
  'The lock {path} was removed by `curfew locks`.': 'Die Sperre {path} wurde durch „curfew locks“ entfernt.',
  '1 lock is held by nothing that lives. `curfew locks` shows it.':
    'Zu 1 Sperre läuft kein Prozess mehr. „curfew locks“ zeigt sie.',
  '{count} locks are held by nothing that lives. `curfew locks` shows them.':
    'Zu {count} Sperren läuft kein Prozess mehr. „curfew locks“ zeigt sie.',
  'No lock is held by what has ended.': 'Keine Sperre ist verwaist.',
  'No lock was found in the folders that Curfew knows.':
    'In den Ordnern, die Curfew kennt, wurde keine Sperre gefunden.',
  'No lock was found there.': 'Dort wurde keine Sperre gefunden.',
  'Remove {count} stale locks? [y/N] ': 'Verwaiste Sperren entfernen ({count})? [j/N] ',
  'Removed: {path}': 'Entfernt: {path}',
  'Left alone: {path}: {why}': 'Nicht angerührt: {path}: {why}',
  'it is another one by now, or in use': 'sie ist inzwischen eine andere oder in Gebrauch',
  'nothing was removed; `curfew locks --remove --yes` removes without asking':
    'nichts wurde entfernt; „curfew locks --remove --yes“ entfernt ohne Rückfrage',
} as const;
