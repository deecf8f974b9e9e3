/** What the system refused, and why Curfew could not look or write. */
export const system = {
  // The table of processes.
  '{what} could not be read: {why}. Nothing is concluded from this look.':
    '{what} ließ sich nicht lesen: {why}. Aus dieser Prüfung wird nichts geschlossen.',
  '/proc can not be listed, so no process can be seen.':
    '/proc lässt sich nicht auflisten, daher ist kein Prozess zu sehen.',
  '/proc/self can not be read: /proc is not mounted, or belongs to another pid namespace. Mount it for this one.':
    '/proc/self ist nicht lesbar: /proc ist nicht eingehängt oder gehört zu einem anderen PID-Namensraum. Es muss für diesen eingehängt werden.',
  '/proc belongs to another pid namespace: it calls this process {self}, the kernel calls it {pid}. Mount it for this one.':
    '/proc gehört zu einem anderen PID-Namensraum: dort heißt dieser Prozess {self}, beim Kernel {pid}. Es muss für diesen eingehängt werden.',
  '/proc does not show this very process, so what it shows is not the whole table.':
    '/proc zeigt diesen Prozess selbst nicht, also nicht die ganze Tabelle.',
  '/proc/uptime can not be read, so the age of processes is unknown.':
    '/proc/uptime ist nicht lesbar, daher ist das Alter der Prozesse unbekannt.',
  'The age of processes is unknown: /proc/uptime does not match the start times of processes, and no process could be started to compare with.':
    'Das Alter der Prozesse ist unbekannt: /proc/uptime passt nicht zu ihren Startzeiten, und zum Vergleich ließ sich kein Prozess starten.',
  'This machine does not identify its boots.': 'Dieser Rechner nennt keine Kennung seiner Starts.',
  'The system did not list its processes.': 'Das System hat seine Prozesse nicht aufgelistet.',
  'The system has not listed its processes yet.': 'Das System hat seine Prozesse noch nicht aufgelistet.',
  'it lists {listed} processes and describes only {described} of them':
    'es zählt {listed} Prozesse auf und beschreibt nur {described} davon',
  'it does not show the very shell that answers, so what it shows is not the whole process table':
    'es zeigt die antwortende Shell selbst nicht, also nicht die ganze Prozesstabelle',
  'The kernel did not give its process table (error {errno}).':
    'Der Kernel hat seine Prozesstabelle nicht herausgegeben (Fehler {errno}).',
  'The kernel did not give the row of process {pid} (error {errno}).':
    'Der Kernel hat die Zeile von Prozess {pid} nicht herausgegeben (Fehler {errno}).',
  "The kernel's list of open files of process {pid} has another form ({bytes} bytes, error {errno}).":
    'Die Liste der offenen Dateien von Prozess {pid} hat eine andere Form ({bytes} Bytes, Fehler {errno}).',
  "The kernel's answer about process {pid} has another form ({bytes} bytes, error {errno}).":
    'Die Antwort des Kernels zu Prozess {pid} hat eine andere Form ({bytes} Bytes, Fehler {errno}).',
  'The kernel does not identify process {pid}.': 'Der Kernel nennt keine Kennung von Prozess {pid}.',
  'The kernel does not tell its clock.': 'Der Kernel nennt seine Uhr nicht.',
  'The kernel does not show launchd.': 'Der Kernel zeigt launchd nicht.',
  'The kernel took more than {seconds} s to tell its processes.':
    'Der Kernel brauchte mehr als {seconds} s, um seine Prozesse zu nennen.',
  'The kernel does not show this very process, so this is not the whole table.':
    'Der Kernel zeigt diesen Prozess selbst nicht, also nicht die ganze Tabelle.',
  'Process {pid} was replaced while it was read.': 'Prozess {pid} wurde ersetzt, während er gelesen wurde.',
  'macOS does not tell its processes at the moment: one of them is held up while it starts a program.':
    'macOS nennt seine Prozesse gerade nicht: einer davon hängt beim Start eines Programms.',
  'Windows did not give its process table (0x{status}).':
    'Windows hat seine Prozesstabelle nicht herausgegeben (0x{status}).',
  'Windows does not show this very process.': 'Windows zeigt diesen Prozess selbst nicht.',
  'Windows does not show this very process, so this is not the whole table.':
    'Windows zeigt diesen Prozess selbst nicht, also nicht die ganze Tabelle.',
  'Windows does not tell in which login session this process is.':
    'Windows sagt nicht, in welcher Anmeldung dieser Prozess läuft.',
  'Windows does not tell whose this process is.': 'Windows sagt nicht, wem dieser Prozess gehört.',
  'Windows does not tell what process {pid} is.': 'Windows sagt nicht, was Prozess {pid} ist.',
  'Windows does not tell which ports are in use.': 'Windows sagt nicht, welche Ports belegt sind.',
  // Signals.
  'group {pgid}': 'Gruppe {pgid}',
  'its curfew run, process {pid}': 'das zugehörige „curfew run“, Prozess {pid}',
  'the system does not let this user signal it': 'das System lässt diesen Benutzer kein Signal senden',
  'it was no longer as it had been judged': 'er war nicht mehr so, wie er beurteilt wurde',
  'it belongs to another user': 'er gehört einem anderen Benutzer',
  'its grace is over': 'seine Wartezeit ist vorbei',
  'it passes that on, and waits {seconds} s': 'es gibt das weiter und wartet {seconds} s',
  'a helper asks it by its console, if all in that console may be asked':
    'ein Hilfsprogramm bittet ihn über seine Konsole, wenn dort alle gefragt werden dürfen',
  'Windows has no way to ask it: it is ended after its grace':
    'Windows kann ihn nicht bitten: er wird nach seiner Wartezeit beendet',
  "this runs as root, but {path} belongs to the user with uid {owner}, so nothing was opened. Files made there would be root's, and that user's Curfew could not use them.":
    'dies läuft als root, aber {path} gehört dem Benutzer mit der UID {owner}, daher wurde nichts geöffnet. Dateien dort würden root gehören, und das Curfew dieses Benutzers könnte sie nicht benutzen.',
  "this runs as the user with uid {uid}, but {path} belongs to the user with uid {owner}, so nothing was opened. Files made there would be another user’s, and that user's Curfew could not use them.":
    'dies läuft als Benutzer mit der UID {uid}, aber {path} gehört dem Benutzer mit der UID {owner}, daher wurde nichts geöffnet. Dateien dort würden einem anderen Benutzer gehören, und das Curfew des Besitzers könnte sie nicht benutzen.',
  'Run it as that user, or with a home of your own: `sudo -H curfew …`, and without CURFEW_HOME':
    'Als dieser Benutzer ausführen oder mit eigenem Ordner: „sudo -H curfew …“, und ohne CURFEW_HOME',
  '{path} was removed, so another supervisor could start; this one ends':
    '{path} wurde entfernt, daher könnte eine andere Überwachung starten; diese endet',
  // Another supervisor.
  '{holder} supervises here, and is just ending a job; try again in a moment':
    '{holder} überwacht hier und beendet gerade einen Job; gleich noch einmal versuchen',
  '{holder} supervises here already ({lock}); end that one first, or give this one a CURFEW_HOME of its own':
    '{holder} überwacht hier schon ({lock}); erst das beenden, oder diesem ein eigenes CURFEW_HOME geben',
  // Files.
  '{path} was not written: it is a link to {real}, in a place of another user; remove the link':
    '{path} wurde nicht geschrieben: es ist ein Link auf {real}, an einem Ort eines anderen Benutzers; den Link entfernen',
  '{path} is not a regular file (a link, a pipe, a socket or a folder), so nothing uses it: move it away':
    '{path} ist keine gewöhnliche Datei (ein Link, eine Pipe, ein Socket oder ein Ordner), daher wird es nicht benutzt: anderswohin verschieben',
  '{path} is not a regular file': '{path} ist keine gewöhnliche Datei',
  '{path} has more than {bytes} bytes': '{path} hat mehr als {bytes} Bytes',
  'it has {bytes} bytes, too many for such a list': 'sie hat {bytes} Bytes, zu viele für eine solche Liste',
  'it has {bytes} bytes, too many for settings': 'sie hat {bytes} Bytes, zu viele für Einstellungen',
  'it is not a regular file': 'sie ist keine gewöhnliche Datei',
  'it is not JSON: {why}': 'sie ist kein JSON: {why}',
  'it could not be read': 'sie war nicht lesbar',
  'it must belong to root, and no other user may be able to write it':
    'sie muss root gehören, und kein anderer Benutzer darf sie ändern können',
  'another process has been changing them for {seconds} s': 'ein anderer Prozess ändert sie seit {seconds} s',
  'it is process {pid} here, not process 1': 'hier ist es Prozess {pid}, nicht Prozess 1',
  'calls of the system are missing: {why}': 'Aufrufe des Systems fehlen: {why}',
} as const;
