import { Option, type Command } from 'commander';
import { offeredAgentNames } from '../../../app/agents/names.ts';
import type { JobKind } from '../../../app/model/job.ts';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import {
  agentOption,
  collected,
  kindsFrom,
  offeredOutcomes,
  otherHost,
  outcomeOption,
  seconds,
  signalName,
  wholeNumber,
} from '../common/arguments.ts';
import { type Common, common, firstSignalText, json, uid } from '../common/common-options.ts';
import type { Output } from '../common/output.ts';

/** Takes the exit status; that of `run` is its command's own. */
type Done = (status: number) => void;

const host = (): Option =>
  new Option('--host <name>', 'another machine, by the name that ssh knows it by; `local` is this one').default(
    'local',
  );

/** Adds `curfew reap`. */
export const addReap = (program: Command, output: Output, done: Done): void => {
  program
    .command('reap')
    .description('ends leftover jobs once; by default orphans and jobs past the hard cap')
    .addOption(new Option('--max-age <duration>', 'minimum age of orphans').argParser(seconds('--max-age')))
    .addOption(
      new Option('--job <id>', 'this job, whatever its owner; repeatable').argParser(collected).default([], 'none'),
    )
    .option('--session <id>', 'the jobs of this session')
    .option('--snapshot <name>', 'the tool shells that use this shell snapshot')
    .addOption(
      new Option('--agent-pid <pid>', 'an agent that no user can reach any more, by its process').argParser(
        wholeNumber('--agent-pid', 2),
      ),
    )
    .addOption(
      new Option('--older-sets <pid>', 'the older sets of servers that this host keeps, by its process').argParser(
        wholeNumber('--older-sets', 2),
      ),
    )
    .option('--left-open <id>', 'a session of a multiplexer or a container that a tool call left open')
    .addOption(
      new Option('--kind <kind>', 'only jobs of this kind: task, service, server; repeatable')
        .argParser(kindsFrom)
        .default([], 'all'),
    )
    .option('--probable', 'also what is only probably left over: marks alone say that an agent started it')
    .option('--yes', 'with --probable: does not ask')
    .option('--dry-run', 'says what would be ended, signals nothing')
    .addOption(new Option('--grace <duration>', 'from the first signal to KILL').argParser(seconds('--grace')))
    .addOption(new Option('--signal <name>', firstSignalText).argParser(signalName))
    .addOption(host())
    .addOption(json())
    .addOption(uid())
    .action(
      async (
        options: Common & {
          readonly maxAge?: number;
          readonly job: readonly string[];
          readonly session?: string;
          readonly snapshot?: string;
          readonly agentPid?: number;
          readonly olderSets?: number;
          readonly leftOpen?: string;
          readonly kind: readonly JobKind[];
          readonly probable?: true;
          readonly yes?: true;
          readonly dryRun?: true;
          readonly grace?: number;
          readonly signal?: FirstSignalName;
        },
      ) => {
        const other = otherHost(options);
        if (options.leftOpen !== undefined) {
          const { leftOpen: id, dryRun } = options;
          const { reapLeftOpen } = await import('../commands/reap/reap-own.ts');
          done(await reapLeftOpen({ ...common(options), host: other, id, dryRun: dryRun === true }, output));
          return;
        }
        const { reap } = await import('../commands/reap/reap.ts');
        done(
          await reap(
            {
              ...common(options),
              host: other,
              dryRun: options.dryRun === true,
              maxAgeSeconds: options.maxAge ?? null,
              jobs: options.job,
              session: options.session ?? null,
              snapshot: options.snapshot ?? null,
              agentPid: options.agentPid ?? null,
              olderSets: options.olderSets ?? null,
              kinds: options.kind,
              probable: options.probable === true,
              yes: options.yes === true,
              graceSeconds: options.grace ?? null,
              signal: options.signal ?? null,
            },
            output,
          ),
        );
      },
    );
};

const halfAnHour = 1800;

/** Adds `curfew keep` and `curfew unkeep`. */
export const addKeep = (program: Command, output: Output, done: Done): void => {
  program
    .command('keep')
    .description('keeps a job running longer (up to the hard cap; once warned of that, one hard cap more)')
    .argument('<job>', 'its id, as `curfew scan` shows it')
    .addOption(new Option('--for <duration>', '30m if left out').argParser(seconds('--for')))
    .addOption(new Option('--mine', 'its processes are yours, and no job any more').conflicts('for'))
    .addOption(host())
    .addOption(json())
    .addOption(uid())
    .action(async (id: string, options: Common & { readonly for?: number; readonly mine?: true }) => {
      const other = otherHost(options);
      const { keep } = await import('../commands/keep.ts');
      const forSeconds = options.for ?? halfAnHour;
      done(await keep(id, { ...common(options), host: other, forSeconds, mine: options.mine === true }, output));
    });
  program
    .command('unkeep')
    .description('undoes keep, and keep --mine')
    .argument('<job>', 'its id')
    .addOption(host())
    .addOption(json())
    .addOption(uid())
    .action(async (id: string, options: Common) => {
      const other = otherHost(options);
      const { unkeep } = await import('../commands/keep.ts');
      done(await unkeep(id, { ...common(options), host: other }, output));
    });
};

/** Adds `curfew history`. */
export const addHistory = (program: Command, output: Output, done: Done): void => {
  program
    .command('history')
    .description('what was ended, why, and the outcome; newest first')
    .argument('[id]', 'one incident whole, by its id or that of its job')
    .addOption(new Option('--since <duration>', 'not older than').argParser(seconds('--since')))
    .addOption(new Option('--agent <name>', 'of this agent').choices(offeredAgentNames).argParser(agentOption))
    .option('--project <folder>', 'of this project, by path or last name')
    .addOption(new Option('--outcome <outcome>', 'with this outcome').choices(offeredOutcomes).argParser(outcomeOption))
    .addOption(new Option('--host <name>', 'of this machine; `local` is this one'))
    .addOption(new Option('--limit <number>', 'at most this many').argParser(wholeNumber('--limit', 1)))
    .addOption(new Option('--format <format>', 'how it is printed').choices(['table', 'json', 'csv', 'otel']))
    .addOption(json())
    .action(async (id: string | undefined, options: Record<string, unknown>) => {
      const { history } = await import('../commands/history/history.ts');
      done(await history(id ?? null, options, output));
    });
};

/** Adds `curfew doctor`. */
export const addDoctor = (program: Command, output: Output, done: Done): void => {
  program
    .command('doctor')
    .description('checks the installation')
    .addOption(json())
    .addOption(uid())
    .action(async (options: Common) => {
      const { doctor } = await import('../commands/doctor.ts');
      done(await doctor(common(options), output));
    });
};
