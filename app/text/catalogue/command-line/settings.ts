import type { settingRows } from '../../../settings/registry.ts';

/** What each setting does. */
export const settingTexts = {
  'Whether commands are read before an agent runs them; then install the hooks again.':
    'Ob Befehle geprüft werden, bevor ein Agent sie ausführt; danach die Hooks neu installieren.',
  'The time limit that rules set to rewrite give a command. Agents that take no changed command are warned instead.':
    'Das Zeitlimit, das Regeln mit „rewrite“ einem Befehl geben. Agenten, die keinen geänderten Befehl annehmen, werden gewarnt.',
  'Several commands on lines of their own in the background, without && or ; between them.':
    'Mehrere Befehle im Hintergrund auf eigenen Zeilen, ohne && oder ; dazwischen.',
  'Background programs that may never end, without a time limit: npx, node, ollama, wget, curl -N, python -u.':
    'Programme im Hintergrund, die vielleicht nie enden, ohne Zeitlimit: npx, node, ollama, wget, curl -N, python -u.',
  'Background programs that follow something for ever: tail -f, watch, inotifywait, less, ping, journalctl -f.':
    'Programme im Hintergrund, die endlos etwas verfolgen: tail -f, watch, inotifywait, less, ping, journalctl -f.',
  'A redirection that swallows the next command as an argument.':
    'Eine Umleitung, die den nächsten Befehl als Argument verschluckt.',
  'A program that reads standard input, on which nothing will come.':
    'Ein Programm, das die Standardeingabe liest, auf der nichts kommen wird.',
  'A loop that waits until a process is gone and finds its own shell by the words it looks for.':
    'Eine Schleife, die auf das Ende eines Prozesses wartet und beim Suchen die eigene Shell findet.',
  'A kill, pkill or killall that would end the agent or its own shell, or no process at all.':
    'Ein kill, pkill oder killall, das den Agenten oder die eigene Shell beenden würde, oder gar keinen Prozess.',
  'A sudo in the background, where its password can not be typed.':
    'Ein sudo im Hintergrund, wo sich das Passwort nicht eingeben lässt.',
  'Whether Curfew ends overdue jobs on its own (enforce) or only tells you (observe).':
    'Ob Curfew überfällige Jobs von sich aus beendet (enforce) oder nur meldet (observe).',
  'From this age on, a job of an open session is overdue.':
    'Ab diesem Alter ist ein Job einer offenen Sitzung überfällig.',
  'Every job that may be signalled is ended at this age, exempt or not (see inUseAtHardCap).':
    'In diesem Alter wird jeder Job beendet, der ein Signal bekommen darf, auch ein ausgenommener (siehe inUseAtHardCap).',
  'How long a job may go on once its session is closed. Time asleep does not count.':
    'So lange darf ein Job nach dem Ende seiner Sitzung noch laufen. Ruhezustand zählt nicht.',
  'Warning time before Curfew ends a job on its own. Jobs of a session that reported its own end get none.':
    'Zeit zwischen Warnung und Ende. Jobs einer Sitzung, die ihr Ende selbst gemeldet hat, bekommen keine.',
  'Which overdue jobs of open sessions are ended: idle ones (reap-silent), all but servers (reap), none (notify).':
    'Welche überfälligen Jobs offener Sitzungen beendet werden: untätige (reap-silent), alle außer Servern (reap), keine (notify).',
  'What becomes of a job at its hard cap while a program of yours is connected to it: you are asked and it goes on until you answer (ask), or it is ended (end).':
    'Was bei der Höchstdauer mit einem Job geschieht, mit dem ein eigenes Programm verbunden ist: Nachfrage, und bis zur Antwort läuft er weiter (ask), oder er wird beendet (end).',
  'Whether agents that no user can reach any more are only shown, or ended once they were quiet for 15 min.':
    'Ob nicht mehr erreichbare Agenten nur angezeigt (show) oder nach 15 min Ruhe beendet werden (end).',
  'After how many days awake an agent is ended that says itself that it is idle, and was watched to be. 0: never.':
    'Nach wie vielen Tagen im Wachzustand ein Agent beendet wird, der sich selbst untätig nennt und dabei beobachtet wurde. 0: nie.',
  'What becomes of MCP and language servers that a closed session left behind: ended like its commands (end), or only listed (show).':
    'Was mit MCP- und Sprachservern geschlossener Sitzungen geschieht: beendet wie deren Befehle (end) oder nur angezeigt (show).',
  'Signal sent first.': 'Das Signal, das zuerst gesendet wird.',
  'Time between the first signal and KILL.': 'Zeit zwischen dem ersten Signal und KILL.',
  'How often Curfew looks at the processes.': 'Wie oft Curfew die Prozesse prüft.',
  'Projects, commands and ports that are spared below the hard cap.':
    'Projekte, Befehle und Ports, die bis zur Höchstdauer verschont bleiben.',
  'Your own descriptions of commands whose agent Curfew does not know.':
    'Eigene Beschreibungen von Befehlen, deren Agenten Curfew nicht kennt.',
  'Other machines to look at, by the names that ssh knows.':
    'Andere Rechner, die geprüft werden, mit ihren Namen für ssh.',
  'How long the record of what was ended is kept.': 'Wie lange der Verlauf aufgehoben wird.',
  'Whether each announcement, end and failure is told to systemd’s journal as one structured record, for log collectors.':
    'Ob jede Ankündigung, jedes Ende und jeder Fehler als strukturierter Eintrag ins Journal von systemd geht, für Log-Sammler.',
  'Tell me when a command overstays or was left behind.':
    'Melden, wenn ein Befehl überfällig oder übrig geblieben ist.',
  'Tell me before a command is ended.': 'Melden, bevor ein Befehl beendet wird.',
  'Tell me after a command was ended.': 'Melden, nachdem ein Befehl beendet wurde.',
  'Play a sound with notifications.': 'Mitteilungen mit Ton.',
  'Tell me once a week, by one quiet notification and above the jobs, what was freed and what repeats.':
    'Einmal in der Woche still und über den Jobs melden, was frei wurde und was sich wiederholt.',
  'Light, dark, or as the system has it.': 'Hell, dunkel oder wie das System.',
  'The language of windows, notifications and command line; as the system has it there on a terminal only. JSON stays English.':
    'Die Sprache von Fenstern, Mitteilungen und Befehlszeile; wie das System spricht diese nur im Terminal. JSON bleibt englisch.',
  'The keys that open the popover of the desktop app from everywhere. CommandOrControl is ⌘ on macOS.':
    'Die Tasten, die das Fenster der App von überall öffnen. CommandOrControl ist ⌘ unter macOS.',
} as const satisfies Readonly<Record<(typeof settingRows)[keyof typeof settingRows]['text'], string>>;
