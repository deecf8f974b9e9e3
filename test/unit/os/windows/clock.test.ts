import { WindowsStage } from '../../../windows/windows-stage.ts';
import { clockScenes } from '../../../played/clock-scenes.ts';

// Windows has only the wall clock for starts.

const marks = ['Path=C:\\', 'CODEX_SESSION_ID=43c8e917-0000-4000-8000-00000000000a', 'CODEX_CI=1'];

clockScenes(() => {
  const machine = new WindowsStage();
  const { kernel } = machine;
  const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe', console: false });
  const shell = kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe -NoLogo', console: true });
  const agent = kernel.start(shell, { image: 'codex.exe', commandLine: 'C:\\x\\codex.exe' });
  const commandLine = 'C:\\Windows\\System32\\cmd.exe /d /s /c "node build.js"';
  const call = kernel.start(agent, { image: 'cmd.exe', commandLine, environment: marks, console: false });
  const work = kernel.start(call, { commandLine: 'node.exe build.js' });
  const lives = (one: typeof work): boolean => kernel.processes.get(one.pid) === one;
  return {
    machine,
    setClock: (seconds) => kernel.setClock(seconds),
    compute: (seconds) => void (work.cpu += BigInt(seconds * 5_000_000)),
    isAlive: () => lives(work),
    startsLate: () => {
      const late = kernel.start(call, { commandLine: 'node.exe late.js', cpu: 1n });
      return () => lives(late);
    },
    endAgent: () => kernel.end(agent),
    signals: () => kernel.sent,
    exact: false,
  };
});
