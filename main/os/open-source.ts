import { DarwinSource } from './darwin/source.ts';
import { LinuxSource } from './linux/source.ts';
import { PortableSource } from './portable/source.ts';
import type { ProcessSource } from './processes/source.ts';

/** What a source is opened with. */
export interface SourceOptions {
  /** The allow-list: only these environment variables are ever decoded. */
  readonly environmentNames: Iterable<string>;
  /** The user whose processes are candidates. */
  readonly uid: number;
}

/**
 * Returns the source for this platform.
 * @throws ProcessTableUnreadable when the machine doesn't show its processes
 */
export const openSource = (options: SourceOptions): ProcessSource => {
  if (process.platform === 'linux') return new LinuxSource(options);
  if (process.platform === 'darwin') return new DarwinSource(options);
  return new PortableSource(options.uid);
};
