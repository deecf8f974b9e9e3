import type { ReactElement } from 'react';
import type { SettingsPreview } from '../../../app/contract/settings-questions.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Confirm } from './dialog.tsx';
import { ForeignText } from '../text/foreign-text.tsx';

interface EnforceConfirmProps {
  /** Jobs that would be ended; null: no question is open. */
  readonly ended: SettingsPreview['ended'] | null;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Maximum of listed jobs; above it the number of others is shown. */
const maxListed = 8;

/** Asks before Curfew begins to end jobs, and lists those that it would end now. */
export const EnforceConfirm = ({ ended, busy, onConfirm, onClose }: EnforceConfirmProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.common.enforceAsk;
  const jobs = ended ?? [];
  return (
    <Confirm
      open={ended !== null}
      title={words.title}
      body={words.body(jobs.length)}
      confirm={words.confirm}
      danger
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul>
        {jobs.slice(0, maxListed).map(({ job, command, project }) => (
          <li key={job}>
            <code>
              <ForeignText text={command} />
            </code>
            {project === null ? null : (
              <div>
                <ForeignText text={project} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {jobs.length > maxListed ? <p>{words.more(jobs.length - maxListed)}</p> : null}
    </Confirm>
  );
};
