/** What the engine says to the command line alone. */
export const engine = {
  'It took a marked event out of its inbox.': 'Sie hat ein markiertes Ereignis aus ihrem Eingang genommen.',
  'A marked event lay in its inbox for {age} and was not taken: it does not look any more. End it and start it again.':
    'Ein markiertes Ereignis lag {age} in ihrem Eingang, ohne geholt zu werden: sie prüft nicht mehr. Beenden und neu starten.',
  'No event could be dropped for it: {why}.': 'Für sie ließ sich kein Ereignis ablegen: {why}.',
  Autostart: 'Autostart',
  'No pass has run yet.': 'Noch gab es keinen Durchgang.',
  'The latest pass was {age} ago.': 'Der letzte Durchgang war vor {age}.',
  '{program}, which it starts, is gone.': '{program}, das gestartet werden soll, ist weg.',
  'Unless this machine was asleep, what is to start it does not: `curfew autostart enable` sets it up anew.':
    'Wenn der Rechner nicht geschlafen hat, bleibt der Start aus: „curfew autostart enable“ richtet ihn neu ein.',
  'process {pid} belongs to another user': 'Prozess {pid} gehört einem anderen Benutzer',
  'the system does not let this user signal process {pid}':
    'das System lässt diesen Benutzer kein Signal an Prozess {pid} senden',
  'its supervisor (process {pid}) has not ended it': 'seine Aufsicht (Prozess {pid}) hat ihn nicht beendet',
  "{base}: processes that can't be seen from here may use it too":
    '{base}: auch Prozesse, die von hier nicht zu sehen sind, könnten es benutzen',
  '{folder}: what is mounted there is not known': '{folder}: was dort eingehängt ist, ist nicht bekannt',
  '{folder}: another folder is mounted there': '{folder}: dort ist ein anderer Ordner eingehängt',
  ' on {host}': ' auf {host}',
  // Its files.
  '{file} was damaged ({reason}), so it was set aside and a fresh one was started. What was recorded before is in {movedTo}; "sqlite3 FILE .recover" may get it back.':
    '{file} war beschädigt ({reason}); die Datei wurde beiseitegelegt und eine neue begonnen. Der bisherige Inhalt liegt in {movedTo}; „sqlite3 DATEI .recover“ kann ihn vielleicht retten.',
  "{file} holds an entry that can't be read; Curfew goes on without.":
    '{file} enthält einen Eintrag, der nicht lesbar ist; Curfew macht ohne ihn weiter.',
  "{file} holds {rows} entries that can't be read; Curfew goes on without.":
    '{file} enthält {rows} Einträge, die nicht lesbar sind; Curfew macht ohne sie weiter.',
  "{file} can't be kept on disk: {reason} Curfew goes on with what it remembers; after a restart it will know less, and so end less.":
    '{file} lässt sich nicht speichern: {reason} Curfew macht mit dem weiter, was es noch weiß; nach einem Neustart weiß es weniger und beendet daher weniger.',
  '{file} is kept on disk again.': '{file} wird wieder gespeichert.',
  "{why}. Nothing can be recorded there, so Curfew won't end anything on its own.":
    '{why}. Dort lässt sich nichts aufzeichnen, daher beendet Curfew nichts von selbst.',
  "The log ({path}) can't be written: {why}. Curfew goes on without it; free space or make the folder writable.":
    'Das Protokoll ({path}) lässt sich nicht schreiben: {why}. Curfew macht ohne weiter; Platz schaffen oder den Ordner beschreibbar machen.',
  'The end of the log ({path}) may be missing: {why}.': 'Das Ende des Protokolls ({path}) fehlt vielleicht: {why}.',
  'A line about an incident could not be delivered: {why}. It is in `curfew history`; Curfew goes on, and the next line that can be delivered says how many were lost.':
    'Eine Zeile über einen Vorfall ließ sich nicht zustellen: {why}. „curfew history“ zeigt ihn; Curfew macht weiter, und die nächste zustellbare Zeile sagt, wie viele verloren gingen.',
  'its supervisor ({process}) belongs to another boot, container or machine, so it is not known here whether it still runs. If you are sure that it does not, remove its folder: {folder}':
    'seine Aufsicht ({process}) gehört zu einem anderen Start, Container oder Rechner, daher ist hier unbekannt, ob sie noch läuft. Läuft sie sicher nicht mehr, ihren Ordner entfernen: {folder}',
  '{path}: left by a removal that was ended halfway': '{path}: von einem Löschen übrig, das mittendrin endete',
  '{folder}: only the first {max} of {count} names': '{folder}: nur die ersten {max} von {count} Namen',
  '{path} was not written: {why}': '{path} wurde nicht geschrieben: {why}',
  'there is no folder {folder}; make it, and name it to node_exporter with --collector.textfile.directory':
    'den Ordner {folder} gibt es nicht; anlegen und node_exporter mit --collector.textfile.directory nennen',
  'this user may not write into {folder}; let it, for example with `setfacl -m u:$USER:rwx`, or name another folder':
    'dieser Benutzer darf nicht in {folder} schreiben; es ihm erlauben, etwa mit „setfacl -m u:$USER:rwx“, oder einen anderen Ordner nennen',
  'there is no space left for {folder}; make some': 'für {folder} ist kein Platz mehr; Platz schaffen',
  'it is a folder; name a file in it, for example curfew.prom':
    'das ist ein Ordner; eine Datei darin nennen, etwa curfew.prom',
  'it is a device, a pipe or a socket; without --textfile, or with --textfile -, the numbers go to standard output':
    'das ist ein Gerät, eine Pipe oder ein Socket; ohne --textfile oder mit --textfile - gehen die Zahlen auf die Standardausgabe',
  '{folder} is a link of another user, or to a folder of one; name the folder itself':
    '{folder} ist ein Link eines anderen Benutzers oder auf dessen Ordner; den Ordner selbst nennen',
} as const;
