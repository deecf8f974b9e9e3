import type { ReactElement } from 'react';
import type { HistoryOverview } from '../../app/contract/history-questions.ts';
import { outcomes } from '../../app/history/incident.ts';
import { Button } from '../parts/input/button.tsx';
import { Choice, type Option } from '../parts/input/choice.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { projectName } from '../../app/format/project-name.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { endingSaid } from '../../app/text/outcomes.ts';
import { alone } from '../texts/word-of.ts';
import { ExportMenu } from './export-menu.tsx';
import { everything, isNarrowed, spans, type Chosen, type FilterInput, type Span } from './filter.ts';
import styles from './filters.module.css';

interface FiltersProps {
  readonly chosen: Chosen;
  readonly overview: HistoryOverview | null;
  readonly filter: FilterInput;
  readonly onChange: (chosen: Chosen) => void;
}

/** Stands for "all" in a list of values; no agent, project or host has this name. */
const any = '';

const optionsOf = (
  all: string,
  values: readonly string[],
  label: (value: string) => string = visibleText,
): readonly Option<string>[] => [
  { value: any, label: all },
  ...values.filter((value) => value !== any).map((value) => ({ value, label: label(value) })),
];

/** Search, what is shown, export. */
export const Filters = ({ chosen, overview, filter, onChange }: FiltersProps): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.history.filters;
  const set = (part: Partial<Chosen>): void => onChange({ ...chosen, ...part });
  const orNull = (value: string): string | null => (value === any ? null : value);
  const hosts = overview?.hosts ?? [];
  return (
    <div className={styles.filters} role="search" aria-label={words.label}>
      <label className={styles.search}>
        <Icon name="search" />
        <input
          type="search"
          value={chosen.text}
          placeholder={texts.history.search}
          aria-label={texts.history.search}
          onChange={(event) => set({ text: event.target.value })}
        />
      </label>
      <div className={styles.choices}>
        <Choice
          label={words.time}
          value={chosen.span}
          options={(Object.keys(spans) as Span[]).map((value) => ({ value, label: words.times[value] }))}
          onChange={(span) => set({ span })}
        />
        <Choice
          label={words.outcome}
          value={chosen.outcome ?? any}
          options={optionsOf(words.anyOutcome, outcomes, (value) => alone(voice.said(endingSaid(value))))}
          onChange={(value) => set({ outcome: outcomes.find((outcome) => outcome === value) ?? null })}
        />
        <Choice
          label={words.agent}
          value={chosen.agent ?? any}
          options={optionsOf(words.anyAgent, overview?.agents ?? [], agentName)}
          onChange={(value) => set({ agent: orNull(value) })}
        />
        <Choice
          label={words.project}
          value={chosen.project ?? any}
          options={optionsOf(words.anyProject, overview?.projects ?? [], (value) =>
            visibleText(projectName(value) ?? value),
          )}
          onChange={(value) => set({ project: orNull(value) })}
        />
        {hosts.length < 2 ? null : (
          <Choice
            label={words.host}
            value={chosen.host ?? any}
            options={optionsOf(words.anyHost, hosts, (value) => (value === 'local' ? words.local : visibleText(value)))}
            onChange={(value) => set({ host: orNull(value) })}
          />
        )}
        {isNarrowed(chosen) ? (
          <Button look="plain" onClick={() => onChange(everything)}>
            {words.clear}
          </Button>
        ) : null}
      </div>
      <ExportMenu filter={filter} />
    </div>
  );
};
