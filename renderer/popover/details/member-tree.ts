import type { SnapshotMember } from '../../../app/contract/views/snapshot.ts';

export interface TreeLine {
  readonly member: SnapshotMember;
  readonly depth: number;
}

/**
 * Returns members as a tree by parent, roots being those without a parent among the members. Every
 * member occurs exactly once, even if parents form a cycle.
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
  // Only cycles are left.
  for (const member of members) place(member, 0);
  return lines;
};
