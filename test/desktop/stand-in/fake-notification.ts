import { EventEmitter } from 'node:events';
import type { ActivationArguments, Notification, NotificationConstructorOptions } from 'electron';
import { desktop } from './desktop.ts';

/** A notification of the system. */
export class FakeNotification extends EventEmitter implements Pick<Notification, 'show' | 'close'> {
  static supported = true;
  /** What the system does: macOS fails what an unsigned app shows, or says nothing at all. */
  static answer: 'shows' | 'fails' | 'is-silent' = 'shows';

  static isSupported(): boolean {
    return FakeNotification.supported;
  }

  static activated: ((details: ActivationArguments) => void) | null = null;

  static handleActivation(callback: (details: ActivationArguments) => void): void {
    FakeNotification.activated = callback;
  }

  readonly number = desktop.id();
  readonly options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions) {
    super();
    desktop.mustBeReady('Notification');
    this.options = options;
  }

  show(): void {
    if (FakeNotification.answer === 'fails') {
      this.emit('failed', {}, 'UNErrorDomain 1');
      return;
    }
    const { title = '', body = '', silent = false, actions = [] } = this.options;
    desktop.notifications.set(this.number, this);
    desktop.tell({
      kind: 'notification',
      id: this.number,
      title,
      body,
      silent,
      actions: actions.map(({ text }) => text ?? ''),
    });
    if (FakeNotification.answer === 'shows') this.emit('show', {});
  }

  close(): void {
    if (!desktop.notifications.delete(this.number)) return;
    desktop.tell({ kind: 'notification-closed', id: this.number });
    this.emit('close', {});
  }
}
