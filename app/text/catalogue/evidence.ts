/** How it is known that an agent started a job, and what belongs to it. */
export const evidence = {
  'proved: seen below {agent}{pid} on {moment}': 'bewiesen: unter {agent}{pid} gesehen am {moment}',
  'proved: the kernel shows that {agent}{pid} started it, read on {moment}':
    'bewiesen: laut Kernel von {agent}{pid} gestartet, gelesen am {moment}',
  'proved: its tool shell{pid} of {agent} was seen on {moment}':
    'bewiesen: Tool-Shell{pid} von {agent} gesehen am {moment}',
  'proved: process{pid} of it was seen to hold its output file of {agent} on {moment}':
    'bewiesen: Prozess{pid} hielt die Ausgabedatei von {agent} offen, gesehen am {moment}',
  'proved: {agent} named its process{pid} on {moment}': 'bewiesen: {agent} hat Prozess{pid} genannt am {moment}',
  'not proved: only marks say that an agent started it':
    'nicht bewiesen: nur Kennungen sagen, dass ein Agent es gestartet hat',
  'the agent’s shell tool started it ({rule})': 'das Shell-Tool des Agenten hat es gestartet ({rule})',
  '{owner}’s shell tool started it': 'das Shell-Tool von {owner} hat es gestartet',
  'an agent that calls itself “{slug}” marked its environment':
    'ein Agent, der sich „{slug}“ nennt, hat es gekennzeichnet',
  'it has the agent’s environment marker ({rule})': 'trägt die Kennung des Agenten in der Umgebung ({rule})',
  'it has {owner}’s environment marker': 'trägt die Kennung von {owner} in der Umgebung',
  'it writes to the output file of a task ({path})': 'schreibt in die Ausgabedatei einer Aufgabe ({path})',
  'Curfew first saw it on {first}': 'zuerst gesehen am {first}',
  'it was started by {agent}': 'von {agent} gestartet',
  'it was started with `curfew run` (run {run})': 'mit „curfew run“ gestartet ({run})',
  'it is an agent itself ({agent})': 'ist selbst ein Agent ({agent})',
  'your own rule “{rule}” describes it': 'die eigene Regel „{rule}“ beschreibt es',
  'process {pid} {by}': 'Prozess {pid} {by}',
  'process {pid} ({program}) is left alone: {why}': 'Prozess {pid} ({program}) bleibt verschont: {why}',
  'its `curfew run` (process {pid}) ended it': 'das zugehörige „curfew run“ (Prozess {pid}) hat es beendet',
  'ended by its agent’s own command: {command}': 'beendet durch den eigenen Befehl des Agenten: {command}',
  'ended by the command of its keeper: {command}':
    'beendet durch den Befehl des Programms, das es offen hält: {command}',
  'its session is open: {evidence}': 'die Sitzung ist offen: {evidence}',
  'its session has ended: {evidence}': 'die Sitzung ist beendet: {evidence}',
  'it is unknown whose session started it: {evidence}': 'unbekannt, welche Sitzung es gestartet hat: {evidence}',
} as const;

/** By what a process belongs to a job or to a run. */
export const belonging = {
  'shares its process group or kernel session': 'ist in derselben Prozessgruppe oder Kernel-Sitzung',
  'descends from its root': 'stammt vom Wurzelprozess ab',
  'carries its marker in the environment': 'trägt die Kennung in der Umgebung',
  'was seen in it earlier': 'wurde früher darin gesehen',
  'writes to its output file': 'schreibt in die Ausgabedatei',
  'is the command itself': 'ist der Befehl selbst',
  'belonged to it before': 'gehörte schon vorher dazu',
  'was adopted by its `curfew run`': 'wurde vom zugehörigen „curfew run“ übernommen',
  'is in its control group': 'ist in der zugehörigen Kontrollgruppe',
  'shares its process group': 'ist in derselben Prozessgruppe',
  'shares its kernel session': 'ist in derselben Kernel-Sitzung',
  'carries its cookie in the environment': 'trägt die zugehörige Kennung in der Umgebung',
  'descends from it': 'stammt davon ab',
} as const;
