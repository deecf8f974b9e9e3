import { programNames, programOf, windowsNameIn } from '../../../programs/program.ts';
import { veto, type VetoRule } from '../../veto-rule.ts';

/** The service manager of Windows. */
const managers = programNames('services');

/**
 * A service of Windows: the service manager started it, which never happens by another way, also
 * for services that run as the user. https://learn.microsoft.com/windows/win32/services/services
 */
export const service: VetoRule = (row, _facts, _role, { rows }) => {
  const parent = row.windows === undefined ? undefined : rows.get(row.ppid);
  const isService = parent !== undefined && windowsNameIn(programOf(parent), managers) !== null;
  return isService ? veto('service-manager', row, { windows: 'service', service: row.comm }) : null;
};
