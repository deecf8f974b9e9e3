/** Worktrees, and why each stays. */
export const worktrees = {
  'its folder is gone: `git worktree prune` forgets it': 'sein Ordner ist weg: „git worktree prune“ trägt ihn aus',
  'git does not tell all of it': 'Git gibt nicht vollständig Auskunft',
  'no agent made it, by its place: name it to have it removed':
    'dem Ort nach von keinem Agenten angelegt: zum Entfernen ausdrücklich nennen',
  '{declaredBy} lists it as its own, or may: remove it there':
    '{declaredBy} führt ihn als eigenen (oder das ist nicht auszuschließen): dort entfernen',
  'it was used within the hour: name it to have it removed':
    'in der letzten Stunde benutzt: zum Entfernen ausdrücklich nennen',
  '{changed} changed: commit or discard': '{changed} geändert: committen oder verwerfen',
  '{untracked} untracked: add or delete': '{untracked} unversioniert: hinzufügen oder löschen',
  'ignored files that no build is known to make again ({ignored}): move or delete':
    'ignorierte Dateien, die wohl kein Build neu erzeugt ({ignored}): verschieben oder löschen',
  '{hidden} whose changes git was told to overlook': '{hidden}, deren Änderungen Git übersehen soll',
  'it has submodules': 'er hat Submodule',
  'another repository or worktree lies in it': 'ein anderes Repository oder ein anderer Worktree liegt darin',
  'not all of it can be read, or something is mounted in it':
    'nicht alles darin ist lesbar, oder etwas ist darin eingehängt',
  'a rebase, merge or bisect is under way': 'ein Rebase, Merge oder Bisect ist im Gange',
  '{unpushed} commits are on no remote and no other branch: push or merge':
    'Commits, die auf keinem Remote und in keinem anderen Branch sind ({unpushed}): pushen oder mergen',
  '{onlyInLog} commits are only in its log of HEAD: give them a branch':
    'Commits, die nur in seinem HEAD-Reflog stehen ({onlyInLog}): ihnen einen Branch geben',
  'locked ({lock}; {why})': 'gesperrt ({lock}; {why})',
  'in use by {pids}': 'in Gebrauch von {pids}',
  'a session in it is open': 'eine Sitzung darin ist offen',
  'an ended session may go on in it: name it to have it removed':
    'eine beendete Sitzung lässt sich darin fortsetzen: zum Entfernen ausdrücklich nennen',
  'another machine may use it': 'ein anderer Rechner kann ihn benutzen',
  '{size}, {branch}, used {age} ago{origin}.': '{size}, {branch}, zuletzt benutzt vor {age}{origin}.',
  'no branch': 'kein Branch',
  worktree: 'Worktree',
  'It was at {commit}, {branch}.': 'Stand: {commit}, {branch}.',
  ', of {name}': ', von {name}',
  'Clean, all of it is on a remote or another branch, and nothing uses it.':
    'Sauber, alles ist auf einem Remote oder in einem anderen Branch, und nichts benutzt ihn.',
  'It stays: {why}.': 'Er bleibt: {why}.',
  '{count} stashes of its branch stay in the repository.': 'Im Repository bleiben Stashes seines Branchs ({count}).',
  'No worktree of an agent was found.': 'Kein Worktree eines Agenten wurde gefunden.',
  'Have git remove {count} worktrees ({size})? [y/N] ': 'Worktrees von Git entfernen lassen ({count}, {size})? [j/N] ',
  'nothing was removed; `curfew worktrees --remove --yes` removes without asking':
    'nichts wurde entfernt; „curfew worktrees --remove --yes“ entfernt ohne Rückfrage',
  '`curfew worktrees --remove` has git remove {count}, {size}.':
    '„curfew worktrees --remove“ lässt Git {count} entfernen, {size}.',
} as const;
