/** A test by its file, and by what the title of it or of the group around it begins with. */
type Named = readonly [file: string, title: string];

/**
 * Why Curfew once ended what it must not, each cause with the tests that play it in other dress.
 * test/architecture/causes.test.ts looks for them.
 */
export const causes: Readonly<Record<string, readonly Named[]>> = {
  'servers of a living agent, in kernel sessions of their own, were taken for commands': [
    ['os/servers/own-sessions.test.ts', 'of a living agent (${style}) are touched by no pass, whatever the limits'],
    ['os/servers/own-sessions.test.ts', 'of a living agent outlive a watch past every limit'],
  ],
  'marks counted as proof, and a free pid as an end': [
    ['os/spared/given-by-user.test.ts', 'a queue in which the user’s own job runs'],
    ['os/spared/given-by-user.test.ts', 'a queue ${which}, and the user’s own job in it'],
    ['os/found/late.test.ts', 'is no job where all that a look knew has ended'],
    ['safety/every-kind.test.ts', 'what has the marks of a dead agent, or a client of any way'],
    ['unit/judge/claimed.test.ts', 'of an owner that is %s is told at its limit, and ended at no age'],
  ],
  'the process last seen with a session stood for the session': [
    ['os/spared/session-goes-on.test.ts', 'Copilot: the process that started a command ends, and another one'],
    ['os/spared/session-goes-on.test.ts', '${name}: of two processes in one project one ends'],
    ['unit/jobs/owner/owner-rules.test.ts', 'a claimant that lives is the owner'],
  ],
  'an entry of a registry that says nothing was worth nothing': [
    [
      'os/spared/session-goes-on.test.ts',
      'Claude Code: an older process has resumed it, by an entry that says no start',
    ],
    ['os/spared/unproved-ends.test.ts', 'the entry of a resumed session ${how} (Claude Code ${version})'],
    ['unit/jobs/owner/owner-registry.test.ts', 'may say that the session goes on, whenever it was written'],
  ],
  'paths were compared as text': [
    ['os/spared/unproved-ends.test.ts', 'Codex under a name that is not known, with its transcript open ${how}'],
  ],
  'what a living agent has, below a dead one, was ended': [
    ['os/spared/session-goes-on.test.ts', '${name} lives in a dead session of Claude Code'],
    ['os/spared/living-sessions.test.ts', 'N07: an agent started inside a tool shell outlives the outer agent'],
  ],
  'a client that will itself be ended counted for none, though it was kept': [
    ['os/spared/in-use-anyhow.test.ts', 'is kept while that one is itself kept: it carries CURFEW_KEEP=1'],
    ['os/spared/in-use-anyhow.test.ts', 'is kept while that one is exempt, and ended with it afterwards'],
  ],
  'a connection of which one end is missing counted as closed, and a list of ways as all': [
    ['os/spared/in-use-anyhow.test.ts', 'is kept for that reason: ${what}'],
    ['os/spared/in-use-anyhow.test.ts', 'is kept for that reason: memory shared through ${what}'],
    ['os/spared/in-use-otherwise.test.ts', 'is kept: ${what}'],
  ],
  'facts came from the first thread only': [
    ['os/spared/first-thread.test.ts', 'is in use: ${what}, by a program of the user that has lost its first thread'],
    ['os/spared/first-thread.test.ts', 'is in use: ${what} of a leftover that has lost its first thread'],
    ['os/spared/taken-along.test.ts', 'is never ended, and the reason is given: it traces that program'],
  ],
  'a driven browser with a window, and a display whose viewer is closed, were ended': [
    ['os/spared/windows.test.ts', 'is never ended, even by name, and the reason is given'],
    ['os/spared/held-by-what.test.ts', 'is the user’s, also while the viewer is closed'],
    ['safety/every-kind.test.ts', 'what the user would lose with a leftover, or keeps, by another boot clock'],
  ],
  'what spares stood in one file': [
    ['os/spared/kept-through-loss.test.ts', 'where files are lost under a running supervisor, which is killed then'],
    ['os/spared/kept-through-loss.test.ts', 'where the home is restored from a copy of before'],
    ['os/spared/kept-through-loss.test.ts', 'keeps what began before from an automatic end, and that is said'],
  ],
  'a lock changed hands while what held it lived': [
    ['os/run/lock.test.ts', 'the lock of a killed run stays held while its command lives'],
    ['os/run/lock.test.ts', 'the lock of a killed run stays held over a watch and two runs where the note'],
  ],
  'a lock changed hands while the run that had taken it lived': [
    ['unit/run/proved-dead.test.ts', 'the death of a process that is named is proved only by its own boot'],
    ['os/run/lock.test.ts', 'a hundred runs race for one lock'],
  ],
  'the kernel ended more than was judged': [
    ['os/spared/taken-along.test.ts', 'is never ended, and the reason is given: it is the first process of a pid'],
    ['os/run/taken-along.test.ts', 'what left the session of a run, and holds a process of the user'],
  ],
  'little work counted as silence': [
    ['os/spared/held-by-what.test.ts', 'is not idle while it ${what}'],
    ['os/spared/silent-over-sockets.test.ts', 'with an event every second over a socket is not idle'],
    ['os/spared/silent-over-sockets.test.ts', 'that only a timer wakes, while its connection is silent, is not idle'],
  ],
  'the name of a file counted as proof': [
    ['os/spared/look-alikes.test.ts', 'programs of the user whose logs lie at paths like those of the outputs'],
    ['unit/jobs/lineage/proof.test.ts', 'is a claim where its name lies in no folder of a session'],
  ],
  'a wall clock decided': [
    ['os/spared/kept-through-loss.test.ts', 'spares what the user said is to stay (${how[0]}), in a time namespace'],
    ['os/spared/asleep.test.ts', 'jobs of an open session and fresh leftovers are not older in the morning'],
    ['safety/every-kind.test.ts', 'the same while the wall clock is set forward and back, under a watch'],
  ],
  'another boot id counted as this machine, started again': [
    ['unit/run/proved-dead.test.ts', 'the death of a process that is named is proved only by its own boot'],
    ['os/run/lock.test.ts', 'a record of another machine, boot or pid namespace is refused'],
    ['os/run/lock.test.ts', 'a living run whose record another machine with the same home and name reads'],
  ],
  'a session of screen was ended by hand, in which the user had worked since': [
    ['os/left-open/multiplexers.test.ts', 'is not ended where the user was in it and left it again: that is said'],
    ['os/left-open/multiplexers.test.ts', 'is protected while a client is attached and ever after'],
  ],
  'a name was asked for what a program holds': [
    ['os/spared/held-by-what.test.ts', 'is never ended, and the reason is given: ${what}'],
    ['os/spared/held-by-what.test.ts', 'is never ended: a notebook server with a kernel'],
  ],
  'a service of the user that a tool call started again was taken for its own': [
    ['os/spared/given-by-user.test.ts', 'a service of the user that a tool call started again, by the same command'],
  ],
  'the host command of an agent in a sandbox was ended now and then': [
    ['unit/os/linux/inner-pids.test.ts', 'a process of a nested pid namespace is one that lives'],
    ['os/spared/unproved-ends.test.ts', 'an agent in a sandbox (${program}, ${version}) has a broker run a command'],
  ],
  'a pid of a sandbox was taken for one of this machine below what runs commands for sandboxes': [
    ['unit/jobs/owner/living-servers.test.ts', 'has an unknown owner below what runs commands for sandboxes'],
    ['unit/jobs/owner/owner-of.test.ts', 'is gone here, and a broker for sandboxes is above the job: unknown'],
    ['os/spared/unproved-ends.test.ts', 'a process of the broker is still a child of it'],
  ],
  'a job that began within a tick of another agent was that one’s': [
    ['unit/jobs/owner/owner-of.test.ts', 'began before the job: alive; in the same tick: it can’t be told'],
    ['os/spared/recycled.test.ts', 'the pid of a dead agent belongs to a new session of the same agent'],
  ],
  'an agent that was started again counted for nothing, where none names its session': [
    ['unit/jobs/owner/owner-rules.test.ts', 'may go on in a process that no look saw beside the one that has ended'],
    ['os/spared/session-goes-on.test.ts', '${name} ends and is started again: it may go on with its session'],
  ],
  'what a server started for a client, by way of a fork, was taken for its own': [
    ['unit/jobs/find/users-part.test.ts', 'is the user’s, also where the server has forked itself for the client'],
    ['os/spared/given-by-user.test.ts', 'a marked queue in the session of its call'],
  ],
  'what had lost its parent in the session of a server was taken for its own': [
    ['unit/jobs/find/users-part.test.ts', 'is the user’s in its kernel session, where it lost its parent before any'],
    ['os/spared/given-by-user.test.ts', 'a marked queue in the session of its call'],
  ],
  'what the user wrote to a named pipe, which a loop of the call runs, was the call’s': [
    ['unit/jobs/find/users-part.test.ts', 'is the user’s where it reads, or read, a named pipe'],
    ['os/spared/given-by-user.test.ts', 'a loop of the call itself that runs what is written to a named pipe'],
  ],
  'the record of a killed pass stayed open': [['os/faults/killed-at-each-step.test.ts', 'is completed by the next']],
};
