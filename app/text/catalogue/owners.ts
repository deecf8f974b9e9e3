import type { OwnerSign } from '../../model/owner-sign.ts';

/** How it is known whose a job is. */
export const owners = {
  'agent process {pid} is running': 'Agentenprozess {pid} läuft',
  'agent process {pid} is gone': 'Agentenprozess {pid} ist beendet',
  'agent process {named} is gone': 'Agentenprozess {named} ist beendet',
  'agent process {pid}, which was recorded with its session, is running':
    'Agentenprozess {pid}, der mit der Sitzung verzeichnet ist, läuft',
  'agent process {pid}, which shares its control group, is running':
    'Agentenprozess {pid}, der dieselbe Kontrollgruppe hat, läuft',
  'session {id} reports its background command {task}': 'Sitzung {id} meldet den Hintergrundbefehl {task}',
  'session {id} was forked off in the same project when it ended':
    'Sitzung {id} zweigte im selben Projekt ab, als sie endete',
  'background session of process {pid} goes on with it': 'die Hintergrundsitzung von Prozess {pid} führt sie fort',
  'its `curfew run` (process {pid}) is running': 'das zugehörige „curfew run“ (Prozess {pid}) läuft',
  'its `curfew run` (process {pid}) was killed': 'das zugehörige „curfew run“ (Prozess {pid}) wurde gewaltsam beendet',
  'its terminal is hung up': 'sein Terminal ist geschlossen',
  'its client has closed both ends': 'sein Client hat beide Enden geschlossen',
  'it is in the background of a terminal whose shell cannot bring it back':
    'er ist im Hintergrund eines Terminals, dessen Shell ihn nicht zurückholen kann',
  'no parent of it holds its ends, but process {pid} does':
    'seine Enden hält kein Elternprozess, sondern Prozess {pid}',
  'it is an idle agent': 'ein untätiger Agent',
  'its terminal is kept by {name}, without a client': 'sein Terminal hält {name} offen, ohne Client',
  'process {pid} may be its agent: another reader noted when that one started':
    'Prozess {pid} ist vielleicht der Agent: Dessen Beginn wurde auf andere Weise gelesen',
  'process {pid}, which it names as its agent, is running and looks like none':
    'Prozess {pid}, der als Agent genannt ist, läuft und sieht nicht wie einer aus',
  'process {pid}, which it names as its agent, began in the same moment':
    'Prozess {pid}, der als Agent genannt ist, begann im selben Augenblick',
  'process {pid}, which had started its agent, is running': 'Prozess {pid}, der den Agenten gestartet hatte, läuft',
  'process {pid}, which its agent had started, is running above it':
    'Prozess {pid}, den der Agent gestartet hatte, läuft darüber',
  'process {pid}, which may have started it, is running': 'Prozess {pid}, der es gestartet haben könnte, läuft',
  'process {pid}, which may have resumed its session, is in no registry':
    'Prozess {pid}, der die Sitzung fortführen könnte, ist nirgends verzeichnet',
  'process {pid}, which leads its process group, is running': 'Prozess {pid}, der die Prozessgruppe anführt, läuft',
  'process {pid}, an agent that was started within its session, is running and could own it':
    'Prozess {pid}, ein Agent aus derselben Sitzung, läuft und könnte der Besitzer sein',
  'process {pid} of the same agent is running and could own it':
    'Prozess {pid} desselben Agenten läuft und könnte der Besitzer sein',
  'process {pid} runs the servers of many sessions and could own it':
    'Prozess {pid} startet die Server vieler Sitzungen und könnte der Besitzer sein',
  'process {pid} runs the commands of many sessions and could own it':
    'Prozess {pid} startet die Befehle vieler Sitzungen und könnte der Besitzer sein',
  'process {pid} runs commands for sandboxes': 'Prozess {pid} führt Befehle für Sandboxen aus',
  'process {pid} could be its agent by the name of its program': 'Prozess {pid} könnte dem Namen nach der Agent sein',
  'process {pid} could be the agent that calls itself so': 'Prozess {pid} könnte der Agent sein, der sich so nennt',
  'process {inside} is process {named} in a pid namespace of its own':
    'Prozess {inside} ist Prozess {named} in einem eigenen PID-Namensraum',
  'no agent that could own it is known, and process {pid} could be one':
    'kein möglicher Agent ist bekannt, und Prozess {pid} könnte einer sein',
  'an agent that could own it is running': 'ein Agent, der es gestartet haben könnte, läuft',
  'every process of its agent that could own it was seen, and has ended':
    'alle Prozesse des Agenten, die es gestartet haben könnten, wurden gesehen und sind beendet',
  'the machine does not show all processes': 'der Rechner zeigt nicht alle Prozesse',
  'another session, which may have taken it over, could not be looked into':
    'eine andere Sitzung, die es übernommen haben könnte, war nicht einzusehen',
  "{source}, which may name its session, can't be read":
    '{source}, worin die Sitzung stehen könnte, ist nicht zu lesen',
  '{source}: its process has ended': '{source}: Der Prozess ist beendet',
  '{source}: the session has ended': '{source}: Die Sitzung ist beendet',
  'its session is registered in another pid namespace or on another machine':
    'die Sitzung ist in einem anderen PID-Namensraum oder auf einem anderen Rechner verzeichnet',
  'its session may still be running': 'die Sitzung läuft vielleicht noch',
  'its session is not among the living ones': 'die Sitzung ist nicht unter den laufenden',
  'its session had ended when the rest of it was still there':
    'die Sitzung war beendet, als der Rest davon noch da war',
  'its agent runs on another machine': 'der Agent läuft auf einem anderen Rechner',
  'its marker names no session': 'die Kennung nennt keine Sitzung',
  'its marks name no session': 'die Kennungen nennen keine Sitzung',
  'its marks were made in a sandbox with pids of its own':
    'die Kennungen entstanden in einer Sandbox mit eigenen Prozessnummern',
  'its process group is of another pid namespace': 'die Prozessgruppe gehört zu einem anderen PID-Namensraum',
  'its tool shell has lost its parent, which was its agent':
    'die Tool-Shell hat ihren Elternprozess verloren, den Agenten',
  'the process that led the group of its agent is gone':
    'der Prozess, der die Gruppe des Agenten anführte, ist beendet',
  'nothing tells which session it belongs to': 'nichts sagt, zu welcher Sitzung es gehört',
  'nothing is left that could be its agent, and nothing proves that its session has ended':
    'nichts ist mehr da, was der Agent sein könnte, und nichts beweist, dass die Sitzung beendet ist',
  'no process has pid {named}, which its marks name, and nothing proves that its session has ended':
    'kein Prozess hat die Nummer {named} aus den Kennungen, und nichts beweist, dass die Sitzung beendet ist',
  'its process group is one that a shell makes for what a user types':
    'die Prozessgruppe ist eine, wie sie eine Shell für Eingetipptes bildet',
  'a program in which a user works carried the same marks when it was started':
    'ein Programm, in dem gearbeitet wird, trug beim Start dieselben Kennungen',
  'its environment names a terminal that its agent is not known to have':
    'die Umgebung nennt ein Terminal, das vom Agenten nicht bekannt ist',
  'its standard input or output is a terminal': 'die Standardein- oder -ausgabe ist ein Terminal',
  'the service manager keeps it in a unit that is not known to be of its agent':
    'die Dienstverwaltung führt es in einer Einheit, die nicht als die des Agenten bekannt ist',
  'an earlier look saw that a user may have started it':
    'nach einer früheren Prüfung könnte es von Hand gestartet sein',
  'process {pid} listens on port {port} as the same command of the user did before':
    'Prozess {pid} lauscht auf Port {port}, wie zuvor derselbe von Hand gestartete Befehl',
  'process {pid} works on a terminal that process {parent}, which a tool call started, gave it':
    'Prozess {pid} arbeitet in einem Terminal, das Prozess {parent} aus einem Tool-Aufruf ihm gegeben hat',
  'process {pid} has the environment of a terminal that process {parent}, which started it, does not have':
    'Prozess {pid} hat die Umgebung eines Terminals, die Prozess {parent}, der ihn gestartet hat, nicht hat',
  'process {pid} does not have the environment of process {parent}, which started it':
    'Prozess {pid} hat nicht die Umgebung von Prozess {parent}, der ihn gestartet hat',
  'process {pid} was started by process {parent} after its tool call had returned: a client may have asked for it':
    'Prozess {parent} hat Prozess {pid} gestartet, als der Tool-Aufruf schon zu Ende war: vielleicht für ein anderes Programm',
} as const satisfies Readonly<Record<OwnerSign, string>>;
