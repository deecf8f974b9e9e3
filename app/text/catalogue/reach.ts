/** Whether a user can reach an agent, and why. */
export const reach = {
  unreachable: 'unerreichbar',
  idle: 'untätig',
  'End {count} older set, {size}: {end}': '{count} älteren Serversatz beenden, {size}: {end}',
  'End {count} older sets, {size}: {end}': '{count} ältere Serversätze beenden, {size}: {end}',
  'End {count} older set, {size}: {end} ({command})': '{count} älteren Serversatz beenden, {size}: {end} ({command})',
  'End {count} older sets, {size}: {end} ({command})': '{count} ältere Serversätze beenden, {size}: {end} ({command})',
  'Process {pid} keeps {count} older set of {command}: in use, no complete younger one, or not watched for 6 h.':
    'Prozess {pid} hält {count} älteren Serversatz von {command}: benutzt, kein vollständiger jüngerer, oder nicht 6 h beobachtet.',
  'Process {pid} keeps {count} older sets of {command}: in use, no complete younger one, or not watched for 6 h.':
    'Prozess {pid} hält {count} ältere Serversätze von {command}: benutzt, kein vollständiger jüngerer, oder nicht 6 h beobachtet.',
  'Ends it: {command}': 'Beendet ihn: {command}',
  finishing: 'wird gerade fertig',
  'just closed': 'gerade geschlossen',
  'cut off': 'abgeschnitten',
  held: 'festgehalten',
  detached: 'abgelöst',
  headless: 'ohne Bedienung',
  service: 'Dienst',
  reachable: 'erreichbar',
  unknown: 'unbekannt',
  'its terminal is hung up, so no input can reach it{quiet}':
    'sein Terminal ist geschlossen, keine Eingabe kann den Agenten mehr erreichen{quiet}',
  'its client has closed both ends, so no input can reach it{quiet}':
    'sein Client hat beide Enden geschlossen, keine Eingabe kann den Agenten mehr erreichen{quiet}',
  'its terminal is hung up, so no input can reach it, but {work}':
    'sein Terminal ist geschlossen, keine Eingabe kann den Agenten mehr erreichen, aber {work}',
  'its client has closed both ends, so no input can reach it, but {work}':
    'sein Client hat beide Enden geschlossen, keine Eingabe kann den Agenten mehr erreichen, aber {work}',
  '; quiet for {age} as observed': '; still seit {age}, soweit beobachtet',
  '; it uses the processor all the time, and reads and writes nothing':
    '; er belegt die ganze Zeit den Prozessor und liest und schreibt nichts',
  'it has read or written data': 'er hat gelesen oder geschrieben',
  'it has used the processor': 'er hat gerechnet',
  'a command of it was at work': 'ein Befehl von ihm hat gearbeitet',
  'its transcript was written': 'sein Transkript wurde geschrieben',
  '{work} in the last {patience}, so it may be finishing a turn':
    '{work}, in den letzten {patience}: vielleicht arbeitet er noch etwas ab',
  'it can be used from elsewhere (remote control)': 'er lässt sich von anderswo bedienen (Fernsteuerung)',
  'a client is, or may be, connected to it': 'ein Client ist verbunden oder könnte es sein',
  'its client closed both ends {age} ago; {patience} must pass before it counts as unreachable':
    'sein Client hat beide Enden vor {age} geschlossen; erst nach {patience} gilt er als unerreichbar',
  'its launcher is gone: it is in the background of a terminal, and no shell can bring it back':
    'sein Starter ist weg: er ist im Hintergrund eines Terminals, und keine Shell kann ihn zurückholen',
  'no parent of it holds the other end of its input, but process {pid} ({name}) does':
    'das andere Ende seiner Eingabe hält kein Elternprozess, sondern Prozess {pid} ({name})',
  'its terminal is kept by {name} (process {pid}), to which no client is attached':
    'sein Terminal hält {name} (Prozess {pid}) offen, womit kein Client verbunden ist',
  'it writes to a file or another program and needs no user':
    'er schreibt in eine Datei oder ein Programm und braucht keine Eingabe',
  'it is a service of its agent, which runs without a terminal on purpose':
    'er ist ein Dienst seines Agenten und läuft absichtlich ohne Terminal',
  'its own status': 'seinem eigenen Zustand',
  'its transcript': 'seinem Transkript',
  'its terminal': 'seinem Terminal',
  'bytes that it moved': 'bewegten Bytes',
  'in use: last sign {age} ago': 'in Benutzung: letztes Zeichen vor {age}',
  'in use: it is in the middle of a turn': 'in Benutzung: er arbeitet gerade',
  'in use: it waits for an answer of its user': 'in Benutzung: er wartet auf eine Antwort',
  'in use: a command of it is at work': 'in Benutzung: ein Befehl von ihm arbeitet',
  'in use: it can be used from elsewhere (remote control)':
    'in Benutzung: er lässt sich von anderswo bedienen (Fernsteuerung)',
  'in use: it has a scheduled wake-up': 'in Benutzung: er hat einen Wecktermin',
  'idle for {age}, by {sign}': 'untätig seit {age}, nach {sign}',
  'suspended by its user; last sign {age} ago, by {sign}': 'angehalten; letztes Zeichen vor {age}, nach {sign}',
  'spinning: it uses the processor and gives no other sign; last sign {age} ago, by {sign}':
    'dreht sich im Kreis: er belegt den Prozessor ohne anderes Zeichen; letztes Zeichen vor {age}, nach {sign}',
  '; what it computes is known only while Curfew watches': '; ob er rechnet, ist nur bekannt, während Curfew zusieht',
  '; whether it waits for an answer can’t be seen': '; ob er auf eine Antwort wartet, ist nicht zu sehen',
  'nothing tells yet when it was at work last': 'noch zeigt nichts, wann er zuletzt gearbeitet hat',
  'No command is known that resumes its session.': 'Kein Befehl ist bekannt, der seine Sitzung fortsetzt.',
  'Its session goes on with: {command}': 'Seine Sitzung geht weiter mit: {command}',
  'a terminal or a client is connected to it': 'ein Terminal oder ein Client ist verbunden',
  'it is unknown whether a user can reach it: {why}': 'unbekannt, ob er erreichbar ist: {why}',
  'its input and output can’t be read': 'Ein- und Ausgabe lassen sich nicht lesen',
  'it is not remembered': 'dazu ist nichts gespeichert',
  'only its output is closed': 'nur die Ausgabe ist geschlossen',
  'only its output is hung up': 'nur die Ausgabe hat ihr Terminal verloren',
  'only its input is hung up': 'nur die Eingabe hat ihr Terminal verloren',
  'what holds the other end of its input or output can’t be seen':
    'was das andere Ende seiner Ein- oder Ausgabe hält, ist nicht zu sehen',
  'no process is seen to hold the other end of its input or output':
    'kein Prozess ist zu sehen, der das andere Ende seiner Ein- oder Ausgabe hält',
  'it is on a console or a serial line': 'er läuft auf einer Konsole oder seriellen Leitung',
  'its terminal is of another container': 'sein Terminal gehört zu einem anderen Container',
  'its terminal can’t be opened': 'sein Terminal lässt sich nicht öffnen',
  'its terminal gives contrary signs': 'sein Terminal gibt widersprüchliche Zeichen',
  'its input or output is neither file nor channel': 'seine Ein- oder Ausgabe ist weder Datei noch Kanal',
  'its pipe is open both ways': 'seine Pipe ist in beide Richtungen offen',
  'its input or output is closed, or can’t be read': 'seine Ein- oder Ausgabe ist geschlossen oder nicht lesbar',
  'the other end of its input or output can’t be seen': 'das andere Ende seiner Ein- oder Ausgabe ist nicht zu sehen',
  'its input or output is a device': 'seine Ein- oder Ausgabe ist ein Gerät',
  'whether its terminal is hung up can’t be seen': 'ob sein Terminal geschlossen wurde, ist nicht zu sehen',
  'Curfew does not signal it: {why}. Its own command ends it: {command}':
    'Curfew sendet dort kein Signal: {why}. Der eigene Befehl beendet es: {command}',
  // What a tool call left open, and why Curfew does not end it.
  '{keeper} session {name}': '{keeper}-Sitzung {name}',
  '{keeper} container {name}': '{keeper}-Container {name}',
  'Curfew does not end it: {why}.{yourself}': 'Curfew beendet das nicht: {why}.{yourself}',
  ' You can: {command}': ' Von Hand geht es: {command}',
  'that a tool call opened it is likely and not proved':
    'wahrscheinlich, aber nicht nachweislich von einem Tool-Aufruf geöffnet',
  'a client is attached to it': 'ein Client ist damit verbunden',
  'a client was attached to it, so a user may work in it':
    'ein Client war damit verbunden, vielleicht wird darin gearbeitet',
  'process {pid} in it is protected: {veto}': 'darin ist Prozess {pid} geschützt: {veto}',
  'its {keeper} is another user’s': '{keeper} gehört dort einem anderen Benutzer',
  'its {keeper} runs in a sandbox or container': '{keeper} läuft dort in einer Sandbox oder einem Container',
  'its program is not known to be {keeper}': 'sein Programm ist nicht als {keeper} bekannt',
  'the socket of its {keeper} is not known': 'der Socket von {keeper} ist nicht bekannt',
  'its tmux gives no answer ({problem})': 'tmux gibt dort keine Antwort ({problem})',
  'what its tmux answers is not understood': 'die Antwort von tmux ist nicht verständlich',
  'its screen does not name it': 'screen nennt es nicht',
  'a server of its session was attached to it, and has ended':
    'ein Server der Sitzung war damit verbunden und ist beendet',
  'it was made while a tool call ran that starts containers, and the output of that call names it':
    'entstand während eines Tool-Aufrufs, der Container startet und dessen Ausgabe es nennt',
  'the output of a tool call names it': 'die Ausgabe eines Tool-Aufrufs nennt es',
} as const;
