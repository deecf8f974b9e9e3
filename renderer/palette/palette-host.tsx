import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { QuestionName } from '../../app/contract/contract.ts';
import { useBridge } from '../state/bridge-context.ts';
import { useOpen } from '../state/route.ts';
import { lateView } from '../late/late-view.tsx';
import { doViewAction } from '../state/view-actions.ts';
import { useLanguage } from '../texts/texts-context.ts';
import type { CommandAction } from './commands.ts';
import { goToEnd, goToJob, isPaletteKey, previewLeftovers } from './palette-keys.ts';

// Loaded when it is first asked for: the popover opens without it.
const Palette = lateView('above', async () => (await import('./palette.tsx')).Palette);

/** Makes Ctrl-K (⌘K on a Mac) open the command palette in every view. */
export const PaletteHost = (): ReactElement => {
  const { texts } = useLanguage();
  const bridge = useBridge();
  const openPlace = useOpen();
  // null: it was not asked for yet, and is not loaded.
  const [open, setOpen] = useState<boolean | null>(null);
  const [done, setDone] = useState('');
  const back = useRef<HTMLElement>(null);
  /** What follows once the palette has closed; null: the focus returns to its old place. */
  const after = useRef<(() => void) | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isPaletteKey(event)) return;
      // A question that is open is answered first.
      if (document.querySelector('[role="alertdialog"]') !== null) return;
      event.preventDefault();
      setDone('');
      setOpen((before) => {
        if (before !== true && document.activeElement instanceof HTMLElement) back.current = document.activeElement;
        return before !== true;
      });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const act = async (action: CommandAction): Promise<Failure | null> => {
    switch (action.do) {
      case 'ask': {
        const answer = await bridge.ask<QuestionName>(action.question.name, action.question.input);
        return answer.ok ? null : answer.failure;
      }
      case 'open':
        openPlace(action.place);
        return null;
      case 'welcome':
        window.location.hash = '#/welcome';
        return null;
      case 'go':
        after.current = () => {
          if ((action.to === 'end' && goToEnd(action.job)) || goToJob(action.job)) return;
          openPlace({ window: 'popover', job: action.job });
        };
        return null;
      case 'preview-leftovers':
        after.current = () => {
          if (!previewLeftovers()) openPlace({ window: 'popover', job: null });
        };
        return null;
      case 'view':
        after.current = () => doViewAction(action.name);
        return null;
    }
  };
  return (
    <>
      {open === null ? null : (
        <Palette
          open={open}
          act={act}
          giveBack={() => {
            if (after.current === null) back.current?.focus();
            else after.current();
            after.current = null;
          }}
          onClose={(chosen) => {
            // What opens or shows something says so itself.
            setDone(chosen?.action.do === 'ask' ? texts.palette.chosen(chosen.label) : '');
            setOpen(false);
          }}
        />
      )}
      <p role="status" className="visually-hidden">
        {done}
      </p>
    </>
  );
};
