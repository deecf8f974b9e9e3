/** Worktrees, and why each stays. */
export const worktrees = {
  'its folder is gone: `git worktree prune` forgets it': 'sein Ordner ist weg: „git worktree prune“ vergisst ihn',
  'git does not tell all of it': 'git sagt nicht alles über ihn',
  'no agent made it, by its place: name it to have it removed':
    'nach seinem Ort hat ihn kein Agent angelegt: zum Entfernen nennen',
  'it was used within the hour: name it to have it removed':
    'er wurde in der letzten Stunde benutzt: zum Entfernen nennen',
  '{changed} changed: commit or discard': '{changed} geändert: einchecken oder verwerfen',
  '{untracked} untracked: add or delete': '{untracked} unversioniert: hinzufügen oder löschen',
  'ignored files that no build is known to make again ({ignored}): move or delete':
    'ignorierte Dateien, die bekanntermaßen kein Build neu macht ({ignored}): verschieben oder löschen',
  '{hidden} whose changes git was told to overlook': '{hidden}, deren Änderungen git übersehen soll',
  'it has submodules': 'er hat Submodule',
  'another repository or worktree lies in it': 'ein anderes Repository oder ein anderer Arbeitsbaum liegt darin',
  'not all of it can be read, or something is mounted in it':
    'nicht alles darin ist lesbar, oder etwas ist darin eingehängt',
  'a rebase, merge or bisect is under way': 'ein Rebase, Merge oder Bisect ist im Gange',
  '{unpushed} commits are on no remote and no other branch: push or merge':
    '{unpushed} Commits sind auf keinem Remote und keinem anderen Branch: pushen oder mergen',
  '{onlyInLog} commits are only in its log of HEAD: give them a branch':
    '{onlyInLog} Commits stehen nur in seinem HEAD-Protokoll: ihnen einen Branch geben',
  'locked ({lock}; {why})': 'gesperrt ({lock}; {why})',
  'in use by {pids}': 'in Gebrauch von {pids}',
  'a session in it is open': 'eine Sitzung darin ist offen',
  'an ended session may go on in it: name it to have it removed':
    'eine beendete Sitzung kann darin weitergehen: zum Entfernen nennen',
  'another machine may use it': 'ein anderer Rechner kann ihn benutzen',
  '{size}, {branch}, used {age} ago{origin}.': '{size}, {branch}, zuletzt benutzt vor {age}{origin}.',
  'no branch': 'kein Branch',
  ', of {name}': ', von {name}',
  'Clean, all of it is on a remote or another branch, and nothing uses it.':
    'Sauber, alles ist auf einem Remote oder einem anderen Branch, und nichts benutzt ihn.',
  'It stays: {why}.': 'Er bleibt: {why}.',
  '{count} stashes of its branch stay in the repository.': '{count} Stashes seines Branchs bleiben im Repository.',
  'No worktree of an agent was found.': 'Kein Arbeitsbaum eines Agenten wurde gefunden.',
  'Have git remove {count} worktrees ({size})? [y/N] ':
    'Sollen {count} Arbeitsbäume ({size}) durch git entfernt werden? [j/N] ',
  'nothing was removed; `curfew worktrees --remove --yes` removes without asking':
    'nichts wurde entfernt; „curfew worktrees --remove --yes“ entfernt ohne Nachfrage',
  '`curfew worktrees --remove` has git remove {count}, {size}.':
    '„curfew worktrees --remove“ lässt git {count} entfernen, {size}.',
} as const;
