import type { Command, List, Loop, Redirection, Script, SimpleCommand } from './script.ts';

/** A simple command and its context. */
export interface Place {
  readonly command: SimpleCommand;
  /** Inside a substitution, `$(…)`. */
  readonly substituted: boolean;
  /** Its input is a pipe or a redirection, its own or of an enclosing construct. */
  readonly fed: boolean;
  /** Its output goes into a pipe. */
  readonly piped: boolean;
  /** It or an enclosing construct ends with `&`. */
  readonly ampersand: boolean;
  /** Inside an `if` or a `case`, whose condition may have made it safe. */
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

/** Returns a script's simple commands with context, in source order, without function bodies. */
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

/** Returns every loop of a script, including nested ones. */
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

/** Returns the names of the functions that a script defines: such a name may run something else. */
export const functionsOf = (script: Script): ReadonlySet<string> => new Set(functionsIn(script.list));
