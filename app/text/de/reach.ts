import type { ReachState } from '../../model/reach.ts';

/** States of an agent in German: in a word or two, and why, as far as the state alone tells. */
export const germanReach: Readonly<Record<ReachState, { readonly word: string; readonly text: string }>> = {
  unreachable: { word: 'unerreichbar', text: 'keine Eingabe kann den Agenten mehr erreichen' },
  finishing: {
    word: 'wird gerade fertig',
    text: 'keine Eingabe kann ihn mehr erreichen, aber er arbeitet vielleicht noch',
  },
  'closed-lately': { word: 'gerade geschlossen', text: 'sein Client hat die Verbindung eben erst geschlossen' },
  'cut-off': { word: 'abgeschnitten', text: 'sein Starter ist weg, und keine Shell kann ihn in den Vordergrund holen' },
  held: { word: 'festgehalten', text: 'ein fremder Prozess hält das andere Ende seiner Eingabe' },
  detached: { word: 'abgelöst', text: 'sein Terminal wird offen gehalten, aber kein Client ist damit verbunden' },
  headless: { word: 'ohne Bedienung', text: 'er schreibt in eine Datei oder ein Programm und braucht keine Eingabe' },
  service: { word: 'Dienst', text: 'er ist ein Dienst seines Agenten und läuft absichtlich ohne Terminal' },
  reachable: { word: 'erreichbar', text: 'ein Terminal oder ein Client ist verbunden' },
  unknown: { word: 'unbekannt', text: 'unbekannt, ob er erreichbar ist' },
};
