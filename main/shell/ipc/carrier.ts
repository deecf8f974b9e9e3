import { say } from '../../../app/text/say.ts';
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { failure, type Answer } from '../../../app/contract/answer.ts';
import { answerQuestion } from '../../../app/contract/answerers.ts';
import type { CurfewService } from '../../interface/curfew-service.ts';
import { isOwnSender } from '../security/sender.ts';
import { channels } from './channels.ts';

export interface CarrierOptions {
  /** Null while there is no service. */
  readonly service: () => CurfewService | null;
  /** Ids of our windows' web contents. */
  readonly windows: () => ReadonlySet<number>;
  readonly listens: (id: number) => void;
}

/** The answer while no service runs. */
export const unwatched: Answer<never> = {
  ok: false,
  failure: failure('offline', say('Curfew is not watching now.'), {
    advice: say('Choose “Try again” in its message, or start it anew.'),
  }),
};

const strange: Answer<never> = { ok: false, failure: failure('refused', say('This page may not ask.')) };

/**
 * Carries the questions of windows over Electron's channels. Only the main frame of a window that
 * the app made, showing a page of ours, gets answers, and everything goes through `answerQuestion`,
 * which checks name, input and answer.
 */
export const carryQuestions = ({ service, windows, listens }: CarrierOptions): void => {
  const isOurs = (event: IpcMainInvokeEvent | IpcMainEvent): boolean =>
    isOwnSender({ id: event.sender.id, frame: event.senderFrame }, windows());
  ipcMain.handle(channels.ask, async (event, name: unknown, input: unknown): Promise<Answer<unknown>> => {
    if (!isOurs(event)) return strange;
    const answering = service();
    return answering === null ? unwatched : answerQuestion(answering.answerers, name, input, answering.report);
  });
  ipcMain.on(channels.listen, (event) => {
    if (isOurs(event)) listens(event.sender.id);
  });
};
