/**
 * A command as the guard's rules see it: what runs, with which words, in which context. A word
 * whose value is uncertain (variables, substitutions, globs) has none, and a rule that needs it
 * stays silent.
 */

export interface Word {
  /** Source text. */
  readonly text: string;
  /** The word as the program gets it; null if it depends on variables or files of the shell. */
  readonly value: string | null;
  /** Offsets into the source, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Commands substituted into it, `$(…)`. */
  readonly substitutions: readonly List[];
}

export interface Redirection {
  /** `descriptor`: duplicates another descriptor, `2>&1`. */
  readonly kind: 'input' | 'output' | 'descriptor';
  /** The redirected descriptor, by default 0 or 1 (`&>` too); null if a variable names it. */
  readonly descriptor: number | null;
  readonly start: number;
  readonly end: number;
}

/** A program with its arguments. `words[0]` is its name; a bare assignment has none. */
export interface SimpleCommand {
  readonly kind: 'simple';
  /** Assignments before the name: `A=1 make`. */
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

/** `( … )`, `{ …; }`. */
export interface Group {
  readonly kind: 'group';
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `while`, `until`, `for`, `select`. Only the first two have a condition. */
export interface Loop {
  readonly kind: 'loop';
  readonly how: 'while' | 'until' | 'for';
  readonly condition: List | null;
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `if` and `case`: lists of which some run. */
export interface Choice {
  readonly kind: 'choice';
  readonly lists: readonly List[];
  readonly redirections: readonly Redirection[];
}

/** `[[ … ]]` with its operands and source text. */
export interface Test {
  readonly kind: 'test';
  readonly operator: string | null;
  readonly operands: readonly Word[];
}

/** A function; it runs only when called. */
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly name: string;
}

/** Constructs without a rule: arithmetic, a coprocess. */
export interface Other {
  readonly kind: 'other';
}

/** See the kinds. */
export type Command = SimpleCommand | Group | Loop | Choice | Test | FunctionDefinition | Other;

/** Commands with `|` between them. */
export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined with `&&` and `||`, and their terminator. */
export interface Statement {
  readonly pipelines: readonly Pipeline[];
  /** It ends with `&`. */
  readonly background: boolean;
  /** What separates it from the next statement: `;` or `&`, or only a line break. */
  readonly endsWith: 'operator' | 'line';
}

/** Statements in order. */
export interface List {
  readonly statements: readonly Statement[];
}

/** A whole command as an agent wants to run it. */
export interface Script {
  readonly source: string;
  readonly list: List;
  /** True if it holds a here-document. */
  readonly heredoc: boolean;
}
