/** What agents leave in files: `curfew sweep`. */
export const sweep = {
  '{size}, {memory} of it in memory': '{size}, davon {memory} im Speicher',
  '{size} in memory': '{size} im Speicher',
  'at least {size}': 'mindestens {size}',
  '{kind} of {agent}: {size} in {files}, last changed {age} ago':
    '{kind} von {agent}: {size} in {files}, zuletzt geändert vor {age}',
  'Nothing to delete.': 'Nichts zu löschen.',
  'Are deleted:': 'Wird gelöscht:',
  'Would be deleted:': 'Würde gelöscht:',
  '{worktrees} stay; `curfew worktrees` says why.': '{worktrees} bleiben; „curfew worktrees“ sagt, warum.',
  'Together {files}, {size}.': 'Zusammen {files}, {size}.',
  'Kept for 30 days, because a resumed session may read them again:':
    'Bleibt 30 Tage, weil eine fortgesetzte Sitzung es wieder lesen könnte:',
  'Left to the agent that made them:': 'Bleibt dem Agenten überlassen, der es angelegt hat:',
  'Also take up space:': 'Belegt auch Platz:',
  '{count} other file of these forms may be in use or is too young.':
    '{count} weitere solche Datei ist vielleicht in Gebrauch oder zu jung.',
  '{count} other files of these forms may be in use or are too young.':
    '{count} weitere solche Dateien sind vielleicht in Gebrauch oder zu jung.',
  'Not looked into: {why}.': 'Nicht durchsucht: {why}.',
  '{path} is not there': '{path} gibt es nicht',
  '{path} is a link or no folder': '{path} ist ein Link oder kein Ordner',
  '{path} belongs to another user': '{path} gehört einem anderen Benutzer',
  '{path} is no plain path': '{path} ist kein eindeutiger Pfad',
  '{path}: {why}': '{path}: {why}',
  'two others came into its place at once; one is kept as {path}':
    'an seiner Stelle erschienen zwei andere zugleich; eine liegt jetzt als {path}',
  'Delete {files} ({size})? [y/N] ': '{files} löschen ({size})? [j/N] ',
  'curfew: nothing was deleted; `curfew sweep --yes` deletes without asking':
    'curfew: nichts wurde gelöscht; „curfew sweep --yes“ löscht ohne Rückfrage',
  'curfew: {path} was left alone: {why}': 'curfew: {path} blieb, wie es ist: {why}',
  'Deleted {files}, {size}.': '{files} gelöscht, {size}.',
} as const;
