export const checkTitles = {
  Processes: 'Prozesse',
  'Self-check': 'Selbsttest',
  Signals: 'Signale',
  Record: 'Aufzeichnung',
  Settings: 'Einstellungen',
  Mode: 'Modus',
  Supervisor: 'Überwachung',
  Runs: 'Überwachte Befehle',
  Container: 'Container',
  Agents: 'Agenten',
  Hooks: 'Hooks',
  'Pile-ups': 'Anhäufungen',
  Locks: 'Sperren',
  'Other reapers': 'Andere Aufräumer',
} as const;

/** What the diagnostics find. */
export const checks = {
  'Read through {source}, which can’t identify processes safely enough to end them; Curfew only reports here.':
    'Gelesen über {source}, womit sich Prozesse nicht sicher genug erkennen lassen, um sie zu beenden; Curfew berichtet hier nur.',
  'Read through {source}, which could not read {count} of the system’s rows, so a session that isn’t seen counts as unknown.':
    'Gelesen über {source}; {count} Zeilen des Systems waren nicht lesbar, daher gilt eine nicht gesehene Sitzung als unbekannt.',
  'Read through {source}; the machine hides a part of them, so a session that isn’t seen counts as unknown.':
    'Gelesen über {source}; der Rechner verbirgt einen Teil davon, daher gilt eine nicht gesehene Sitzung als unbekannt.',
  '{used} of {max} process ids': '{used} von {max} Prozessnummern',
  '{used} of {max} memory': '{used} von {max} Speicher',
  'Process 1 is {first}; no limit of memory or process ids is seen.':
    'Prozess 1 ist {first}; eine Grenze für Speicher oder Prozessnummern ist nicht zu sehen.',
  'Process 1 is {first}; taken: {limits}.': 'Prozess 1 ist {first}; belegt: {limits}.',
  '/dev/shm has {size}, with which browsers crash: `docker run --shm-size 1g` gives more.':
    '/dev/shm hat {size}; damit stürzen Browser ab: „docker run --shm-size 1g“ gibt mehr.',
  '{count} read through {source}.': '{count} gelesen über {source}.',
  'The system does not tell what these have open, as where a network volume is out of reach: {pids}. That proves nothing, and ends nothing.':
    'Was diese Prozesse geöffnet haben, sagt das System nicht, etwa weil ein Netzlaufwerk nicht erreichbar ist: {pids}. Das beweist nichts und beendet nichts.',
  'Not made: nothing can be ended here.': 'Nicht durchgeführt: hier lässt sich nichts beenden.',
  '{count} known facts were reproduced through {reader}.': '{count} bekannte Tatsachen wurden über {reader} bestätigt.',
  'Not reproduced through {reader}: {failed}. {found}': 'Nicht bestätigt über {reader}: {failed}. {found}',
  'The self-check of {reader} failed: {failed}.': 'Der Selbsttest von {reader} ist fehlgeschlagen: {failed}.',
  'Curfew reads processes through {reader} instead, only reports, and ends nothing.':
    'Curfew liest Prozesse stattdessen über {reader}, berichtet nur und beendet nichts.',
  'It ends nothing automatically; what you end by hand is still checked.':
    'Es beendet nichts von selbst; was von Hand beendet wird, wird weiter geprüft.',
  'Please report what `curfew doctor --json` says.': 'Bitte melden, was „curfew doctor --json“ sagt.',
  'Sent through {mechanism}: a recycled process id can’t be hit.':
    'Gesendet über {mechanism}: eine neu vergebene Prozessnummer kann nicht getroffen werden.',
  'Sent after reading the process again ({mechanism}); the kernel’s process handles are not in use.':
    'Gesendet, nachdem der Prozess noch einmal gelesen wurde ({mechanism}); Prozess-Handles des Kernels sind nicht in Gebrauch.',
  'Not chosen yet, so Curfew only observes. `curfew settings set mode enforce` lets it end overdue jobs.':
    'Noch nicht gewählt, daher beobachtet Curfew nur. Mit „curfew settings set mode enforce“ beendet es überfällige Jobs.',
  'Enforce: a running supervisor ends what is due.': 'Eingreifen: eine laufende Überwachung beendet, was fällig ist.',
  'Observe: Curfew won’t end anything on its own.': 'Beobachten: Curfew beendet nichts von selbst.',
  '`curfew run` tracks its processes by {held}.': '„curfew run“ verfolgt seine Prozesse über {held}.',
  '`curfew run` tracks its processes by {held} ({missing}).':
    '„curfew run“ verfolgt seine Prozesse über {held} ({missing}).',
  '`curfew run` holds its processes together by a job object.':
    '„curfew run“ hält seine Prozesse durch ein Job-Objekt zusammen.',
  '`curfew run` starts nothing here, because there is no job object: {missing}.':
    '„curfew run“ startet hier nichts, weil es kein Job-Objekt gibt: {missing}.',
  'A process that gives up all of these can get away.': 'Ein Prozess, der all das ablegt, kann entkommen.',
  'None is running. `curfew watch` starts one.': 'Keine läuft. „curfew watch“ startet eine.',
  'It is {holder}.': 'Das übernimmt {holder}.',
  'Incidents can be written to {path}.': 'Vorfälle lassen sich in {path} schreiben.',
  'Every running agent’s commands are recognised.': 'Die Befehle aller laufenden Agenten werden erkannt.',
  'Commands of {agent} look different from those Curfew knows (process ids: {pids}).':
    'Befehle von {agent} sehen anders aus als die, die Curfew kennt (Prozesse: {pids}).',
  '{agent} {version} is newer than the newest version that Curfew was tried with ({seen}).':
    '{agent} {version} ist neuer als die neueste Version, mit der Curfew erprobt ist ({seen}).',
  'Of the {count} processes below it {found} are recognised; its session is not on record.':
    'Von den {count} Prozessen darunter werden {found} erkannt; die Sitzung ist nicht verzeichnet.',
  'Of the {count} processes below it {found} are recognised, and its session is on record.':
    'Von den {count} Prozessen darunter werden {found} erkannt, und die Sitzung ist verzeichnet.',
  'No command of it shows whether its signatures still match.': 'Kein Befehl zeigt, ob seine Merkmale noch passen.',
  'Signatures that still match: {names}.': 'Merkmale, die noch passen: {names}.',
  'What process {pid} ({name}) runs is not read, since that would not end: it is left alone.':
    'Was Prozess {pid} ({name}) ausführt, wird nicht gelesen, weil das nicht enden würde: Er wird in Ruhe gelassen.',
  'They are missed once the agent has ended; please report its version.':
    'Sie werden übersehen, sobald der Agent beendet ist; bitte dessen Version melden.',
  'No session runs many commands at once, no sockets and no outputs pile up.':
    'Keine Sitzung führt viele Befehle zugleich aus, weder Sockets noch Ausgaben häufen sich an.',
  'Read from {path}.': 'Gelesen aus {path}.',
  'None was found on this machine.': 'Auf diesem Rechner wurde keiner gefunden.',
  '{one}; what it ends is not in Curfew’s record.': '{one}; was er beendet, steht nicht in Curfews Aufzeichnung.',
  '{name} runs as process {pid}': '{name} läuft als Prozess {pid}',
  '{name} is set up in {file}': '{name} ist eingerichtet in {file}',
  'Test event delivered: it arrived through the hook script.':
    'Testereignis zugestellt: es kam durch das Hook-Skript an.',
  'Test event not delivered: it did not arrive through {script} ({why}).':
    'Testereignis nicht zugestellt: es kam nicht durch {script} an ({why}).',
  'Check that its folder is writable and the disk is not full.':
    'Ist der Ordner beschreibbar und die Festplatte nicht voll?',
  '`curfew hooks install` puts it right.': '„curfew hooks install“ behebt das.',
  '{script} was written by another Curfew, or by one that lay elsewhere.':
    '{script} wurde von einem anderen Curfew geschrieben oder von einem, das woanders lag.',
  '`curfew hooks install` writes it anew.': '„curfew hooks install“ schreibt es neu.',
  'Installed into {agent}.': 'Installiert in {agent}.',
  'Only partly there in {agent}.': 'Nur teilweise vorhanden in {agent}.',
  'Not in {agent}.': 'Nicht in {agent}.',
  '`curfew hooks install {agent}` lets it tell Curfew when sessions begin and end.':
    'Mit „curfew hooks install {agent}“ meldet er Curfew, wann Sitzungen beginnen und enden.',
  '{script} is gone.': '{script} ist weg.',
  // What the diagnostics name in their sentences.
  'a program that Curfew starts': 'ein von Curfew gestartetes Programm',
  'the table of processes': 'die Prozesstabelle',
  'the parent of a process': 'der Elternprozess',
  'the process group of a process': 'die Prozessgruppe eines Prozesses',
  'the name of a program': 'der Name eines Programms',
  'what the system itself has started': 'was das System selbst gestartet hat',
  'the terminal of a process': 'das Terminal eines Prozesses',
  'both ends of a connection': 'beide Enden einer Verbindung',
  'the identity of a process': 'die Identität eines Prozesses',
  'the arguments of a process': 'die Argumente eines Prozesses',
  'the environment of a process': 'die Umgebung eines Prozesses',
  'open files and folders': 'offene Dateien und Ordner',
  'both ends of a pipe': 'beide Enden einer Pipe',
  'a signal that reaches its process': 'ein Signal, das seinen Prozess erreicht',
  'a signal that must not reach another process': 'ein Signal, das keinen anderen Prozess erreichen darf',
  'it could not be made': 'er ließ sich nicht durchführen',
  'session, process group and environment cookie': 'Sitzung, Prozessgruppe, Umgebungsmarke',
  subreaper: 'Subreaper',
  'control group': 'Kontrollgruppe',
  'control group in a scope of the user’s service manager': 'Kontrollgruppe in einem Scope des Dienstverwalters',
  'no subreaper: {why}': 'kein Subreaper: {why}',
  'no control group: {why}': 'keine Kontrollgruppe: {why}',
  '`curfew watch`, process {pid}, started {when} ({mode})': '„curfew watch“, Prozess {pid}, gestartet {when} ({mode})',
  '`curfew web`, process {pid}, started {when} ({mode})': '„curfew web“, Prozess {pid}, gestartet {when} ({mode})',
  'the Curfew app, process {pid}, started {when} ({mode})': 'die Curfew-App, Prozess {pid}, gestartet {when} ({mode})',
  'the service of this machine, process {pid}, started {when} ({mode})':
    'der Dienst dieses Rechners, Prozess {pid}, gestartet {when} ({mode})',
  'pidfd with process groups': 'pidfd mit Prozessgruppen',
  recheck: 'erneutes Lesen',
  'recheck of unique ids': 'erneutes Lesen der eindeutigen Nummern',
  'audit token': 'Audit-Token',
  'another Curfew process': 'ein anderer Curfew-Prozess',
  'no mode chosen, so it observes': 'kein Modus gewählt, daher nur Beobachten',
  enforce: 'Eingreifen',
  observe: 'Beobachten',
  'just now': 'gerade eben',
  'at an unknown time': 'zu unbekannter Zeit',
  'an unknown time': 'unbekannte Zeit',
  'it ended with status {status}': 'endete mit Status {status}',
} as const;
