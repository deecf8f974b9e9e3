import { spoken } from '../text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { departureOf, type DepartureClues } from '../../../app/history/departure.ts';
import { sayDeparture } from '../../../app/text/departure.ts';
import { taskReportIn } from '../../../main/agents/claude-code/task-report.ts';
import { oomVictimIn } from '../../../main/os/linux/proc/oom.ts';

const nothing: DepartureClues = {
  oomKilled: null,
  oomInGroup: false,
  report: null,
  exitCode: null,
  sessionEnded: false,
  underRun: false,
};

describe('what ended it', () => {
  test.each([
    [{}, 'It ended on its own, or something else ended it, such as a user at a terminal. Curfew did not.'],
    [
      { oomKilled: 70, report: { status: 'killed', cause: null } },
      'The kernel ended it to free memory: its log names process 70. Curfew did not.',
    ],
    [
      { oomInGroup: true },
      'Probably the kernel ended it to free memory: it ended another process of the same control group at that time. Curfew did not.',
    ],
    [
      { report: { status: 'killed', cause: 'memory' }, oomInGroup: true },
      'Claude Code stopped it because the system ran low on memory and said so to its session. Curfew did not.',
    ],
    [
      { report: { status: 'killed', cause: 'deadline' } },
      'Claude Code stopped it because it had reached the agent’s own time limit for background tasks and said so to its session. Curfew did not.',
    ],
    [{ report: { status: 'completed', cause: null } }, 'It ended on its own: Claude Code reports it as “completed”.'],
    [
      { report: { status: 'killed', cause: null } },
      'It was stopped from within Claude Code, which reports it as “killed”: by the user, by the model, or by the agent’s end. Curfew did not end it.',
    ],
    [{ exitCode: 2 }, 'It ended on its own, with exit status 2.'],
    [{ exitCode: 143 }, 'It was ended by signal 15, which its shell recorded and Curfew did not send.'],
    [{ exitCode: 255 }, 'It ended on its own, with exit status 255.'],
    [
      { sessionEnded: true },
      'Probably Claude Code ended it while quitting: its session ended at the same time. Curfew did not.',
    ],
    [
      { underRun: true, sessionEnded: true },
      'It ran under `curfew run`, which ends what it started at its own limit or when the command itself ends.',
    ],
  ] satisfies readonly (readonly [Partial<DepartureClues>, string])[])('%o', (clues, sentence) => {
    expect(spoken(sayDeparture(departureOf({ ...nothing, ...clues }), 'Claude Code'))).toBe(sentence);
  });
});

describe('the report of Claude Code about a task', () => {
  const line = (task: string, status: string, summary: string): string =>
    JSON.stringify({
      type: 'user',
      message: {
        content: `<task-notification>\n<task-id>${task}</task-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`,
      },
    });

  test.each([
    ['Background command "x" was stopped', { status: 'killed', cause: null }],
    [
      'Background command "x" stopped because the system is running low on memory',
      { status: 'killed', cause: 'memory' },
    ],
    [
      'Background command "x" stopped after reaching its background time limit',
      { status: 'killed', cause: 'deadline' },
    ],
  ])('%s', (summary, report) => {
    const transcript = [
      line('b1', 'completed', 'x'),
      line('b2', 'killed', summary),
      line('b3', 'failed', 'x'),
      '',
    ].join('\n');
    expect(taskReportIn(transcript, 'b2')).toEqual(report);
  });

  test('nothing of another task, of words about it, of a cut line', () => {
    const about = 'the model wrote: <task-id>b2</task-id> stopped after reaching its background time limit';
    expect(taskReportIn(`${line('b1', 'completed', 'x')}\n${about}\n`, 'b2')).toBeNull();
    expect(taskReportIn(line('b2', 'killed', 'x').slice(0, 70), 'b2')).toBeNull();
    expect(taskReportIn('', 'b2')).toBeNull();
  });
});

test.each([
  [
    '6,1234,5678901234,-;Out of memory: Killed process 4711 (node) total-vm:1kB, anon-rss:1kB',
    { pid: 4711, atSeconds: 5678.901234 },
  ],
  ['3,99,1000000,-;Memory cgroup out of memory: Killed process 12 (a) b) total-vm:1kB', { pid: 12, atSeconds: 1 }],
  [
    '3,99,1000000,-;Out of memory (oom_kill_allocating_task): Killed process 13 (x) total-vm',
    { pid: 13, atSeconds: 1 },
  ],
  // Facility 1: a program wrote it to /dev/kmsg.
  ['12,99,1000000,-;Out of memory: Killed process 4711 (node) total-vm:1kB', null],
  ['6,99,1000000,-;usb 1-1: new device', null],
  ['', null],
])('the kernel’s log: %s', (record, victim) => {
  expect(oomVictimIn(record)).toEqual(victim);
});
