import type { Texts } from '../en/index.ts';

export const ports: Texts['ports'] = {
  title: 'Ports',
  loading: 'Wird gelesen…',
  emptyTitle: 'Kein eigener Prozess lauscht auf einem Port',
  emptyBody: 'Server von Agenten und eigene erscheinen hier: wem sie gehören und wie sie wieder starten.',
  jobsTitle: 'Von Agenten',
  othersTitle: 'Eigene Programme',
  again: 'Befehl zum Neustart kopieren',
  endName: (port, name) => `Beenden, was auf Port ${port} lauscht, ${name}`,
  askTitle: (port) => `Beenden, was auf Port ${port} lauscht?`,
  askBody: 'Beendet wird der ganze Job, nach denselben Regeln wie sonst:',
};
