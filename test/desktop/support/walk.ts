import type { Page } from '@playwright/test';
import { StageError } from '../../os/scene/stage-error.ts';
import { expect } from '../../ui/support/patient.ts';

/** A desktop with the app on it, real or played. */
export interface WalkedDesktop {
  /** Resolves when the tray shows this. */
  readonly trayTells: (text: string) => Promise<void>;
  /** Resolves when a notification contains this in its title or body. */
  readonly notified: (text: string) => Promise<unknown>;
  readonly clickTray: () => Promise<unknown>;
  readonly choose: (entry: string) => Promise<unknown>;
  /** The visible window whose address contains this. */
  readonly page: (place: string) => Promise<Page>;
}

/** An overdue job, and how to check that it is really gone. */
export interface WalkedJob {
  readonly command: string;
  readonly gone: () => Promise<unknown>;
  /** What the tray shows of the rest then. */
  readonly afterwards: string;
}

/**
 * Chooses an entry of the tray's menu, and returns its window. A menu that is shown anew may lose a
 * key on a busy machine: then it is chosen once more, as a user would.
 */
export const windowOf = async (desktop: WalkedDesktop, entry: string, place: string): Promise<Page> => {
  await desktop.choose(entry);
  try {
    return await desktop.page(place);
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    await desktop.choose(entry);
    return desktop.page(place);
  }
};

/**
 * The path of a user with a stuck job: the tray and a notification show it, the popover lists it,
 * Reap ends it, a notification confirms, and the history has it.
 */
export const walk = async (desktop: WalkedDesktop, job: WalkedJob): Promise<void> => {
  await desktop.trayTells('1 job needs a look');
  await desktop.notified(job.command);
  await desktop.clickTray();
  const popover = await desktop.page('#/popover');
  await expect(popover.getByRole('heading', { name: '1 job needs a look' })).toBeVisible();
  await expect(popover.getByText(job.command).first()).toBeVisible();
  await popover.getByRole('button', { name: /^End/u }).click();
  await job.gone();
  await expect(popover.getByText(/^Ended(?:\.| \d+ process)/u)).toBeVisible();
  await desktop.notified('Curfew ended a command');
  await desktop.trayTells(job.afterwards);
  const history = await windowOf(desktop, 'History', '#/history');
  await expect(history.getByText(job.command).first()).toBeVisible();
};
