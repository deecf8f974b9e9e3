import { forwardedBy } from '../agents/signatures.ts';
import type { Finder } from './subject.ts';

/**
 * The proxy of a sandbox on whose port no process listens any more. It becomes a job only when its
 * session has ended.
 */
export const findStaleProxy: Finder = ({ members, facts }) => {
  for (const { row } of members) {
    const proxy = forwardedBy(row.argv);
    if (proxy !== null && facts.get(row.pid)?.forwards === 'unanswered')
      return { code: 'stale-sandbox-proxy', figures: { pid: row.pid, port: proxy.port, file: proxy.socket } };
  }
  return null;
};
