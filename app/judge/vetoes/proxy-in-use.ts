import { forwardedBy } from '../../agents/signatures.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * The proxy of a sandbox may still be in use: the port that it forwards to is answered, or that is
 * unknown. It is useless only when its agent is gone and no process listens there any more.
 */
export const proxyInUse: VetoRule = (row, facts) => {
  const proxy = forwardedBy(row.argv);
  if (proxy === null || facts?.forwards === 'unanswered') return null;
  return veto('proxy-in-use', row, { port: proxy.port });
};
