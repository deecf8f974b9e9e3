/**
 * A command as the guard's rules see it: what runs, with which words, in what surroundings. Everything that a rule can't be sure of
 * (variables, substitutions, globs) is a word without a value, and a rule that needs the value keeps silent.
 */

/** A word of a command. */
export interface Word {
  /** As it is written. */
  readonly text: string;
  /** What the program gets, whatever the shell's variables and files are; null when that depends on them. */
  readonly value: string | null;
  /** Offsets into the source, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Commands substituted into it, `$(…)`. */
  readonly substitutions: readonly List[];
}

/** A redirection of a command. */
export interface Redirection {
  /** `descriptor`: another descriptor is taken over, `2>&1`. */
  readonly kind: 'input' | 'output' | 'descriptor';
  /** Which descriptor is redirected, 0 or 1 where none is written; null when a variable names it. `&>` counts as 1. */
  readonly descriptor: number | null;
  readonly start: number;
  readonly end: number;
}

/** A program or builtin with its arguments. `words[0]` is its name; there is none in a bare assignment or redirection. */
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

/** `[[ … ]]`, with its operands, and as it is written. */
export interface Test {
  readonly kind: 'test';
  readonly operator: string | null;
  readonly operands: readonly Word[];
}

/** A function, which does nothing until it is called. */
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly name: string;
}

/** Something no rule is about: arithmetic, a coprocess. */
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

/** Pipelines with `&&` and `||` between them, and what ends them. */
export interface Statement {
  readonly pipelines: readonly Pipeline[];
  /** It ends with `&`. */
  readonly background: boolean;
  /** What stands between it and the next statement: `;` or `&`, or only the end of a line. */
  readonly endsWith: 'operator' | 'line';
}

/** Statements one after another. */
export interface List {
  readonly statements: readonly Statement[];
}

/** A whole command as an agent wants to run it. */
export interface Script {
  readonly source: string;
  readonly list: List;
  /** A here-document is somewhere in it. */
  readonly heredoc: boolean;
}
