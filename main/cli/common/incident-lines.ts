import { words, worded, whyWords } from './words.ts';
import { say } from '../../../app/text/say.ts';
import { shortfallOf, freedSaid, endingSaid } from '../../../app/text/outcomes.ts';
import type { Incident, Outcome } from '../../../app/history/incident.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { formatAge } from '../../../app/format/age.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { fit, wrap } from './table.ts';
import { type Output, paint } from './output.ts';

const bad: ReadonlySet<Outcome> = new Set(['survived', 'spared', 'interrupted']);

/** Returns an incident in a few lines: what was ended, why, and what it freed or survived. */
export const incidentLines = (incident: Incident, output: Pick<Output, 'colour' | 'columns'>): readonly string[] => {
  const width = output.columns;
  const outcome = incident.outcome ?? 'interrupted';
  const head = `${incident.job} ${words(endingSaid(outcome))}: ${visibleText(incident.command)}`;
  const after = words(shortfallOf(incident)) || words(freedSaid(incident.freed) ?? say('nothing'));
  return [
    paint(output, bad.has(outcome) ? 'yellow' : 'green', fit(head, width)),
    ...wrap(
      `${agentName(incident.agent, incident.rule)}, ${worded('{age} old', { age: formatAge(incident.ageSeconds) })}: ${whyWords(incident)}`,
      width - 2,
    ).map((line) => `  ${line}`),
    ...wrap(after, width - 2).map((line) => `  ${line}`),
  ];
};
