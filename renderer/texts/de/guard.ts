import type { Texts } from '../en/index.ts';

/** The guard's part of the settings window, in German. */
export const guard: Texts['settings']['guard'] = {
  title: 'Vorab prüfen',
  body: 'Prüft einen Befehl, bevor ein Agent ihn ausführt, und erklärt in einem Satz, was schiefginge. Anfangs aus; speichert nichts vom Gelesenen und schweigt im Zweifel.',
  enabled: 'Befehle vor dem Ausführen prüfen',
  enabledBody: 'An. Die Hooks oben neu installieren, damit Agenten nachfragen.',
  disabledBody: 'Aus. Nach dem Einschalten die Hooks oben neu installieren.',
  modes: {
    off: 'Aus',
    warn: 'Agenten warnen',
    deny: 'Befehl ablehnen',
    rewrite: 'Zeitlimit setzen',
  },
  rules: {
    unjoinedLines: {
      label: 'Unverbundene Zeilen',
      body: 'Mehrere Befehle im Hintergrund auf eigenen Zeilen, ohne && oder ; dazwischen.',
    },
    noTimeout: {
      label: 'Kein Zeitlimit',
      body: 'Programme im Hintergrund, die vielleicht nie enden, ohne Zeitlimit: npx, node, ollama, wget, curl -N, python -u.',
    },
    neverEnds: {
      label: 'Endet nie',
      body: 'Programme im Hintergrund, die endlos etwas verfolgen: tail -f, watch, inotifywait, less, ping, journalctl -f.',
    },
    swallowedCommand: {
      label: 'Verschluckter Befehl',
      body: 'Eine Umleitung, die den nächsten Befehl als Argument verschluckt.',
    },
    waitsOnInput: {
      label: 'Wartet auf Eingabe',
      body: 'Ein Programm, das die Standardeingabe liest, auf der nichts kommen wird.',
    },
    waitsForItself: {
      label: 'Wartet auf sich selbst',
      body: 'Eine Schleife, die auf das Ende eines Prozesses wartet und beim Suchen die eigene Shell findet.',
    },
    killsAgent: {
      label: 'Beendet den Agenten',
      body: 'Ein kill, pkill oder killall, das den Agenten, seine Shell oder gar nichts beenden würde.',
    },
    sudoInBackground: {
      label: 'Fragt nach einem Passwort',
      body: 'Ein sudo im Hintergrund, wo kein Passwort eingegeben werden kann.',
    },
  },
  timeoutSeconds: 'Zeitlimit',
  timeoutSecondsBody:
    'Das Limit, das Regeln mit der Wahl „Zeitlimit setzen“ setzen. Agenten, die keinen geänderten Befehl annehmen, werden stattdessen gewarnt.',
};
