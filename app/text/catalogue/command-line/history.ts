/** What was ended, how and why: `curfew history`, and the end of `curfew reap`. */
export const history = {
  'No incident matches.': 'Kein Vorfall passt.',
  'Nothing has been recorded yet.': 'Noch ist nichts aufgezeichnet.',
  'no incident or job {id} is on record; run `curfew history` to list them':
    'kein Vorfall und kein Job {id} ist verzeichnet; „curfew history“ zeigt alle',
  '… and {count} older; --limit and --since choose how many are shown.':
    '… und {count} ältere; --limit und --since bestimmen, wie viele zu sehen sind.',
  'automatically, by its limits': 'von selbst, nach seinen Grenzen',
  'by you': 'von Hand',
  'by a hook: its session said that it ends': 'durch einen Hook: die Sitzung hat ihr Ende gemeldet',
  'by `curfew reap`': 'durch „curfew reap“',
  'by its own session, through `curfew mcp`': 'durch die eigene Sitzung, über „curfew mcp“',
  removed: 'entfernt',
  ', by hand': ', von Hand',
  ', by a hook': ', durch einen Hook',
  ', by command': ', durch einen Befehl',
  ', by its session': ', durch die eigene Sitzung',
  '{signal} sent to {target}': '{signal} an {target} gesendet',
  '{signal} to {target}: {result}': '{signal} an {target}: {result}',
  sent: 'gesendet',
  gone: 'schon weg',
  refused: 'abgelehnt',
  vetoed: 'nicht gesendet: geschützt',
  'protected: {why} (process {pid})': 'geschützt: {why} (Prozess {pid})',
  'ended: process {pids}': 'beendet: Prozess {pids}',
  'ended: processes {pids}': 'beendet: Prozesse {pids}',
  'outcome: {outcome}': 'Ergebnis: {outcome}',
  'freed {freed}': '{freed} frei',
  'decided {by}': 'entschieden {by}',
  'decision recorded: {signal} first, KILL after {grace}':
    'Entscheidung aufgezeichnet: erst {signal}, KILL nach {grace}',
  'What is left': 'Was übrig ist',
  Why: 'Warum',
  Evidence: 'Belege',
  'Time line': 'Was geschah',
  '{processes} at the start': '{processes} am Anfang',
  Where: 'Wo',
  'incident {id}': 'Vorfall {id}',
  'job {id}': 'Job {id}',
  'session {id}': 'Sitzung {id}',
  'Its last output': 'Letzte Ausgabe',
  // Ending.
  'Ending {what}.': '{what}: wird beendet.',
  '{signal} sent to {processes}: {what}': '{signal} an {processes} gesendet: {what}',
  '{signal} sent to {processes}, KILL in {age} to what is left: {what}':
    '{signal} an {processes} gesendet, KILL in {age} für den Rest: {what}',
  'KILL sent to what is left: {what}': 'KILL an den Rest gesendet: {what}',
  'Ending: {done} of {jobs} done, {processes} left': 'Wird beendet: {done} von {jobs} fertig, noch {processes}',
  'Ending: {done} of {jobs} done, {processes} left, KILL in {age} at the latest':
    'Wird beendet: {done} von {jobs} fertig, noch {processes}, KILL spätestens in {age}',
  'The Curfew on {host} ends what is due there, and reports when it is done.':
    'Das Curfew auf {host} beendet dort, was fällig ist, und meldet sich, wenn es fertig ist.',
  'Waiting for {host} for {age}': 'Warten auf {host} seit {age}',
  '{jobs} probably left over, not ended: within the grace of leftovers. `--max-age 0s` ends what is younger, too.':
    '{jobs} vermutlich übrig geblieben, nicht beendet: noch in der Schonfrist. „--max-age 0s“ beendet auch Jüngeres.',
  '{jobs} probably left over, not ended: `curfew reap --probable` ends what you agree to.':
    '{jobs} vermutlich übrig geblieben, nicht beendet: „curfew reap --probable“ beendet sie nach Rückfrage.',
  '{jobs} not ended: only marks name it. With `--probable` it is ended, too.':
    '{jobs} nicht beendet: nur Merkmale nennen das. Mit „--probable“ wird auch das beendet.',
  '{jobs} ended': '{jobs} beendet',
  '{jobs} not ended': '{jobs} nicht beendet',
  'Total: {parts}.': 'Zusammen: {parts}.',
  'Nothing is due yet. 1 leftover is younger than {age}; `--max-age 0` ends it now.':
    'Noch ist nichts fällig. 1 Rest ist jünger als {age}; „--max-age 0“ beendet ihn jetzt.',
  'Nothing is due yet. {count} leftovers are younger than {age}; `--max-age 0` ends them now.':
    'Noch ist nichts fällig. {count} Reste sind jünger als {age}; „--max-age 0“ beendet sie jetzt.',
  'job {job}: {why}': 'Job {job}: {why}',
  'Nothing to end.': 'Nichts zu beenden.',
  'Nothing would be ended.': 'Nichts würde beendet.',
  '{what} would be ended; nothing was signalled.': '{what}: würde beendet; kein Signal wurde gesendet.',
  'This would be run; nothing was done.': 'Das würde ausgeführt; nichts ist geschehen.',
  '{problem} Name jobs with --job to end them.': '{problem} Mit --job genannte Jobs lassen sich beenden.',
  'the settings could not be understood, so it is not known what you want spared; correct them, or name jobs with --job':
    'die Einstellungen sind unverständlich, daher ist unbekannt, was verschont bleiben soll; sie berichtigen oder Jobs mit --job nennen',
  '{name} works on this machine only': '{name} geht nur auf diesem Rechner',
  '{name} stands alone: without --job, --session, --snapshot and --max-age':
    '{name} steht allein, ohne --job, --session, --snapshot und --max-age',
  'no job {ids}; run `curfew scan` to list jobs': 'kein Job {ids}; „curfew scan“ zeigt alle',
  'no job {ids}': 'kein Job {ids}',
  'process {pid} is no running agent of this user; `curfew scan` lists those out of reach':
    'Prozess {pid} ist kein laufender Agent dieses Benutzers; „curfew scan“ zeigt die unerreichbaren',
  'curfew: {jobs} probably left over: `--probable` needs `--yes` here':
    'curfew: {jobs} vermutlich übrig geblieben: „--probable“ braucht hier „--yes“',
  'Only marks say that an agent started it. End {jobs}? [y/N] ':
    'Nur Kennungen sagen, dass ein Agent das gestartet hat. {jobs} beenden? [j/N] ',
  'Only marks say that an agent started them. End {jobs}? [y/N] ':
    'Nur Kennungen sagen, dass ein Agent das gestartet hat. {jobs} beenden? [j/N] ',
  'process {pid} is ended by its agent’s own command, so --signal does not apply':
    'Prozess {pid} wird durch den eigenen Befehl des Agenten beendet, daher gilt --signal nicht',
  '--left-open works on this machine only': '--left-open geht nur auf diesem Rechner',
  'nothing with the id {id} is left open; `curfew scan` lists what is':
    'mit der ID {id} wurde nichts offen gelassen; „curfew scan“ zeigt, was offen ist',
  '{what}: {why}': '{what}: {why}',
  // Keeping.
  'only you can say that for {host}: do it from a terminal or window of your own':
    'für {host} geht das nur von Hand: in einem eigenen Terminal oder Fenster',
  '--mine works on this machine only; say it there': '--mine geht nur auf diesem Rechner; dort aufrufen',
  'only you can say that a job is yours: do it from a terminal or window of your own':
    'welcher Job ein eigener Prozess ist, lässt sich nur von Hand sagen: in einem eigenen Terminal oder Fenster',
  'Yours from now on, and no job any more: {command}':
    'Gilt ab jetzt als eigener Prozess, nicht mehr als Job: {command}',
  'job {id} is past its hard cap of {cap}; only you, from a terminal of your own, can move that, and not of a `curfew run`':
    'Job {id} ist über seiner Höchstdauer von {cap}; verschieben lässt sie sich nur von Hand, in einem eigenen Terminal, und nicht bei „curfew run“',
  'Kept for {age}: {command}': '{age} behalten: {command}',
  'Kept for {age} (the hard cap limits it): {command}':
    '{age} behalten (mehr lässt die Höchstdauer nicht zu): {command}',
  'No longer said to be yours: {id}': 'Gilt nicht mehr als eigener Prozess: {id}',
  'No longer kept: {command}': 'Nicht mehr behalten: {command}',
} as const;
