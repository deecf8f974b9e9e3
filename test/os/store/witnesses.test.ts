import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { LedgerFile } from '../../../main/store/ledger/ledger.ts';
import { emptyFolder } from './support.ts';

const boot = asBootId('boot-a:4026531836');
const otherBoot = asBootId('boot-b:4026531836');

const ledgerIn = (folder: string): { readonly ledger: LedgerFile; readonly notices: readonly unknown[] } => {
  const notices: unknown[] = [];
  const ledger = new LedgerFile(join(folder, 'ledger.db'), Date.now, (notice) => notices.push(notice));
  onTestFinished(() => {
    ledger.close();
  });
  return { ledger, notices };
};

describe('processes of the user, and agents that were seen', () => {
  const user: Witness = { kind: 'user', pid: 210, startTicks: 700, sid: 201 };
  const agent: Witness = {
    kind: 'agent',
    pid: 34,
    startTicks: 600,
    agent: 'codex',
    terminal: ['TMUX_PANE#1f'],
    unit: null,
    endedTicks: null,
  };

  test('are known after a restart and to another process, until a scan finds them ended', () => {
    const folder = emptyFolder();
    const first = ledgerIn(folder);
    first.ledger.saveWitnesses(boot, [user, agent]);
    first.ledger.close();
    const watch = ledgerIn(folder);
    const pass = ledgerIn(folder);
    expect(watch.ledger.witnesses(boot)).toEqual([agent, user]);
    expect(watch.ledger.witnesses(otherBoot)).toEqual([]);
    const ended: Witness = { ...agent, endedTicks: 900 };
    pass.ledger.witnesses(boot);
    pass.ledger.saveWitnesses(boot, [ended]);
    expect(watch.ledger.witnesses(boot)).toEqual([ended]);
  });

  test('are read from a file of an earlier Curfew that lacks them', () => {
    const folder = emptyFolder();
    const first = ledgerIn(folder);
    first.ledger.saveWitnesses(boot, [agent]);
    first.ledger.close();
    const connection = new DatabaseSync(join(folder, 'ledger.db'));
    connection.exec('DROP TABLE witness; DROP TABLE awake; PRAGMA user_version = 1');
    connection.close();
    const { ledger } = ledgerIn(folder);
    expect(ledger.witnesses(boot)).toEqual([]);
    ledger.saveWitnesses(boot, [user]);
    ledger.close();
    expect(ledgerIn(folder).ledger.witnesses(boot)).toEqual([user]);
  });

  test('an invalid one counts as never seen', () => {
    const folder = emptyFolder();
    const first = ledgerIn(folder);
    first.ledger.saveWitnesses(boot, [user]);
    first.ledger.close();
    const connection = new DatabaseSync(join(folder, 'ledger.db'));
    connection.exec(`UPDATE witness SET body = '{"kind":"user","pid":-1}'`);
    connection.close();
    expect(ledgerIn(folder).ledger.witnesses(boot)).toEqual([]);
  });
});

test('what a machine says of a boot that another one has is no evidence about that one', () => {
  const place = join(emptyFolder(), 'ledger.db');
  const ledgers = (['lies', 'web1', null] as const).map(
    (host) => new LedgerFile(place, Date.now, () => undefined, undefined, host),
  );
  const [lies, other, here] = ledgers;
  const said: Witness = { kind: 'user', pid: 210, startTicks: 700, sid: 201 };
  lies?.saveWitnesses(boot, [said]);
  expect(other?.witnesses(boot)).toEqual([]);
  expect(here?.witnesses(boot)).toEqual([]);
  lies?.close();
  expect(new LedgerFile(place, Date.now, () => undefined, undefined, 'lies').witnesses(boot)).toEqual([said]);
});
