/** Why a job is judged as it is. */
export const reasons = {
  'an unknown time': 'unbekannte Zeit',
  'it serves requests': 'bedient Anfragen',
  'it listens on port {ports}': 'lauscht auf Port {ports}',
  'it listens on ports {ports}': 'lauscht auf den Ports {ports}',
  'it was last active {silent} ago': 'zuletzt aktiv vor {silent}',
  'it was not seen idle so far': 'bisher nicht untätig gesehen',
  'it is active': 'ist aktiv',
  'project {project}': 'Projekt {project}',
  'command “{command}”': 'Befehl „{command}“',
  'port {port}': 'Port {port}',
  'you exempted it: {exempt}{note}': 'ausgenommen: {exempt}{note}',
  ', from {from}': ', von {from}',
  'a client is connected to it ({at}{from})': 'etwas ist damit verbunden ({at}{from})',
  'it is connected to a program outside of it ({at})': 'ist mit einem anderen Programm verbunden ({at})',
  'a client was connected to it a short while ago ({at}{from})': 'etwas war vor Kurzem damit verbunden ({at}{from})',
  'a program outside of it has its pipe open ({at})': 'ein anderes Programm hat die Pipe offen ({at})',
  'a program outside of it has its terminal open ({at})': 'ein anderes Programm hat das Terminal offen ({at})',
  'it shares memory with a program outside of it ({at})': 'teilt Speicher mit einem anderen Programm ({at})',
  'it shows windows that may be in use ({at})': 'zeigt Fenster, die in Gebrauch sein können ({at})',
  'it is unknown whether a client is connected to it{where}': 'unbekannt, ob etwas damit verbunden ist{where}',
  'the desktop': 'der Desktop',
  'what it is connected to can not be seen from here': 'womit es verbunden ist, lässt sich von hier nicht sehen',
  'it was not looked at yet': 'noch nicht geprüft',
  'there are more open files than are looked at': 'es sind mehr Dateien offen, als geprüft werden',
  'its open files can not be seen': 'die offenen Dateien sind nicht zu sehen',
  'it has more open files than are looked at': 'mehr Dateien sind offen, als geprüft werden',
  'one of its open files can not be read': 'eine der offenen Dateien ist nicht lesbar',
  'its connections can not be seen': 'die Verbindungen sind nicht zu sehen',
  'the owners of connections are not told': 'wem die Verbindungen gehören, sagt das System nicht',
  'its session ended {age} ago': 'die Sitzung endete vor {age}',
  'its session has ended{evidence}': 'die Sitzung ist beendet{evidence}',
  'it is unknown whether its session is open{evidence}': 'unbekannt, ob die Sitzung offen ist{evidence}',
  'its session is open': 'die Sitzung ist offen',
  'memory is scarce, so the largest that is due goes first (processes waited for memory during {pressure} % of the last 10 s{full})':
    'der Speicher ist knapp, daher der größte fällige Job zuerst (Prozesse warteten {pressure}\u00a0% der letzten 10 s auf Speicher{full})',
  ', and {swap} % of the swap is used': ', {swap}\u00a0% des Swaps sind belegt',
  'it is {age} old, past the hard cap of {limit}': '{age} alt, über der Höchstdauer von {limit}',
  'it is {age} old, past its limit of {limit}': '{age} alt, über der Grenze von {limit}',
  'it is {age} old, within its limit of {limit}': '{age} alt, unter der Grenze von {limit}',
  'it is within the grace of {limit} after its session ended':
    'noch in der Schonfrist von {limit} nach dem Ende der Sitzung',
  'idle for {silent} (no CPU, no I/O)': 'untätig seit {silent} (keine CPU, keine Ein-/Ausgabe)',
  'you keep it for another {left}': 'behalten, noch {left}',
  'not ended: a program of yours may be using it. End it or keep it (inUseAtHardCap)':
    'wird nicht beendet, solange ein eigenes Programm es benutzen könnte: beenden oder behalten',
  'not ended: Curfew observes until you choose a mode (curfew settings set mode enforce)':
    'wird nicht beendet: Curfew beobachtet, bis ein Modus gewählt ist',
  'not ended: Curfew is in observe mode': 'wird nicht beendet: Curfew beobachtet nur',
  'not ended automatically: what Curfew knew of the time before was lost with a file; end it or keep it yourself':
    'wird nicht von selbst beendet: Was Curfew von der Zeit davor wusste, ging mit einer Datei verloren; von Hand lässt es sich beenden oder behalten',
  'you were warned {ago} ago': 'Warnung vor {ago}',
  'its `curfew run` was killed; Curfew ends its leftovers':
    'das zugehörige „curfew run“ wurde gewaltsam beendet; Curfew beendet die Reste',
  'its `curfew run` ends it at its own limits': 'das zugehörige „curfew run“ beendet es an seinen eigenen Grenzen',
  'it had printed its result and was still running {limit} later':
    'lief {limit} nach Ausgabe des Ergebnisses noch immer',
  'no command is known that resumes its session; it is an agent without a sign of life for {age}':
    'kein Befehl ist bekannt, der seine Sitzung fortsetzt; ein Agent ohne Lebenszeichen seit {age}',
  'it is an agent without a sign of life for {age}; its session goes on with: {command}':
    'ein Agent ohne Lebenszeichen seit {age}; seine Sitzung geht weiter mit: {command}',
  'its session goes on with: {command}': 'seine Sitzung geht weiter mit: {command}',
  'no user can reach it any more': 'dieser Agent ist nicht mehr erreichbar',
  'no process can speak to it any more: the other ends of its input and output are closed':
    'kein Prozess kann mehr damit sprechen: die Gegenseiten von Ein- und Ausgabe sind geschlossen',
  'it serves its session, and is never ended while that is open':
    'dient seiner Sitzung und wird nie beendet, solange sie offen ist',
  'not ended: your settings only show servers of sessions (sessionServers)':
    'wird nicht beendet: Server von Sitzungen werden laut Einstellung nur angezeigt',
  'its session is open and has closed its input; nothing ends it automatically':
    'die Sitzung läuft und hat die Eingabe geschlossen; wird nicht automatisch beendet',
  'only marks say that an agent started it, so nothing ends it automatically':
    'nur Kennungen sagen, dass ein Agent es gestartet hat; wird nie automatisch beendet',
  'no client of it was seen for {age}; from {limit} on it is offered to you':
    'seit {age} war kein Client zu sehen; ab {limit} wird das Ende angeboten',
  'it detached itself, and no client of it was seen for {age}; nothing ends it automatically':
    'hat sich abgelöst, und seit {age} war kein Client zu sehen; wird nicht automatisch beendet',
  // Why a server of a session is only shown.
  'only shown: it is unknown whether its session is open': 'nur angezeigt: unbekannt, ob die Sitzung offen ist',
  'only shown: its agent is running and no longer speaks to it':
    'nur angezeigt: der Agent läuft und spricht nicht mehr damit',
  'only shown: it detached itself, as a program does that is meant to stay':
    'nur angezeigt: hat sich abgelöst, wie ein Programm, das bleiben soll',
  'only shown: its standard input or output is not a channel to its agent':
    'nur angezeigt: Ein- oder Ausgabe führt nicht zum Agenten',
  'only shown: nothing proves that it is a server of its session':
    'nur angezeigt: nichts beweist, dass es ein Server der Sitzung ist',
  'only shown: probably a server of its agent, whose settings name this command':
    'nur angezeigt: wahrscheinlich ein Server des Agenten, dessen Einstellungen diesen Befehl nennen',
  'only shown: a hook or another part of its agent started it':
    'nur angezeigt: ein Hook oder ein anderer Teil des Agenten hat es gestartet',
  'only shown: a process still holds the other end of its input or output':
    'nur angezeigt: ein Prozess hält noch das andere Ende der Ein- oder Ausgabe',
  'only shown: it can not be seen whether a process still speaks to it':
    'nur angezeigt: nicht zu sehen, ob noch ein Prozess damit spricht',
  'only shown: Windows does not tell whether a process still holds the other ends of its pipes':
    'nur angezeigt: Windows sagt nicht, ob noch ein Prozess die anderen Enden seiner Pipes hält',
  'only shown: a process outside of it is connected to it': 'nur angezeigt: ein fremder Prozess ist damit verbunden',
  'only shown: it waits for clients on a port or a socket':
    'nur angezeigt: wartet an einem Port oder Socket auf Verbindungen',
  'only shown: it is still reading or writing': 'nur angezeigt: liest oder schreibt noch',
  'only shown: a program that did not start it has become its parent':
    'nur angezeigt: ein Programm, das es nicht gestartet hat, ist jetzt sein Elternprozess',
  'only shown: what it is can not be told for certain': 'nur angezeigt: was es ist, steht nicht fest',
} as const;
