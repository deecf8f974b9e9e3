/** What is said of bounds of memory and tasks, and by `curfew agent`. */
export const bounds = {
  "what all its processes together may take, as 8G; status 1 where that can't be held":
    'was alle seine Prozesse zusammen nehmen dürfen, etwa 8G; Status 1, wo das nicht durchsetzbar ist',
  'processes and threads at most; status 1 as well': 'höchstens so viele Prozesse und Threads; ebenfalls Status 1',
  '{option} {text}: a size is 512M, 8G or 1T, and at least 16M':
    '{option} {text}: eine Größe ist 512M, 8G oder 1T, mindestens 16M',
  'ended at its {size} of memory: {command}': 'an der Speichergrenze von {size} beendet: {command}',
  'reached its {tasks} processes and threads, and was refused more {times} times: {command}':
    'hat {tasks} Prozesse und Threads erreicht; {times}-mal wurden mehr verweigert: {command}',
  'starts an agent in a control group of its own, within bounds of memory and tasks':
    'startet einen Agenten in einer eigenen Kontrollgruppe, mit Grenzen für Speicher und Prozesse',
  'what its tool calls may take, as 8G; what can not be held is said':
    'was seine Tool-Aufrufe nehmen dürfen, etwa 8G; was nicht durchsetzbar ist, wird gemeldet',
  'processes and threads of its tool calls at most': 'höchstens so viele Prozesse und Threads seiner Tool-Aufrufe',
  'prints functions by which a shell starts every agent so':
    'gibt Funktionen aus, mit denen eine Shell jeden Agenten so startet',
  '--shell only prints functions: leave the command out': '--shell gibt nur Funktionen aus: ohne Befehl aufrufen',
  'agent: a command is missing; `curfew agent -- CMD…`': 'agent: der Befehl fehlt; „curfew agent -- CMD…“',
  '{size} of memory': '{size} Speicher',
  '{tasks} processes and threads': '{tasks} Prozesse und Threads',
  'the agent and what it starts share {bounds}': 'der Agent und alles, was er startet, teilen sich {bounds}',
  '{setting} is set to {value}, which holds for its tool calls':
    '{setting} ist auf {value} gesetzt; das gilt für seine Tool-Aufrufe',
  '{bounds} can not be held here, and the agent starts all the same: {reason}':
    'hier nicht durchsetzbar: {bounds}; der Agent startet trotzdem: {reason}',
  'no control group can be made here, and the agent starts all the same: {reason}':
    'hier ist keine Kontrollgruppe möglich, der Agent startet trotzdem: {reason}',
  'this is inside of another `curfew agent`, so the agent starts in the same group':
    'das läuft schon in einem „curfew agent“, der Agent startet daher in derselben Gruppe',
  'this start is not on record, so its control groups stay when it has ended: {why}':
    'dieser Start ist nicht verzeichnet, daher bleiben seine Kontrollgruppen, wenn er endet: {why}',
} as const;
