import type { SnapshotMember } from '../../../app/contract/views/snapshot.ts';

/** A process with its place in the tree. */
export interface TreeLine {
  readonly member: SnapshotMember;
  readonly depth: number;
}

/**
 * Members as a tree by parentage, children under their parents, those without a parent among the members on top. Every member comes
 * exactly once, however strange the parents are.
 */
export const memberTree = (members: readonly SnapshotMember[]): readonly TreeLine[] => {
  const pids = new Set(members.map((member) => member.pid));
  const lines: TreeLine[] = [];
  const placed = new Set<number>();
  const place = (member: SnapshotMember, depth: number): void => {
    if (placed.has(member.pid)) return;
    placed.add(member.pid);
    lines.push({ member, depth });
    for (const child of members) if (child.ppid === member.pid) place(child, depth + 1);
  };
  for (const member of members) if (!pids.has(member.ppid) || member.ppid === member.pid) place(member, 0);
  // Only parents that go round in a circle are left.
  for (const member of members) place(member, 0);
  return lines;
};
