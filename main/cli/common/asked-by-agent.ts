import { tableViewOf } from '../../../app/jobs/lineage/table-view.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Look } from '../../observing/look.ts';

/**
 * Returns whether an agent's tool call may have started this command: an agent is above it, or it
 * carries an agent's marks. What only the user may say is refused then.
 */
export const isAskedByAgent = (engine: Pick<Engine, 'evidence'>, { table }: Look): boolean => {
  const { tree, profileOf } = tableViewOf(table, engine.evidence);
  const own = tree.row(asPid(process.pid));
  if (own === undefined) return true;
  return [own, ...tree.ancestors(own.pid)].some((row) => {
    const { program, claims } = profileOf(row);
    return program !== null || claims.length > 0;
  });
};
