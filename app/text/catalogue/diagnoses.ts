/** What is visibly wrong with a job. */
export const diagnoses = {
  'it waits for input that will not come{since}{kind}{process}':
    'wartet{since} auf eine Eingabe, die nicht kommt{kind}{process}',
  ' (its standard input is {kind})': ' (Standardeingabe: {kind})',
  'a terminal': 'ein Terminal',
  'a pipe': 'eine Pipe',
  'a socket': 'ein Socket',
  'a named pipe or file': 'eine benannte Pipe oder Datei',
  'it {probably}waits on a pipe {writer}{since}{process}': 'wartet{since} {probably}auf eine Pipe, {writer}{process}',
  'whose only writer is the reader itself': 'in die nur der Leser selbst schreiben könnte',
  'that only processes waiting for it could write to{writers}':
    'in die nur Prozesse schreiben könnten, die selbst darauf warten{writers}',
  'that no process opens at its other end': 'deren anderes Ende kein Prozess öffnet',
  'that no process writes to': 'in die kein Prozess schreibt',
  'it waits for a lock{since}{file}; {holder}': 'wartet{since} auf eine Sperre{file}; {holder}',
  'it polls for a lock file{since}{file}; {holder}': 'wartet{since} auf eine Sperrdatei{file}; {holder}',
  'its holder can’t be seen': 'wer sie hält, ist nicht zu sehen',
  'process {holder}, which it names, has ended': 'Prozess {holder}, den sie nennt, ist beendet',
  'process {holder} holds it{command}': 'Prozess {holder} hält sie{command}',
  'process {holder} of its own, which waits too holds it{command}':
    'Prozess {holder} aus demselben Job, der auch wartet, hält sie{command}',
  'it is {probably}polling{since} without success{condition}{process}{itself}':
    'fragt {probably}vergeblich nach{since}{condition}{process}{itself}',
  '; its search matches its own shell, so it never ends': '; die Suche findet die eigene Shell und endet daher nie',
  'it has used {used}{since} and produced nothing{process}': 'belegt{since} {used} und erzeugt nichts{process}',
  'it has used {used}{since} and read, wrote and touched nothing new, so it is probably a busy loop{process}':
    'belegt{since} {used} und liest, schreibt und berührt nichts Neues: wahrscheinlich eine Endlosschleife{process}',
  'the processor': 'den Prozessor',
  '{share} % of a core': '{share}\u00a0% eines Kerns',
  'it keeps opening files without closing them{known}{grown}{process}':
    'öffnet immer neue Dateien, ohne sie zu schließen{known}{grown}{process}',
  ' ({more} more{since})': ' ({more} mehr{since})',
  ', {count} descriptor{limit} so far': ', bisher {count} Deskriptor{limit}',
  ', {count} descriptors{limit} so far': ', bisher {count} Deskriptoren{limit}',
  ' of {limit}': ' von {limit}',
  'its output is growing fast{growth}': 'die Ausgabe wächst schnell{growth}',
  '{size} so far': 'bisher {size}',
  '{size} more each second': '{size} mehr je Sekunde',
  '{size} are free there{enough}': '{size} sind dort frei{enough}',
  ', enough for {age}': ', genug für {age}',
  'it holds a connection open{to}{long}{details}{process}': 'hält eine Verbindung offen{to}{long}{details}{process}',
  ' to {to}': ' zu {to}',
  ' for at least {age}, and nothing came or went': ' seit mindestens {age}, ohne dass etwas übertragen wurde',
  '; since it was opened it sent {sent} and received {received}':
    '; seit dem Öffnen {sent} gesendet und {received} empfangen',
  '; if the other side has gone, it will never notice': '; ist die Gegenseite weg, bleibt das unbemerkt',
  '; the other side has not confirmed {size}': '; die Gegenseite hat {size} nicht bestätigt',
  '; it has not read {size} that came': '; {size} sind angekommen und nicht gelesen',
  'memory is scarce{pressure}, and it has {held}': 'der Speicher ist knapp{pressure}, und dieser Job belegt {held}',
  'it took {taken} of memory{during}{process}': 'hat{during} {taken} Speicher belegt{process}',
  ' in {age}': ' in {age}',
  ' (processes waited for it during {pressure} % of the last minute)':
    ' (Prozesse warteten {pressure}\u00a0% der letzten Minute darauf)',
  'much of it': 'viel davon',
  '{size}, and {swap} in swap': '{size}, dazu {swap} im Swap',
  'children have ended and were never collected by the parent{collector}':
    'beendete Kindprozesse wurden vom Elternprozess nie abgeholt{collector}',
  '{count} child has ended and was never collected by the parent{collector}':
    '{count} beendeter Kindprozess wurde vom Elternprozess nie abgeholt{collector}',
  '{count} children have ended and were never collected by the parent{collector}':
    '{count} beendete Kindprozesse wurden vom Elternprozess nie abgeholt{collector}',
  ' (only {parent}, process {pid}, can collect them)': ' (nur {parent}, Prozess {pid}, kann das)',
  'it is stopped and waits to be continued{since}{process}':
    'ist angehalten{since} und wartet auf Fortsetzung{process}',
  'it waits for a disk or a network file system{since}{place}{process}':
    'wartet{since} auf eine Festplatte oder ein Netzlaufwerk{place}{process}',
  'its working folder is gone{folder}': 'der Arbeitsordner ist gelöscht{folder}',
  'it is the proxy of a sandbox whose session has ended{process}':
    'ist der Proxy einer Sandbox, deren Sitzung beendet ist{process}',
  'something is visibly wrong with it{code}': 'hier stimmt sichtlich etwas nicht{code}',
  'probably ': 'wahrscheinlich ',
  ' for {age}': ' seit {age}',
  ' (process {pid})': ' (Prozess {pid})',
} as const;
