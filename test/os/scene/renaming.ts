import { preambleOf } from './habits.ts';
import type { Innocent } from './innocents.ts';
import type { Scene } from './scene.ts';

/** The interpreter of these programs. */
export const perl = '/usr/bin/perl';

/** Longer than arguments and environment of any process in a scene. */
const title = `server: ${'x'.repeat(4_000)}`;

/** A program that overwrites its environment. */
export interface Renaming {
  readonly path: string;
  readonly ready: () => Promise<Innocent>;
}

/**
 * Writes a program for perl that overwrites its arguments and its environment when it starts, and
 * keeps a diary.
 */
export const renaming = (stage: Scene, name: string): Renaming => {
  const diary = stage.write(`/tmp/scene/diaries/${name}`, '', 0o666);
  const path = stage.script(`/tmp/work/${name}.pl`, preambleOf({ diary, title: `${name} ${title}` }), 'resident.pl');
  const ready = async (): Promise<Innocent> => {
    await stage.until(`${name} keeps its diary`, () => stage.read(diary) !== '');
    const row = await stage.find(name, ({ argv }) => argv[0]?.startsWith(`${name} server`) === true);
    return { what: name, identity: stage.identity(row.pid), diary };
  };
  return { path, ready };
};
