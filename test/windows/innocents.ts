import type { Simulated, Start } from './simulated-windows.ts';
import type { WindowsInnocent, WindowsWorld } from './windows-world.ts';

/** Where an innocent comes into a world. */
export interface Place {
  readonly kind: WindowsInnocent;
  readonly agent: Simulated;
  /** The shell of the user in which the agent was started. */
  readonly shell: Simulated;
  /** What the agent puts into the environment of its calls. */
  readonly marks: readonly string[];
}

const node: Start = { image: 'node.exe', commandLine: 'node.exe mine.js' };
const powershell: Start = { image: 'powershell.exe', commandLine: 'powershell.exe', console: true };

/** Puts what may never be touched into a world. */
export const playInnocent = (world: WindowsWorld, { kind, agent, shell, marks }: Place): void => {
  const { kernel } = world;
  const spare = (process: Simulated): Simulated => world.spare(kind, process);
  const marked = { environment: marks };
  /** Started by a call that ends a look later, as `start x` does. */
  const opened = (more: Start): Simulated => {
    const call = world.call(agent, marks, kind);
    const one = spare(kernel.start(call, more));
    world.after(1, () => world.end(call));
    return one;
  };
  switch (kind) {
    case 'user-server':
      return void spare(kernel.start(shell, { ...node, ...marked }));
    case 'shell-closed': {
      const own = spare(kernel.start(kernel.explorer, { ...powershell, consoleId: world.newConsole() }));
      spare(kernel.start(own, node));
      return world.after(2, () => world.end(own));
    }
    case 'from-explorer':
      return void spare(kernel.start(kernel.explorer, { ...node, ...marked, console: false }));
    case 'explorer-with-marks': {
      const call = world.call(agent, marks, 'explorer');
      const explorer = spare(
        kernel.start(call, { image: 'explorer.exe', commandLine: 'explorer.exe', console: false }),
      );
      world.end(call);
      return world.after(1, () => void spare(kernel.start(explorer, node)));
    }
    case 'service': {
      const services = [...kernel.processes.values()].find(({ image }) => image === 'services.exe') ?? null;
      const host = spare(kernel.start(services, { image: 'nssm.exe', commandLine: 'nssm.exe', ...marked }));
      return void spare(kernel.start(host, { ...node, ...marked }));
    }
    case 'task-of-scheduler': {
      const host = spare(kernel.start(null, { image: 'svchost.exe', user: 0, session: 0, parent: 8 }));
      return void spare(kernel.start(host, { ...node, ...marked }));
    }
    case 'editor':
      return void opened({ image: 'Code.exe', commandLine: '"C:\\Program Files\\VS Code\\Code.exe" a.txt' });
    case 'editor-terminal': {
      const editor = opened({ image: 'Code.exe', commandLine: '"C:\\Program Files\\VS Code\\Code.exe" .' });
      const inside = spare(kernel.start(editor, { ...powershell, consoleId: world.newConsole() }));
      return void spare(kernel.start(inside, node));
    }
    case 'opened-terminal': {
      const terminal = opened({ image: 'wezterm-gui.exe', commandLine: 'wezterm-gui.exe', console: false });
      const inside = spare(kernel.start(terminal, { ...powershell, consoleId: world.newConsole() }));
      return void spare(kernel.start(inside, node));
    }
    case 'window': {
      const one = opened({ image: 'viewer.exe', commandLine: 'viewer.exe picture.png', console: false });
      kernel.shown = [...kernel.shown, { window: one.pid, pid: one.pid, visible: true, kind: 'Viewer' }];
      return;
    }
    case 'own-console': {
      const one = opened({
        image: 'cmd.exe',
        commandLine: 'cmd.exe /k build',
        console: true,
        consoleId: world.newConsole(),
      });
      return void spare(kernel.start(one, node));
    }
    case 'debugged':
      return void opened({ ...node, debugged: true });
    case 'wsl':
      return void opened({ image: 'wsl.exe', commandLine: 'wsl.exe -- npm test' });
    case 'from-wsl': {
      const host = spare(kernel.start(null, { image: 'wslhost.exe', commandLine: 'wslhost.exe', parent: 9_992 }));
      return void spare(kernel.start(host, { ...node, ...marked }));
    }
    case 'other-user':
      return void opened({ ...node, user: 1002 });
    case 'other-session':
      return void opened({ ...node, session: 2 });
    case 'elevated':
      return void opened({ ...node, elevated: true, integrity: 0x3000 });
    case 'protected':
      return void opened({ ...node, critical: true });
    case 'unreadable':
      return void opened({ ...node, closed: true });
    case 'kept':
      return void opened({ ...node, environment: [...marks, 'CURFEW_KEEP=1'] });
    case 'other-agent': {
      const inner = opened({ image: 'gemini.exe', commandLine: 'C:\\bin\\gemini.exe', console: false });
      return void spare(kernel.start(inner, node));
    }
    case 'server-in-use': {
      const server = opened(node);
      const client = spare(kernel.start(shell, { image: 'psql.exe', commandLine: 'psql.exe' }));
      const [local, remote] = [4_000 + server.pid, 34_000 + server.pid];
      kernel.tcp = [
        ...kernel.tcp,
        { listens: true, local, pid: server.pid },
        { local, remote, pid: server.pid },
        { local: remote, remote: local, pid: client.pid },
      ];
      return;
    }
    case 'server-behind-npx': {
      // Only opencode's have the marks of calls.
      const environment = agent.image === 'opencode.exe' ? marks : ['Path=C:\\Windows'];
      const common = { environment, console: true, standard: ['pipe:in', 'pipe:out', 'pipe:err'] };
      const npx = { image: 'cmd.exe', commandLine: 'cmd.exe /d /s /c "npx -y server"' };
      const launcher = spare(kernel.start(agent, { ...npx, ...common }));
      return void spare(kernel.start(launcher, { ...node, ...common }));
    }
    case 'terminal-of-the-agent': {
      // The user is in it: input and output are the agent's console. Only opencode marks it.
      const environment = agent.image === 'opencode.exe' ? marks : ['Path=C:\\Windows'];
      const common = { environment, console: true, consoleId: agent.consoleId, standard: ['NUL', 'NUL', 'NUL'] };
      const asked = { image: 'cmd.exe', commandLine: 'cmd.exe /d /s /c "lazygit"' };
      const one = spare(kernel.start(agent, { ...asked, ...common }));
      return void spare(kernel.start(one, { ...node, ...common }));
    }
    case 'editor-under-another-name':
      // Its command line does not name its program.
      return void opened({ image: 'Code.exe', commandLine: 'edit a.txt', console: false });
    case 'pid-of-a-dead-parent': {
      // The number of a process of a job goes to the user's, and so do what it starts and its end.
      const [pid] = world.ended;
      if (pid === undefined || kernel.processes.has(pid)) return;
      const own = spare(kernel.start(kernel.explorer, { ...powershell, pid, consoleId: world.newConsole() }));
      spare(kernel.start(own, node));
      return world.after(1, () => world.end(own));
    }
  }
};
