import type { Texts } from '../en/index.ts';
import { plural } from './plural.ts';

export const sessions: Texts['sessions'] = {
  title: 'Sitzungen',
  loading: 'Wird gemessen…',
  emptyTitle: 'Keine Sitzung läuft',
  emptyBody: 'Sitzungen von Coding-Agenten erscheinen hier mit dem, was sie kosten.',
  state: { live: 'Läuft', gone: 'Geschlossen', unknown: 'Unbekannt', unreachable: 'Unerreichbar' },
  servers: (count) => plural(count, { one: '# Server', other: '# Server' }),
  copies: (copies, owners) =>
    `${plural(copies, { other: '# Kopien' })} in ${plural(owners, { one: 'einer Sitzung', other: '# Sitzungen' })}`,
  ofSession: (servers, size, copies) =>
    `Diese Sitzung: ${plural(servers, { one: '# Server', other: '# Server' })}, ${size}${
      copies < 2 ? '' : `, ${copies} Kopien eines Befehls`
    }`,
  swap: (size) => `${size} im Swap`,
  frees: (size) => `gibt ${size} frei`,
  atMost: (size) => `höchstens ${size}`,
  unreachableTitle: 'Nicht mehr erreichbare Agenten',
  allTitle: 'Alle Sitzungen',
  otherTitle: 'Andere Sitzungen',
  duplicatesTitle: 'Derselbe Befehl mehrmals',
  wayBack: 'Seine Server enden mit ihm. Dieser Befehl setzt die Sitzung mit ihrem Transkript fort:',
  noWayBack: 'Kein Befehl ist bekannt, der diese Sitzung fortsetzt. Ihre Server enden mit ihr.',
  older: {
    heading: 'Ältere Sätze von Servern',
    end: (sets, size) =>
      `${plural(sets, { one: '# älteren Serversatz', other: '# ältere Serversätze' })} beenden, ${size}…`,
    title: (sets) => plural(sets, { one: '# älteren Serversatz beenden?', other: '# ältere Serversätze beenden?' }),
    body: 'Ein jüngerer Satz desselben Befehls läuft unter demselben Agenten, und die älteren haben 6 h lang kein Byte bewegt. Der jüngste bleibt.',
    waiting: (sets) =>
      plural(sets, { one: '# weiterer ist vielleicht in Benutzung', other: '# weitere sind vielleicht in Benutzung' }),
  },
  column: {
    session: 'Sitzung',
    age: 'Alter',
    memory: 'Speicher',
    cpu: 'CPU',
    jobs: 'Jobs',
    servers: 'Server',
    duplicates: 'Doppelte',
  },
  measured:
    'Speicher ist der anteilige Verbrauch jedes Prozesses; „höchstens“ steht, wo nur der gesamte zu lesen ist. „Gibt frei“ ist, was mit dem Ende der Sitzung frei wird.',
};
