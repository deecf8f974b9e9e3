import type { SafeText } from '../../format/secrets/safe-text.ts';
import { commandShell } from '../../agents/common/command-shell.ts';
import { programFile } from '../../paths/path.ts';
import { argumentsKeep, keepInCommand, keepName } from '../../guard/script/keep-assignment.ts';
import type { MemberFacts } from '../../process/facts.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { Member } from '../../model/job.ts';
import type { ImageMark, KeepMemory } from './ledger.ts';

/** What is known of `CURFEW_KEEP` in a job before anything of it was seen. */
export const nothingKept: KeepMemory = { assigned: false, kept: [], plain: [] };

export interface KeepInput {
  readonly table: Pick<ProcessTable, 'rows'>;
  readonly members: readonly Member[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  readonly root: ProcessRow;
  /** The tool call's text where its living shell, the root, shows it, unredacted; else null. */
  readonly script: string | null;
  /** As the job is known, redacted. */
  readonly command: SafeText;
  readonly before: KeepMemory;
  /** Marks of other jobs' processes seen carrying it: one can come from one job into another. */
  readonly keptElsewhere: readonly ImageMark[];
}

/**
 * True for the process of a mark, as long as it runs the program image in which it was seen, and
 * for children that were forked from it and have that image, too.
 */
const isImageOf = (mark: ImageMark, row: ProcessRow, facts: MemberFacts | null): boolean =>
  mark.image === null || facts?.image === undefined
    ? mark.image === (facts?.image ?? null) && mark.pid === row.pid && mark.startTicks === row.startTicks
    : mark.image === facts.image;

/** True if it was once seen carrying `CURFEW_KEEP=1`, whatever runs now, or is a fork of such. */
export const wasSeenKept = (memory: Pick<KeepMemory, 'kept'>, row: ProcessRow, facts: MemberFacts | null): boolean =>
  memory.kept.some(
    (mark) => (mark.pid === row.pid && mark.startTicks === row.startTicks) || isImageOf(mark, row, facts),
  );

/** True if its environment can't be read now but is known not to carry the mark. */
export const isKnownPlain = (memory: Pick<KeepMemory, 'plain'>, row: ProcessRow, facts: MemberFacts | null): boolean =>
  memory.plain.some((mark) => isImageOf(mark, row, facts));

const markOf = (row: ProcessRow, facts: MemberFacts | null): ImageMark => ({
  pid: row.pid,
  startTicks: row.startTicks,
  image: facts?.image ?? null,
});

/** Programs that run what a file tells them, which may give the mark to their children. */
const interpreter =
  /^(?:(?:ba|da|z|k|mk|c|tc|fi|a|pw)?sh|perl|python|pypy|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|wish|java|Rscript|guile|g?awk|mawk|expect|make|gmake|ninja|busybox)[\d.]*$/u;

/** Stand between a shell and what it starts, and hand the environment on as it is. timeout(1) */
const passers = new Set(['timeout', 'gtimeout']);

const namesOf = (row: ProcessRow, facts: MemberFacts | null): readonly string[] => {
  const file = facts?.executable == null ? [] : [programFile(facts.executable)];
  return [row.comm, ...file].flatMap((name) => [name, name.replace(/[-\d.]+$/u, '')]);
};

/**
 * What is known of `CURFEW_KEEP=1` among the members of a job, for the ledger and the vetoes. Pure.
 *
 * Programs such as redis write over their environment as soon as they start. One of which it was
 * never read counts as plain (it does not carry the mark) only where the environment that it was
 * given is known:
 * - its parent is a plain shell of this job whose text starts it by name and alone says which
 *   variables it gets, or
 * - its parent is plain and the same program, and runs no script (a browser's children).
 */
export const keepMemory = (input: KeepInput): KeepMemory => {
  const { members, before, root, table } = input;
  const factsOf = (row: ProcessRow): MemberFacts | null => input.facts.get(row.pid) ?? null;
  const texts = [input.script, input.command].filter((text) => text?.includes(keepName) === true);
  const assigned =
    before.assigned ||
    texts.some((text) => text !== null && keepInCommand(text).assigns) ||
    members.some(({ row }) => argumentsKeep(row.argv));

  const remembered = { kept: [...before.kept, ...input.keptElsewhere], plain: before.plain };
  const isSeenKept = (row: ProcessRow): boolean =>
    factsOf(row)?.environment?.[keepName] === '1' || wasSeenKept(remembered, row, factsOf(row));
  const kept = members.filter(({ row }) => isSeenKept(row)).map(({ row }) => row);

  const plain = new Set<ProcessRow>();
  for (const { row } of members) {
    const facts = factsOf(row);
    if (kept.includes(row) || facts === null) continue;
    if (facts.environment !== null || isKnownPlain(remembered, row, facts)) plain.add(row);
  }
  const rows = new Map(members.map(({ row }) => [Number(row.pid), row]));
  const sameText = (row: ProcessRow): boolean =>
    row.argv.length === root.argv.length && row.argv.every((word, at) => word === root.argv[at]);
  const programsOf = (shell: ProcessRow): ReadonlySet<string> | null => {
    const text = sameText(shell)
      ? (input.script ?? commandShell(shell.argv)?.script)
      : commandShell(shell.argv)?.script;
    return text == null ? null : keepInCommand(text).programs;
  };
  const isInferred = (row: ProcessRow): boolean => {
    const facts = factsOf(row);
    let parent = rows.get(row.ppid);
    if (parent === undefined || facts === null || !plain.has(parent)) return false;
    const file = facts.executable;
    const sameProgram = file === null ? row.comm === parent.comm : file === (factsOf(parent)?.executable ?? null);
    if (sameProgram && !namesOf(parent, factsOf(parent)).some((name) => interpreter.test(name))) return true;
    while (parent !== undefined && passers.has(programFile(parent.argv[0] ?? ''))) parent = rows.get(parent.ppid);
    if (parent === undefined || !plain.has(parent) || commandShell(parent.argv) === null) return false;
    const programs = programsOf(parent);
    return programs !== null && namesOf(row, facts).some((name) => programs.has(name));
  };
  if (!assigned && kept.length === 0) {
    for (let found = true; found;) {
      const more = members.filter(
        ({ row }) => !plain.has(row) && factsOf(row)?.hidden !== undefined && isInferred(row),
      );
      found = more.length > 0;
      for (const { row } of more) plain.add(row);
    }
  }
  const alive = before.kept.filter(
    (mark) => table.rows.get(mark.pid as ProcessRow['pid'])?.startTicks === mark.startTicks,
  );
  const now = kept.map((row) => markOf(row, factsOf(row)));
  return {
    assigned,
    kept: [...alive.filter((mark) => !now.some((one) => one.pid === mark.pid && one.image === mark.image)), ...now],
    plain: members.filter(({ row }) => plain.has(row)).map(({ row }) => markOf(row, factsOf(row))),
  };
};
