import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { history, runCurfew } from '../scene/curfew.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { noTerminal, Terminal, unlessTerminal } from '../scene/terminal.ts';
import { writeSettings } from '../scene/watching.ts';

const enforce = { mode: 'enforce', noticeSeconds: 60, scanIntervalSeconds: 1 };

/** Lines of a screen that show a job. */
const jobLines = (screen: string): readonly string[] => screen.split('\n').filter((line) => line.includes('sleep 36'));

/** The selected line. */
const selected = (screen: string): string => screen.split('\n').find((line) => line.startsWith('> ')) ?? '';

/** The leftovers of a session that has ended, and the tool shells. */
const leftovers = async (stage: Scene, commands: readonly string[]) => {
  const claude = await FakeClaude.start(stage);
  const calls = [];
  for (const command of commands) calls.push(await claude.bash(command));
  await claude.crash();
  return calls;
};

/** Waits until the prompt is back, and says how the terminal was left and the status. */
const afterwards = async (terminal: Terminal): Promise<string> => {
  await terminal.until('the prompt is back', (screen) => screen.includes('ready$') && !screen.includes('STATE'));
  const left = await terminal.ask('screen #{alternate_on} cursor #{cursor_flag}');
  await terminal.enter(`clear; echo "tty: $(stty -a | grep -oE -- ' -?(icanon|echo)( |$)' | xargs)."`);
  // Only the answer: the command stands on the screen, too, until the shell runs it.
  const answer = /tty: ([-a-z ]+)\./u;
  const screen = await terminal.shows(answer);
  return `${left} ${answer.exec(screen)?.[1]}`;
};

const restored = 'screen 0 cursor 1 icanon echo';

describe.concurrent('the view of curfew watch in a real terminal', () => {
  test.skipIf(noTerminal)(
    `80 x 24 is full of jobs, leftovers first with their end and the totals above; it scrolls, searches, sorts, explains, and survives any size${unlessTerminal}`,
    scene(async (stage) => {
      writeSettings(stage, enforce);
      for (const [project, from] of [
        ['garden', 3600],
        ['kitchen', 3611],
      ] as const) {
        const open = await FakeClaude.start(stage, { project: `${stage.home}/${project}` });
        for (let n = 0; n < 11; n++) await open.bash(`sleep ${from + n} | cat`);
      }
      await leftovers(stage, ['sleep 3699 | cat', 'sleep 3698 | cat']);
      const terminal = await Terminal.open(stage, 80, 24);
      await terminal.enter('curfew watch');
      const first = await terminal.shows('ends in');
      expect(first).toContain('Enforce');
      expect(first).toMatch(/2 leftovers, .* · 22 running/u);
      // Above them at most three lines and the head of the table, below two of why and the keys.
      expect(first.trimEnd().split('\n')).toHaveLength(24);
      expect(jobLines(first).length).toBeGreaterThanOrEqual(17);
      expect(jobLines(first).map((line) => line.includes('ends in'))).toEqual(jobLines(first).map((_, at) => at < 2));
      expect(first).not.toContain('…\n  its session');
      expect(selected(first)).toMatch(/ends in .* shop .*sleep 369/u);

      await terminal.press('G');
      const last = await terminal.until('the last is selected', (screen) => selected(screen).includes('running'));
      expect(jobLines(last)).toHaveLength(jobLines(first).length);
      expect(jobLines(last).some((line) => line.includes('ends in'))).toBe(false);
      await terminal.press('g', 'j', 'Down', 'k');
      await terminal.until('the second is selected', (screen) => selected(screen) === jobLines(screen)[1]);

      await terminal.press('Enter');
      const details = await terminal.shows('Why it is listed');
      expect(details).toContain('left over, ends in');
      await terminal.press('G');
      await terminal.shows(/\d+ {2}S .*sleep 369/u);
      await terminal.press('Enter', '?');
      await terminal.shows('Ctrl-C');
      await terminal.press('?', '/', '3', '6', '1', '1');
      await terminal.until('one is found', (screen) => jobLines(screen).length === 1);
      await terminal.press('Escape', 's', 'g');
      await terminal.until(
        'it is sorted by age',
        (screen) => screen.includes('by age') && jobLines(screen)[0]?.includes('sleep 3600') === true,
      );

      for (const [columns, rows] of [
        [30, 6],
        [9, 2],
        [160, 50],
      ] as const) {
        await terminal.resize(columns, rows);
        await terminal.until(`it fits ${columns} x ${rows}`, (screen) => {
          const lines = screen.trimEnd().split('\n');
          return lines.length <= rows && lines.some((line) => line.startsWith('> ') || rows < 3);
        });
      }
      const wide = await terminal.until('all of them fit', (screen) => jobLines(screen).length === 24);
      expect(wide).toContain('left over, ends in');
      await terminal.press('q');
      expect(await afterwards(terminal)).toBe(restored);
    }),
  );

  test.skipIf(noTerminal)(
    `e names what it ends and asks; the question stays with its job while the list moves; what is pasted ends nothing; y ends it through the record, and nothing else${unlessTerminal}`,
    scene(async (stage) => {
      writeSettings(stage, { ...enforce, backgroundKillGraceSeconds: 300 });
      const innocents = await livingSession(stage);
      const [deaf, other] = await leftovers(stage, ["trap '' TERM; sleep 3697; sleep 3697; true", 'sleep 3696 | cat']);
      if (deaf === undefined || other === undefined) throw new Error('two were started');
      const terminal = await Terminal.open(stage, 100, 30);
      await terminal.enter('curfew watch');
      await terminal.shows('ends in');
      await terminal.press('/', '3', '6', '9', '7', 'Enter');
      await terminal.until('it is found', (screen) => jobLines(screen).length === 1);
      await terminal.press('e');
      await terminal.shows('End this job?');
      await terminal.press('Escape');
      await terminal.paste('e\ny\ry');
      await terminal.press('r');
      const asked = await terminal.shows('End this job?');
      expect(asked).toContain(`${deaf.shell.pid} `);
      expect(asked).toContain('Claude Code in shop');
      expect(asked).toMatch(/Sends TERM, .* KILL/u);
      expect(asked).not.toContain('3696');

      // Another one comes and sorts above it.
      await leftovers(stage, ['sleep 3695 | cat']);
      await terminal.shows('3 leftovers');
      const still = await terminal.screen();
      expect(still).toContain("trap '' TERM; sleep 3697");
      expect([deaf, other].map(({ shell }) => stage.lives(shell))).toEqual([true, true]);
      await terminal.press('y');
      await terminal.shows(/TERM sent, KILL in/u);
      await terminal.press('r');
      await terminal.shows('Kill the rest now?');
      await terminal.press('y');
      await stage.until('it is gone', () => !stage.lives(deaf.shell));
      await terminal.shows(/killed, freed \d process/u);
      expect(stage.lives(other.shell)).toBe(true);
      expectUntouched(stage, innocents);
      await terminal.press('q');
      expect(await afterwards(terminal)).toBe(restored);
      const incidents = await history(stage);
      expect(incidents).toHaveLength(1);
      expect(incidents[0]).toMatchObject({ decidedBy: 'person', outcome: 'killed' });
    }),
  );

  test.skipIf(noTerminal)(
    `K keeps a job and takes that back, as curfew keep does; a protected one is not even asked about${unlessTerminal}`,
    scene(async (stage) => {
      writeSettings(stage, enforce);
      await leftovers(stage, ['sleep 3694 | cat', 'CURFEW_KEEP=1 sleep 3693 | cat']);
      const terminal = await Terminal.open(stage, 100, 30);
      await terminal.enter('curfew watch');
      await terminal.shows('1 protected');
      await terminal.press('K');
      await terminal.shows(/kept, \d+ min/u);
      const { stdout } = await runCurfew(stage, ['scan']);
      expect(stdout).toMatch(/kept .*sleep 3694/u);
      await terminal.shows('no leftovers');
      await terminal.press('K');
      await terminal.shows('1 leftover,');
      await terminal.press('a', 'G');
      await terminal.until('it is shown', (screen) => selected(screen).includes('3693'));
      await terminal.press('r');
      await terminal.shows('It is protected');
      await terminal.press('q');
      expect(await afterwards(terminal)).toBe(restored);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test.skipIf(noTerminal)(
    `the terminal is restored after Ctrl-C, INT, TERM and a crash, which can be read; a closed terminal ends it${unlessTerminal}`,
    scene(async (stage) => {
      writeSettings(stage, enforce);
      await leftovers(stage, ['sleep 3692 | cat']);
      const terminal = await Terminal.open(stage, 80, 24);
      const watching = async (): Promise<number> => {
        await terminal.shows('STATE');
        return (await stage.find('the watch', ({ argv }) => argv.at(-1) === 'watch')).pid;
      };
      await terminal.enter('curfew watch');
      await watching();
      await terminal.press('C-c');
      expect(await afterwards(terminal)).toBe(restored);
      for (const signal of ['INT', 'TERM']) {
        await terminal.enter('clear; curfew watch; echo "status $?"');
        await stage.first.signal(await watching(), signal);
        await terminal.shows('status 0');
        expect(await afterwards(terminal)).toBe(restored);
      }
      const crash = 'process.on(/SIGUSR2/.source,()=>{throw(new(Error)(/boom/))})';
      await terminal.enter(`clear; NODE_OPTIONS='--import data:text/javascript,${crash}' curfew watch`);
      await stage.first.signal(await watching(), 'USR2');
      await terminal.shows('Error: /boom/');
      expect(await afterwards(terminal)).toBe(restored);

      await terminal.enter('clear; curfew watch');
      const pid = await watching();
      await terminal.close();
      await stage.until('it has ended', () => stage.row(pid) === null);
    }),
  );

  test.skipIf(noTerminal)(
    `what is being ended is seen through when its terminal is closed${unlessTerminal}`,
    scene(async (stage) => {
      writeSettings(stage, { ...enforce, backgroundKillGraceSeconds: 4 });
      const [deaf] = await leftovers(stage, ["trap '' TERM; sleep 3691; sleep 3691; true"]);
      if (deaf === undefined) throw new Error('one was started');
      const [inner] = await pinned(stage, 'sleep 3691');
      const terminal = await Terminal.open(stage, 80, 24);
      await terminal.enter('curfew watch');
      await terminal.shows('ends in');
      await terminal.press('r');
      await terminal.shows('End this job?');
      await terminal.press('y');
      await terminal.shows('TERM sent');
      const watch = await stage.find('the watch', ({ argv }) => argv.at(-1) === 'watch');
      // A closed terminal says so twice: its shell hands the signal on, the kernel sends one too.
      for (const said of ['Stopping.', 'Stopping.']) {
        await stage.first.signal(watch.pid, 'HUP');
        await terminal.shows(said);
      }
      await terminal.close();
      if (inner === undefined) throw new Error('it runs a command');
      await stage.until('it is gone', () => !stage.lives(deaf.shell) && !stage.lives(inner));
      await stage.until('the watch has ended', () => !stage.table().some(({ argv }) => argv.at(-1) === 'watch'));
      expect(await history(stage)).toMatchObject([{ decidedBy: 'person', outcome: 'killed' }]);
    }),
  );
});
