import { dirname, extname, join } from 'node:path';

/**
 * The program of the guard: it lies beside the command line, in the build as one file of CommonJS.
 * @param commandLine the command line's file
 */
export const guardProgram = (commandLine: string): string =>
  join(dirname(commandLine), extname(commandLine) === '.ts' ? 'guard.ts' : 'guard.cjs');

/**
 * Node's arguments for it. Without V8's compilers the built program is done a tenth sooner, because it ends before they would pay;
 * from its sources it can't do without, as Node takes types away with WebAssembly.
 */
export const guardArguments = (commandLine: string): readonly string[] => {
  const program = guardProgram(commandLine);
  return program.endsWith('.ts') ? [program] : ['--jitless', program];
};

/**
 * The part of the hook script that asks the guard. It is waited for before every command, so what can't concern any rule is answered
 * here, in 4 ms and without Node: of Claude Code's calls all that start nothing in the background and have neither `<`, nor an `&` by
 * itself, nor a kill, a loop, or a redirection with something like `echo` behind it. To the others standard input may matter as well.
 * Text with escaped characters (`\u003c`) is looked at in any case.
 */
export const guardPart = String.raw`
# The guard reads a command before it runs. Without an answer the command runs as it is.
ask_guard() {
  [ -f @GUARD@ ] || finish
  node=@NODE@
  [ -x "$node" ] || node=$(command -v node) || finish
  if [ -t 0 ]; then exec </dev/null; fi
  told=$(command head -c 4194304)
  case $agent in
    claude-code)
      case $told in
        *'\u00'* | *'"run_in_background":true'* | *'"run_in_background": true'*) ;;
        *kill* | *until* | *while* | *\<* | *[!\&\>]\&[!\&\>]*) ;;
        *\>*echo* | *\>*printf* | *\>*cd* | *\>*sleep* | *\>*exit* | *\>*export*) ;;
        *) finish ;;
      esac
      ;;
  esac
  think() { printf '%s' "$told" | @ENVIRONMENT@ NODE_COMPILE_CACHE=@CACHE@ NODE_OPTIONS= "$node" @GUARDARGUMENTS@ "$agent"; }
  case $agent in gemini | cursor) answer=$(think); finish ;; esac
  think
  exit 0
}
`;
