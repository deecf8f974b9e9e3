/** Starting at login. */
export const autostart = {
  'Curfew starts when you log in.': 'Curfew startet bei der Anmeldung.',
  'Curfew doesn’t start when you log in.': 'Curfew startet nicht bei der Anmeldung.',
  'Starting at login is set up in {path}.': 'Der Start bei der Anmeldung steht in {path}.',
  '{path} starts something else, or another Curfew. Switching this on replaces it.':
    '{path} startet etwas anderes oder ein anderes Curfew. Einschalten ersetzt es.',
  'macOS asks for your consent: System Settings → General → Login Items.':
    'macOS bittet um Zustimmung: Systemeinstellungen → Allgemein → Anmeldeobjekte.',
  'macOS doesn’t find Curfew among the apps that can start at login: move it to Applications first.':
    'macOS findet Curfew nicht unter den Apps, die bei der Anmeldung starten können: erst nach „Programme“ verschieben.',
  'The system refused it.': 'Das System hat es abgelehnt.',
  'It is switched off in the system’s own list of startup apps; switch it on there.':
    'In der Startliste des Systems ausgeschaltet; dort einschalten.',
  'Only the installed app can start at login.': 'Nur die installierte App kann bei der Anmeldung starten.',
  'Every five minutes orphans that are at least ten minutes old are ended, in the mode “Enforce” only; where a supervisor runs, it leaves everything to that.':
    'Alle fünf Minuten werden Reste beendet, die mindestens zehn Minuten alt sind, nur im Modus „Eingreifen“; wo eine Überwachung läuft, bleibt alles ihr überlassen.',
  'From each login on `curfew watch` runs without a window, in the mode that the settings say.':
    'Ab jeder Anmeldung läuft „curfew watch“ ohne Fenster, im Modus der Einstellungen.',
  'Not set up. Enabling writes {name}.': 'Nicht eingerichtet. Einschalten schreibt {name}.',
  'Set up as {name}.': 'Eingerichtet über {name}.',
  'a timer of systemd': 'einen Timer von systemd',
  'a LaunchAgent': 'einen LaunchAgent',
  'a task of the Task Scheduler': 'eine Aufgabe der Aufgabenplanung',
  'an entry of the desktop': 'einen Eintrag des Desktops',
  'Not complete: {why}.': 'Unvollständig: {why}.',
  'its files are not as this Curfew would write them':
    'die Dateien sind nicht so, wie dieses Curfew sie schreiben würde',
  'the system has not taken it up': 'das System hat es nicht übernommen',
  '`curfew autostart enable` puts it right.': '„curfew autostart enable“ behebt das.',
  'The tray app starts at login ({path}).': 'Die Curfew-App startet bei der Anmeldung ({path}).',
  'The tray app starts at login ({path}), and one supervisor is enough: `curfew autostart disable` takes that away.':
    'Die Curfew-App startet bei der Anmeldung ({path}), und eine Überwachung genügt: „curfew autostart disable“ entfernt das.',
  'The files are written, but nothing starts yet. {why}.':
    'Die Dateien sind geschrieben, aber noch startet nichts. {why}.',
  '`{command}` failed: {why}': '„{command}“ ist fehlgeschlagen: {why}',
  'Nothing was set up.': 'Nichts war eingerichtet.',
  'Taken away.': 'Entfernt.',
  'There is no autostart for {platform} yet.': 'Für {platform} gibt es noch keinen Start bei der Anmeldung.',
  'This machine was not started by systemd, and there is no desktop.':
    'Dieser Rechner wurde nicht von systemd gestartet, und es gibt keinen Desktop.',
  'With cron, a line like this does the same:\n{line}': 'Mit cron macht eine solche Zeile dasselbe:\n{line}',
} as const;
