/** Why a process may not be signalled. */
export const vetoes = {
  'its session is moving to the background': 'die Sitzung wechselt gerade in den Hintergrund',
  // What a program provides to others that would end with it.
  'a mounted folder': 'einen eingehängten Ordner',
  'a network connection': 'eine Netzverbindung',
  'a virtual machine': 'eine virtuelle Maschine',
  'input devices': 'Eingabegeräte',
  'a notebook and its kernels': 'ein Notebook mit seinen Kernels',
  'keys or passwords': 'Schlüssel oder Passwörter',
  'a service to which other programs connect': 'einen Dienst für andere Programme',
  'access to a device': 'den Zugriff auf ein Gerät',
  'it is process 1, which the whole system needs': 'ist Prozess 1, den das ganze System braucht',
  'it is part of the kernel': 'ist Teil des Kernels',
  'it is Curfew itself': 'ist Curfew selbst',
  'Curfew was started by it': 'hat Curfew gestartet',
  'it shares its process group with Curfew': 'ist in derselben Prozessgruppe wie Curfew',
  'it is Curfew, or runs a command under its supervision':
    'ist Curfew oder führt einen Befehl unter dessen Aufsicht aus',
  'it is part of Curfew': 'ist Teil von Curfew',
  'it is an agent{name} that may hold unsaved work': 'ist ein Agent{name}, der Ungespeichertes haben kann',
  'it may be part of a running agent ({inside})': 'gehört vielleicht zu einem laufenden Agenten ({inside})',
  'it is an editor{name}': 'ist ein Editor{name}',
  'it runs inside an editor ({inside})': 'läuft in einem Editor ({inside})',
  'it was moved into a terminal that may be in use': 'ist jetzt in einem Terminal, das in Gebrauch sein kann',
  'it holds a terminal that may be in use ({holds})': 'hält ein Terminal, das in Gebrauch sein kann ({holds})',
  'it is a terminal{name}': 'ist ein Terminal{name}',
  'it runs inside a terminal ({inside})': 'läuft in einem Terminal ({inside})',
  'it is a terminal multiplexer, which outlives sessions by design{name}':
    'ist ein Terminal-Multiplexer, der Sitzungen absichtlich überdauert{name}',
  'it runs inside a terminal multiplexer, which outlives sessions by design ({inside})':
    'läuft in einem Terminal-Multiplexer, der Sitzungen absichtlich überdauert ({inside})',
  'a user works in it{name}': 'darin wird gearbeitet{name}',
  'it is a program that other programs rely on{name}': 'ist ein Programm, auf das andere angewiesen sind{name}',
  'it runs inside a program that other programs rely on ({inside})':
    'läuft in einem Programm, auf das andere angewiesen sind ({inside})',
  'it provides {provision}{name}, which would end with it': 'stellt {provision} bereit{name}; das würde mit ihm enden',
  'it is a part of the system or of the desktop{name}': 'ist Teil des Systems oder des Desktops{name}',
  'the desktop or the system started it, not the agent ({inside})':
    'wurde vom Desktop oder vom System gestartet, nicht vom Agenten ({inside})',
  'it is unknown which user owns it': 'unbekannt, wem der Prozess gehört',
  'it belongs to another user ({uid})': 'gehört einem anderen Benutzer ({uid})',
  'it is a service of Windows{service}': 'ist ein Dienst von Windows{service}',
  'it is an application{service}, which may hold unsaved work':
    'ist ein Programm{service}, das Ungespeichertes haben kann',
  'macOS did not tell whether launchd started it{service}':
    'macOS sagte nicht, ob launchd den Prozess gestartet hat{service}',
  'launchd started it{service}, not the agent': 'wurde von launchd gestartet{service}, nicht vom Agenten',
  'systemd manages it{service}, not the agent': 'wird von systemd verwaltet{service}, nicht vom Agenten',
  'it is in a slice that its orchestrator clears itself{service}':
    'ist in einer Slice, die ihr Orchestrator selbst aufräumt{service}',
  'it lives in a container{runtime}': 'läuft in einem Container{runtime}',
  'it lives in another pid namespace, a container or a sandbox of its own':
    'läuft in einem eigenen PID-Namensraum, einem Container oder einer Sandbox',
  'you said that it is yours': 'ist als eigenes bezeichnet',
  'it carried CURFEW_KEEP=1 in its environment when it was seen earlier': 'hatte früher CURFEW_KEEP=1 in der Umgebung',
  'its command sets CURFEW_KEEP=1': 'der Befehl setzt CURFEW_KEEP=1',
  'it carries CURFEW_KEEP=1 in its environment': 'hat CURFEW_KEEP=1 in der Umgebung',
  'the system does not show its environment, so it may carry CURFEW_KEEP=1':
    'das System zeigt die Umgebung nicht, sie könnte CURFEW_KEEP=1 enthalten',
  'it has overwritten its environment, so it may carry CURFEW_KEEP=1':
    'die Umgebung ist überschrieben, sie könnte CURFEW_KEEP=1 enthalten haben',
  'a debugger or tracer holds it': 'ein Debugger oder Tracer hält den Prozess',
  'a debugger or tracer holds it ({tracer})': 'ein Debugger oder Tracer hält den Prozess ({tracer})',
  'it holds a process that is no part of the job and may end with it ({other})':
    'hält einen Prozess, der nicht zum Job gehört und damit enden kann ({other})',
  'its pid namespace, which ends with it, has a process that is no part of the job ({other})':
    'im PID-Namensraum, der damit endet, ist ein Prozess, der nicht zum Job gehört ({other})',
  'the system does not show what it was started with': 'das System zeigt nicht, womit der Prozess gestartet wurde',
  'the system does not tell which program it is': 'das System sagt nicht, welches Programm es ist',
  'the system does not tell whether a debugger holds it': 'das System sagt nicht, ob ein Debugger den Prozess hält',
  'the system does not tell for certain which process started it':
    'das System sagt nicht sicher, welcher Prozess ihn gestartet hat',
  'the system does not show all of it': 'das System zeigt nicht alles davon',
  'its agent wants it to keep running{evidence}': 'der Agent will, dass es weiterläuft{evidence}',
  'what it forwards to may still be in use{port}': 'das Ziel der Weiterleitung kann noch in Gebrauch sein{port}',
  ' (port {port})': ' (Port {port})',
  'it shows, or may show, a window that may hold unsaved work{window}':
    'zeigt vielleicht ein Fenster mit Ungespeichertem{window}',
  'a process may speak to it after all': 'ein Prozess spricht vielleicht doch noch damit',
  'nothing proves that an agent started it': 'nichts beweist, dass ein Agent es gestartet hat',
  'it is no longer the process that was judged': 'ist nicht mehr der Prozess, der beurteilt wurde',
  'its session is open after all': 'die Sitzung ist doch noch offen',
  'a process speaks to it after all': 'ein Prozess spricht doch damit',
  'it was used since, or may have been: it moved bytes or ran':
    'wurde inzwischen benutzt oder vielleicht benutzt: hat Bytes bewegt oder lief',
  'it was kept or exempted since, or observe mode was chosen':
    'wurde inzwischen behalten oder ausgenommen, oder Curfew beobachtet nur noch',
  'process {pid}': 'Prozess {pid}',
  '{name}, process {pid}': '{name}, Prozess {pid}',
  'it is protected{code}': 'ist geschützt{code}',
  '{keeper} keeps its detached shell {shell}{path}': '{keeper} behält die abgelöste Shell {shell}{path}',
} as const;
