/** Notes in the record of an incident. */
export const record = {
  'Its host has started a server since: process {pid}.':
    'Sein Besitzer hat seitdem einen Server gestartet: Prozess {pid}.',
  'All of it had ended before the first signal reached it.': 'Alles war beendet, bevor das erste Signal ankam.',
  'Something of it goes on in its process group: a process that starts another and exits, each of them gone before it could be held. It is found again as soon as a look catches it.':
    'Etwas davon läuft in der Prozessgruppe weiter: ein Prozess, der einen anderen startet und endet, jeder weg, bevor er zu fassen war. Eine spätere Prüfung findet es wieder.',
  'It is not known whether {signal} reached {pids}: {why}.': 'Unbekannt, ob {signal} bei {pids} ankam: {why}.',
  'The user ended the grace early: what was left was to be killed at once.':
    'Die Wartezeit wurde von Hand abgekürzt: was noch lief, sollte sofort mit KILL enden.',
  'The machine was started anew before this reaping was complete.':
    'Der Rechner wurde neu gestartet, bevor das Beenden fertig war.',
  'Curfew itself ended before this reaping was complete.': 'Curfew selbst endete, bevor das Beenden fertig war.',
  'Curfew lost the connection, or itself ended, before this reaping was complete.':
    'Curfew verlor die Verbindung oder endete selbst, bevor das Beenden fertig war.',
  'None of its processes runs any more.': 'Keiner der Prozesse läuft noch.',
  'still running: {list}': 'noch laufend: {list}',
  'Still running: {pids}.': 'Noch laufend: {pids}.',
  'What it signalled last may be missing here.': 'Die letzten Signale fehlen hier vielleicht.',
  'The agent could not be told in its output file: {why}.':
    'In der Ausgabedatei des Agenten ließ sich nichts vermerken: {why}.',
  'Noted in the agent’s output file, {path}.': 'In der Ausgabedatei des Agenten vermerkt, {path}.',
  'Exit code {code} was written beside it.': 'Daneben wurde der Exit-Code {code} geschrieben.',
  'Its exit code could not be written beside it: {why}.': 'Der Exit-Code ließ sich nicht daneben schreiben: {why}.',
  'process {pid}{program} started it': 'Prozess {pid}{program} hat es gestartet',
  'Process {pid} ({program}) was left alone: {why}.': 'Prozess {pid} ({program}) blieb verschont: {why}.',
  'Curfew ran `{command}`: {said}.': 'Curfew führte „{command}“ aus: {said}.',
  'it had changed in that moment, and its keeper did nothing': 'es hatte sich gerade geändert, und nichts geschah',
  'its keeper took the command': 'der Befehl wurde angenommen',
  // What ended a job that Curfew did not end.
  'The kernel ended it to free memory: its log names process {pid}. Curfew did not.':
    'Der Kernel hat es beendet, um Speicher freizugeben: sein Protokoll nennt Prozess {pid}. Nicht Curfew.',
  'Probably the kernel ended it to free memory: it ended another process of the same control group at that time. Curfew did not.':
    'Wahrscheinlich hat der Kernel es beendet, um Speicher freizugeben: er beendete damals einen anderen Prozess derselben Kontrollgruppe. Nicht Curfew.',
  '{agent} stopped it because the system ran low on memory and said so to its session. Curfew did not.':
    '{agent} hat es beendet, weil der Speicher knapp wurde, und das der Sitzung gemeldet. Nicht Curfew.',
  '{agent} stopped it because it had reached the agent’s own time limit for background tasks and said so to its session. Curfew did not.':
    '{agent} hat es an der eigenen Zeitgrenze für Hintergrundaufgaben beendet und das der Sitzung gemeldet. Nicht Curfew.',
  'It was stopped from within {agent}, which reports it as “killed”: by the user, by the model, or by the agent’s end. Curfew did not end it.':
    'Es wurde aus {agent} heraus beendet, das es als „killed“ meldet: vom Benutzer, vom Modell oder durch das Ende des Agenten. Nicht von Curfew.',
  'It ended on its own: {agent} reports it as “{status}”.': 'Es endete von selbst: {agent} meldet es als „{status}“.',
  'It ended on its own, with exit status {status}.': 'Es endete von selbst, mit Status {status}.',
  'It was ended by signal {signal}, which its shell recorded and Curfew did not send.':
    'Es endete durch das Signal {signal}, das seine Shell vermerkt hat und das nicht von Curfew kam.',
  'It ran under `curfew run`, which ends what it started at its own limit or when the command itself ends.':
    'Es lief unter „curfew run“, das an der eigenen Grenze oder mit dem Befehl selbst beendet, was es gestartet hat.',
  'Probably {agent} ended it while quitting: its session ended at the same time. Curfew did not.':
    'Wahrscheinlich hat {agent} es beim Beenden mitgenommen: seine Sitzung endete zur selben Zeit. Nicht Curfew.',
  'It ended on its own, or something else ended it, such as a user at a terminal. Curfew did not.':
    'Es endete von selbst, oder etwas anderes hat es beendet, etwa eine Eingabe am Terminal. Nicht Curfew.',
  // Why nothing or not all could be done to a process.
  'Curfew does not end it: process {pid} is protected: {veto}.':
    'Curfew beendet das nicht: Prozess {pid} ist geschützt: {veto}.',
  'Its command was not run: {why}.': 'Der Befehl zum Beenden des Dienstes wurde nicht ausgeführt: {why}.',
  'it runs in a container': 'der Dienst läuft in einem Container',
  'its program is no file': 'sein Programm ist keine Datei',
  'its environment is not known': 'seine Umgebung ist nicht bekannt',
  'the script that it runs is not known': 'das Skript, das der Dienst ausführt, ist nicht bekannt',
  'its program can only be told on Linux': 'sein Programm lässt sich nur unter Linux feststellen',
  'it is another user’s': 'der Dienst gehört einem anderen Benutzer',
  'it has ended': 'der Dienst ist beendet',
  'its program can’t be read ({code})': 'sein Programm lässt sich nicht lesen ({code})',
  'Curfew does not signal it: {why}.': 'Curfew sendet dort kein Signal: {why}.',
} as const;
