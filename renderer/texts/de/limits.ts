import type { Texts } from '../en/index.ts';

/** The settings that are chosen from a list, in German. */
export const choices: Texts['settings']['choices'] = {
  appearance: {
    label: 'Erscheinungsbild',
    body: null,
    values: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  },
  language: {
    label: 'Sprache',
    body: 'Fenster, Mitteilungen und Befehlszeile.',
    values: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  },
  backgroundKillSignal: {
    label: 'Erstes Signal',
    body: 'Das Signal, das zuerst gesendet wird.',
    values: {
      TERM: 'TERM, die übliche Aufforderung',
      INT: 'INT, wie Strg-C',
      HUP: 'HUP, wie ein geschlossenes Terminal',
      QUIT: 'QUIT, wie Strg-\\, schreibt vielleicht einen Speicherabzug',
    },
  },
  atMaxElapsed: {
    label: 'Wenn überfällig',
    body: 'Was mit einem überfälligen Job einer offenen Sitzung geschieht.',
    values: { 'reap-silent': 'Beenden, wenn untätig', reap: 'Auch beenden, wenn er arbeitet', notify: 'Nur melden' },
  },
  inUseAtHardCap: {
    label: 'Bei Höchstdauer in Benutzung',
    body: 'Was bei der Höchstdauer mit einem Job geschieht, mit dem ein eigenes Programm verbunden ist.',
    values: { ask: 'Fragen', end: 'Beenden' },
  },
  sessionServers: {
    label: 'Server geschlossener Sitzungen',
    body: 'Was mit MCP- und Sprachservern geschieht, mit denen kein Prozess mehr sprechen kann.',
    values: { end: 'Beenden', show: 'Nur zeigen' },
  },
  unreachableAgents: {
    label: 'Unerreichbare Agenten',
    body: 'Was mit einem Agenten geschieht, der nicht mehr erreichbar ist und 15 min ruhig war.',
    values: { show: 'Nur zeigen', end: 'Beenden' },
  },
};

export const limits: Texts['settings']['limits'] = {
  intro: 'Wann ein Job überfällig ist und wie er beendet wird.',
  fields: {
    backgroundMaxElapsedSeconds: {
      label: 'Überfällig nach',
      body: 'Ab diesem Alter ist ein Job einer offenen Sitzung überfällig.',
    },
    backgroundMaxElapsedSecondsHardCap: {
      label: 'Höchstdauer',
      body: 'In diesem Alter wird jeder Job beendet, der ein Signal bekommen darf, auch ein ausgenommener.',
    },
    orphanGraceSeconds: {
      label: 'Schonfrist',
      body: 'So lange darf ein Job nach dem Ende seiner Sitzung noch laufen. Ruhezustand zählt nicht.',
    },
    noticeSeconds: {
      label: 'Vorwarnung',
      body: 'Zeit zwischen Warnung und Ende. Jobs einer Sitzung, die ihr Ende selbst gemeldet hat, bekommen keine.',
    },
    backgroundKillGraceSeconds: { label: 'Warten vor KILL', body: 'Zeit zwischen dem ersten Signal und KILL.' },
  },
  range: (low, high) => `${low} bis ${high}.`,
  laneLive: 'Sitzung offen',
  laneGone: 'Sitzung geschlossen',
  markMax: 'überfällig',
  markGrace: 'Schonfrist',
  markCap: 'Höchstdauer',
  fits: 'im Rahmen',
  overdue: 'überfällig',
  ended: 'beendet',
  pictureLive: (max, cap) =>
    `Bei offener Sitzung ist ein Job bis ${max} im Rahmen und wird spätestens nach ${cap} beendet.`,
  pictureGone: (grace) => `Nach dem Ende der Sitzung wird er nach ${grace} beendet.`,
};
