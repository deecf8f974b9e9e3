import { bashForm, quoted } from './agents.ts';
import type { Process, Start } from './machine.ts';
import type { WineInnocent } from './plan.ts';
import { notepad, type Seat, type World } from './world.ts';

/** They carry no marks of an agent. */
const unmarked: ReadonlySet<WineInnocent> = new Set(['same-command-line', 'mentions-the-form', 'shell-closed']);

/** Puts what may never be touched into a world. */
export const playInnocent = (world: World, { agent, shell }: Seat, kind: WineInnocent): void => {
  if (!world.isAlive(agent.process)) return;
  if (!unmarked.has(kind)) world.marked.add(agent);
  const marked = { environment: agent.environment };
  const node = { file: 'node', args: 'server.js' } as const;
  const spare = (parent: Process, start: Partial<Start> & Pick<Start, 'file'>): Process =>
    world.spare(kind, parent, start);
  const inConsole = { file: 'pwsh', args: '-NoLogo', console: 'own' } as const;
  /** Started by a call that ends a look later, as `start x` does. */
  const opened = (start: Partial<Start> & Pick<Start, 'file'>): Process => {
    const call = world.passingCall(agent, kind);
    const one = spare(call, { ...marked, console: 'none', ...start });
    world.after(1, () => world.end(call));
    return one;
  };
  /** Below a program of Wine itself. */
  const belowSystem = (name: string, start: Partial<Start> & Pick<Start, 'file'>): void => {
    const host = world.machine.all().find((one) => one.name.toLowerCase() === name);
    if (host === undefined) throw new Error(`there is no ${name}`);
    const whole = { ...marked, console: 'none', ...start } as const;
    const one = world.spareStarted(`${kind} (${start.file})`, world.machine.startBelow(host, whole));
    spare(one, { ...node, ...marked, console: 'none' });
  };
  switch (kind) {
    case 'user-server':
      return void spare(shell, { ...node, ...marked });
    case 'same-command-line':
      return void spare(shell, node);
    case 'mentions-the-form': {
      const args = `-c ${quoted(`grep -r "${bashForm('npm test')}" .`)}`;
      return void spare(spare(shell, { file: 'bash', args }), node);
    }
    case 'shell-closed': {
      const own = spare(world.explorer, inConsole);
      spare(own, node);
      return world.after(2, () => world.end(own));
    }
    case 'from-explorer':
      return void spare(world.explorer, { ...node, ...marked, console: 'none' });
    case 'explorer-with-marks': {
      const explorer = opened({ file: 'explorer' });
      return world.after(1, () => void spare(explorer, { ...node, ...marked, console: 'none' }));
    }
    case 'service':
      return belowSystem('services.exe', { file: 'nssm' });
    case 'task-of-scheduler':
      return belowSystem('svchost.exe', { file: 'mine' });
    case 'editor':
      return void opened({ file: 'Code', args: 'a.txt' });
    case 'editor-terminal': {
      const inside = spare(opened({ file: 'Code', args: '.' }), { ...inConsole, ...marked });
      return void spare(inside, { ...node, ...marked });
    }
    case 'opened-terminal': {
      const inside = spare(opened({ file: 'wezterm-gui' }), { ...inConsole, ...marked });
      return void spare(inside, { ...node, ...marked });
    }
    case 'window':
      return void opened({ file: notepad });
    case 'own-console':
      return void spare(opened({ file: 'cmd', args: '/k build', console: 'own' }), { ...node, ...marked });
    case 'wsl':
      return void opened({ file: 'wsl', args: '-- npm test' });
    case 'from-wsl': {
      const host = spare(world.explorer, { file: 'wslhost', console: 'none' });
      return void spare(host, { ...node, ...marked, console: 'none' });
    }
    case 'kept':
      return void opened({ ...node, environment: [...agent.environment, 'CURFEW_KEEP=1'] });
    case 'other-agent':
      return void spare(opened({ file: 'gemini' }), { ...node, ...marked, console: 'none' });
  }
};
