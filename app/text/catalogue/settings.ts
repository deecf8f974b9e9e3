export const settings = {
  'Until this is put right Curfew only observes, because it can’t tell what you want spared.':
    'Bis das behoben ist, beobachtet Curfew nur, weil unklar ist, was verschont bleiben soll.',
  'That machine is not looked at.': 'Dieser Rechner wird nicht überwacht.',
  'It finds nothing until then.': 'Bis dahin findet die Regel nichts.',
  'The settings are {shown}, which is no object of settings.':
    'Die Einstellungen sind {shown}, kein Objekt mit Einstellungen.',
  'These settings were written by a newer Curfew (version {version}). What this one doesn’t know is kept and not used.':
    'Diese Einstellungen stammen von einem neueren Curfew (Version {version}). Was dieses nicht kennt, bleibt erhalten und ungenutzt.',
  '{shown} is no setting that Curfew knows. It is kept and not used.':
    '{shown} ist keine Einstellung, die Curfew kennt. Sie bleibt erhalten und ungenutzt.',
  '{key} is {shown}, but it must be {expected}. Curfew uses {used}.':
    '{key} ist {shown}, muss aber {expected} sein. Curfew nimmt {used}.',
  '{key} is {shown}, but it must be {expected}.': '{key} ist {shown}, muss aber {expected} sein.',
  'Entry {index} of {key} is set aside.': 'Eintrag {index} von {key} gilt nicht.',
  'Entry {index} of {key} is {shown} and can’t be understood; {list} must be {expected}.':
    'Eintrag {index} von {key} ist {shown} und unverständlich; {list} muss {expected} sein.',
  'backgroundMaxElapsedSeconds is {length}, beyond the hard cap of {cap}.':
    'backgroundMaxElapsedSeconds ist {length}, über der Höchstdauer von {cap}.',
  'Curfew uses the hard cap; raise backgroundMaxElapsedSecondsHardCap if you want more.':
    'Curfew nimmt die Höchstdauer; für mehr backgroundMaxElapsedSecondsHardCap erhöhen.',
  'In Claude Code’s settings, bash is {shown}, which is no block of settings. Curfew passes it over.':
    'In den Einstellungen von Claude Code ist bash {shown}, kein Block mit Einstellungen. Curfew übergeht das.',
  'In Claude Code’s settings, bash.{problem}': 'In den Einstellungen von Claude Code, bash.{problem}',
  'There is no setting {shown}. There are: {keys}.': 'Die Einstellung {shown} gibt es nicht. Es gibt: {keys}.',
  '{key} must be {expected}, not {shown}; 90, 90s, 30m and 4h are understood.':
    '{key} muss {expected} sein, nicht {shown}; verstanden werden 90, 90s, 30m und 4h.',
  '{key} must be {expected}, not {shown}.': '{key} muss {expected} sein, nicht {shown}.',
  'backgroundMaxElapsedSeconds ({length}) must not be longer than backgroundMaxElapsedSecondsHardCap ({cap}).':
    'backgroundMaxElapsedSeconds ({length}) darf nicht länger sein als backgroundMaxElapsedSecondsHardCap ({cap}).',
  'The settings ({path}) can’t be used: {why}.': 'Die Einstellungen ({path}) sind nicht benutzbar: {why}.',
  'Claude Code’s settings ({path}) can’t be read: {why}. Curfew goes on without them.':
    'Die Einstellungen von Claude Code ({path}) sind nicht lesbar: {why}. Curfew macht ohne sie weiter.',
  'The settings for every user of this machine ({path}) can’t be used: {why}.':
    'Die Einstellungen für alle Benutzer dieses Rechners ({path}) sind nicht benutzbar: {why}.',
  'In the settings for every user of this machine ({path}): {problem}':
    'In den Einstellungen für alle Benutzer dieses Rechners ({path}): {problem}',
  'The settings as they were are kept as {path}.': 'Die bisherigen Einstellungen bleiben als {path} erhalten.',
  'The settings as they were could not be kept beside ({why}); make a copy before you change them.':
    'Die bisherigen Einstellungen ließen sich nicht sichern ({why}); vor einer Änderung eine Kopie machen.',
  'a number of seconds from {min} to {max}': 'eine Anzahl Sekunden von {min} bis {max}',
  'a number of days from {min} to {max}': 'eine Anzahl Tage von {min} bis {max}',
  'one of {choices}': 'eines von {choices}',
  'true or false': 'true oder false',
  'a list of exemptions, each with at least one of project (an absolute folder), command and port':
    'eine Liste von Ausnahmen, jede mit mindestens project (ein absoluter Ordner), command oder port',
  'a list of rules, each with name, argv0 and argv (patterns that fit whole arguments)':
    'eine Liste von Regeln, jede mit name, argv0 und argv (Muster für ganze Argumente)',
  'a list of names for ssh': 'eine Liste von Namen für ssh',
  // What is wrong with a rule of the user’s own.
  'A rule has no name.': 'Eine Regel hat keinen Namen.',
  'The rule {rule} names no program.': 'Die Regel {rule} nennt kein Programm.',
  'The rule {rule} names the folder {folder}, which is no absolute path.':
    'Die Regel {rule} nennt den Ordner {folder}, keinen absoluten Pfad.',
  'The rule {rule} fits everything that {program} runs; say which arguments.':
    'Die Regel {rule} passt auf alles, was {program} ausführt; Argumente angeben.',
  'The rule {rule} has {count} patterns; at most {max} are allowed.':
    'Die Regel {rule} hat {count} Muster; erlaubt sind höchstens {max}.',
  'The rule {rule}: its pattern {pattern} {problem}.': 'Die Regel {rule}: das Muster {pattern} {problem}.',
  'is empty': 'ist leer',
  'has {length} characters; at most {max} are allowed': 'hat {length} Zeichen; erlaubt sind höchstens {max}',
  'repeats too much: its repetitions multiply to more than {max} steps for each character':
    'wiederholt zu viel: die Wiederholungen ergeben mehr als {max} Schritte je Zeichen',
  'uses look-around ((?=…), (?!…), (?<=…), (?<!…)), which can’t be matched in linear time; write it without':
    'nutzt Look-around ((?=…), (?!…), (?<=…), (?<!…)), das nicht in linearer Zeit geht; ohne schreiben',
  'uses a back reference (\\1, \\k<name>), which can’t be matched in linear time; write it without':
    'nutzt einen Rückverweis (\\1, \\k<name>), der nicht in linearer Zeit geht; ohne schreiben',
  'is no pattern that RE2 knows ({why})': 'ist kein Muster, das RE2 kennt ({why})',
  'This is {agent} itself. Agents are watched and never ended.':
    'Das ist {agent} selbst. Agenten werden beobachtet und nie beendet.',
  'Not recognised from the command line alone, so Curfew would leave it alone.':
    'An der Befehlszeile allein nicht zu erkennen, daher ließe Curfew den Prozess in Ruhe.',
  'Paste the full command line of the process, for example from More, Processes; its environment, parent or output file may still show which agent started it.':
    'Die ganze Befehlszeile des Prozesses einfügen, etwa aus Mehr, Prozesse; auch Umgebung, Elternprozess oder Ausgabedatei können noch zeigen, welcher Agent ihn gestartet hat.',
  'Curfew would recognise this as a job {whose}{where} and apply the limits.':
    'Curfew würde das als Job {whose} erkennen{where} und die Grenzen anwenden.',
  'of {agent}': 'von {agent}',
  'of your rule “{rule}”': 'der eigenen Regel „{rule}“',
  ' if it runs in {folder}': ', wenn er in {folder} läuft,',
  'It is exempt up to the hard cap.': 'Bis zur Höchstdauer ausgenommen.',
} as const;
