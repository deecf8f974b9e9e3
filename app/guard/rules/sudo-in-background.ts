import { type Rule, isLeftRunning } from '../script/guard-call.ts';
import { programOf } from '../script/program.ts';
import type { Word } from '../script/script.ts';

/** Options of sudo(8) with a value, and those that ask elsewhere or not at all. */
const valued = /^-[A-Za-z]*[ugpCDRTUrt]$/u;
const neverAsksHere =
  /^(?:-[A-Za-z]*[nSAkKVh][A-Za-z]*|--(?:non-interactive|stdin|askpass|reset-timestamp|remove-timestamp|version|help).*)$/u;

/** True if it may ask for a password; false if an option isn't known for certain. */
const mayAsk = (args: readonly Word[]): boolean => {
  for (let index = 0; index < args.length; index += 1) {
    const value = args[index]?.value;
    if (value == null || neverAsksHere.test(value)) return false;
    if (!value.startsWith('-') && !/^\w+=/u.test(value)) return true;
    if (valued.test(value)) index += 1;
  }
  return false;
};

/**
 * Finds `sudo` in the background, where the user can't type its password. sudo(8): -n never asks,
 * -S and -A ask elsewhere.
 */
export const sudoInBackground: Rule = (call) => {
  if (call.root || call.functions.has('sudo')) return null;
  const asks = call.places.some((place) => {
    const program = isLeftRunning(call, place) ? programOf(place.command) : null;
    return program?.name === 'sudo' && !program.bounded && mayAsk(program.args);
  });
  if (!asks) return null;
  return {
    sentence:
      '`sudo` may ask for a password, which can’t be typed in the background: use `sudo -n`, which fails at once instead of waiting, or ask the user to run it.',
    bounds: [],
  };
};
