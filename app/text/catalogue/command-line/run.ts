/** `curfew run`, `init`, `runs`, `logs` and `terminate`. */
export const run = {
  'run: a command is missing; `curfew run [options] -- CMD…`': 'run: der Befehl fehlt; „curfew run [options] -- CMD…“',
  'run: {why}': 'run: {why}',
  '--idle-after: the pattern {pattern} {problem}': '--idle-after: das Muster {pattern} {problem}',
  '--idle-grace: means nothing without --idle-after': '--idle-grace: wirkt nur mit --idle-after',
  '--supervise: is for Curfew itself': '--supervise: ist nur für Curfew selbst',
  'curfew: --max-elapsed {length} is more than the hard cap, which ends the command after {cap} (--hard-cap sets another)':
    'curfew: --max-elapsed {length} ist mehr als die Höchstdauer, die den Befehl nach {cap} beendet (--hard-cap setzt eine andere)',
  'curfew: --idle-after looks at the output through a pipe, so the command sees no terminal there and may leave out colours and progress; input and keys are as ever':
    'curfew: --idle-after liest die Ausgabe durch eine Pipe, daher sieht der Befehl dort kein Terminal und lässt vielleicht Farben und Fortschritt weg; Eingabe und Tasten bleiben, wie sie sind',
  'curfew: `curfew logs -f {id}` shows its output, `curfew terminate {id}` ends it':
    'curfew: „curfew logs -f {id}“ zeigt die Ausgabe, „curfew terminate {id}“ beendet ihn',
  '{command}: there is no such command': '{command}: diesen Befehl gibt es nicht',
  "{command}: it can't be executed ({errno})": '{command}: lässt sich nicht ausführen ({errno})',
  'it got a signal to end before it started': 'vor dem Start kam ein Signal zum Beenden',
  'curfew: ended after its limit of {age}: {command}': 'curfew: an der Grenze von {age} beendet: {command}',
  'curfew: ended at its hard cap of {age}: {command}': 'curfew: an der Höchstdauer von {age} beendet: {command}',
  'curfew: ended because it was still there {age} after its output fitted --idle-after: {command}':
    'curfew: beendet, weil er {age} nach der Zeile für --idle-after noch da war: {command}',
  'curfew: process {pid} could not be ended': 'curfew: Prozess {pid} ließ sich nicht beenden',
  // A lock that is held.
  '{path} is held by process {pid} on {host} since {since}: {command}':
    '{path} hält Prozess {pid} auf {host} seit {since}: {command}',
  '{held}. {why} {remedy}': '{held}. {why} {remedy}',
  'That is another machine or container, so it is not known here whether it still runs.':
    'Das ist ein anderer Rechner oder Container, daher ist hier unbekannt, ob er noch läuft.',
  'That was in another boot, of this machine or of another one with the same name, so it is not known whether it still runs.':
    'Das war nach einem anderen Start dieses Rechners oder eines gleichnamigen, daher ist unbekannt, ob er noch läuft.',
  'That was in another container or pid namespace, so it is not known here whether it still runs.':
    'Das war in einem anderen Container oder PID-Namensraum, daher ist hier unbekannt, ob er noch läuft.',
  'That process has ended, but there is no record of its run here (its CURFEW_HOME may be another one), so it is not known whether something of it still runs.':
    'Der Prozess ist beendet, aber sein Lauf ist hier nicht verzeichnet (vielleicht ein anderes CURFEW_HOME), daher ist unbekannt, ob etwas davon noch läuft.',
  'That process has ended, but something of its run could not be ended and may still run.':
    'Der Prozess ist beendet, aber etwas von seinem Lauf ließ sich nicht beenden und läuft vielleicht noch.',
  'This system does not show whether it still runs.': 'Dieses System zeigt nicht, ob er noch läuft.',
  'If you are sure that it is not needed any more, remove the file yourself: {command}':
    'Wird sie sicher nicht mehr gebraucht, die Datei von Hand entfernen: {command}',
  '{path} is there already, and holds {holds}. {known} {remedy}':
    '{path} ist schon da und enthält {holds}. {known} {remedy}',
  'only a pid, {pid}': 'nur eine Prozessnummer, {pid}',
  'A pid alone does not tell which process, container or machine it is of.':
    'Eine Nummer allein sagt nicht, zu welchem Prozess, Container oder Rechner sie gehört.',
  '`curfew run` did not write that, or it is not complete, so it is not known which process holds the lock.':
    '„curfew run“ hat das nicht geschrieben, oder es ist nicht vollständig, daher ist unbekannt, welcher Prozess die Sperre hält.',
  'process {pid} was left running: {why}': 'Prozess {pid} läuft weiter: {why}',
  'process {pid} ({program}) was left running: {why}': 'Prozess {pid} ({program}) läuft weiter: {why}',
  'to have these ended as well, start it with `curfew run --strict`':
    'damit auch diese enden, mit „curfew run --strict“ starten',
  "{path} is being taken over by another Curfew, and that doesn't end. Try again.":
    'Ein anderes Curfew übernimmt gerade {path} und wird damit nicht fertig. Noch einmal versuchen.',
  "{folder} belongs to another user, and so do the further names, so locks can't be taken over safely. Remove them.":
    '{folder} gehört einem anderen Benutzer, die weiteren Namen ebenso, daher lassen sich Sperren nicht sicher übernehmen. Diese Ordner entfernen.',
  "{path} is no regular file, so it can't be a lock.":
    '{path} ist keine gewöhnliche Datei, kann also keine Sperre sein.',
  '{path} changes hands so fast that it could not be taken. Try again.':
    '{path} wechselt zu schnell den Besitzer. Noch einmal versuchen.',
  'the lock could not be removed: {why}': 'die Sperre ließ sich nicht entfernen: {why}',
  // What holds a run together, and its record.
  '{why}. The record of this run stays incomplete; if this process is killed, its command may be left running.':
    '{why}. Dieser Lauf ist nur unvollständig verzeichnet; wird dieser Prozess gewaltsam beendet, läuft der Befehl vielleicht weiter.',
  '{why}. This run has no record; if this process is killed, its command may be left running.':
    '{why}. Dieser Lauf ist nicht verzeichnet; wird dieser Prozess gewaltsam beendet, läuft der Befehl vielleicht weiter.',
  'the end of this run could not be recorded: {why}': 'das Ende dieses Laufs ließ sich nicht verzeichnen: {why}',
  'the end of this run is not in the history: {why}': 'das Ende dieses Laufs fehlt im Verlauf: {why}',
  "this run can't be asked to end ({why}): `curfew terminate` will not reach it":
    'dieser Lauf lässt sich nicht bitten zu enden ({why}): „curfew terminate“ erreicht ihn nicht',
  'the processes of this run could not be looked at: {why}':
    'die Prozesse dieses Laufs ließen sich nicht prüfen: {why}',
  'process {pid} ({program}) was started outside of the job object of this run: if `curfew run` is killed, it stays':
    'Prozess {pid} ({program}) wurde außerhalb des Job-Objekts dieses Laufs gestartet: wird „curfew run“ gewaltsam beendet, bleibt er',
  '--memory and --tasks can not be held here, so nothing was started: {reason}.':
    '--memory und --tasks sind hier nicht durchsetzbar, daher wurde nichts gestartet: {reason}.',
  'they are for Linux': 'es gibt sie nur unter Linux',
  'A run needs a job object of Windows, and there is none: {reason}.':
    'Ein Lauf braucht ein Job-Objekt von Windows, und es gibt keines: {reason}.',
  'Processes can only be listed here, so a run could not be ended safely. `curfew doctor` says why.':
    'Prozesse lassen sich hier nur auflisten, ein Lauf wäre also nicht sicher zu beenden. „curfew doctor“ sagt, warum.',
  // The list of runs.
  'run {id} is in the foreground: its output is where it was started':
    'Lauf {id} ist im Vordergrund: die Ausgabe steht, wo er gestartet wurde',
  "curfew: run {id} was abandoned and can't be ended: {why}":
    'curfew: Lauf {id} hat seine Aufsicht verloren und lässt sich nicht beenden: {why}',
  'curfew: run {id}: {what}': 'curfew: Lauf {id}: {what}',
  'several runs begin with {id}; give more of it': 'mehrere Läufe beginnen mit {id}; mehr davon angeben',
  'no run {id}; run `curfew runs` to list runs': 'den Lauf {id} gibt es nicht; „curfew runs“ zeigt alle',
  'exit {code}': 'Status {code}',
  failed: 'Fehler',
  'its limit': 'seine Grenze',
  'its hard cap': 'seine Höchstdauer',
  'its bound of memory': 'seine Speichergrenze',
  'idle after its result': 'untätig nach dem Ergebnis',
  terminated: 'von Hand',
  'its supervisor was killed': 'seine Aufsicht wurde gewaltsam beendet',
  'Nothing was started with `curfew run --background`.': 'Nichts wurde mit „curfew run --background“ gestartet.',
  RUN: 'LAUF',
  FOR: 'SEIT',
  'terminate: give the id of a run, or --workspace': 'terminate: die ID eines Laufs oder --workspace angeben',
  'Not ended: {what}: {why}': 'Nicht beendet: {what}: {why}',
  'Not ended: {what}: left are {pids}': 'Nicht beendet: {what}: noch da sind {pids}',
  'Had ended: {what}': 'War beendet: {what}',
  'Had ended: {what} (exit code {code})': 'War beendet: {what} (Status {code})',
  'Ended: {what}': 'Beendet: {what}',
  'Ended: {what} (exit code {code})': 'Beendet: {what} (Status {code})',
  'Nothing runs there.': 'Dort läuft nichts.',
} as const;
