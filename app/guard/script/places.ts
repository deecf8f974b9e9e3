import type { Command, List, Loop, Redirection, Script, SimpleCommand } from './script.ts';

/** A simple command and its surroundings. */
export interface Place {
  readonly command: SimpleCommand;
  /** It stands in a substitution, `$(…)`. */
  readonly substituted: boolean;
  /** It gets its input from a pipe, or from a redirection of its own or of what it stands in. */
  readonly fed: boolean;
  /** Its output goes into a pipe. */
  readonly piped: boolean;
  /** It, or what it stands in, ends with `&`. */
  readonly ampersand: boolean;
  /** It stands in an `if` or a `case`, which may have looked at what makes it all right. */
  readonly conditional: boolean;
}

type Surroundings = Omit<Place, 'command'>;

const takesInput = (redirections: readonly Redirection[]): boolean =>
  redirections.some(({ kind, descriptor }) => kind !== 'output' && (descriptor === 0 || descriptor === null));

const sendsOutput = (redirections: readonly Redirection[]): boolean =>
  redirections.some(({ kind, descriptor }) => kind === 'output' && descriptor !== 2);

const inList = (list: List, around: Surroundings): readonly Place[] =>
  list.statements.flatMap((statement) =>
    statement.pipelines.flatMap((pipeline) =>
      pipeline.commands.flatMap((command, position) =>
        inCommand(command, {
          ...around,
          fed: around.fed || position > 0,
          piped: around.piped || position < pipeline.commands.length - 1,
          ampersand: around.ampersand || statement.background,
        }),
      ),
    ),
  );

const inCommand = (command: Command, around: Surroundings): readonly Place[] => {
  const substituted = (lists: readonly List[]): readonly Place[] =>
    lists.flatMap((list) => inList(list, { ...around, substituted: true }));
  switch (command.kind) {
    case 'simple': {
      const fed = around.fed || takesInput(command.redirections);
      const piped = around.piped || sendsOutput(command.redirections);
      return [{ command, ...around, fed, piped }, ...substituted(command.words.flatMap((word) => word.substitutions))];
    }
    case 'group':
    case 'loop':
    case 'choice': {
      const inside = {
        ...around,
        conditional: around.conditional || command.kind === 'choice',
        fed: around.fed || takesInput(command.redirections),
      };
      if (command.kind === 'group') return inList(command.body, inside);
      if (command.kind === 'choice') return command.lists.flatMap((list) => inList(list, inside));
      const condition = command.condition === null ? [] : inList(command.condition, inside);
      return [...condition, ...inList(command.body, inside)];
    }
    case 'test':
      return substituted(command.operands.flatMap((word) => word.substitutions));
    case 'function':
    case 'other':
      return [];
  }
};

/** Every simple command of a script with its surroundings, in the order in which they are written. What functions do is not among them. */
export const placesIn = (script: Script): readonly Place[] =>
  inList(script.list, { substituted: false, fed: false, piped: false, ampersand: false, conditional: false });

const loopsIn = (list: List): readonly Loop[] =>
  list.statements.flatMap(({ pipelines }) =>
    pipelines.flatMap(({ commands }) =>
      commands.flatMap((command): readonly Loop[] => {
        if (command.kind === 'loop') return [command, ...loopsIn(command.body)];
        if (command.kind === 'group') return loopsIn(command.body);
        return command.kind === 'choice' ? command.lists.flatMap(loopsIn) : [];
      }),
    ),
  );

/** Every loop of a script, those in loops too. */
export const loopsOf = (script: Script): readonly Loop[] => loopsIn(script.list);

const functionsIn = (list: List): readonly string[] =>
  list.statements.flatMap(({ pipelines }) =>
    pipelines.flatMap(({ commands }) =>
      commands.flatMap((command): readonly string[] => {
        if (command.kind === 'function') return [command.name];
        if (command.kind === 'group' || command.kind === 'loop') return functionsIn(command.body);
        return command.kind === 'choice' ? command.lists.flatMap(functionsIn) : [];
      }),
    ),
  );

/** The names of the functions that a script defines: under such a name something else may run. */
export const functionsOf = (script: Script): ReadonlySet<string> => new Set(functionsIn(script.list));
