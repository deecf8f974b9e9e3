import { isUnseen } from '../../programs/browser.ts';
import { showsElsewhere } from '../../programs/viewed-display.ts';
import { programOf } from '../../programs/program.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * It is connected to a display, so it shows a window there, or may: a document or picture that an
 * agent opened for the user, in which work may be that was not saved. A display that belongs to the
 * job itself (xvfb-run) or to another leftover is looked at by no user, unless a viewer could reach
 * it. A browser that a program drives shows its windows to the user as any other does, unless it
 * was started without any (headless).
 */
export const window: VetoRule = (row, facts, _role, context) => {
  if (showsElsewhere(programOf(row, facts), facts)) return veto('window', row, { at: row.comm });
  const displays = facts?.displays ?? [];
  const shown = displays.find(({ peer }) => peer === null || context.harmlessSockets?.has(peer) !== true);
  if (shown === undefined || isUnseen(programOf(row, facts))) return null;
  return veto('window', row, { at: shown.at });
};
