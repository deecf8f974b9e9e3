/** One answer of the stand-in for a model: a text, or a call of a tool. */
export interface Step {
  readonly text?: string;
  /** A command for whichever tool of the agent runs commands. */
  readonly command?: string;
  /** Asks for that tool's own background, where it has one. */
  readonly background?: boolean;
  /** A tool by its name, with its input verbatim. */
  readonly tool?: string;
  readonly input?: object;
  /** The answer waits for this file in the folder of the model. */
  readonly after?: string;
  /** It is given again until what came after it matches this pattern. */
  readonly until?: string;
}

/** One thing that was said: the user's turns hold the prompt, the model's are counted. */
export interface Turn {
  readonly by: 'user' | 'model' | 'other';
  /** All of it, as JSON. */
  readonly said: string;
}

/** Returns the number of the step that is due after these turns. */
export const stepDue = (
  steps: readonly Step[],
  turns: readonly Turn[],
  plain: (said: readonly Turn[]) => string,
): number => {
  let due = 0;
  for (const [at, { by }] of turns.entries()) {
    if (by !== 'model') continue;
    const until = steps[due]?.until;
    const next = turns.findIndex((turn, later) => later > at && turn.by === 'model');
    const answer = turns.slice(at + 1, next === -1 ? turns.length : next);
    if (until === undefined || new RegExp(until, 'u').test(plain(answer))) due += 1;
  }
  return due;
};

/** A tool that an agent offers to its model. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema;
}

/** What is read of a JSON schema; Google writes the types in capitals. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Schema;
}

/** A tool that is called with this input. */
export interface Call {
  readonly name: string;
  readonly input: object;
}

const runsCommands =
  /^(?:bash|shell|exec_command|run_shell_command|local_shell|shell_command|run_commands?|execute|execute_command|run_terminal_cmd|terminal)$/iu;

const typeOf = ({ type }: Schema): string => (Array.isArray(type) ? String(type[0]) : String(type)).toLowerCase();

/** Fields by which an agent's own background is asked for: a flag, a mode, a short time to wait. */
const background = /background|^yield_time_ms$|^mode$/u;

const filled = (key: string, schema: Schema, command: string): unknown => {
  if (/^(?:command|cmd)$/u.test(key)) return typeOf(schema) === 'array' ? ['bash', '-c', command] : command;
  if (key === 'commands') return typeOf(schema) === 'array' ? [command] : command;
  if (schema.enum !== undefined) return schema.enum[0];
  const values: Readonly<Record<string, unknown>> = {
    boolean: false,
    number: schema.minimum ?? 120,
    integer: schema.minimum ?? 120,
    array: [],
    object: {},
  };
  return values[typeOf(schema)] ?? 'a test';
};

/**
 * Returns the tool that runs commands, if the agent offers one, called with this command. Its input
 * is filled in from its schema, so that a new agent needs nothing here.
 */
export const callOf = (tools: readonly Tool[], command: string, inBackground: boolean): Call | null => {
  const tool = tools.find(({ name }) => runsCommands.test(name));
  if (tool === undefined) return null;
  const { properties = {}, required = [] } = tool.schema;
  const asking = Object.keys(properties).filter((key) => inBackground && background.test(key));
  // Without a background of the agent's own the call would wait for the command.
  const text = inBackground && asking.length === 0 ? `(${command}) >/dev/null 2>&1 &` : command;
  // Kimi Code wants a description of what goes to its background, which its schema doesn't say.
  const wanted = asking.length > 0 ? /^(?:command|cmd|commands|description)$/u : /^(?:command|cmd|commands)$/u;
  const input = Object.entries(properties)
    .filter(([key]) => required.includes(key) || wanted.test(key))
    .map(([key, schema]) => [key, filled(key, schema, text)] as const);
  const asked = asking.map((key) => [key, { yield_time_ms: 250, mode: 'async' }[key] ?? true] as const);
  return { name: tool.name, input: { ...Object.fromEntries(input), ...Object.fromEntries(asked) } };
};

/** Returns whether an agent offers its model a tool that runs commands: its main loop asks. */
export const isMainLoop = (tools: readonly Tool[]): boolean => callOf(tools, '', false) !== null;
