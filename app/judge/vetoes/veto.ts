import type { ProcessRow } from '../../process/row.ts';
import type { Veto, VetoCode } from '../verdict.ts';

/** A veto about a process, with the figures that its sentence needs. */
export const veto = (code: VetoCode, row: ProcessRow, figures: Veto['figures'] = {}): Veto => ({
  code,
  pid: row.pid,
  figures,
});
