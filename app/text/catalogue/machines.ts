/** Why another machine is not watched. */
export const machines = {
  '{host} can’t be reached{detail}; is it running, and does `ssh {host}` work?':
    '{host} ist nicht erreichbar{detail}; läuft der Rechner, und geht „ssh {host}“?',
  'ssh does not know {host}{detail}; is it in ~/.ssh/config, or misspelled?':
    'ssh kennt {host} nicht{detail}; steht der Name in ~/.ssh/config, oder ist er falsch geschrieben?',
  'the host key of {host} is not known here yet; connect once with `ssh {host}` and check it':
    'der Schlüssel von {host} ist hier noch nicht bekannt; einmal mit „ssh {host}“ verbinden und ihn prüfen',
  '{host} shows another host key than before, so nothing was done; it was reinstalled, or the connection is intercepted: find out which, then `ssh-keygen -R` removes the old one':
    '{host} zeigt einen anderen Schlüssel als früher, daher geschah nichts; der Rechner wurde neu aufgesetzt, oder die Verbindung wird abgefangen: erst klären, dann entfernt „ssh-keygen -R“ den alten',
  '{host} does not let Curfew in without a password{detail}; it uses your ssh keys and agent, so `ssh -o BatchMode=yes {host} true` must work':
    '{host} lässt Curfew nicht ohne Passwort ein{detail}; es nutzt die eigenen SSH-Schlüssel, daher muss „ssh -o BatchMode=yes {host} true“ gehen',
  '{host} gave no answer in time; it is overloaded, or the connection to it is stuck':
    '{host} antwortet nicht rechtzeitig; der Rechner ist überlastet, oder die Verbindung hängt',
  'the connection to {host} broke off{detail}': 'die Verbindung zu {host} brach ab{detail}',
  '{host} can’t be watched: {why}': '{host} lässt sich nicht überwachen: {why}',
  '{host} is this machine, which is watched without ssh': '{host} ist dieser Rechner, der ohne ssh überwacht wird',
  '{host} can’t be watched: there is no program `ssh` on this machine; install OpenSSH':
    '{host} lässt sich nicht überwachen: auf diesem Rechner gibt es kein „ssh“; OpenSSH installieren',
  'this is no name of a host': 'das ist kein Name eines Rechners',
  'its answer is longer than {count} MB': 'die Antwort ist länger als {count} MB',
  'it gave no answer that Curfew understands': 'die Antwort ist für Curfew unverständlich',
  'its answer has more parts than Curfew reads': 'die Antwort hat mehr Teile, als Curfew liest',
  'its answer has a form that Curfew does not know': 'die Antwort hat eine Form, die Curfew nicht kennt',
  'its answer has two parts called {name}': 'die Antwort hat zwei Teile namens {name}',
  'its answer begins in the middle': 'die Antwort beginnt mittendrin',
  'Curfew ended it': 'Curfew hat sie beendet',
  'it was started anew in the middle': 'der Rechner wurde mittendrin neu gestartet',
  'the curfew that is installed there is gone': 'das dort installierte Curfew ist nicht mehr da',
  'the curfew that is installed there says: {said}': 'das dort installierte Curfew sagt: {said}',
} as const;
