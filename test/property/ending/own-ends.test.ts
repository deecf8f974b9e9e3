import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { endByOwnCommand } from '../../../main/ending/by-own-command.ts';
import { confirmLeftOpen } from '../../../main/left-open/survey.ts';
import type { LeftOpenItem } from '../../../main/left-open/found.ts';
import type { Look } from '../../../main/observing/look.ts';
import { Stage } from '../../unit/supervisor/stage.ts';

const tmux = { pid: 69, start: 99_000, argv: 'tmux new -d' };

/** What happens between the two looks. */
const changes = ['nothing', 'gone', 'another server', 'another command', 'attached', 'full disk', 'no record'] as const;

/** A session of tmux that may be ended; its command leaves a file, and needs one of the record. */
const foundIn = (folder: string, kept: ProcessRow, word: string): LeftOpenItem => ({
  leftOpen: {
    openedBy: 'call',
    id: 'abc1',
    keeper: 'tmux',
    name: 'work',
    image: null,
    agent: 'claude-code',
    session: null,
    project: null,
    owner: 'gone',
    evidence: 'a tool call opened it',
    startedAtMs: 0,
    kept,
    inside: [],
    refusal: null,
    endWith: ['tmux', 'kill-session'],
  },
  end: {
    command: ['/bin/sh', '-c', 'test -e "$0/intent" && : > "$0/ran"', folder, word],
    environment: {},
    refused: null,
    signal: 'HUP',
    patienceMs: 0,
    commandMs: 60_000,
  },
});

interface Ended {
  readonly came: string;
  readonly ran: boolean;
  readonly incident: Incident | null;
}

const end = async (change: (typeof changes)[number]): Promise<Ended> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-own-end-'));
  const stage = new Stage(tmux);
  const { machine, journal } = stage;
  journal.onWrite = () => {
    if (journal.broken === 'nothing') writeFileSync(join(folder, 'intent'), '');
  };
  let looks = 0;
  const survey = async (): Promise<{ readonly look: Look; readonly found: readonly LeftOpenItem[] }> => {
    looks += 1;
    stage.pass(1);
    if (looks === 2 && change === 'another server') {
      machine.end(69);
      machine.start({ ...tmux, start: 99_900 });
    }
    const kept = machine.source.read(asPid(69));
    if (kept === null) throw new Error('there is no server');
    const found = foundIn(folder, kept, looks === 2 && change === 'another command' ? 'other' : 'same');
    const attached: LeftOpenItem = { leftOpen: { ...found.leftOpen, refusal: { code: 'attached' } }, end: null };
    const second = change === 'gone' ? [] : [change === 'attached' ? attached : found];
    return { look: stage.observer.look(), found: looks === 2 ? second : [found] };
  };
  try {
    const came = await confirmLeftOpen('abc1', survey);
    if (came.kind !== 'confirmed') return { came: came.kind, ran: existsSync(join(folder, 'ran')), incident: null };
    if (change === 'full disk') journal.broken = 'intent';
    const ending = {
      source: machine.source,
      journal,
      writer: { pid: 999, startTicks: 1 },
      journalProblem: () => (change === 'no record' ? new Error('the disk is full') : null),
    };
    const incident = await endByOwnCommand(ending, came.thing, 'person').catch(() => null);
    const ran = existsSync(join(folder, 'ran'));
    return { came: came.kind, ran, incident: incident === null || 'kind' in incident ? null : incident };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe.concurrent('what the command of its keeper ends', () => {
  test('is the same at two looks, and its intent is on disk before the command is run', async () => {
    expect(await end('nothing')).toMatchObject({ came: 'confirmed', ran: true, incident: { outcome: 'reaped' } });
  });

  test.each(changes.filter((change) => change !== 'nothing'))(
    'is left alone where the second look finds: %s',
    async (change) => {
      expect(await end(change)).toMatchObject({ ran: false, incident: null });
    },
  );
});
