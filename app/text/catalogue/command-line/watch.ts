/** `curfew watch`, as lines and as a view. */
export const watch = {
  'Curfew only observes until you choose: `curfew settings set mode enforce` lets it end what overstays, `curfew settings set mode observe` keeps it from doing so.':
    'Curfew beobachtet nur, bis ein Modus gewählt ist: mit „curfew settings set mode enforce“ beendet es Überfälliges, mit „curfew settings set mode observe“ nicht.',
  'curfew: watching ({mode}); Ctrl-C ends it': 'curfew: überwacht ({mode}); Strg-C beendet das',
  '{on} needs a look': '{on} braucht Aufmerksamkeit',
  '{on} is being ended': '{on} wird beendet',
  '{job} on {host}': '{job} auf {host}',
  '{host} is back': '{host} ist wieder da',
  'curfew: a line could not be completed: {why}': 'curfew: eine Zeile ließ sich nicht vollenden: {why}',
  'curfew: job {job}: {why}': 'curfew: Job {job}: {why}',
  'curfew: job {job} on {host}: {why}': 'curfew: Job {job} auf {host}: {why}',
  'curfew: metrics: {why}': 'curfew: Metriken: {why}',
  "curfew: metrics at {url}; Prometheus' credentials_file: {file}":
    'curfew: Metriken unter {url}; credentials_file für Prometheus: {file}',
  '--all-users is for Linux; elsewhere each user starts a Curfew with `curfew autostart enable`':
    '--all-users gibt es unter Linux; sonst startet jeder Benutzer sein Curfew mit „curfew autostart enable“',
  '--all-users starts a Curfew as each user, so only root can; without it your own are watched':
    '--all-users startet je Benutzer ein Curfew, das kann nur root; ohne die Option wird der eigene überwacht',
  // The head of the view.
  '{state}, KILL in {age}': '{state}, KILL in {age}',
  'kept, {age}': 'behalten, {age}',
  'Enforce: overdue jobs and leftovers are ended': 'Eingreifen: Überfälliges und Reste werden beendet',
  'Paused until you resume: nothing is ended': 'Angehalten bis zum Fortsetzen: nichts wird beendet',
  'Paused for {age}: nothing is ended': 'Für {age} angehalten: nichts wird beendet',
  'Observe: nothing is ended automatically': 'Beobachten: nichts wird von selbst beendet',
  'Observe, until you choose: curfew settings set mode enforce':
    'Beobachten, bis ein Modus gewählt ist: curfew settings set mode enforce',
  'Looking for the first time…': 'Erste Prüfung läuft…',
  'The last check is too long ago': 'Die letzte Prüfung ist zu lange her',
  'Report only: this machine allows no safe signals': 'Nur Bericht: hier sind keine sicheren Signale möglich',
  'Nothing is ended automatically: history can’t be written':
    'Nichts wird von selbst beendet: der Verlauf ist nicht schreibbar',
  'Nothing is being watched': 'Nichts wird überwacht',
  'no leftovers': 'keine Reste',
  '{problem} (and {count} more: curfew doctor)': '{problem} (und {count} weitere: curfew doctor)',
  'e ends it': 'e beendet ihn',
  // Details.
  Protected: 'Geschützt',
  Holds: 'Belegt',
  'Why it is listed': 'Warum in der Liste',
  Outcome: 'Ergebnis',
  'lock {path}': 'Sperre {path}',
  'output {path}, {size}': 'Ausgabe {path}, {size}',
  '{why} (process {pid})': '{why} (Prozess {pid})',
  'end it with: {command}': 'beenden mit: {command}',
  '(left over then) {command}': '(bleibt dann zurück) {command}',
  'the agent itself (process {pid}): {text}': 'der Agent selbst (Prozess {pid}): {text}',
  // Answers to keys.
  'It can’t be ended from here.': 'Lässt sich von hier nicht beenden.',
  'It is protected: {why} (process {pid}).': 'Geschützt: {why} (Prozess {pid}).',
  'An agent is not ended for its age, so there is nothing to keep.':
    'Ein Agent wird nicht wegen seines Alters beendet, daher gibt es nichts zu behalten.',
  'It is past the hard cap, which can’t be put off.': 'Über der Höchstdauer, die sich nicht verschieben lässt.',
  'New processes have joined it. Press y again to end all of them.':
    'Neue Prozesse sind dazugekommen. Noch einmal y drücken, um alle zu beenden.',
  'Nothing is selected.': 'Nichts ist ausgewählt.',
  'The terminal view doesn’t do this.': 'Die Ansicht im Terminal kann das nicht.',
  'Kept for 30 min, at most to its hard cap. K undoes it.':
    '30 min behalten, höchstens bis zur Höchstdauer. K nimmt es zurück.',
  'No longer kept.': 'Nicht mehr behalten.',
  'Stopping. What is being ended is seen through first.':
    'Die Überwachung endet. Was gerade beendet wird, wird noch abgeschlossen.',
  '{time} {outcome}: {command}': '{time} {outcome}: {command}',
  '{time} {outcome}, freed {freed}: {command}': '{time} {outcome}, {freed} frei: {command}',
  // The question before an end.
  'This ends the agent itself, with its session.': 'Das beendet den Agenten selbst, mit seiner Sitzung.',
  'Its session is open and may be waiting for it.': 'Die Sitzung ist offen und wartet vielleicht darauf.',
  'It is unknown whether its session is open.': 'Unbekannt, ob die Sitzung offen ist.',
  'You keep it.': 'Behalten.',
  'It has ended. Nothing is signalled.': 'Ist beendet. Kein Signal wird gesendet.',
  'It has ended. Esc goes back.': 'Ist beendet. Esc führt zurück.',
  '{agent} in {project}': '{agent} in {project}',
  '{whose}, {age} old, {processes}, {size}': '{whose}, {age} alt, {processes}, {size}',
  'Sends KILL to what is left of it now, without waiting any longer.':
    'Sendet dem Rest jetzt KILL, ohne weiter zu warten.',
  'Sends {signal}, and KILL at once to what is left.': 'Sendet {signal} und dem Rest sofort KILL.',
  'Sends {signal}, then, after at least {age}, KILL to what is left.':
    'Sendet {signal}, dann, nach mindestens {age}, dem Rest KILL.',
  'and {processes} (n, then Enter, shows all)': 'und {processes} (n, dann Enter, zeigt alle)',
  'Kill the rest now?': 'Den Rest jetzt mit KILL beenden?',
  'End this agent?': 'Diesen Agenten beenden?',
  'End this job?': 'Diesen Job beenden?',
  Gone: 'Weg',
  'Any key goes on': 'Weiter mit beliebiger Taste',
  'y kills it now    n waits': 'y beendet ihn jetzt    n wartet',
  'y ends it    n leaves it running': 'y beendet ihn    n lässt ihn laufen',
  // Help, keys and the foot of the view.
  Keys: 'Tasten',
  States: 'Zustände',
  'j k, arrows': 'j k, Pfeile',
  'select; PgUp, PgDn, g and G go further': 'auswählen; Bild auf, Bild ab, g und G gehen weiter',
  'everything about the selected job, and back': 'alles über den ausgewählten Job, und zurück',
  'end it, after a question; once more during the wait: KILL now':
    'beenden, nach Rückfrage; noch einmal beim Warten: sofort KILL',
  'keep it 30 min (at most to the hard cap), or undo that':
    '30 min behalten (höchstens bis zur Höchstdauer), oder das zurücknehmen',
  'search for words of command, project, agent, host or job id; Esc shows all again':
    'nach Wörtern aus Befehl, Projekt, Agent, Rechner oder Job-ID suchen; Esc zeigt wieder alle',
  'sort by urgency, age, memory, CPU, project, agent; S turns the order round':
    'ordnen nach Dringlichkeit, Alter, Speicher, CPU, Projekt, Agent; S kehrt um',
  'show protected jobs and servers that are only shown, too': 'auch geschützte Jobs und nur angezeigte Server',
  'q, Ctrl-C': 'q, Strg-C',
  'stop watching; what is being ended is seen through first':
    'nicht mehr überwachen; was gerade beendet wird, wird noch abgeschlossen',
  'ends in …': 'wird in … beendet',
  'it is ended then, unless you keep it': 'endet dann, falls nicht behalten',
  'its session has ended, and it still runs': 'die Sitzung ist beendet, und es läuft noch',
  'only marks say that an agent started it; ended by you alone':
    'nur Kennungen nennen einen Agenten; endet nur von Hand',
  'older than its limit': 'älter als seine Grenze',
  'older than the hard cap, which ends every job': 'älter als die Höchstdauer, die jeden Job beendet',
  'within its limits; nothing to do': 'in seinen Grenzen; nichts zu tun',
  'kept by you, by an exemption, or because something uses it':
    'von Hand, durch eine Ausnahme oder weil etwas es benutzt',
  'never signalled; its details say why': 'bekommt nie ein Signal; die Einzelheiten sagen, warum',
  'Nothing matches “{search}”. Esc shows all.': 'Nichts passt auf „{search}“. Esc zeigt alles.',
  'Nothing to look at; {count} not shown (a shows them).': 'Nichts zu sehen; {count} verborgen (a zeigt sie).',
  'j k scroll   e end   K keep   Esc back   q quit': 'j k blättern   e beenden   K behalten   Esc zurück   q Ende',
  'by {order}': 'nach {order}',
  'by {order}, reversed': 'nach {order}, umgekehrt',
  urgency: 'Dringlichkeit',
  age: 'Alter',
  memory: 'Speicher',
  cpu: 'CPU',
  project: 'Projekt',
  agent: 'Agent',
  'a all (+{count})': 'a alle (+{count})',
  'Enter keeps the search, Esc ends it': 'Enter behält die Suche, Esc beendet sie',
  'e end  K keep  ? help  q quit': 'e beenden  K behalten  ? Hilfe  q Ende',
  'j k select  Enter details  e end  K keep  / search  s sort  ? help  q quit':
    'j k wählen  Enter mehr  e beenden  K behalten  / suchen  s ordnen  ? Hilfe  q Ende',
} as const;
