import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  double,
  integer,
  oneof,
  option,
  record,
  uniqueArray,
} from 'fast-check';

/** A node of a plan for fixtures/tree.pl. */
export interface TreeNode {
  readonly habits: readonly string[];
  readonly children: readonly TreeNode[];
  /** Becomes a protected program, with everything below it. */
  readonly shelter?: string;
  readonly finally?: { readonly exit?: number; readonly signal?: string; readonly after: number };
}

const habit = constantFrom('setsid', 'setpgid', 'double', 'deaf', 'refork', 'close', 'exec', 'stop', 'chdir', 'hop');

/** Number of sheltered processes of a tree: the shelters and their descendants. */
export const shelteredIn = (node: TreeNode, inside = false): { readonly shelters: number; readonly all: number } => {
  const own = node.shelter !== undefined;
  const below = node.children.map((child) => shelteredIn(child, inside || own));
  return {
    shelters: below.reduce((sum, one) => sum + one.shelters, own ? 1 : 0),
    all: below.reduce((sum, one) => sum + one.all, own || inside ? 1 : 0),
  };
};

/** How a run with this tree ends, and its possible exit statuses, the expected one first. */
export interface RandomRun {
  readonly tree: TreeNode;
  readonly graceSeconds: 0 | 1;
  readonly end: 'limit' | 'told' | 'itself';
  readonly isDeaf: boolean;
  readonly statuses: readonly [number, ...number[]];
}

/** What is spared once it has its own kernel session: rule 5 of the safety contract. */
const shelter = constantFrom('ssh-agent', 'gpg-agent', 'tmux', 'zellij', 'claude', 'codex', 'vim', 'emacs');

/** A process with one of these stays in its place in the tree. */
const calmHabits: ReadonlySet<string> = new Set(['setsid', 'setpgid', 'deaf', 'close', 'chdir']);

const flat: Arbitrary<readonly string[]> = uniqueArray(habit, { maxLength: 4 });

/** Turns a list of habits into a tree: each node becomes a child of an earlier one. */
const treeOf = (
  nodes: readonly { readonly habits: readonly string[]; readonly below: number; readonly shelter: string | null }[],
  root: Omit<TreeNode, 'children'>,
): TreeNode => {
  const children = new Map<number, number[]>();
  nodes.forEach(({ below }, at) => {
    const parent = at === 0 ? 0 : Math.floor(below * (at + 1));
    children.set(parent, [...(children.get(parent) ?? []), at + 1]);
  });
  const build = (at: number, sheltered: boolean): TreeNode => {
    const node = nodes[at - 1];
    const name = sheltered ? null : (node?.shelter ?? null);
    const habits = (node?.habits ?? []).filter((one) => !sheltered || calmHabits.has(one));
    const below = (children.get(at) ?? []).map((child) => build(child, sheltered || name !== null));
    if (at === 0) return { ...root, children: below };
    return name === null ? { habits, children: below } : { habits: [], shelter: name, children: below };
  };
  return build(0, false);
};

const ending = oneof(
  record({ end: constant('limit' as const), deaf: boolean() }),
  record({ end: constant('told' as const), deaf: boolean() }),
  record({ end: constant('itself' as const), code: integer({ min: 0, max: 255 }) }),
  record({
    end: constant('itself' as const),
    signal: constantFrom(['USR1', 138] as const, ['SEGV', 139] as const, ['KILL', 137] as const),
  }),
);

/** Runs with up to fifty processes each. */
export const randomRun: Arbitrary<RandomRun> = record({
  nodes: array(
    record({
      habits: flat,
      below: double({ min: 0, max: 0.999, noNaN: true }),
      shelter: option(shelter, { freq: 6 }),
    }),
    { maxLength: 49 },
  ),
  graceSeconds: constantFrom(0 as const, 1 as const),
  how: ending,
}).map(({ nodes: drawn, graceSeconds, how }) => {
  // The limit may come before a shelter is ready.
  const nodes = how.end === 'limit' ? drawn.map((node) => ({ ...node, shelter: null })) : drawn;
  if (how.end !== 'itself') {
    // Ignores TERM: KILL ends the command. Its status says so if it was terminated; a limit gives
    // 124. A process that got no CPU time during so short a grace has TERM and KILL pending
    // together, and the kernel delivers the lower number first.
    const statuses = how.end === 'limit' ? ([124] as const) : how.deaf ? ([137] as const) : ([143, 137] as const);
    const tree = treeOf(nodes, { habits: how.deaf ? ['deaf'] : [] });
    return { tree, graceSeconds, end: how.end, isDeaf: how.deaf, statuses };
  }
  const last = 'code' in how ? { exit: how.code, after: 150 } : { signal: how.signal[0], after: 150 };
  const status = 'code' in how ? how.code : how.signal[1];
  const tree = treeOf(nodes, { habits: [], finally: last });
  return { tree, graceSeconds, end: how.end, isDeaf: false, statuses: [status] };
});
