import { messageOf } from '../../app/format/error-message.ts';
import { refuseForeignHome } from '../store/foreign-home.ts';
import { placesHere } from '../store/places.ts';

/** Ends this process where root's server would answer by a user's files, and end by them. */
export const refuseForeign = (): void => {
  const home = process.env['HOME'] ?? process.getBuiltinModule('node:os').homedir();
  try {
    refuseForeignHome(home, placesHere(home));
  } catch (error) {
    process.stderr.write(`curfew: ${messageOf(error)}\n`);
    process.exit(1);
  }
};
