import { describe, expect, test } from 'vitest';
import type { Simulated } from '../../../windows/simulated-windows.ts';
import { WindowsStage } from '../../../windows/windows-stage.ts';

// Windows has only the wall clock for starts. What this clock gains on the time awake is no age:
// where it is set forward, where a host slept below its guest, where another system left the
// hardware's clock in another zone. `setClock` is all of these: the time awake stands still.

const hour = 3_600;
const minute = 60;

const marks = ['Path=C:\\', 'CODEX_SESSION_ID=43c8e917-0000-4000-8000-00000000000a', 'CODEX_CI=1'];

/** A desktop in which a session of Codex lives, with a command that is at work. */
class Desktop extends WindowsStage {
  readonly agent: Simulated;
  readonly call: Simulated;
  readonly work: Simulated;

  constructor() {
    super();
    const { kernel } = this;
    const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe', console: false });
    const shell = kernel.start(terminal, { image: 'pwsh.exe', commandLine: 'C:\\x\\pwsh.exe -NoLogo', console: true });
    this.agent = kernel.start(shell, { image: 'codex.exe', commandLine: 'C:\\x\\codex.exe' });
    const commandLine = 'C:\\Windows\\System32\\cmd.exe /d /s /c "node build.js"';
    this.call = kernel.start(this.agent, { image: 'cmd.exe', commandLine, environment: marks, console: false });
    this.work = kernel.start(this.call, { commandLine: 'node.exe build.js' });
  }

  /** Lets steady time pass with a look every few seconds; the command computes all the while. */
  works(seconds: number, everySeconds = 30): void {
    for (let passed = 0; passed < seconds; passed += everySeconds) {
      this.work.cpu += BigInt(everySeconds * 5_000_000);
      this.watch(everySeconds, everySeconds);
    }
  }

  get isAlive(): boolean {
    return this.kernel.processes.get(this.work.pid) === this.work;
  }

  /** How old its job is, in minutes. */
  ageMinutes(): number {
    const [judged] = this.look().jobs.values();
    return Math.round((judged?.job.ageSeconds ?? Number.NaN) / minute);
  }

  /** Its agent is gone, and the end of what it left is announced. */
  orphaned(): void {
    this.kernel.end(this.agent);
    while (this.noticed.length === 0) this.works(10, 10);
  }
}

describe('a command at work in a living session', () => {
  test.each([
    ['put forward by 5 h', 5 * hour],
    ['put forward by a week, as the clock of a guest whose host slept', 168 * hour],
    ['put forward by 8 h, as beside another system east of UTC', 8 * hour],
    ['put forward by 31 min', 31 * minute],
    ['set back by 5 h', -5 * hour],
  ])('lives on, and nothing is announced, when the clock is %s', (_what, seconds) => {
    const desktop = new Desktop();
    desktop.works(10 * minute);
    desktop.kernel.setClock(seconds);
    desktop.works(10 * minute);
    expect(desktop.noticed).toEqual([]);
    expect(desktop.kernel.sent).toEqual([]);
    expect(desktop.ageMinutes()).toBe(seconds > 0 ? 20 : 0);
  });

  test('counts no step as age after Curfew was restarted', () => {
    const desktop = new Desktop();
    desktop.works(10 * minute);
    desktop.kernel.setClock(5 * hour);
    desktop.restart();
    desktop.works(10 * minute);
    expect([desktop.noticed, desktop.kernel.sent, desktop.ageMinutes()]).toEqual([[], [], 20]);
  });

  test('counts no step from before the first look as age', () => {
    const desktop = new Desktop();
    desktop.kernel.setClock(5 * hour);
    desktop.works(10 * minute);
    expect([desktop.noticed, desktop.kernel.sent]).toEqual([[], []]);
    expect(desktop.ageMinutes()).toBeLessThanOrEqual(10);
  });

  test('counts no correction of a clock that was set back before it began', () => {
    const desktop = new Desktop();
    desktop.works(minute);
    desktop.kernel.setClock(-5 * hour);
    desktop.works(minute);
    const late = desktop.kernel.start(desktop.call, { commandLine: 'node.exe late.js', cpu: 1n });
    desktop.works(minute);
    desktop.kernel.setClock(5 * hour);
    desktop.works(10 * minute);
    expect(desktop.kernel.processes.get(late.pid)).toBe(late);
    expect([desktop.noticed, desktop.kernel.sent]).toEqual([[], []]);
    expect(desktop.ageMinutes()).toBeLessThanOrEqual(13);
  });

  test('is past the hard cap at its own time, with steps in both directions', () => {
    const desktop = new Desktop();
    for (const seconds of [2 * hour, -hour, 3 * hour]) {
      desktop.works(30 * minute);
      desktop.kernel.setClock(seconds);
    }
    desktop.works(2 * hour);
    expect([desktop.isAlive, desktop.kernel.sent]).toEqual([true, []]);
    // The step back may make it younger, by as much as the clock went back.
    desktop.works(1.6 * hour);
    expect(desktop.isAlive).toBe(false);
  });
});

describe('the end of what a session left', () => {
  test.each([
    ['forward by 90 s', 90],
    ['forward by 5 h', 5 * hour],
  ])('comes no earlier than it was announced when the clock is put %s', (_what, seconds) => {
    const desktop = new Desktop();
    desktop.works(10 * minute);
    desktop.orphaned();
    desktop.kernel.setClock(seconds);
    desktop.works(desktop.settings.noticeSeconds - 10, 10);
    expect(desktop.isAlive).toBe(true);
    desktop.works(3 * minute);
    expect(desktop.isAlive).toBe(false);
  });

  test('comes later when the clock is set back, never earlier', () => {
    const desktop = new Desktop();
    desktop.works(10 * minute);
    desktop.orphaned();
    desktop.kernel.setClock(-5 * minute);
    desktop.works(desktop.settings.noticeSeconds - 10, 10);
    expect(desktop.isAlive).toBe(true);
    desktop.works(10 * minute);
    expect(desktop.isAlive).toBe(false);
  });
});
