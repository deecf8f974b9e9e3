import type { Texts } from '../en/index.ts';

/** Texts of the command palette, in German. */
export const palette: Texts['palette'] = {
  title: 'Befehle',
  search: 'Befehle, Orte und Jobs suchen',
  none: 'Kein passender Befehl.',
  chosen: (label) => `Erledigt: ${label}`,
  places: 'Gehe zu',
  actions: 'Aktionen',
  jobs: 'Jobs',
  withJob: 'Mit einem Job',
  section: (name) => `Einstellungen: ${name}`,
  choose: 'Festlegen, was Curfew darf',
  pause: (length) => `Anhalten: ${length}`,
  endLeftovers: (count) => `Alle ${count} Reste beenden…`,
  observe: 'Nur beobachten',
  enforce: 'Jobs von Curfew beenden lassen…',
  set: (setting, value) => `${setting}: ${value}`,
  quit: 'Curfew beenden',
  end: (command) => `Beenden… ${command}`,
  keep: (command) => `30 min behalten: ${command}`,
  unkeep: (command) => `Nicht mehr behalten: ${command}`,
  copy: (what, command) => `${what} kopieren: ${command}`,
  openFolder: (command) => `Ordner öffnen: ${command}`,
  openOutput: (command) => `Ausgabedatei öffnen: ${command}`,
  openPort: (port) => `:${port} im Browser öffnen`,
};
