import { sandboxProxyOf } from '../../agents/claude-code/proxy.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * The proxy of a sandbox may still have somebody behind it: the port that it forwards to is answered, or nobody could tell. Only when its agent is
 * gone and nobody listens there any more it is of no use to anybody.
 */
export const proxyInUse: VetoRule = (row, facts) => {
  const proxy = sandboxProxyOf(row.argv);
  if (proxy === null || facts?.forwards === 'unanswered') return null;
  return veto('proxy-in-use', row, { port: proxy.port });
};
