import type { Texts } from '../en/index.ts';
import { plural } from './plural.ts';

export const files: Texts['files'] = {
  title: 'Dateien',
  loading: 'Git wird befragt, Dateien werden durchgesehen…',
  worktrees: 'Worktrees',
  locks: 'Sperren',
  left: 'Von beendeten Sitzungen',
  heaps: 'Belegt auch Platz',
  removals: 'Zuletzt entfernt',
  emptyTitle: 'Nichts ist übrig',
  emptyBody: 'Worktrees, Sperren und Dateien beendeter Sitzungen erscheinen hier.',
  mayGo: 'Kann weg',
  stays: 'Bleibt',
  byName: 'Kann auf Wunsch weg',
  noBranch: 'kein Branch',
  made: (name) => `von ${name}`,
  used: 'benutzt',
  changed: 'geändert',
  inMemory: (size) => `${size} im Speicher`,
  count: (count) => plural(count, { one: '1 Datei', other: '# Dateien' }),
  total: (things, size) => `${plural(things, { one: 'Ein Eintrag kann', other: '# Einträge können' })} weg: ${size}`,
  nothing: 'Zurzeit kann nichts weg.',
  kept: (count) =>
    plural(count, {
      one: '1 weitere Datei ist vielleicht in Gebrauch oder zu jung',
      other: '# weitere Dateien sind vielleicht in Gebrauch oder zu jung',
    }),
  remove: 'Entfernen…',
  removeNamed: (path) => `${path} entfernen…`,
  removeAll: (things) => `${plural(things, { one: 'Einen Eintrag', other: '# Einträge' })} entfernen…`,
  askTitle: (things) => (things === 1 ? 'Diesen Eintrag entfernen?' : `${things} Einträge entfernen?`),
  askBody:
    'Jeder wird vorher noch einmal geprüft: was inzwischen in Gebrauch ist oder sich geändert hat, bleibt. Das Entfernen ist endgültig.',
  named: 'Warum er ohne diesen Wunsch bliebe:',
  preview: 'Was entfernt wird',
  confirm: 'Entfernen',
  removing: 'Wird entfernt…',
  stayed: (count) => `${plural(count, { one: 'Ein Eintrag ist', other: '# Einträge sind' })} geblieben:`,
  by: { command: 'über die Befehlszeile', person: 'hier, von Hand' },
};
