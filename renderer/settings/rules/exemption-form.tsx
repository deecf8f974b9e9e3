import type { ReactElement } from 'react';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { exemptionProblems, type ExemptionDraft } from './exemption-problems.ts';
import { NewEntry } from './new-entry.tsx';

const empty: ExemptionDraft = { project: '', command: '', port: '', note: '' };

const exemptionOf = ({ project, command, port, note }: ExemptionDraft) => ({
  ...(project.trim() === '' ? {} : { project: project.trim() }),
  ...(command.trim() === '' ? {} : { command: command.trim() }),
  ...(port.trim() === '' ? {} : { port: Number(port) }),
  ...(note.trim() === '' ? {} : { note: note.trim() }),
  createdAt: new Date().toISOString(),
});

/** A new exemption by hand; the others come from a card's “Never for”. */
export const ExemptionForm = (): ReactElement => {
  const words = useLanguage().texts.settings.rules;
  const { exemptions } = useSnapshot().settings.values;
  return (
    <NewEntry
      title={words.addExemption}
      empty={empty}
      fields={[
        { key: 'project', label: words.exemptProject, hint: words.exemptProjectHint, mono: true },
        { key: 'command', label: words.exemptCommand, hint: words.exemptCommandHint, mono: true },
        { key: 'port', label: words.exemptPort, hint: words.exemptPortHint },
        { key: 'note', label: words.exemptNote, hint: words.exemptNoteHint },
      ]}
      problemsOf={(draft) => exemptionProblems(draft, words)}
      changesOf={(draft) => ({ exemptions: [...exemptions, exemptionOf(draft)] })}
    />
  );
};
