/** `curfew hooks`, `settings`, `web`, `report`, `doctor`, `statusline` and `metrics`. */
export const install = {
  // Hooks.
  HOOKS: 'HOOKS',
  FILE: 'DATEI',
  'there is no agent {name}; hooks are known for {known}':
    'den Agenten {name} gibt es nicht; Hooks sind bekannt für {known}',
  '{name} has no hooks that Curfew could use; hooks are known for {known}':
    '{name} hat keine Hooks, die Curfew nutzen könnte; Hooks sind bekannt für {known}',
  installed: 'installiert',
  'partly installed': 'teilweise installiert',
  'installed from elsewhere': 'von anderswo installiert',
  'not installed': 'nicht installiert',
  'not available here': 'hier nicht möglich',
  'agent not found': 'Agent nicht gefunden',
  ' (this agent was not found here)': ' (dieser Agent wurde hier nicht gefunden)',
  '{name}: {file} would be changed like this:': '{name}: {file} würde so geändert:',
  '{name}: {file} is changed like this:': '{name}: {file} wird so geändert:',
  'The file as it was is kept as {path}.': 'Die bisherige Datei bleibt als {path} erhalten.',
  'none of these agents was found here: {agents}; name one to install its hooks all the same':
    'keiner dieser Agenten wurde hier gefunden: {agents}; einen nennen, um seine Hooks trotzdem zu installieren',
  'none of these agents was found here; name one to install it all the same':
    'keiner dieser Agenten wurde hier gefunden; einen nennen, um es trotzdem zu installieren',
  'There are no hooks of Curfew to remove.': 'Es sind keine Hooks von Curfew da.',
  'There is nothing of Curfew to remove.': 'Von Curfew ist nichts zu entfernen.',
  'nothing of this kind is known for {name}, only for {known}':
    'für {name} ist nichts dergleichen bekannt, nur für {known}',
  'on Windows agents run no POSIX script; use `curfew statusline`':
    'unter Windows führen Agenten kein POSIX-Skript aus; stattdessen „curfew statusline“ nehmen',
  'You have set CLAUDE_CODE_TOOL_MEMORY_LIMIT; it stays as it is and witnesses in the same way.':
    'CLAUDE_CODE_TOOL_MEMORY_LIMIT ist schon gesetzt; das bleibt so und leistet dasselbe.',
  'Its tool calls get a control group of their own, which witnesses what they start.':
    'Tool-Aufrufe bekommen eine eigene Kontrollgruppe, die festhält, was sie starten.',
  'Each of its tool shells notes itself.': 'Jede Tool-Shell trägt sich selbst ein.',
  'Its hooks note what it has running.': 'Die Hooks vermerken, was läuft.',
  '{agent} starts its commands in a control group of their own, which nothing that they start':
    '{agent} startet Befehle in einer eigenen Kontrollgruppe, die nichts davon',
  'can leave: Curfew then knows what came from them, also behind setsid, nohup or a double fork.':
    'verlassen kann: Curfew weiß dann, was von ihnen kam, auch hinter setsid, nohup oder doppeltem fork.',
  '{limit} is all memory of this machine, so it limits nothing (--memory 8G does).':
    '{limit} ist der ganze Speicher dieses Rechners und begrenzt daher nichts (--memory 8G tut es).',
  'All commands of {agent} together get at most {memory} of memory; beyond it the kernel ends one.':
    'Alle Befehle von {agent} zusammen bekommen höchstens {memory} Speicher; darüber beendet der Kernel einen.',
  'It counts for sessions that begin from now on, and where the control group can be written.':
    'Das gilt für Sitzungen, die ab jetzt beginnen, und wo die Kontrollgruppe beschreibbar ist.',
  'Each shell in which {agent} runs a command notes its pid and start for Curfew, without another':
    'Jede Shell, in der {agent} einen Befehl ausführt, vermerkt PID und Startzeit für Curfew, ohne weiteren',
  'process: so short ones are known, too.': 'Prozess: so sind auch kurze bekannt.',
  'When a tool call or a reply of {agent} ends, its hook notes by pid and start what it still has':
    'Endet ein Tool-Aufruf oder eine Antwort von {agent}, vermerkt der Hook mit PID und Startzeit, was noch',
  'running. What a call left that has returned by then only looks know.':
    'läuft. Was ein schon beendeter Aufruf zurückließ, zeigen nur Prüfungen.',
  '{agent} was not seen to call a hook around its tool calls: only looks witness them.':
    '{agent} ruft, soweit bekannt, rund um Tool-Aufrufe keinen Hook auf: nur Prüfungen erfassen sie.',
  '{name} is there already and not from Curfew, so it is left alone':
    '{name} steht schon darin und ist nicht von Curfew, daher bleibt es, wie es ist',
  'Curfew’s entry in it could not be told from the rest':
    'der Eintrag von Curfew darin ließ sich nicht vom Rest unterscheiden',
  'The terminal of Codex runs the servers of all its sessions in one process, so whose server it is can’t be proved there, and its tools say so.':
    'Codex führt im Terminal die Server aller Sitzungen in einem Prozess aus; zu welcher ein Server gehört, ist dort nicht nachweisbar, und seine Tools sagen das.',
  // Settings.
  'A supervisor that enforces ends {jobs} of now, each announced {age} ahead:':
    'Eine Überwachung im Modus „Eingreifen“ beendet jetzt {jobs}, jeweils {age} vorher angekündigt:',
  '  {id}  {age} old: {command}': '  {id}  {age} alt: {command}',
  '  {id}  {age} old: {command} in {project}': '  {id}  {age} alt: {command} in {project}',
  'Keep one with `curfew keep JOB`.': 'Behalten mit „curfew keep JOB“.',
  'there is no setting {key} (curfew settings get lists all)':
    'die Einstellung {key} gibt es nicht (curfew settings get zeigt alle)',
  'there is no setting {key} (curfew settings get lists all); did you mean {similar}?':
    'die Einstellung {key} gibt es nicht (curfew settings get zeigt alle); gemeint vielleicht {similar}?',
  'not chosen yet': 'noch nicht gewählt',
  'not chosen yet (behaves as observe)': 'noch nicht gewählt (wie observe)',
  'not chosen': 'nicht gewählt',
  '{value} (set)': '{value} (gesetzt)',
  '{key} is {value}': '{key} ist {value}',
  'curfew: what enforcing would end is not known: {why}':
    'curfew: was der Modus „Eingreifen“ beenden würde, ist nicht bekannt: {why}',
  // The page.
  'the page is not there (build/out/renderer): run `npm run build` in the checkout, or install curfew again':
    'die Seite ist nicht da (build/out/renderer): im Quellverzeichnis „npm run build“ ausführen oder curfew neu installieren',
  'curfew: no browser was opened: {why}': 'curfew: kein Browser wurde geöffnet: {why}',
  'nothing here opens files': 'hier gibt es kein Programm, das Dateien öffnet',
  'this is an SSH session': 'dies ist eine SSH-Sitzung',
  'this is a CI run': 'dies ist ein CI-Lauf',
  'this is a remote container': 'dies ist ein entfernter Container',
  'there is no display': 'es gibt keinen Bildschirm',
  // What a browser shows without the page.
  'There is nothing here.': 'Hier ist nichts.',
  'Curfew could not do this; its log says why.': 'Curfew konnte das nicht tun; das Protokoll sagt, warum.',
  'Not signed in: open the address that “curfew web” prints.':
    'Nicht angemeldet: die Adresse öffnen, die „curfew web“ ausgibt.',
  'This export was fetched already, or waited too long. Export again.':
    'Dieser Export wurde schon abgeholt oder hat zu lange gewartet. Noch einmal exportieren.',
  'This is not a name of this machine.': 'So heißt dieser Rechner nicht.',
  'Not an address of this server.': 'Keine Adresse dieses Servers.',
  'The address is too long.': 'Die Adresse ist zu lang.',
  'GET and POST only.': 'Nur GET und POST.',
  'Only Curfew’s own page may ask this.': 'Das darf nur die Seite von Curfew selbst.',
  'Questions are JSON.': 'Anfragen müssen JSON sein.',
  'Questions are not compressed.': 'Anfragen dürfen nicht komprimiert sein.',
  'curfew: the address signs one browser in, once, within {age}; `curfew web` in another terminal prints a new one':
    'curfew: die Adresse meldet einen Browser an, einmal, innerhalb von {age}; „curfew web“ in einem anderen Terminal nennt eine neue',
  '`curfew web` runs already, on port {port}: end that one first':
    '„curfew web“ läuft schon, an Port {port}: erst das beenden',
  '`curfew web` runs already: to serve metrics, end that one first':
    '„curfew web“ läuft schon: für Metriken erst das beenden',
  'curfew: `curfew web` runs already; this is another address of it':
    'curfew: „curfew web“ läuft schon; dies ist eine weitere Adresse davon',
  'curfew: another program holds port {port}, so the page is at another one; what is open at that port is not Curfew':
    'curfew: ein anderes Programm hält Port {port}, daher ist die Seite an einem anderen; was an jenem Port offen ist, ist nicht Curfew',
  'Every browser is signed out.': 'Jeder Browser ist abgemeldet.',
  // The report, which itself stays English for those who read it.
  'Write this to {path}? Read it first: it is meant to be sent to others. [y/N] ':
    'Nach {path} schreiben? Erst lesen: es ist zum Weitergeben gedacht. [j/N] ',
  'curfew: nothing was written; `curfew report --yes` writes without asking':
    'curfew: nichts wurde geschrieben; „curfew report --yes“ schreibt ohne Rückfrage',
  '{path} is there already and stays as it is; `--output FILE` names another':
    '{path} ist schon da und bleibt, wie sie ist; „--output DATEI“ nennt eine andere',
  'the report could not be written: {why}': 'der Bericht ließ sich nicht schreiben: {why}',
  'Written to {path}.': 'Geschrieben nach {path}.',
  "curfew: node_exporter reads files that end in .prom only; {file} doesn't":
    'curfew: node_exporter liest nur Dateien, die auf .prom enden; {file} tut das nicht',
} as const;
