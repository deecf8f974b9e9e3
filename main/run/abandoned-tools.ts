import { environmentNames } from '../../app/agents/signatures.ts';
import { keepMarkerName } from '../../app/judge/vetoes/keep-marker.ts';
import { openSignaller } from '../os/open-signaller.ts';
import { openSource } from '../os/open-source.ts';
import type { ProcessSource } from '../os/source.ts';
import type { AbandonedTools } from './abandoned.ts';
import { cookieName } from './run-id.ts';

/** The process source of runs, which also reads the cookie and the mark of what is to be kept. */
const openRunSource = (uid: number): ProcessSource =>
  openSource({ uid, environmentNames: new Set([...environmentNames, cookieName, keepMarkerName]) });

/** What abandoned runs are ended with, for this user. */
export const openAbandonedTools = (runs: string): AbandonedTools => {
  const uid = process.getuid?.() ?? 0;
  const source = openRunSource(uid);
  return { runs, source, signaller: openSignaller(source), uid };
};
