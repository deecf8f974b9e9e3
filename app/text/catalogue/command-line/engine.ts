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
  'process {pid} belongs to another user': 'Prozess {pid} gehört einem anderen Konto',
  'the system does not let this user signal process {pid}':
    'das System lässt dieses Konto Prozess {pid} kein Signal senden',
  'its supervisor (process {pid}) has not ended it': 'seine Aufsicht (Prozess {pid}) hat ihn nicht beendet',
  "{base}: processes that can't be seen from here may use it too":
    '{base}: auch Prozesse, die von hier nicht zu sehen sind, könnten es benutzen',
  '{folder}: what is mounted there is not known': '{folder}: was dort eingehängt ist, ist nicht bekannt',
  '{folder}: another folder is mounted there': '{folder}: dort ist ein anderer Ordner eingehängt',
  ' on {host}': ' auf {host}',
  'its supervisor ({process}) belongs to another boot, container or machine, so it is not known here whether it still runs. If you are sure that it does not, remove its folder: {folder}':
    'seine Aufsicht ({process}) gehört zu einem anderen Start, Container oder Rechner, daher ist hier unbekannt, ob sie noch läuft. Läuft sie sicher nicht mehr, ihren Ordner entfernen: {folder}',
  '{folder}: only the first {max} of {count} names': '{folder}: nur die ersten {max} von {count} Namen',
  '{path} was not written: {why}': '{path} wurde nicht geschrieben: {why}',
  'there is no folder {folder}; make it, and name it to node_exporter with --collector.textfile.directory':
    'den Ordner {folder} gibt es nicht; anlegen und node_exporter mit --collector.textfile.directory nennen',
  'this user may not write into {folder}; let it, for example with `setfacl -m u:$USER:rwx`, or name another folder':
    'dieses Konto darf nicht in {folder} schreiben; es erlauben, etwa mit „setfacl -m u:$USER:rwx“, oder einen anderen Ordner nennen',
  'there is no space left for {folder}; make some': 'für {folder} ist kein Platz mehr; Platz schaffen',
  'it is a folder; name a file in it, for example curfew.prom':
    'das ist ein Ordner; eine Datei darin nennen, etwa curfew.prom',
  'it is a device, a pipe or a socket; without --textfile, or with --textfile -, the numbers go to standard output':
    'das ist ein Gerät, eine Pipe oder ein Socket; ohne --textfile oder mit --textfile - gehen die Zahlen auf die Standardausgabe',
  '{folder} is a link of another user, or to a folder of one; name the folder itself':
    '{folder} ist ein Link eines anderen Kontos oder auf dessen Ordner; den Ordner selbst nennen',
} as const;
