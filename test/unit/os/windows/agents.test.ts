import { describe, expect, test } from 'vitest';
import { environmentNames } from '../../../../app/agents/signatures.ts';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import type { Witness } from '../../../../app/jobs/lineage/witness.ts';
import type { Job } from '../../../../app/model/job.ts';
import { emptySessionDirectory } from '../../../../app/model/session.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import { evidenceFrom } from '../../../../main/observing/evidence.ts';
import { Observer } from '../../../../main/observing/observer.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { SimulatedWindows, type Simulated, type Start } from '../../../windows/simulated-windows.ts';

const session = '43c8e917-1111-4222-8333-444455556666';
const temp = 'C:\\Users\\me\\AppData\\Local\\Temp';
const output = `${temp}\\claude\\0123456789abcdef\\${session}\\tasks\\b12345678.output`;
const steps = `export TEMP='${temp}' TMP='${temp}'`;
const wrapper = (command: string): string =>
  `"source /c/Users/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh 2>/dev/null || true && ${steps} && eval '${command}' < /dev/null && pwd -P >| /c/Users/me/AppData/Local/Temp/claude-88d4-cwd"`;

/** What a program of Git Bash that another started shows of its environment. */
const bare = ['PATH=C:\\', 'SYSTEMROOT=C:\\Windows', 'WINDIR=C:\\Windows', 'SYSTEMDRIVE=C:'];

/** A user's desktop with a terminal, in which an agent runs. */
class Desktop {
  readonly kernel = new SimulatedWindows();
  readonly #observer: Observer;
  readonly shell: Simulated;
  #entries: readonly LedgerEntry[] = [];
  #witnesses: readonly Witness[] = [];

  constructor() {
    const { kernel } = this;
    const curfew = kernel.start(kernel.explorer, { image: 'Curfew.exe', commandLine: 'C:\\x\\Curfew.exe' });
    const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe' });
    this.shell = kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe -NoLogo' });
    const source = new NativeSource({
      kernel,
      environmentNames,
      uid: 0,
      ownPid: curfew.pid,
      now: () => kernel.nowMs,
    });
    let rows = source.scan(new Set()).rows;
    this.#observer = new Observer({
      source,
      evidence: evidenceFrom(
        source,
        () => [],
        () => rows,
      ),
      readSessions: (table) => {
        ({ rows } = table);
        return emptySessionDirectory;
      },
      ledger: {
        load: () => this.#entries,
        save: (_boot, entries) => (this.#entries = entries),
        witnesses: () => this.#witnesses,
        saveWitnesses: (_boot, witnesses) => (this.#witnesses = witnesses),
      },
      announces: true,
      settings: () => ({ ...defaultSettings, mode: 'enforce' }),
      now: () => kernel.nowMs,
      fileBytes: () => null,
      freeBytes: () => null,
      numberIn: () => null,
      ownPid: () => asPid(curfew.pid),
    });
  }

  agent(commandLine: string, more: Start = {}): Simulated {
    const image = /([^\\"]+\.exe)/u.exec(commandLine)?.[1] ?? 'node.exe';
    return this.kernel.start(this.shell, { image, commandLine, ...more });
  }

  /** Jobs by their commands, with whose they are and the programs in them. */
  look(): Readonly<Record<string, string>> {
    this.kernel.nowMs += 5_000;
    const named = ({ members, agent, owner }: Job): string =>
      `${agent} ${owner.state}: ${members.map(({ row }) => row.comm).join(' ')}`;
    return Object.fromEntries(
      [...this.#observer.look().jobs.values()].map(({ job }) => [job.command, named(job)] as const),
    );
  }
}

const claude = 'C:\\Users\\me\\.local\\bin\\claude.exe';
const marks = (agent: Simulated): readonly string[] => [
  'Path=C:\\',
  'AI_AGENT=claude-code_2-1-329_agent',
  'CLAUDECODE=1',
  `CLAUDE_CODE_SESSION_ID=${session}`,
  `CLAUDE_PID=${agent.pid}`,
];

/** A tool call of Git Bash: the launcher, and the shell that it starts. */
const gitBash = (desktop: Desktop, agent: Simulated, command: string) => {
  const { kernel } = desktop;
  const common = { image: 'bash.exe', environment: marks(agent), standard: [null, output, output] } as const;
  const launcher = kernel.start(agent, {
    ...common,
    console: false,
    commandLine: `"C:\\Program Files\\Git\\bin\\bash.exe" -c ${wrapper(command)}`,
  });
  const bash = kernel.start(launcher, {
    ...common,
    commandLine: `"C:\\Program Files\\Git\\bin\\..\\usr\\bin\\bash.exe" -c ${wrapper(command)}`,
  });
  return { launcher, bash };
};

describe('Claude Code on Windows', () => {
  test('both shells of Git Bash and what they started are one job, with and without an environment', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const { bash } = gitBash(desktop, agent, 'tail -f log | node x.js');
    desktop.kernel.start(bash, { image: 'tail.exe', commandLine: 'tail -f log', environment: bare });
    desktop.kernel.start(bash, { image: 'node.exe', commandLine: 'node x.js', environment: marks(agent) });
    expect(desktop.look()).toEqual({ 'tail -f log | node x.js': 'claude-code live: bash bash tail node' });
  });

  test('what lost its parents stays in the job that was seen', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const { launcher, bash } = gitBash(desktop, agent, 'tail -f log &');
    const tail = desktop.kernel.start(bash, { image: 'tail.exe', commandLine: 'tail -f log', environment: bare });
    expect(desktop.look()).toEqual({ 'tail -f log &': 'claude-code live: bash bash tail' });
    for (const one of [agent, launcher, bash]) desktop.kernel.end(one);
    expect(desktop.look()).toEqual({ 'tail -f log &': 'claude-code gone: tail' });
    expect(tail.ended).toBe(false);
  });

  test('an orphan that no look saw is known by the output file that it holds', () => {
    const desktop = new Desktop();
    // Started by an MSYS program that was replaced at once: its parent is dead from its birth.
    const orphan = { parent: 9_996, image: 'tail.exe', commandLine: 'tail -f log', environment: bare } as const;
    desktop.kernel.start(null, { ...orphan, standard: [null, output, output] });
    desktop.kernel.start(null, {
      ...orphan,
      commandLine: 'tail -f mine',
      standard: [null, 'C:\\work\\mine.log', null],
    });
    desktop.kernel.start(null, { ...orphan, commandLine: 'tail -f other' });
    expect(Object.keys(desktop.look())).toEqual(['tail -f log']);
    expect(Object.values(desktop.look())).toEqual(['claude-code unknown: tail']);
  });

  test('a PowerShell shares the agent’s console and is a tool call by its form', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const end = `\n; $_ec = 0\n; (Get-Location).Path | Out-File -FilePath '${temp}\\claude-pwd-ps-1a2b' -Encoding utf8`;
    const commandLine = `"C:\\x\\pwsh.exe" -NoProfile -NonInteractive -Command "npm run dev${end}"`;
    const pwsh = desktop.kernel.start(agent, { image: 'pwsh.exe', commandLine, environment: marks(agent) });
    desktop.kernel.start(pwsh, { image: 'node.exe', commandLine: 'node dev.js', environment: marks(agent) });
    expect(desktop.look()).toEqual({ 'npm run dev': 'claude-code live: pwsh node' });
  });

  test('the job of the launcher has the command of its variable, without secrets', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const script = `npm start -- --token hunter2hunter2\n; $_ec = 0\n; (Get-Location).Path | Out-File -FilePath '${temp}\\claude-pwd-ps-1a2b' -Encoding utf8`;
    const inner = `"C:\\x\\pwsh.exe" -NoProfile -NonInteractive -Command "$__claudeCodeScript = $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT; $env:CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT = $null; Invoke-Expression -Command $__claudeCodeScript"`;
    const launcher = desktop.kernel.start(agent, {
      image: 'cmd.exe',
      commandLine: `C:\\Windows\\System32\\cmd.exe /d /s /c ""C:\\Windows\\System32\\chcp.com" 65001 >nul & ${inner} > "${output}" 2>&1"`,
      environment: [...marks(agent), `CLAUDE_CODE_SHELL_LAUNCHER_SCRIPT=${script}`],
    });
    desktop.kernel.start(launcher, { image: 'pwsh.exe', commandLine: inner, environment: marks(agent) });
    expect(desktop.look()).toEqual({ 'npm start -- --token ***': 'claude-code live: cmd pwsh' });
  });

  test('hooks, servers and the user’s own shells are left alone', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const harness = ['AI_AGENT=claude-code_2-1-329_harness', `CLAUDE_PID=${agent.pid}`];
    desktop.kernel.start(agent, { image: 'node.exe', commandLine: 'node hook.cjs', environment: harness });
    desktop.kernel.start(agent, { image: 'node.exe', commandLine: 'node mcp.js', environment: ['Path=C:\\'] });
    desktop.kernel.start(desktop.shell, { image: 'node.exe', commandLine: 'node mine.js' });
    const bash = desktop.kernel.start(desktop.shell, {
      image: 'bash.exe',
      commandLine: '"C:\\Program Files\\Git\\bin\\bash.exe" -c "echo \'source /c/x/shell-snapshots/\'"',
    });
    desktop.kernel.start(bash, { image: 'tail.exe', commandLine: 'tail -f x', environment: bare });
    expect(desktop.look()).toEqual({});
  });

  test('the number of the dead agent, given to a program of the user, makes no owner of it', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(claude);
    const { launcher, bash } = gitBash(desktop, agent, 'node server.js');
    desktop.kernel.start(bash, { image: 'node.exe', commandLine: 'node server.js', environment: marks(agent) });
    expect(desktop.look()).toEqual({ 'node server.js': 'claude-code live: bash bash node' });
    for (const one of [agent, launcher, bash]) desktop.kernel.end(one);
    desktop.kernel.start(desktop.shell, { pid: agent.pid, image: 'node.exe', commandLine: 'node mine.js' });
    desktop.kernel.start(desktop.shell, { pid: bash.pid, image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe' });
    expect(desktop.look()).toEqual({ 'node server.js': 'claude-code gone: node' });
  });
});

describe('agents that give their commands no console of their own', () => {
  const codex = 'C:\\npm\\vendor\\x86_64-pc-windows-msvc\\codex\\codex.exe';
  const powershell = (script: string) =>
    `"C:\\Program Files\\PowerShell\\7\\pwsh.exe" -NoProfile -Command "try { [Console]::OutputEncoding=[System.Text.Encoding]::UTF8 } catch {}\n${script}"`;

  test('Codex marks what it was asked for, and not its servers', () => {
    const desktop = new Desktop();
    const agent = desktop.agent(codex);
    const environment = ['Path=C:\\', `CODEX_SESSION_ID=${session}`, 'CODEX_CI=1'];
    const pwsh = desktop.kernel.start(agent, {
      image: 'pwsh.exe',
      commandLine: powershell('python -'),
      environment,
    });
    desktop.kernel.start(pwsh, { image: 'python.exe', commandLine: 'python -', environment });
    desktop.kernel.start(agent, { image: 'node.exe', commandLine: 'node mcp.js', environment: ['Path=C:\\'] });
    expect(Object.values(desktop.look())).toEqual(['codex live: pwsh python']);
  });

  test('Copilot too', () => {
    const desktop = new Desktop();
    const agent = desktop.agent('C:\\npm\\node_modules\\@github\\copilot-win32-x64\\copilot.exe');
    const id = `COPILOT_AGENT_SESSION_ID=${session}`;
    const commandLine = 'C:\\x\\pwsh.exe -NoProfile -NoLogo -Command "npm test"';
    desktop.kernel.start(agent, { image: 'pwsh.exe', commandLine, environment: [id, 'COPILOT_CLI=1'] });
    desktop.kernel.start(agent, { image: 'node.exe', commandLine: 'node mcp.js', environment: [id] });
    expect(desktop.look()).toEqual({ 'npm test': 'copilot live: pwsh' });
  });

  test('of what Cursor started, only what carries its mark is told; its session ends with the agent that a look saw above it', () => {
    const desktop = new Desktop();
    const versions = 'C:\\Users\\me\\AppData\\Local\\cursor-agent\\versions\\2026.11.01-abc';
    const agent = desktop.agent(`${versions}\\node.exe --use-system-ca ${versions}\\index.js`);
    const shell = (command: string, environment: readonly string[]) =>
      desktop.kernel.start(agent, {
        image: 'pwsh.exe',
        commandLine: `C:\\x\\pwsh.exe -NoProfile -Command "${command}"`,
        environment,
      });
    shell('npm test', ['Path=C:\\', 'CURSOR_AGENT=1']);
    shell('npm start', ['Path=C:\\']);
    expect(desktop.look()).toEqual({ 'npm test': 'cursor live: pwsh' });
    desktop.kernel.end(agent);
    expect(desktop.look()).toEqual({ 'npm test': 'cursor gone: pwsh' });
  });

  const pipes = ['pipe:in', 'pipe:out', 'pipe:err'];
  test.each([
    ['a shell without input, its output captured, is a call', ['NUL', 'pipe:out', 'pipe:err'], true],
    ['a shell that can be spoken to is as likely a server, and stays', pipes, false],
    ['a shell on devices alone, as a terminal of the user is one, stays', ['NUL', 'NUL', 'NUL'], false],
    ['a shell of which nothing is known stays', [null, null, null], false],
  ])('of what opencode and Gemini mark %s', (_what, standard, isCall) => {
    for (const [agentOf, commandLine, mark] of [
      ['opencode', 'C:\\npm\\opencode.exe', (pid: number) => `OPENCODE_PID=${pid}`],
      ['gemini', 'C:\\x\\node.exe C:\\npm\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js', () => 'GEMINI_CLI=1'],
    ] as const) {
      const desktop = new Desktop();
      const agent = desktop.agent(commandLine);
      const common = { environment: [mark(agent.pid)], standard } as const;
      const shell = desktop.kernel.start(agent, {
        ...common,
        image: 'cmd.exe',
        commandLine: 'C:\\Windows\\System32\\cmd.exe /c npx server',
      });
      desktop.kernel.start(shell, { ...common, commandLine: 'node.exe server.js' });
      const job = { 'npx server': `${agentOf} live: cmd node` };
      expect([commandLine, desktop.look()]).toEqual([commandLine, isCall ? job : {}]);
    }
  });
});
