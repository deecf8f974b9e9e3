import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { Job } from '../../app/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import type { Look } from '../observing/look.ts';
import type { EndByKeeper } from '../ending/own-command.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** What is read and asked about things left open. */
export interface LeftOpenTools {
  readonly source: Pick<ProcessSource, 'facts' | 'channels' | 'read' | 'probing'>;
  /** The user that asks: the keeper of another user is never asked. */
  readonly uid: number;
  readonly home: string;
  readonly observer: { readonly vetoContext: (job: Job, look: Look) => VetoContext };
}

/** Something left open, and how it is ended where it may be. */
export interface LeftOpenItem {
  readonly leftOpen: LeftOpen;
  readonly end: EndByKeeper | null;
}
