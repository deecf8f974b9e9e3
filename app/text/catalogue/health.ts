/** What is wrong with Curfew itself, above the jobs. */
export const health = {
  '{host} is not watched since {since}: {why}.': '{host} wird seit {since} nicht überwacht: {why}.',
  'The machine hides a part of its processes, so a session that isn’t seen counts as unknown.':
    'Der Rechner verbirgt einen Teil seiner Prozesse, daher gilt eine nicht gesehene Sitzung als unbekannt.',
  'Another program ends processes here too: {programs}.':
    'Auch ein anderes Programm beendet hier Prozesse: {programs}.',
  'What it ends is not in Curfew’s record. Switch one of the two off.':
    'Was es beendet, steht nicht in Curfews Aufzeichnung. Eines von beiden ausschalten.',
  '{jobs} commands of one session of {agent}{where} are running at the same time (session {session}).':
    '{jobs} Befehle einer Sitzung von {agent}{where} laufen gleichzeitig (Sitzung {session}).',
  ' in {project}': ' in {project}',
  '`curfew scan` lists them; `curfew reap --session {session}` ends them all.':
    '„curfew scan“ zeigt sie; „curfew reap --session {session}“ beendet alle.',
  '{sockets} sockets of agents lie in {folder}, and {running}.':
    '{sockets} Sockets von Agenten liegen in {folder}, und {running}.',
  'Process 1 ({first}) does not wait for processes that have ended: {zombies} of them still hold a process id.':
    'Prozess 1 ({first}) wartet nicht auf beendete Prozesse: {zombies} davon belegen noch eine Prozessnummer.',
  'Start the container with `curfew init`, tini or `docker run --init` in front of its command.':
    'Den Container mit „curfew init“, tini oder „docker run --init“ vor seinem Befehl starten.',
  '{used} of {max} process ids of this container or group are taken.':
    '{used} von {max} Prozessnummern dieses Containers oder dieser Gruppe sind vergeben.',
  'At the limit nothing can be started any more. `curfew scan` shows what is left over.':
    'An der Grenze lässt sich nichts mehr starten. „curfew scan“ zeigt, was übrig ist.',
  '{used} of {max} of the memory of this container or group are taken.':
    '{used} von {max} Speicher dieses Containers oder dieser Gruppe sind belegt.',
  'At the limit the kernel ends processes. `curfew sessions` shows which hold most.':
    'An der Grenze beendet der Kernel Prozesse. „curfew sessions“ zeigt, was am meisten belegt.',
  'Processes of this container or group waited for memory in {percent} % of the last 10 s.':
    'Prozesse dieses Containers oder dieser Gruppe haben in {percent}\u00a0% der letzten 10 s auf Speicher gewartet.',
  '`curfew sessions` shows which hold most.': '„curfew sessions“ zeigt, was am meisten belegt.',
  '{used} of {max} of /dev/shm are taken.': '{used} von {max} in /dev/shm sind belegt.',
  'Browsers crash when it is full. Start the container with more: `docker run --shm-size 1g`.':
    'Ist es voll, stürzen Browser ab. Den Container mit mehr starten: „docker run --shm-size 1g“.',
  'no session is running': 'keine Sitzung läuft',
  '{sessions} session is running': '{sessions} Sitzung läuft',
  '{sessions} sessions are running': '{sessions} Sitzungen laufen',
  '`curfew sweep --dry-run` shows those whose sessions are gone; `curfew sweep` takes them away.':
    '„curfew sweep --dry-run“ zeigt die, deren Sitzungen weg sind; „curfew sweep“ räumt sie weg.',
  'The output of job {job} has grown to {size} ({file}).':
    'Die Ausgabe von Job {job} ist auf {size} gewachsen ({file}).',
  'Its disk space is free again once the job has ended and the file is deleted.':
    'Der Platz ist wieder frei, sobald der Job beendet und die Datei gelöscht ist.',
  '{size} of {kind} lie in {count} files{memory}.': '{size} an {kind} liegen in {count} Dateien{memory}.',
  '{size} of {kind} lie in {count} file{memory}.': '{size} an {kind} liegen in {count} Datei{memory}.',
  ' ({size} of it in memory, on a tmpfs)': ' ({size} davon im Speicher, auf einem tmpfs)',
  '`curfew sweep` shows them; none of them may be deleted yet.':
    '„curfew sweep“ zeigt sie; noch darf keine gelöscht werden.',
  '`curfew sweep` shows them and can delete {size}.': '„curfew sweep“ zeigt sie und kann {size} löschen.',
  '{size} of {kind} of {agent} lie in {path}.': '{size} an {kind} von {agent} liegen in {path}.',
  'Curfew never deletes them.': 'Curfew löscht sie nie.',
  '`curfew sweep` deletes what the agent’s settings keep no longer.':
    '„curfew sweep“ löscht, was nach den Einstellungen des Agenten nicht länger aufbewahrt wird.',
  'shell snapshots': 'Shell-Snapshots',
  sockets: 'Sockets',
  'session files': 'Sitzungsdateien',
  'lock files': 'Sperrdateien',
  'task outputs': 'Aufgabenausgaben',
  'unpacked libraries': 'entpackten Bibliotheken',
  'scratch files': 'Zwischendateien',
  'debug logs': 'Debug-Protokollen',
  worktrees: 'Worktrees',
  'downloaded versions': 'geladenen Versionen',
  transcripts: 'Transkripten',
  'Curfew is not watching': 'Curfew überwacht nicht',
  // Curfew’s own files that can’t be used.
  '{file} was written by a newer Curfew and is left as it is.':
    '{file} stammt von einem neueren Curfew und bleibt, wie es ist.',
  'Update this Curfew, or give it another folder with CURFEW_HOME.':
    'Dieses Curfew aktualisieren oder ihm mit CURFEW_HOME einen anderen Ordner geben.',
  "{file} is the database of another program and isn't touched.":
    '{file} ist die Datenbank eines anderen Programms und wird nicht angerührt.',
  '{file} is not a regular file (a link, a pipe, a socket or a folder) and stays as it is.':
    '{file} ist keine gewöhnliche Datei (ein Link, eine Pipe, ein Socket oder ein Ordner) und bleibt, wie es ist.',
  'Move that file away, or give Curfew another folder with CURFEW_HOME.':
    'Die Datei wegräumen oder Curfew mit CURFEW_HOME einen anderen Ordner geben.',
  "{file} can't be opened for writing: permission denied.":
    '{file} lässt sich nicht zum Schreiben öffnen: keine Berechtigung.',
  'Make the folder and the file yours and writable for you.':
    'Ordner und Datei dem eigenen Benutzer geben und beschreibbar machen.',
  "{file} can't be written: it is read-only.": '{file} lässt sich nicht schreiben: nur lesbar.',
  'Make the file system writable, or give Curfew another folder with CURFEW_HOME.':
    'Das Dateisystem beschreibbar machen oder Curfew mit CURFEW_HOME einen anderen Ordner geben.',
  "{file} can't be written: no space is left on the disk or in your quota.":
    '{file} lässt sich nicht schreiben: kein Platz mehr auf der Festplatte oder im Kontingent.',
  'Free some space.': 'Platz schaffen.',
  '{file} is locked by another process and did not become free in time.':
    '{file} ist von einem anderen Prozess gesperrt und wurde nicht rechtzeitig frei.',
  'Try again; if it stays so, check which program has the file open.':
    'Noch einmal versuchen; bleibt es so, nachsehen, welches Programm die Datei offen hat.',
  '{file} is damaged and in use by another Curfew.': '{file} ist beschädigt und bei einem anderen Curfew in Gebrauch.',
  'End the other Curfew; the next one sets the file aside and starts a fresh one.':
    'Das andere Curfew beenden; das nächste legt die Datei beiseite und beginnt eine neue.',
  "{file} can't be read or written: the disk or file system reports an error.":
    '{file} lässt sich weder lesen noch schreiben: Festplatte oder Dateisystem melden einen Fehler.',
  'Check the disk and the file system.': 'Festplatte und Dateisystem prüfen.',
  "{file} can't be used.": '{file} ist nicht benutzbar.',
  "{file} can't be used ({why}).": '{file} ist nicht benutzbar ({why}).',
  'Look at the path, or give Curfew another folder with CURFEW_HOME.':
    'Den Pfad ansehen oder Curfew mit CURFEW_HOME einen anderen Ordner geben.',
  'The history ({path})': 'Der Verlauf ({path})',
  'The ledger ({path})': 'Das Verzeichnis der Jobs ({path})',
  "The supervisor's lock ({path})": 'Die Sperre der Überwachung ({path})',
  'The list of what is spared ({path})': 'Die Schonliste ({path})',
  'What you keep may be forgotten with this process.':
    'Was behalten werden soll, ist nach dem Ende dieses Prozesses vielleicht vergessen.',
  'Automatic ending is off while it is so.': 'Solange das so ist, beendet Curfew nichts von selbst.',
  'What Curfew sees of jobs now it will not know after a restart, and so end less.':
    'Was Curfew jetzt von Jobs sieht, weiß es nach einem Neustart nicht mehr und beendet daher weniger.',
  'Without it Curfew cannot make sure that only one supervisor runs, so none is started.':
    'Ohne sie ist nicht sicher, dass nur eine Überwachung läuft, daher startet keine.',
  'The settings ({path}) could not be changed: {why}.': 'Die Einstellungen ({path}) ließen sich nicht ändern: {why}.',
  'Nothing was changed; look at the file and its folder.': 'Nichts wurde geändert; die Datei und ihren Ordner ansehen.',
} as const;
