/** What is said of a port of this machine. */
export const ports = {
  'Port {port} is free.': 'Port {port} ist frei.',
  'Port {port} is taken by a process that you can’t see: of another user, or in a container.':
    'Port {port} belegt ein Prozess, der nicht zu sehen ist: von einem anderen Benutzer oder in einem Container.',
  'This system does not tell what listens on port {port}; none of your processes is seen to.':
    'Dieses System sagt nicht, was auf Port {port} lauscht; von den eigenen Prozessen ist es keiner.',
  '{name} (process {pid}, {age} old) listens on port {port}: {command}':
    '{name} (Prozess {pid}, {age} alt) lauscht auf Port {port}: {command}',
  'job {job} of {agent}, {state}: {why}': 'Job {job} von {agent}, {state}: {why}',
  'job {job} of {agent}, session {session}, {state}: {why}': 'Job {job} von {agent}, Sitzung {session}, {state}: {why}',
  'lock {path}, {state}: {why}': 'Sperre {path}, {state}: {why}',
  'no job of an agent, so Curfew does not end it': 'kein Job eines Agenten, daher beendet Curfew ihn nicht',
  'in {folder}, which has been deleted': 'in {folder}, inzwischen gelöscht',
  'in {folder}': 'im Ordner {folder}',
  'in {folder}, branch {branch}': 'in {folder}, Branch {branch}',
  'in {folder}, branch {branch} in a worktree of its own': 'in {folder}, Branch {branch} in einem eigenen Worktree',
  'in another worktree than you: you are in {folder}': 'in einem anderen Worktree als diesem ({folder})',
  'connected: {clients}': 'verbunden: {clients}',
  'nothing is connected that could be seen': 'keine Verbindung zu sehen',
  '{name} (process {pid})': '{name} (Prozess {pid})',
  'from {address}': 'von {address}',
  'a process that can’t be seen': 'ein Prozess, der nicht zu sehen ist',
  'again: {command}': 'neu starten mit: {command}',
  '`curfew port {port} --end` ends it.': '„curfew port {port} --end“ beendet ihn.',
  'Port {port} is still taken after {time}.': 'Port {port} ist nach {time} noch belegt.',
  '{name} (process {pid}) is no job of an agent, so Curfew does not end it. `kill {pid}` does, if it is yours to end.':
    '{name} (Prozess {pid}) ist kein Job eines Agenten, daher beendet Curfew ihn nicht. „kill {pid}“ beendet ihn.',
} as const;
