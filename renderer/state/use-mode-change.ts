import { useState } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { SettingsPreview } from '../../app/contract/settings-questions.ts';
import { useAction } from './use-action.ts';

/** A change of the mode that may need confirmation. */
export interface ModeChange {
  readonly busy: boolean;
  readonly failure: Failure | null;
  /** Jobs that the pending change would end; null: no change is pending. */
  readonly ended: SettingsPreview['ended'] | null;
  /** Sets the mode, unless that would end jobs: then it asks first. */
  readonly choose: (mode: 'enforce' | 'observe') => void;
  readonly confirm: () => void;
  readonly cancel: () => void;
}

/** Changes the mode; calls `done` afterwards. */
export const useModeChange = (done: () => void = () => undefined): ModeChange => {
  const set = useAction('mode.set');
  const preview = useAction('settings.preview');
  const [ended, setEnded] = useState<SettingsPreview['ended'] | null>(null);
  const change = async (mode: 'enforce' | 'observe'): Promise<void> => {
    const answer = await set.run({ mode });
    setEnded(null);
    if (answer !== null) done();
  };
  const ask = async (): Promise<void> => {
    const answer = await preview.run({ changes: { mode: 'enforce' } });
    if (answer === null) return;
    if (answer.ended.length === 0) await change('enforce');
    else setEnded(answer.ended);
  };
  return {
    busy: set.busy || preview.busy,
    failure: preview.failure ?? set.failure,
    ended,
    choose: (mode) => void (mode === 'enforce' ? ask() : change(mode)),
    confirm: () => void change('enforce'),
    cancel: () => setEnded(null),
  };
};
