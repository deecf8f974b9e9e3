import type { AgentSession } from '../../../app/model/session.ts';

/**
 * Sessions as registries tell, completed by what hooks told. A registry's own entry of a session
 * counts, beside a further process that hooks saw with it; a process that no registry names gets
 * the session that its hooks named.
 */
export const mergeSessions = (
  registered: readonly AgentSession[],
  hooked: readonly AgentSession[],
): readonly AgentSession[] => {
  const further = hooked.filter(
    (one) =>
      !registered.some(
        (known) => known.agent === one.agent && known.id === one.id && (one.state === 'gone' || known.pid === one.pid),
      ),
  );
  const named = new Set(further.flatMap((one) => (one.pid === null ? [] : [`${one.agent} ${one.pid}`])));
  const kept = registered.filter((one) => one.id !== null || !named.has(`${one.agent} ${one.pid}`));
  return [...kept, ...further];
};
