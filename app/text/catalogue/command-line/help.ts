/** What `--help` and completions say of commands, arguments and options. */
export const help = {
  'Finds the background commands that AI coding agents left running, says why, and ends them safely.':
    'Findet Hintergrundbefehle, die KI-Coding-Agenten haben laufen lassen, nennt den Grund und beendet sie sicher.',
  'lists every job with owner, age and verdict': 'zeigt jeden Job mit Besitzer, Alter und Urteil',
  'lists every session of every agent, and what it holds': 'zeigt jede Sitzung jedes Agenten, und was sie hält',
  'what was ended, why, and the outcome; newest first': 'was beendet wurde, warum und wie; das Neueste zuerst',
  'checks the installation': 'prüft die Installation',
  'locks of git, worktrees and development servers, and whether their holders live':
    'Sperren von Git, Worktrees und Entwicklungsservern, und ob ihre Besitzer noch laufen',
  'where; the folders of known sessions and jobs if left out':
    'wo; ohne Angabe die Ordner bekannter Sitzungen und Jobs',
  'removes those whose holder is proved dead, after asking':
    'entfernt nach Rückfrage die, deren Besitzer nachweislich beendet ist',
  'with --remove: does not ask': 'mit --remove: ohne Rückfrage',
  'worktrees that agents left: size, branch, what is only there, and why each stays':
    'Worktrees, die Agenten hinterlassen haben: Größe, Branch, was nur dort liegt, und warum sie bleiben',
  'repositories, or worktrees to be removed by name; all known ones if left out':
    'Repositorys oder einzelne Worktrees, die entfernt werden sollen; ohne Angabe alle bekannten',
  'has git remove those that nothing keeps, after asking':
    'lässt Git nach Rückfrage alle entfernen, bei denen nichts dagegen spricht',
  'one redacted file for an issue: versions, settings, doctor, scan, history; shown before it is written':
    'eine geschwärzte Datei für eine Fehlermeldung: Versionen, Einstellungen, doctor, scan, history; vor dem Schreiben zu sehen',
  'the page of `curfew web` with example leftovers that are made up: none runs, none is ended':
    'die Seite von „curfew web“ mit erfundenen Resten als Beispiel: keiner läuft, keiner wird beendet',
  'the older sets of servers that this host keeps, by its process':
    'die älteren Sätze von Servern, die dieser Prozess hält',
  'ends leftover jobs once; by default orphans and jobs past the hard cap':
    'beendet einmal übrig gebliebene Jobs; ohne Auswahl Reste und Jobs über der Höchstdauer',
  'keeps a job running longer (up to the hard cap; once warned of that, one hard cap more)':
    'lässt einen Job länger laufen (bis zur Höchstdauer; nach der Warnung davor noch einmal so lange)',
  'undoes keep, and keep --mine': 'nimmt keep und keep --mine zurück',
  'removes, after asking, what dead sessions left: task outputs, sockets, old logs, locks, worktrees without work':
    'entfernt nach Rückfrage, was beendete Sitzungen hinterlassen haben: Aufgabenausgaben, Sockets, alte Protokolle, Sperren, Worktrees ohne eigene Arbeit',
  'only these, and what lies in these folders; all that is known if left out':
    'nur diese, und was in diesen Ordnern liegt; ohne Angabe alles Bekannte',
  'watches live in the terminal (Ctrl-C to stop)': 'überwacht live im Terminal (Ende mit Strg-C)',
  'watches and serves the interface on a local page; run again, it prints another address':
    'überwacht und zeigt die Oberfläche auf einer lokalen Seite; ein weiterer Aufruf nennt eine neue Adresse',
  'runs a command under supervision: what it starts and leaves behind ends with it':
    'führt einen Befehl unter Aufsicht aus: was er startet und zurücklässt, endet mit ihm',
  'process 1 of a container: passes signals on, waits for every child, ends what outlives the command':
    'Prozess 1 eines Containers: reicht Signale weiter, wartet auf jedes Kind und beendet, was den Befehl überlebt',
  'for what outlives it, before the container ends; by default the setting':
    'für das, was ihn überlebt, bevor der Container endet; ohne Angabe die Einstellung',
  'says which process listens on a port, of which job and worktree, and how to start it again':
    'zeigt, welcher Prozess auf einem Port lauscht, zu welchem Job und Worktree er gehört und wie er sich neu starten lässt',
  'a TCP or UDP port of this machine': 'ein TCP- oder UDP-Port dieses Rechners',
  'ends its job, by all the rules of `reap`': 'beendet seinen Job, nach allen Regeln von „reap“',
  'waits until the port can be bound': 'wartet, bis der Port frei ist',
  '30s for --free if left out': 'ohne Angabe 30s bei --free',
  'takes out of this home what Curfew put into it: hooks, timers, files; shows all of it and asks':
    'entfernt aus diesem Benutzerordner, was Curfew angelegt hat: Hooks, Timer, Dateien; zeigt alles und fragt nach',
  'shows what would be removed, removes nothing': 'zeigt, was entfernt würde, und entfernt nichts',
  'removes without asking; needed without a terminal': 'entfernt ohne Rückfrage; ohne Terminal nötig',
  'Files and folders that go:': 'Zu entfernende Dateien und Ordner:',
  'Stays, because it may not be Curfew’s: {file}': 'Bleibt, weil es vielleicht nicht von Curfew stammt: {file}',
  'Curfew is running: {supervisor}. End it first.': 'Curfew läuft noch: {supervisor}. Erst beenden.',
  'A supervised run is not over: {run}. `curfew terminate {run}` ends it.':
    'Ein Befehl unter Aufsicht läuft noch: {run}. „curfew terminate {run}“ beendet ihn.',
  'Remove all of this? [y/N] ': 'Das alles entfernen? [j/N] ',
  'curfew: nothing was removed; `curfew uninstall --yes` removes without asking':
    'curfew: nichts wurde entfernt; „curfew uninstall --yes“ entfernt ohne Rückfrage',
  'Nothing of Curfew is left in this home. The program goes as it came: `npm uninstall -g curfew`, `apt remove curfew`.':
    'In diesem Benutzerordner ist nichts mehr von Curfew. Das Programm selbst entfernt „npm uninstall -g curfew“ oder „apt remove curfew“, je nachdem, wie es installiert wurde.',
  'What may not be Curfew’s stays. The program goes as it came: `npm uninstall -g curfew`, `apt remove curfew`.':
    'Was vielleicht nicht von Curfew stammt, bleibt. Das Programm selbst entfernt „npm uninstall -g curfew“ oder „apt remove curfew“, je nachdem, wie es installiert wurde.',
  'for shutdown rules: status 0 when no agent and no job has been at work for so long, else 1':
    'für Abschaltregeln: Status 0, wenn so lange kein Agent und kein Job gearbeitet hat, sonst 1',
  'returns only when that is so': 'kehrt erst zurück, wenn es so weit ist',
  'waits until jobs have ended; status 1 when the time is over before':
    'wartet, bis Jobs beendet sind; Status 1, wenn die Zeit vorher abläuft',
  'ids, as `curfew scan` shows them': 'IDs, wie „curfew scan“ sie zeigt',
  'as long as it takes if left out': 'ohne Angabe unbegrenzt',
  'init: a command is missing; `curfew init -- CMD…`': 'init: der Befehl fehlt; „curfew init -- CMD…“',
  'init: {reason}. `curfew run --strict -- CMD…` ends what a command leaves anywhere.':
    'init: {reason}. „curfew run --strict -- CMD…“ beendet überall, was ein Befehl zurücklässt.',
  'killed with the container, because they did not end within {time}: {processes}':
    'mit dem Container gewaltsam beendet, weil nach {time} noch da: {processes}',
  'commands started with `run --background`, oldest first':
    'mit „run --background“ gestartete Befehle, die ältesten zuerst',
  'prints the output of a background command': 'gibt die Ausgabe eines Hintergrundbefehls aus',
  'ends background commands with everything they started':
    'beendet Hintergrundbefehle mit allem, was sie gestartet haben',
  'starts Curfew at login: a pass every five minutes, or the supervisor':
    'startet Curfew bei der Anmeldung: alle fünf Minuten ein Durchgang oder die Überwachung',
  'reads and changes settings': 'liest und ändert Einstellungen',
  "hooks in the agents' own settings": 'Hooks in den Einstellungen der Agenten',
  'what those hooks call; answers in the form of the agent':
    'was diese Hooks aufrufen; antwortet in der Form des Agenten',
  'an MCP server for agents: list, read, keep and end the background work of their own session':
    'ein MCP-Server für Agenten: zeigt, liest, behält und beendet Hintergrundarbeit der eigenen Sitzung',
  'one short line for a status bar: what runs in the background, without waiting for a look':
    'eine kurze Zeile für eine Statusleiste: was im Hintergrund läuft, ohne Wartezeit',
  'numbers for Prometheus: what the running supervisor saw last, and what was ended':
    'Zahlen für Prometheus: was die laufende Überwachung zuletzt sah und was beendet wurde',
  'a script that completes commands in your shell: `source <(curfew completion bash)`':
    'ein Skript, das Befehle in der Shell vervollständigt: source <(curfew completion bash)',
  'prints the version of Curfew': 'gibt die Version von Curfew aus',
  'display help for command': 'zeigt diese Hilfe',
  'adds reasons and evidence': 'dazu Gründe und Belege',
  'only figures and common names, to be posted; FILE.svg: also a picture':
    'nur Zahlen und übliche Namen, zum Veröffentlichen; DATEI.svg: auch ein Bild',
  'also protected jobs and servers that are only shown, and why':
    'auch geschützte Jobs und nur angezeigte Server, mit dem Grund',
  'another machine, by the name that ssh knows it by; `local` is this one; repeatable':
    'ein anderer Rechner, mit seinem Namen für ssh; local ist dieser; mehrfach möglich',
  'another machine, by the name that ssh knows it by; `local` is this one':
    'ein anderer Rechner, mit seinem Namen für ssh; local ist dieser',
  'machines from a file, one a line; `-` is standard input':
    'Rechner aus einer Datei, einer je Zeile; - ist die Standardeingabe',
  'the machines of the setting `hosts`': 'die Rechner der Einstellung hosts',
  'of several machines, how many at a time': 'bei mehreren Rechnern: wie viele zugleich',
  'of several machines, how long one may take': 'bei mehreren Rechnern: wie lange einer brauchen darf',
  'one JSON document on standard output and nothing else there':
    'ein JSON-Dokument auf der Standardausgabe und sonst nichts',
  'whose processes are candidates, by number; yours if left out':
    'UID des Benutzers, dessen Prozesse infrage kommen; sonst die eigene',
  'not older than': 'nicht älter als',
  'of this agent': 'von diesem Agenten',
  'of this project, by path or last name': 'aus diesem Projekt, mit Pfad oder letztem Namen',
  'with this outcome': 'mit diesem Ergebnis',
  'of this machine; `local` is this one': 'von diesem Rechner; local ist der eigene',
  'at most this many': 'höchstens so viele',
  'how it is printed': 'in welcher Form',
  'one incident whole, by its id or that of its job': 'ein Vorfall im Ganzen, mit seiner ID oder der des Jobs',
  'where it is written; an existing file stays as it is. By default a new one here':
    'wohin geschrieben wird; eine vorhandene Datei bleibt, wie sie ist. Sonst eine neue hier',
  'writes without asking; needed without a terminal': 'schreibt ohne Rückfrage; ohne Terminal nötig',
  'opens no browser': 'öffnet keinen Browser',
  'minimum age of orphans': 'Mindestalter von Resten',
  'this job, whatever its owner; repeatable': 'dieser Job, gleich wem er gehört; mehrfach möglich',
  'the jobs of this session': 'die Jobs dieser Sitzung',
  'the tool shells that use this shell snapshot': 'die Tool-Shells mit diesem Shell-Snapshot',
  'an agent that no user can reach any more, by its process': 'ein nicht mehr erreichbarer Agent, mit seinem Prozess',
  'a session of a multiplexer or a container that a tool call left open':
    'eine Multiplexer-Sitzung oder ein Container, die ein Tool-Aufruf offen ließ',
  'only jobs of this kind: task, service, server; repeatable':
    'nur Jobs dieser Art: task, service, server; mehrfach möglich',
  'also what is only probably left over: marks alone say that an agent started it':
    'auch was nur vermutlich übrig ist: nur Kennungen nennen einen Agenten',
  'with --probable: does not ask': 'mit --probable: ohne Rückfrage',
  'says what would be ended, signals nothing': 'sagt, was beendet würde, und sendet kein Signal',
  'from the first signal to KILL': 'vom ersten Signal bis KILL',
  'the first signal: TERM, INT, HUP, QUIT': 'das erste Signal: TERM, INT, HUP, QUIT',
  'its id, as `curfew scan` shows it': 'seine ID, wie „curfew scan“ sie zeigt',
  'its id': 'seine ID',
  '30m if left out': 'sonst 30m',
  'its processes are yours, and no job any more': 'seine Prozesse sind eigene und kein Job mehr',
  'says what would be deleted and why, deletes nothing': 'sagt, was gelöscht würde und warum, und löscht nichts',
  'deletes without asking; needed without a terminal': 'löscht ohne Rückfrage; ohne Terminal nötig',
  'as root: one Curfew for each user, by that user’s settings':
    'als root: ein Curfew je Benutzer, nach dessen Einstellungen',
  'with --all-users: only this one; repeatable': 'mit --all-users: nur dieser Benutzer; mehrfach möglich',
  'with --all-users: the first uid of a person': 'mit --all-users: die kleinste UID eines Menschen',
  'with --all-users: at most this many at once': 'mit --all-users: höchstens so viele zugleich',
  'with --all-users: without anything of an agent, a user’s Curfew ends':
    'mit --all-users: wann das Curfew eines Benutzers ohne Agenten endet',
  'with --all-users: also the machines in users’ settings, by their ssh':
    'mit --all-users: auch die Rechner aus den Einstellungen der Benutzer, über deren ssh',
  'ends overdue jobs, whatever the settings say': 'beendet Überfälliges, gleich was die Einstellungen sagen',
  'only reports, whatever the settings say': 'berichtet nur, gleich was die Einstellungen sagen',
  'serves numbers for Prometheus on this port of this machine; 0 for any':
    'liefert an diesem Port dieses Rechners Zahlen für Prometheus; 0 für irgendeinen',
  'tells each announcement, end and failure as one line for log collectors':
    'meldet jede Ankündigung, jedes Ende und jeden Fehler als eine Zeile für Log-Sammler',
  'port to listen on; 0 for any': 'Port der Seite; 0 für irgendeinen',
  'signs every browser out, and serves nothing': 'meldet jeden Browser ab und zeigt nichts',
  'id of the user whose processes are candidates; yours by default':
    'UID des Benutzers, dessen Prozesse infrage kommen; sonst die eigene',
  'program and arguments': 'Programm und Argumente',
  'ends it after this time, with status 124': 'beendet ihn nach dieser Zeit, mit Status 124',
  'ends it after this time in any case; at most 24h, by default the setting':
    'beendet ihn nach dieser Zeit in jedem Fall; höchstens 24h, sonst nach der Einstellung',
  'once a line of its output matches, it gets --idle-grace to exit; its output goes through a pipe':
    'passt eine Zeile der Ausgabe, bleibt --idle-grace bis zum Ende; die Ausgabe geht durch eine Pipe',
  '30s if left out': 'sonst 30s',
  'holds this lock while it runs; status 1 unless its holder, if any, is proved dead':
    'hält währenddessen diese Sperre; Status 1, wenn ein Besitzer nicht nachweislich beendet ist',
  'for lists': 'für Listen',
  'for `terminate --workspace`': 'für „terminate --workspace“',
  'returns at once with id, pid and folder; its output goes to files there':
    'kehrt sofort mit ID, PID und Ordner zurück; die Ausgabe geht in Dateien dort',
  'also ends what is otherwise left running in a session of its own: tmux, ssh-agent, editors, agents':
    'beendet auch, was sonst in eigener Sitzung weiterläuft: tmux, ssh-agent, Editoren, Agenten',
  'at the end one JSON document on standard output; the output of the command then goes to standard error':
    'am Ende ein JSON-Dokument auf der Standardausgabe; die Ausgabe des Befehls geht dann an die Fehlerausgabe',
  'also foreground runs': 'auch im Vordergrund gestartete',
  'only of this workspace': 'nur aus diesem Workspace',
  'as `curfew runs` shows it; a prefix is enough': 'wie „curfew runs“ sie zeigt; der Anfang genügt',
  'as `curfew runs` shows them': 'wie „curfew runs“ sie zeigt',
  'follows the output until the command has ended': 'folgt der Ausgabe, bis der Befehl beendet ist',
  'one JSON document a line': 'ein JSON-Dokument je Zeile',
  'all of this workspace': 'alle aus diesem Workspace',
  'prints all, or one': 'gibt alle aus oder eine',
  'changes one': 'ändert eine',
  'resets one to its default': 'setzt eine auf ihren Standard zurück',
  'prints the path of the settings file': 'gibt den Pfad der Einstellungsdatei aus',
  'which agents have them': 'welche Agenten sie haben',
  'adds them to the settings of the installed agents, or of the named ones':
    'trägt sie bei den installierten Agenten ein, oder bei den genannten',
  'removes exactly what was added': 'entfernt genau, was eingetragen wurde',
  'the MCP server in place of hooks, see `curfew mcp`': 'statt der Hooks den MCP-Server, siehe „curfew mcp“',
  'the status line of Claude Code in place of hooks, see `curfew statusline`':
    'statt der Hooks die Statuszeile von Claude Code, siehe „curfew statusline“',
  'all if left out': 'sonst alle',
  'besides, lets the kernel (Claude Code) and hooks witness what tool calls start':
    'dazu halten Kernel (Claude Code) und Hooks fest, was Tool-Aufrufe starten',
  'as --witness, and the most memory of all tool calls together (8G)':
    'wie --witness, dazu der Speicher, den alle Tool-Aufrufe zusammen höchstens nehmen (8G)',
  'shows what would be written, writes nothing': 'zeigt, was geschrieben würde, und schreibt nichts',
  "reads the agent's JSON on standard input": 'liest JSON des Agenten von der Standardeingabe',
  "reads the agent's JSON on standard input and answers with the guard's decision":
    'liest JSON des Agenten von der Standardeingabe und antwortet mit dem Urteil der Prüfung',
  'ends what closed sessions left, if no supervisor runs; in the mode enforce only':
    'beendet Reste geschlossener Sitzungen, wenn keine Überwachung läuft; nur im Modus enforce',
  'which agent calls': 'welcher Agent aufruft',
  'OpenMetrics, or the older text format': 'OpenMetrics oder das ältere Textformat',
  'writes a regular file for node_exporter, in the text format; `-` is standard output':
    'schreibt eine Datei für node_exporter, im Textformat; - ist die Standardausgabe',
  'for which': 'für welche',
  // What stands around them.
  'Usage:': 'Aufruf:',
  'Options:': 'Optionen:',
  'Arguments:': 'Argumente:',
  'Commands:': 'Befehle:',
  'Look:': 'Ansehen:',
  'End:': 'Beenden:',
  'Automate:': 'Automatisch:',
  'Integrate:': 'Einbinden:',
  'choices: {choices}': 'möglich: {choices}',
  'default: {value}': 'Standard: {value}',
  none: 'keiner',
  all: 'alle',
  'all with a login shell': 'alle mit Login-Shell',
  'Examples:': 'Beispiele:',
  'More, each with --help:': 'Weitere, jeder mit --help:',
  'the verdict in one sentence': 'das Urteil in einem Satz',
  'what is there, and why': 'was da ist und warum',
  'what would be ended': 'was beendet würde',
  'let a running Curfew end what is due': 'ein laufendes Curfew beenden lassen, was fällig ist',
} as const;

/** What is wrong with a call. */
export const calls = {
  "missing required argument '{name}'": 'das Argument „{name}“ fehlt',
  "option '{flags}' argument missing": 'bei der Option „{flags}“ fehlt der Wert',
  "option '{flags}' cannot be used with option '{other}'": 'die Option „{flags}“ geht nicht zusammen mit „{other}“',
  "unknown option '{flag}'": 'die Option „{flag}“ gibt es nicht',
  "unknown command '{name}'": 'den Befehl „{name}“ gibt es nicht',
  'too many arguments: {args}': 'zu viele Argumente: {args}',
  "'{value}' is invalid for {target}. Allowed choices are {choices}.":
    '„{value}“ geht bei {target} nicht; möglich: {choices}',
  '. Perhaps {similar}?': '. Gemeint vielleicht: {similar}?',
  '{option} {text}: a duration is 90 or 90s, 30m, 4h or 2d': '{option} {text}: eine Dauer ist 90 oder 90s, 30m, 4h, 2d',
  '--memory {text}: an amount is 8G, 2048M or 1T, and at least 1G':
    '--memory {text}: eine Menge ist 8G, 2048M oder 1T, mindestens 1G',
  '{option} {text}: allowed are {choices}': '{option} {text}: möglich sind {choices}',
  'there is no agent {name}; there are {known}': 'den Agenten {name} gibt es nicht; es gibt {known}',
  'there is no outcome {name}; there are {known}': 'das Ergebnis {name} gibt es nicht; es gibt {known}',
  '{option} {text}: a whole number of at least {min} is allowed':
    '{option} {text}: erlaubt ist eine ganze Zahl ab {min}',
  '{option} {text}: a port is at most {max}': '{option} {text}: ein Port ist höchstens {max}',
  '--host {host}: a name from ~/.ssh/config or user@host is allowed':
    '--host {host}: erlaubt ist ein Name aus ~/.ssh/config oder user@host',
  '--uid is for this machine; on another one the user is who ssh logs in as: --host user@host':
    '--uid gilt für diesen Rechner; auf einem anderen zählt die Anmeldung von ssh: --host user@host',
  '--uid is for this machine alone, not for several': '--uid gilt nur für diesen Rechner, nicht für mehrere',
  '--json and --incidents stdout both want standard output; --incidents journald goes with --json':
    '--json und --incidents stdout wollen beide die Standardausgabe; --incidents journald geht mit --json',
  '--all-hosts goes with --all-users; without it your own are watched':
    '--all-hosts geht nur mit --all-users; sonst werden die eigenen Rechner überwacht',
  '--json and --format {format} exclude each other': '--json und --format {format} schließen einander aus',
  'there is no folder {path}': 'den Ordner {path} gibt es nicht',
  'an id stands alone: without filters': 'eine ID steht allein, ohne Filter',
} as const;
