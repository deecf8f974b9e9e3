export const hooks = {
  'The app did not find Node or the command line on its path, and both are needed.':
    'Die App fand Node oder die Befehlszeile nicht in ihrem Suchpfad, und beide sind nötig.',
  'With the command line installed, do it in a terminal.': 'Mit installierter Befehlszeile geht es in einem Terminal.',
  'the path of Node or of Curfew has blanks or signs in it, and Windows keeps no short one':
    'im Pfad von Node oder von Curfew sind Leerzeichen oder Zeichen, und Windows führt keinen kurzen',
  '{file} was not touched: {why}.': '{file} wurde nicht angerührt: {why}.',
  '{why}. The file was not changed.': '{why}. Die Datei wurde nicht geändert.',
  '{why}, so it is left alone': '{why}, daher bleibt sie, wie sie ist',
  'it can’t be parsed ({why}), so it is left alone':
    'sie lässt sich nicht lesen ({why}), daher bleibt sie, wie sie ist',
  'Curfew’s hooks in it could not be told from the rest':
    'die Hooks von Curfew darin ließen sich nicht vom Rest unterscheiden',
  'a file of that name is there that is not from Curfew, so it is left alone':
    'dort liegt eine Datei dieses Namens, die nicht von Curfew ist, daher bleibt sie, wie sie ist',
  '{file} beside it is not from Curfew, so both are left alone':
    '{file} daneben ist nicht von Curfew, daher bleiben beide, wie sie sind',
  'Curfew has no hooks for this agent on Windows': 'Curfew hat für diesen Agenten unter Windows keine Hooks',
  'it is a link to a place of another user': 'sie ist ein Link an einen Ort eines anderen Benutzers',
  'it is in a place of another user': 'sie liegt an einem Ort eines anderen Benutzers',
  'it is not a regular file': 'sie ist keine gewöhnliche Datei',
  'it has {bytes} bytes, too many for settings': 'sie hat {bytes} Bytes, zu viele für Einstellungen',
  'it is not UTF-8': 'sie ist nicht UTF-8',
  'it is nested too deeply': 'sie ist zu tief verschachtelt',
  'there is no value in it': 'darin steht kein Wert',
  'it could not be changed without touching the rest of it': 'sie ließ sich nicht ändern, ohne den Rest anzurühren',
  'The guard reads commands before they run.': 'Die Prüfung liest Befehle, bevor sie laufen.',
  'The guard is switched on and not among these hooks yet; install them again.':
    'Die Prüfung ist eingeschaltet und noch nicht unter diesen Hooks; sie neu installieren.',
  'The guard is switched off and answers nothing; install the hooks again to take it out.':
    'Die Prüfung ist ausgeschaltet und antwortet nicht; die Hooks neu installieren, um sie zu entfernen.',
  '{script} is missing, so these hooks do nothing; install them again.':
    '{script} fehlt, daher tun diese Hooks nichts; sie neu installieren.',
  '{script} is of another version or place of Curfew; install the hooks again.':
    '{script} gehört zu einem Curfew anderer Version oder an anderem Ort; die Hooks neu installieren.',
  'disableAllHooks is true in this file, so Claude Code runs no hooks at all.':
    'disableAllHooks ist in dieser Datei true, daher führt Claude Code keine Hooks aus.',
  'disableAllHooks is true in this file, so Qwen Code runs no hooks; Curfew leaves your choice as it is.':
    'disableAllHooks ist in dieser Datei true, darum führt Qwen Code keine Hooks aus; Curfew ändert das nicht.',
  'hooksConfig.enabled is false in this file, so Gemini CLI runs no hooks; Curfew leaves your choice as it is.':
    'hooksConfig.enabled ist in dieser Datei false, daher führt Gemini CLI keine Hooks aus; Curfew ändert das nicht.',
  'Codex runs new hooks only after you have trusted them once: start `codex` and approve them when it asks.':
    'Codex führt neue Hooks erst aus, wenn ihnen einmal vertraut wurde: „codex“ starten und auf Nachfrage zustimmen.',
  'The plugin is for opencode 1; opencode 2 does not load it, and is watched from outside.':
    'Das Plugin ist für opencode 1; opencode 2 lädt es nicht und wird von außen beobachtet.',
  'Older versions of Cursor do not know sessionStart and sessionEnd and may say so.':
    'Ältere Versionen von Cursor kennen sessionStart und sessionEnd nicht und melden das vielleicht.',
} as const;
