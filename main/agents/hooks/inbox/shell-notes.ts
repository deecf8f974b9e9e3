import type { ShellNote } from '../../../../app/jobs/lineage/evidence.ts';
import { type AgentFiles, filesHere } from '../../../os/files/small-file.ts';
import type { HookFolders } from '../form/folders.ts';
import { shellNotesFile } from '../form/witness-shell.ts';

const line = /^(\d{1,10}) (\d{1,10}) (\d{1,10}) (\d{1,10}) (\d{1,16})$/u;

/** Returns what the lines note, in order; a line of another form is left out. */
export const shellNotesIn = (text: string): readonly ShellNote[] =>
  text.split('\n').flatMap((one) => {
    const [, pid, parent, group, session, start] = line.exec(one) ?? [];
    return start === undefined
      ? []
      : [
          {
            pid: Number(pid),
            startTicks: Number(start),
            parent: Number(parent),
            group: Number(group),
            session: Number(session),
          },
        ];
  });

/**
 * Opens a reader of what tool shells noted of themselves. It costs one question about a file where
 * nothing is new, and gives nothing where that can't be read.
 */
export const openShellNotes = (
  folders: Pick<HookFolders, 'witnessed'>,
  uid: number,
  files: AgentFiles = filesHere,
): (() => readonly ShellNote[]) => {
  const path = shellNotesFile(folders);
  let known: { readonly stamp: string; readonly notes: readonly ShellNote[] } | null = null;
  return () => {
    const now = files.stamp(path);
    if (now.state !== 'read') return [];
    if (known?.stamp === now.value.stamp) return known.notes;
    const text = files.text(path, uid);
    known = { stamp: now.value.stamp, notes: text.state === 'read' ? shellNotesIn(text.value) : [] };
    return known.notes;
  };
};
