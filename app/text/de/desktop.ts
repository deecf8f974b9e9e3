import { formatAge } from '../../format/age.ts';
import type { DesktopTexts } from '../voice.ts';
import { visibleText } from '../../format/visible.ts';
import { states } from '../catalogue/states.ts';
import { counted } from './figures.ts';

/** A size as Germans write it, however it comes. */
const comma = (size: string): string => size.replace('.', ',');

/** Texts of tray, menus, notifications and dialogs in German. */
export const germanDesktop: DesktopTexts = {
  product: 'Curfew',
  tray: {
    starting: 'Erste Prüfung läuft…',
    needLook: (count) => counted(count, 'Job braucht Aufmerksamkeit', 'Jobs brauchen Aufmerksamkeit'),
    allWell: (count) => `${counted(count, 'Job läuft', 'Jobs laufen')}, nichts zu tun`,
    leftover: (count) => counted(count, 'Rest einer geschlossenen Sitzung', 'Reste geschlossener Sitzungen'),
    probable: (count) => `${count} ${states['probably left over']}`,
    unreachable: (count) => counted(count, 'Agent ist vielleicht unerreichbar', 'Agenten sind vielleicht unerreichbar'),
    allSpared: 'Nichts braucht Aufmerksamkeit',
    nothing: 'Nichts ist übrig geblieben',
    limited: {
      paused: 'Angehalten',
      'report-only': 'Nur Bericht',
      unrecorded: 'Beendet nichts',
      observing: 'Nur beobachten',
    },
    stale: 'Länger nicht geprüft',
    holds: (jobs, size) => `${jobs === 1 ? '1 Rest belegt' : `${jobs} Reste belegen`} ${comma(size)}`,
    freed: (processes, size, since) =>
      `${since === null ? 'Diese Woche' : `Seit ${since}`} frei geworden: ${comma(size)}, ${counted(processes, 'Prozess', 'Prozesse')}`,
    unwatched: 'Nichts wird überwacht',
    ending: 'Curfew beendet sich: Ein Job wird noch beendet…',
    tip: (sentence) => `Curfew: ${sentence}`,
  },
  menu: {
    job: (command, age) => `${command} · ${age}`,
    reap: (processes) => `${counted(processes, 'Prozess', 'Prozesse')} beenden`,
    keep: '30 min behalten',
    probableJob: (command, age) => `${command} · ${age} · ${states['probably left over']}`,
    mine: 'Gehört mir',
    probable: (count) => `${count} ${states['probably left over']}…`,
    show: 'Zeigen',
    more: (count) => `${count} weitere…`,
    endLeftovers: (jobs, size) => `Alle Reste beenden (${counted(jobs, 'Job', 'Jobs')}, ${comma(size)})…`,
    leftover: (command, project, size) =>
      [command, ...(project === null ? [] : [visibleText(project)]), comma(size)].join(' · '),
    endThese: (jobs) => `Diese ${counted(jobs, 'Job', 'Jobs')} beenden`,
    open: 'Curfew öffnen',
    choose: 'Festlegen, was Curfew darf…',
    pause: '1 h anhalten',
    resume: 'Fortsetzen',
    observe: 'Beobachten',
    enforce: 'Eingreifen…',
    settings: 'Einstellungen…',
    history: 'Verlauf…',
    quit: 'Curfew beenden',
    edit: 'Bearbeiten',
    window: 'Fenster',
  },
  notification: {
    title: (agent, project, what) => (project === null ? `${agent}: ${what}` : `${agent} in ${project}: ${what}`),
    states: {
      orphaned: 'ein Befehl ist übrig geblieben',
      probable: 'ein Befehl ist vermutlich übrig geblieben',
      overdue: 'ein Befehl ist überfällig',
      'past-cap': 'ein Befehl läuft länger als die Höchstdauer',
    },
    otherState: 'ein Befehl braucht Aufmerksamkeit',
    endsIn: (seconds) => `Wird in ${formatAge(seconds)} beendet, sofern er nicht behalten wird.`,
    endsAtCap: (seconds) => `Erreicht in ${formatAge(seconds)} die Höchstdauer und wird dann beendet.`,
    memoryScarce: 'Der Speicher ist knapp, daher ist der größte zuerst dran.',
    endsNow: 'Wird gleich beendet.',
    stays: 'Curfew beendet ihn nicht von sich aus.',
    several: (count) => `${count} Hintergrundbefehle brauchen Aufmerksamkeit`,
    others: (count) => `und ${count} weitere`,
    reap: 'Beenden',
    keep: '30 min behalten',
    mine: 'Gehört mir',
    ended: (command, freed) => (freed === null ? `Beendet: ${command}` : `Beendet: ${command} (${freed})`),
    endedTitle: (count) => (count === 1 ? 'Curfew hat einen Befehl beendet' : `Curfew hat ${count} Befehle beendet`),
    survivedTitle: 'Curfew konnte einen Befehl nicht beenden',
    survived: (command) => `Einige Prozesse laufen noch: ${command}`,
    failedTitle: 'Das hat nicht geklappt',
    repeated: (command, project, times) => `${times}-mal${project === null ? '' : ` in ${project}`}: ${command}`,
    neverEnd: (command) => `Nie beenden: ${command}`,
    noWeek: 'Keine Wochenübersicht',
  },
  shortcut: {
    taken: (keys) =>
      `${keys} kann Curfew nicht öffnen: Ein anderes Programm hat es belegt, oder das System lehnt es ab.`,
    advice: 'Unter Einstellungen, Allgemein ein anderes Kürzel wählen.',
  },
  save: { title: 'Verlauf exportieren' },
  dialog: {
    takenTitle: 'Curfew läuft schon',
    failedTitle: 'Curfew konnte nicht starten',
    lostTitle: 'Curfew überwacht nicht mehr',
    lostMeaning: 'Bis es wieder überwacht, wird nichts von selbst beendet und nichts gemeldet.',
    again: 'Erneut versuchen',
    quit: 'Beenden',
  },
};
