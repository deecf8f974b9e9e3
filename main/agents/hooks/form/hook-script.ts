import { chmodSync, readFileSync } from 'node:fs';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from './agent-hooks.ts';
import { isAbsence } from '../../common/small-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from './folders.ts';
import { createHookFolders } from './folders.ts';
import { guardArguments, guardPart, guardProgram } from './guard-script.ts';
import { neutralAnswer } from './neutral-answer.ts';
import { shellWord } from './shell-text.ts';

/** What the script needs to know to start Curfew by itself. */
export interface HookProgram {
  /** Absolute paths: Node, and the command line's file. */
  readonly command: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its things (`CURFEW_HOME`, XDG folders), as they are at installation. */
  readonly environment: Readonly<Record<string, string>>;
}

const variables = ['CURFEW_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/** The variables of an environment that decide where Curfew keeps its things; nothing else of it is kept. */
export const placesEnvironment = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    variables.flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

const template = String.raw`#!/bin/sh
# Curfew's hook, written by "curfew hooks install" and called by coding agents:  curfew-hook AGENT EVENT < JSON
# Notes an event of an agent's session for Curfew and ends, always with status 0. Needs no Node. Waits for nobody.
exec 2>/dev/null
trap : PIPE HUP
set -Cf
umask 077
LC_ALL=C
PATH=/usr/bin:/bin:/run/current-system/sw/bin:$PATH
inbox=@INBOX@
notices=@NOTICES@
supervisor=@SUPERVISOR@
starting=@STARTING@
agent=$1 event=$2 answer=
# Cursor can run Claude Code's hooks as its own; it wants its own answers.
[ -n "$CURSOR_VERSION" ] && [ -z "$CLAUDECODE" ] && agent=cursor

# Some agents take nothing but JSON for an answer.
finish() {
  [ -n "$answer" ] || case $agent-$event in
    cursor-pre-tool-use) answer=@CURSORPERMISSION@ ;;
    cursor-* | gemini-*) answer='{}' ;;
  esac
  [ -z "$answer" ] || printf '%s\n' "$answer"
  exit 0
}

# Parent and start time of process $1. A name may hold blanks, brackets and line breaks; what follows it may not.
look() {
  text='' part='' parent=0 ticks=''
  [ -r "/proc/$1/stat" ] || return 1
  while IFS= read -r part || [ -n "$part" ]; do text="$text$part "; done <"/proc/$1/stat"
  set -- ${'$'}{text##*') '}
  [ $# -ge 20 ] || return 1
  parent=$2 ticks=${'$'}{20}
}

# Whether the process that noted itself as the supervisor is running.
supervised() {
  line=''
  [ -r "$supervisor" ] || return 1
  IFS= read -r line <"$supervisor"
  holder=${'$'}{line#*'"pid":'} since=${'$'}{line#*'"startTicks":'}
  holder=${'$'}{holder%%[!0-9]*} since=${'$'}{since%%[!0-9]*}
  [ -n "$holder" ] || return 1
  if [ -r /proc/self/stat ]; then look "$holder" && [ "$ticks" = "$since" ]; else kill -0 "$holder"; fi
}

# Curfew looks after what ended sessions left, once, on its own: in a session of its own, with nothing of the agent's
# environment, so that it can't be taken for the agent's.
start_pass() {
  [ -f @PROGRAM@ ] || return 0
  # One that was started a moment ago and has not looked yet takes this event too.
  if ! (: >"$starting") && [ -e "$starting" ] && [ -z "$(command find "$starting" -mmin +1)" ]; then return 0; fi
  node=@NODE@
  [ -x "$node" ] || node=$(command -v node) || return 0
  detached=$(command -v setsid) || detached=
  (cd / && exec env -i ${'$'}{HOME:+"HOME=$HOME"} PATH="$PATH" @ENVIRONMENT@ $detached "$node" @ARGUMENTS@ hook pass) </dev/null >/dev/null &
}

@GUARDPART@
# Nobody is there to take these, and they mean nothing later. What the agent writes is read all the same.
case $event in
  tool | stop) supervised || { command head -c 4194304 >/dev/null; finish; } ;;
  session-start | session-end | probe) ;;
  pre-tool-use) ask_guard ;;
  *) finish ;;
esac
[ -d "$inbox" ] || finish

look $$
own=${'$'}{ticks:-0}
ancestors='' process=$PPID count=0
while [ "$count" -lt 8 ] && [ "$process" -gt 1 ]; do
  look "$process"
  ancestors="$ancestors,[$process,${'$'}{ticks:-null}]"
  process=$parent count=$((count + 1))
done
case $CLAUDE_PID in '' | *[!0-9]*) declared=null ;; *) declared=$CLAUDE_PID ;; esac
case $agent in *[!a-z-]*) finish ;; esac

# Only the fields that are needed are kept: what else an agent tells its hooks (prompts, files, output) stays with it.
# A value with an escaped quote in it is left out; so no value can break out of its quotes. An agent may write megabytes (a file
# that it has read): 4 MiB are taken, 64 KiB looked at, in which all that is wanted stands first.
start="\"version\":1,\"agent\":\"$agent\",\"event\":\"$event\",\"ancestors\":[${'$'}{ancestors#,}],\"declaredPid\":$declared"
fresh=$inbox/.$$-$own kept=$inbox/$$-$own.event
if [ -t 0 ]; then exec </dev/null; fi
command head -c 4194304 | command awk -v start="$start" -v event="$event" '
  function field(name, key,   at, value, last) {
    at = index(text, "\"" key "\":\"")
    value = substr(text, at + length(key) + 4, 4097)
    if (!at) {
      at = index(text, "\"" key "\": \"")
      value = substr(text, at + length(key) + 5, 4097)
    }
    last = index(value, "\"")
    if (!at || !last) return 0
    value = substr(value, 1, last - 1)
    if (value == "" || substr(value, length(value)) == "\\") return 0
    record = record ",\"" name "\":\"" value "\""
    return 1
  }
  length(text) < 65536 { text = text substr($0, 1, 65536) " " }
  END {
    record = "{" start
    if (!field("session", "session_id") && !field("session", "sessionId")) field("session", "conversation_id")
    field("project", "cwd")
    if (event == "session-start") field("source", "source")
    if (event == "session-end") field("reason", "reason")
    if (event == "tool") field("task", "backgroundTaskId")
    print record "}"
    at = event == "stop" ? index(text, "\"background_tasks\":[") : 0
    if (at) print "{" substr(text, at)
  }' >"$fresh" && command mv -f "$fresh" "$kept" || command rm -f "$fresh"

case $event in session-start | session-end) supervised || start_pass ;; esac

# What was ended in this project since its last session, written beforehand, is told once.
folder=${'$'}{CLAUDE_PROJECT_DIR:-$PWD}
case $event$folder/ in *//* | */../* | */./*) finish ;; session-start/*) ;; *) finish ;; esac
# There is no way to tell opencode; the next session of another agent is told.
[ "$agent" = opencode ] && finish
told=$notices${'$'}{folder%/}/.notice
[ -s "$told" ] && command mv -f "$told" "$told.$$" || finish
IFS= read -r text <"$told.$$"
command rm -f "$told.$$"
[ -n "$text" ] || finish
case $agent in
  copilot) answer="{\"additionalContext\":\"$text\"}" ;;
  cursor) answer="{\"additional_context\":\"$text\"}" ;;
  *) answer="{\"hookSpecificOutput\":{\"hookEventName\":\"SessionStart\",\"additionalContext\":\"$text\"}}" ;;
esac
finish
`;

/** The text of the script. */
const hookScript = (folders: HookFolders, program: HookProgram): string => {
  const assignments = Object.entries(program.environment).map(([name, value]) => `${name}=${shellWord(value)}`);
  const values: Readonly<Record<string, string>> = {
    INBOX: shellWord(folders.inbox),
    NOTICES: shellWord(folders.notices),
    SUPERVISOR: shellWord(folders.supervisor),
    STARTING: shellWord(folders.passStarting),
    PROGRAM: shellWord(program.command.at(-1) ?? ''),
    NODE: shellWord(program.command[0]),
    ENVIRONMENT: assignments.join(' '),
    CURSORPERMISSION: shellWord(neutralAnswer('cursor', 'pre-tool-use') ?? ''),
    GUARD: shellWord(guardProgram(program.command.at(-1) ?? '')),
    GUARDARGUMENTS: guardArguments(program.command.at(-1) ?? '')
      .map(shellWord)
      .join(' '),
    CACHE: shellWord(folders.compileCache),
    ARGUMENTS: program.command.slice(1).map(shellWord).join(' '),
  };
  return template
    .replace('@GUARDPART@\n', () => guardPart.trimStart())
    .replaceAll(/@([A-Z]+)@/gu, (_, name: string) => values[name] ?? '');
};

/** Whether the script is there as it has to be. */
export const hookScriptState = (folders: HookFolders, program: HookProgram): 'current' | 'different' | 'missing' => {
  try {
    return readFileSync(folders.script, 'utf8') === hookScript(folders, program) ? 'current' : 'different';
  } catch (error) {
    if (isAbsence(error)) return 'missing';
    throw error;
  }
};

/** Puts the script and its folders in place. Throws the file system's error. */
export const writeHookScript = (folders: HookFolders, program: HookProgram): void => {
  createHookFolders(folders);
  if (hookScriptState(folders, program) === 'current') return;
  writeWholeFile(folders.script, hookScript(folders, program));
  chmodSync(folders.script, 0o700);
};

/**
 * The command that stands in an agent's settings. Without the script (Curfew's folder was deleted) it does nothing, and it ends with
 * status 0 whatever happens: dash ends with 2 when it can't open its script, and 2 means "block" to agents. An agent that wants an answer
 * in any case gets one.
 */
export const hookCommand = (script: string, agent: AgentId, call: HookCall): string => {
  const file = shellWord(script);
  const neutral = neutralAnswer(agent, call);
  return neutral === null
    ? `test ! -f ${file} || /bin/sh ${file} ${agent} ${call} || :`
    : `test -f ${file} && /bin/sh ${file} ${agent} ${call} || echo ${shellWord(neutral)}`;
};

/** Whether a command in an agent's settings is one of Curfew's hooks, of any version and in any place. */
export const isHookCommand = (command: string): boolean => /(?:^|[/\\'"\s])curfew-hook(?:['"\s]|$)/u.test(command);
