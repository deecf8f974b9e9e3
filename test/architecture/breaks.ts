/** A rule, and how it is broken: one piece of text in one file, and what stands there instead. */
export type Break = readonly [file: string, rule: string, broken: string];

/**
 * The rule behind each cause, by the names of `causes`. `npm run test:causes` breaks one after the
 * other in the checkout where it runs, and says which test of the cause noticed it.
 */
export const breaks: Readonly<Record<string, Break>> = {
  'servers of a living agent, in kernel sessions of their own, were taken for commands': [
    'app/jobs/servers/serving.ts',
    'evidence.isHeldBy?.(child, owner) === true;',
    'false;',
  ],
  'marks counted as proof, and a free pid as an end': [
    'app/judge/endable.ts',
    'isWitnessed(subject.job.proof) ? (subject as EndableCase) : null;',
    'isWitnessed(subject.job.proof) || hasNoOwnerLeft(subject) ? (subject as EndableCase) : null;',
  ],
  'the process last seen with a session stood for the session': [
    'app/jobs/owner/rules.ts',
    '  [commands, claimantLives],\n',
    '',
  ],
  'an entry of a registry that says nothing was worth nothing': [
    'app/jobs/owner/rules.ts',
    '  [commands, hasUnclearRegistry],\n',
    '',
  ],
  'paths were compared as text': [
    'main/os/linux/probe/probing.ts',
    'found.has(target) ? target : sameFile({ pid, number, link }, target, info, files)',
    'found.has(target) ? target : null',
  ],
  'what a living agent has, below a dead one, was ended': [
    'app/jobs/owner/rules.ts',
    '  [commands, hasInnerAgent],\n',
    '',
  ],
  'a client that will itself be ended counted for none, though it was kept': [
    'app/jobs/measure/clients.ts',
    "!uses.has(id) && (ends === 'now' || ends === level)",
    "ends === 'now' || ends !== level",
  ],
  'a connection of which one end is missing counted as closed, and a list of ways as all': [
    'app/jobs/measure/clients.ts',
    '(holders ?? peers) !== null &&',
    '(holders ?? peers) === null ||',
  ],
  'facts came from the first thread only': [
    'main/os/linux/proc/living-thread.ts',
    'const further = livingThreadOf(pid);',
    'const further: string | null = null;',
  ],
  'a driven browser with a window, and a display whose viewer is closed, were ended': [
    'app/judge/vetoes/vetoes-of.ts',
    '  window,\n];',
    '];',
  ],
  'what spares stood in one file': ['app/judge/under-loss.ts', '!isForgotten ||', 'true ||'],
  'a lock changed hands while what held it lived': [
    'main/run/record/lock.ts',
    "if (left !== 'ended') {",
    "if (left === 'survivors') {",
  ],
  'a lock changed hands while the run that had taken it lived': [
    'main/run/record/proved-dead.ts',
    "mayStillLive(reader.read(asPid(named.pid)), named) ? 'lives' : null",
    'null',
  ],
  'the kernel ended more than was judged': ['app/judge/vetoes/vetoes-of.ts', '  takesOthers,\n', ''],
  'little work counted as silence': ['app/jobs/measure/activity.ts', 'wasQuiet(exchange, previous);', 'true;'],
  'the name of a file counted as proof': [
    'app/jobs/find/proof-of.ts',
    'evidence.holdsOutput?.(row, output) === true',
    'evidence.holdsOutput !== undefined',
  ],
  'a wall clock decided': [
    'app/process/table.ts',
    'awakeTicks(awake, sinceTicks, nowTicks, clockIsSet === true ? 2 * grainSeconds * ticksPerSecond : 0) / ticksPerSecond',
    '(nowTicks - sinceTicks) / ticksPerSecond',
  ],
  'another boot id counted as this machine, started again': [
    'main/run/record/proved-dead.ts',
    "kernelBoot(named.bootId) === kernelBoot(reader.bootId) ? 'another-namespace' : 'another-boot'",
    'null',
  ],
  'a session of screen was ended by hand, in which the user had worked since': [
    'main/left-open/multiplexers.ts',
    "if (session.lastAttached !== '') return { code: 'was-attached' };",
    '',
  ],
  'a name was asked for what a program holds': [
    'app/judge/vetoes/users-programs.ts',
    "  if (isEmulator(row)) return 'machine';\n  const listens = facts?.listens ?? [];",
    '  const listens: readonly string[] = [];',
  ],
  'a service of the user that a tool call started again was taken for its own': [
    'app/jobs/measure/assemble.ts',
    'draft.server === undefined ? restartedService(',
    "draft.id === '' ? restartedService(",
  ],
  'the host command of an agent in a sandbox was ended now and then': [
    'main/os/linux/proc/inner-pids.ts',
    'row.startTicks > begun.ticks',
    'row.startTicks >= begun.ticks',
  ],
  'a pid of a sandbox was taken for one of this machine below what runs commands for sandboxes': [
    'app/jobs/owner/rules.ts',
    '  [both, isOfBroker],\n',
    '',
  ],
  'a job that began within a tick of another agent was that one’s': [
    'app/jobs/owner/living.ts',
    'if (row.startTicks === begunTicks)',
    'if (row.startTicks > begunTicks)',
  ],
  'an agent that was started again counted for nothing, where none names its session': [
    'app/jobs/owner/could-live.ts',
    'ended.some((one) => isSuccessor(world, one, row))',
    'false',
  ],
  'what a server started for a client, by way of a fork, was taken for its own': [
    'app/jobs/find/users-part.ts',
    'workersFrom(view, parent, members).filter(isLate)',
    '[parent].filter(isLate)',
  ],
  'what had lost its parent in the session of a server was taken for its own': [
    'app/jobs/find/users-part.ts',
    'leftBesideServer(view, row, entry, rows)',
    'null',
  ],
  'what the user wrote to a named pipe, which a loop of the call runs, was the call’s': [
    'app/jobs/find/users-part.ts',
    'workers.some((one) => readsPipe(view, one, entry))',
    'false',
  ],
  'the record of a killed pass stayed open': [
    'main/reaping/recovery.ts',
    'history.unfinished(), table',
    'history.unfinished().slice(0, 0), table',
  ],
};
