import { veto, type VetoRule } from '../veto-rule.ts';

/** Another user's, or its user is unknown. Root may signal them, and must not. */
export const otherUser: VetoRule = (row, _facts, _role, context) => {
  if (row.uid === context.uid) return null;
  return veto('other-user', row, row.uid === null ? {} : { uid: row.uid });
};
