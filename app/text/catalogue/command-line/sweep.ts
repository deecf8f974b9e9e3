/** What agents leave in files: `curfew sweep`. */
export const sweep = {
  'shell snapshot': 'Shell-Snapshot',
  socket: 'Socket',
  'session file': 'Sitzungsdatei',
  'lock file': 'Sperrdatei',
  'task output': 'Aufgabenausgabe',
  'unpacked library': 'entpackte Bibliothek',
  'scratch file': 'Zwischendatei',
  '{count} shell snapshots': '{count} Shell-Snapshots',
  '{count} sockets': '{count} Sockets',
  '{count} session files': '{count} Sitzungsdateien',
  '{count} lock files': '{count} Sperrdateien',
  '{count} task outputs': '{count} Aufgabenausgaben',
  '{count} unpacked libraries': '{count} entpackte Bibliotheken',
  '{count} scratch files': '{count} Zwischendateien',
  'it is too young': 'zu jung',
  'a process uses it': 'ein Prozess benutzt sie',
  'its owner is running': 'ihr Besitzer läuft',
  'an open session may have made it': 'eine offene Sitzung hat sie vielleicht gemacht',
  'its session has ended, but a resumed session may read it again':
    'die Sitzung ist beendet, aber eine fortgesetzte liest sie vielleicht wieder',
  'it may belong to another machine or container': 'gehört vielleicht zu einem anderen Rechner oder Container',
  'some processes that may use it can’t be seen': 'einige Prozesse, die sie benutzen könnten, sind nicht zu sehen',
  'it belongs to another user': 'gehört einem anderen Konto',
  'it is not what its name says': 'ist nicht, was ihr Name sagt',
  'the file has another name too': 'die Datei hat noch einen anderen Namen',
  'no running shell uses it and no open session can have made it':
    'keine laufende Shell benutzt sie, und keine offene Sitzung kann sie gemacht haben',
  'no process listens on it and its owner has ended': 'kein Prozess lauscht daran, und ihr Besitzer ist beendet',
  'the process of that session has ended': 'der Prozess dieser Sitzung ist beendet',
  'its holder has ended': 'ihr Besitzer ist beendet',
  'its session has ended, and the transcript of that is gone, or too old for its agent to keep':
    'die Sitzung ist beendet, und deren Transkript ist weg oder für den Agenten zu alt',
  'no process has it open or mapped': 'kein Prozess hat sie geöffnet oder geladen',
  'no process has it open and no running agent can have made it':
    'kein Prozess hat sie geöffnet, und kein laufender Agent kann sie gemacht haben',
  '{why}; unchanged for {age}': '{why}; unverändert seit {age}',
  '{size}, {memory} of it in memory': '{size}, davon {memory} im Speicher',
  '{size} in memory': '{size} im Speicher',
  'at least {size}': 'mindestens {size}',
  '{kind} of {agent}: {size} in {files}, last changed {age} ago':
    '{kind} von {agent}: {size} in {files}, zuletzt geändert vor {age}',
  'Nothing to delete.': 'Nichts zu löschen.',
  'Are deleted:': 'Wird gelöscht:',
  'Would be deleted:': 'Würde gelöscht:',
  'Together {files}, {size}.': 'Zusammen {files}, {size}.',
  'Kept for 30 days, because a resumed session may read them again:':
    'Bleibt 30 Tage, weil eine fortgesetzte Sitzung es wieder lesen könnte:',
  'Left to the agent that made them:': 'Bleibt dem Agenten überlassen, der es gemacht hat:',
  'Also take up space, and are never deleted by Curfew:': 'Belegt auch Platz und wird von Curfew nie gelöscht:',
  '{count} other file of these forms may be in use or is too young.':
    '{count} weitere solche Datei ist vielleicht in Gebrauch oder zu jung.',
  '{count} other files of these forms may be in use or are too young.':
    '{count} weitere solche Dateien sind vielleicht in Gebrauch oder zu jung.',
  'Not looked into: {why}.': 'Nicht angesehen: {why}.',
  'another file lies there by now': 'inzwischen liegt dort eine andere Datei',
  'it is in use by now': 'sie ist inzwischen in Gebrauch',
  'Delete {files} ({size})? [y/N] ': '{files} löschen ({size})? [j/N] ',
  'curfew: nothing was deleted; `curfew sweep --yes` deletes without asking':
    'curfew: nichts wurde gelöscht; „curfew sweep --yes“ löscht ohne Rückfrage',
  'curfew: {path} was left alone: {why}': 'curfew: {path} blieb, wie es ist: {why}',
  'Deleted {files}, {size}.': '{files} gelöscht, {size}.',
} as const;
