import { Argument, type Command, Option } from 'commander';
import { defaultAgent, type AgentId } from '../../../app/agents/common/agent-id.ts';
import { offeredAgentNames } from '../../../app/agents/names.ts';
import { hookEventKinds, type HookEventKind } from '../../../app/agents/common/hook-form.ts';
import { agentOption, memoryAmount, seconds } from '../common/arguments.ts';
import { json } from '../common/common-options.ts';
import type { Output } from '../common/output.ts';

type Done = (status: number) => void;

interface JsonOption {
  readonly json?: true;
}

interface HooksCall extends JsonOption {
  readonly dryRun?: true;
  readonly mcp?: true;
  readonly statusline?: true;
  readonly witness?: true;
  readonly memory?: string;
}

const hooksDescriptions = {
  status: 'which agents have them',
  install: 'adds them to the settings of the installed agents, or of the named ones',
  uninstall: 'removes exactly what was added',
} as const;

const callingAgent = (): Option =>
  new Option('--agent <name>', 'which agent calls')
    .choices(offeredAgentNames)
    .argParser(agentOption)
    .default(defaultAgent);

/** Adds `curfew hooks status|install|uninstall`. */
export const addHooks = (program: Command, output: Output, done: Done): void => {
  const hooks = program.command('hooks').description("hooks in the agents' own settings");
  for (const action of ['status', 'install', 'uninstall'] as const) {
    const command = hooks
      .command(action, { isDefault: action === 'status' })
      .description(hooksDescriptions[action])
      .addArgument(
        new Argument('[agent...]', 'all if left out')
          .choices(offeredAgentNames.filter((name) => name !== 'curfew-run' && name !== 'other'))
          .argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]),
      )
      .addOption(json());
    command.addOption(
      new Option('--mcp', 'the MCP server in place of hooks, see `curfew mcp`').conflicts('statusline'),
    );
    command.option('--statusline', 'the status line of Claude Code in place of hooks, see `curfew statusline`');
    if (action === 'install')
      command
        .addOption(
          new Option(
            '--witness',
            'besides, lets the kernel (Claude Code) and hooks witness what tool calls start',
          ).conflicts(['mcp', 'statusline']),
        )
        .addOption(
          new Option('--memory <amount>', 'as --witness, and the most memory of all tool calls together (8G)')
            .argParser(memoryAmount)
            .conflicts(['mcp', 'statusline']),
        );
    if (action !== 'status') command.option('--dry-run', 'shows what would be written, writes nothing');
    command.action(async (agents: readonly string[], options: HooksCall) => {
      const wanted = { json: options.json === true, dryRun: options.dryRun === true };
      if (options.mcp === true || options.statusline === true) {
        const { hookEntries } = await import('../commands/hook-entries.ts');
        done(await hookEntries(options.mcp === true ? 'mcp' : 'statusline', action, agents, wanted, output));
        return;
      }
      const { memory = null } = options;
      const witness = options.witness === true || memory !== null ? { memory } : null;
      const { hooks: run } = await import('../commands/hooks.ts');
      done(await run(action, agents, { ...wanted, witness }, output));
    });
  }
};

/** Adds `curfew hook EVENT`, for agents, and `curfew hook pass`, for hooks and timers. */
export const addHook = (program: Command, output: Output, done: Done): void => {
  const hook = program.command('hook').description('what those hooks call; answers in the form of the agent');
  for (const event of hookEventKinds) {
    hook
      .command(event)
      .description("reads the agent's JSON on standard input")
      .addOption(callingAgent())
      .action(async (options: { readonly agent: AgentId }) => {
        const { hook: run } = await import('../commands/hook/hook.ts');
        done(await run(event satisfies HookEventKind, options.agent, output));
      });
  }
  hook
    .command('pre-tool-use')
    .description("reads the agent's JSON on standard input and answers with the guard's decision")
    .addOption(callingAgent())
    .action(async (options: { readonly agent: AgentId }) => {
      const { hookGuard } = await import('../commands/hook/hook-guard.ts');
      done(await hookGuard(options.agent, output));
    });
  hook
    .command('pass')
    .description('ends what closed sessions left, if no supervisor runs; in the mode enforce only')
    .addOption(new Option('--max-age <duration>', 'minimum age of orphans').argParser(seconds('--max-age')))
    .action(async (options: { readonly maxAge?: number }) => {
      const { hookPass } = await import('../commands/hook/hook-pass.ts');
      done(await hookPass({ maxAgeSeconds: options.maxAge ?? null }, output));
    });
};

/** Adds `curfew autostart status|enable|disable`. */
export const addAutostart = (program: Command, output: Output, done: Done): void => {
  program
    .command('autostart')
    .description('starts Curfew at login: a pass every five minutes, or the supervisor')
    .addArgument(new Argument('[action]').choices(['status', 'enable', 'disable']).default('status'))
    .addOption(json())
    .action(async (action: 'status' | 'enable' | 'disable', options: JsonOption) => {
      const { autostart } = await import('../commands/autostart.ts');
      done(await autostart(action, { json: options.json === true }, output));
    });
};
