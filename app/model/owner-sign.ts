import type { Given, SaidByKey } from '../format/said.ts';

/**
 * How it is known whose a job is, in English, which is the key of other languages
 * (app/text/catalogue/owners.ts). What follows is in figures.
 */
export type OwnerSign =
  | 'agent process {pid} is running'
  | 'agent process {pid} is gone'
  | 'agent process {named} is gone'
  | 'agent process {pid}, which was recorded with its session, is running'
  | 'agent process {pid}, which shares its control group, is running'
  | 'session {id} reports its background command {task}'
  | 'session {id} was forked off in the same project when it ended'
  | 'background session of process {pid} goes on with it'
  | 'its `curfew run` (process {pid}) is running'
  | 'its `curfew run` (process {pid}) was killed'
  | 'its terminal is hung up'
  | 'its client has closed both ends'
  | 'it is in the background of a terminal whose shell cannot bring it back'
  | 'no parent of it holds its ends, but process {pid} does'
  | 'its terminal is kept by {name}, without a client'
  | 'it is an idle agent'
  | 'process {pid} may be its agent: another reader noted when that one started'
  | 'process {pid}, which it names as its agent, is running and looks like none'
  | 'process {pid}, which it names as its agent, began in the same moment'
  | 'process {pid}, which had started its agent, is running'
  | 'process {pid}, which its agent had started, is running above it'
  | 'process {pid}, which may have started it, is running'
  | 'process {pid}, which may have resumed its session, is in no registry'
  | 'process {pid}, which leads its process group, is running'
  | 'process {pid}, an agent that was started within its session, is running and could own it'
  | 'process {pid} of the same agent is running and could own it'
  | 'process {pid} runs the servers of many sessions and could own it'
  | 'process {pid} runs the commands of many sessions and could own it'
  | 'process {pid} runs commands for sandboxes'
  | 'process {pid} could be its agent by the name of its program'
  | 'process {pid} could be the agent that calls itself so'
  | 'process {inside} is process {named} in a pid namespace of its own'
  | 'no agent that could own it is known, and process {pid} could be one'
  | 'an agent that could own it is running'
  | 'every process of its agent that could own it was seen, and has ended'
  | 'the machine does not show all processes'
  | 'another session, which may have taken it over, could not be looked into'
  | "{source}, which may name its session, can't be read"
  | '{source}: its process has ended'
  | '{source}: the session has ended'
  | 'its session is registered in another pid namespace or on another machine'
  | 'its session may still be running'
  | 'its session is not among the living ones'
  | 'its session had ended when the rest of it was still there'
  | 'its agent runs on another machine'
  | 'its marker names no session'
  | 'its marks name no session'
  | 'its marks were made in a sandbox with pids of its own'
  | 'its process group is of another pid namespace'
  | 'its tool shell has lost its parent, which was its agent'
  | 'the process that led the group of its agent is gone'
  | 'nothing tells which session it belongs to'
  | 'nothing is left that could be its agent, and nothing proves that its session has ended'
  | 'no process has pid {named}, which its marks name, and nothing proves that its session has ended'
  | 'its process group is one that a shell makes for what a user types'
  | 'a program in which a user works carried the same marks when it was started'
  | 'its environment names a terminal that its agent is not known to have'
  | 'its standard input or output is a terminal'
  | 'the service manager keeps it in a unit that is not known to be of its agent'
  | 'an earlier look saw that a user may have started it'
  | 'process {pid} listens on port {port} as the same command of the user did before'
  | 'process {pid} works on a terminal that process {parent}, which a tool call started, gave it'
  | 'process {pid} has the environment of a terminal that process {parent}, which started it, does not have'
  | 'process {pid} does not have the environment of process {parent}, which started it'
  | 'process {pid} was started by process {parent} after its tool call had returned: a client may have asked for it';

/** Returns a sign with its figures. */
export const knownBy = <Sign extends OwnerSign>(sign: Sign, ...[figures]: Given<Sign>): SaidByKey => ({
  key: sign,
  figures: figures ?? {},
});
