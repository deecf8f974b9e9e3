import { expect, test } from 'vitest';
import { commandLineForms } from '../../../app/text/catalogue/command-line/index.ts';
import { germanForms } from '../../../app/text/catalogue/index.ts';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, type Run, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Everything that only speaks; what changes something comes last. */
const calls = (job: string): readonly (readonly string[])[] => [
  [],
  ['--help'],
  ...'scan sessions history doctor report reap keep unkeep sweep watch web run init runs logs terminate'
    .split(' ')
    .map((name) => [name, '--help']),
  ...'autostart settings hooks hook mcp statusline metrics completion demo'.split(' ').map((name) => [name, '--help']),
  ...'get set unset path'.split(' ').map((name) => ['settings', name, '--help']),
  ...'status install uninstall'.split(' ').map((name) => ['hooks', name, '--help']),
  ['scan'],
  ['scan', '--explain', '--all'],
  ['scan', '--bogus'],
  ['scan', '--host', 'bad name'],
  ['scan', '--all-hosts'],
  ['scn'],
  ['sessions'],
  ['history'],
  ['history', 'ffffff'],
  ['history', '--outcome', 'perhaps'],
  ['doctor'],
  ['settings'],
  ['settings', 'get', 'nothing'],
  ['settings', 'set', 'mode', 'maybe'],
  ['settings', 'set', 'noticeSeconds', '5x'],
  ['hooks'],
  ['hooks', 'install', 'claude', '--dry-run'],
  ['hooks', 'install', 'frobnicator'],
  ['hooks', 'status', '--mcp'],
  ['sweep', '--dry-run'],
  ['autostart'],
  ['runs'],
  ['logs', 'ffffff'],
  ['terminate', 'ffffff'],
  ['run', '--idle-after', '(', '--', 'true'],
  ['run', '--max-elapsed', '5h', '--hard-cap', '1h', '--', 'true'],
  ['run', '--', '/nonexistent/program'],
  ['metrics', '--textfile', '/nonexistent/file'],
  ['web', '--sign-out'],
  ['keep', 'ffffff'],
  ['keep', job, '--for', '1m'],
  ['unkeep', job],
  ['reap', '--dry-run'],
  ['reap', '--dry-run', '--max-age', '0', '--probable'],
  ['reap', '--job', 'ffffff'],
  ['reap', '--agent-pid', '4000000'],
  ['reap', '--max-age', '5x'],
];

/** Lines of these are the same in each language: calls, titles that both have, other programs. */
const sameInBoth =
  /^(?:usage|aufruf)|curfew|sleep |claude|codex|gemini|cursor|copilot|opencode|^\S*\/|--|JOB|AGENT|^-?\s*\W*$|^[a-z.]+ {2,}\S+(?: \S+)?$|journalctl|set mode enforce|^\+ /iu;

const linesOf = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): readonly string[] =>
  `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());

/** Runs of four words in lines, so that a sentence beside a German one is found. */
const runsOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const words = line.split(' ');
    return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '));
  });

const isWords = (text: string): boolean => /^[\p{Letter}’']+(?: [\p{Letter}’',.;:]+){3}$/u.test(text);

/** Lines and runs of words that neither figures nor names explain: English in German. */
const leftInEnglish = (english: readonly string[], german: readonly string[]): readonly string[] => {
  const [lines, runs] = [new Set(english), new Set(runsOf(english))];
  const same = german.filter((line) => lines.has(line) && /\p{Letter}{4}/u.test(line) && !sameInBoth.test(line));
  return [...same, ...runsOf(german).filter((run) => runs.has(run) && isWords(run) && !sameInBoth.test(run))];
};

const speak = async (stage: Scene, language: 'en' | 'de'): Promise<void> => {
  expect(await runCurfew(stage, ['settings', 'set', 'language', language])).toMatchObject({ code: 0 });
};

test(
  'where German is chosen every command speaks it, with the same status; documents stay as they are',
  scene(async (stage) => {
    const [dead, living] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
    const kept = await living.bash('sleep 3600 | cat');
    await dead.bash('sleep 3601 | cat');
    const seen = await scan(stage);
    await dead.crash();
    expect(await runCurfew(stage, ['settings', 'set', 'mode', 'observe'])).toMatchObject({ code: 0 });
    const ended = await startCurfew(stage, ['run', '--background', '--name', 'x', '--', 'sleep', '3602']);
    await ended.ended();
    const { id } = jobWith(seen, kept.shell.pid);
    const left: (readonly string[])[] = [];
    const inEnglish: Run[] = [];
    for (const args of calls(id)) inEnglish.push(await runCurfew(stage, args));
    await speak(stage, 'de');
    for (const [at, args] of calls(id).entries()) {
      const english = inEnglish[at] ?? { code: -1, stdout: '', stderr: '' };
      const german = await runCurfew(stage, args);
      expect({ args, code: german.code }).toEqual({ args, code: english.code });
      left.push(...leftInEnglish(linesOf(english), linesOf(german)).map((line) => [...args, line]));
    }
    expect(left).toEqual([]);
    const one = await runCurfew(stage, ['reap', '--job', id, '--grace', '60s']);
    expect(one.stdout).toContain('Zusammen: 1 Job beendet');
    expect(one.stderr).toMatch(/^1 Job, .*: wird beendet\.$/mu);
    expect((await runCurfew(stage, ['history'])).stdout).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d {2}beendet/mu);
    const report = await runCurfew(stage, ['history', id]);
    expect(report.stdout).toContain('Was geschah');
    const documents = async (): Promise<unknown> => {
      const { stdout } = await runCurfew(stage, ['history', id, '--json']);
      return JSON.parse(stdout);
    };
    const inGerman = await documents();
    await speak(stage, 'en');
    expect(await documents()).toEqual(inGerman);
  }),
);

test(
  'as the system has it a script reads English, whatever LANG says',
  scene(async (stage) => {
    const script = await runCurfew(stage, ['scan'], { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } });
    expect(script.stdout).toContain('No agent has left a command running');
  }),
);

test('a sentence that both languages share would be found', () => {
  const forms: Readonly<Record<string, string>> = { ...germanForms, ...commandLineForms };
  const english = ['Nothing to end.', 'curfew scan'];
  expect(leftInEnglish(english, english)).toEqual(['Nothing to end.']);
  expect(leftInEnglish(english, [forms['Nothing to end.'] ?? ''])).toEqual([]);
  expect(leftInEnglish(['Start: no pass has run yet'], ['Beginn: no pass has run yet'])).toContain('no pass has run');
});
