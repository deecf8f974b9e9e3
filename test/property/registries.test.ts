import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  assert,
  constantFrom,
  dictionary,
  jsonValue,
  option,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check';
import { expect, test } from 'vitest';
import type { Holder } from '../../app/diagnose/probe.ts';
import type { SessionDirectory } from '../../app/model/session.ts';
import { pidDomainOf } from '../../main/agents/claude-code/sessions.ts';
import { SessionReader } from '../../main/agents/session-directory.ts';
import { asAgentSessionId } from '../../app/agents/common/agent-id.ts';
import { asPid } from '../../app/process/identity.ts';
import { CodexRecords } from '../../main/agents/codex/records.ts';
import { filesHere } from '../../main/os/files/small-file.ts';
import type { Probing } from '../../main/os/processes/probing.ts';
import { bootId, fakeMachine, type Plant } from '../unit/agents/fake-table.ts';

const id = '43c8e917-1111-2222-3333-444455556666';
const uid = process.getuid?.() ?? 0;
const pidDomain = pidDomainOf({ platform: 'linux', machineId: null, pidNamespace: '4026531836' });

type Files = Readonly<Record<string, string>>;

/** Reads sessions below a home folder with these files. */
const readWith = (files: Files, plants: readonly Plant[]): SessionDirectory => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-registries-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), content);
    }
    const { table, source } = fakeMachine(plants);
    return new SessionReader({ source, home, uid, platform: 'linux' }).read(table);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** What is known of the one session: the states of its entries, and whether all could be read. */
const knownOf = (files: Files, plants: readonly Plant[]): unknown => {
  const { sessions, unclear, completeFor, keptByAgent } = readWith(files, plants);
  const states = sessions.filter((one) => one.id === id).map(({ pid, state }) => [pid, state]);
  return { states, unclear: unclear.length, complete: [...completeFor], kept: keptByAgent.length };
};

const claudeEntry = { pid: 23, sessionId: id, cwd: '/home/me/shop', procStart: '1000', pidDomain };
const claudePath = '.claude/sessions/23.json';
const copilotFolder = `.copilot/session-state/${id}`;

const lives = constantFrom<('lives' | 'dead' | 'another')[]>('lives', 'dead', 'another');
const plantsOf = (state: 'lives' | 'dead' | 'another', agent: string): readonly Plant[] =>
  state === 'dead' ? [] : [{ pid: 23, argv: [agent], startTicks: state === 'lives' ? 1000 : 2000 }];

/** A name of a file that no agent uses, as far as is known, and that holds no number. */
const strangeName = stringMatching(/^[.a-z_-]{0,8}[a-z]\.[a-z]{1,6}$/);
const runs = { numRuns: 60 };

test('unknown fields, files and folders beside an entry of Claude Code change nothing of what it says', () => {
  const strange = record({
    fields: dictionary(stringMatching(/^x[A-Za-z]{1,9}$/), jsonValue(), { maxKeys: 4 }),
    files: dictionary(strangeName, string({ maxLength: 20 }), { maxKeys: 3 }),
    folder: option(strangeName, { nil: null }),
  });
  assert(
    property(lives, strange, (state, { fields, files, folder }) => {
      const plants = plantsOf(state, 'claude');
      const plain = knownOf({ [claudePath]: JSON.stringify(claudeEntry) }, plants);
      const beside = Object.entries(files).map(([name, text]) => [`.claude/sessions/y${name}`, text] as const);
      const more: Files = {
        ...Object.fromEntries<string>(beside),
        ...(folder === null ? {} : { [`.claude/sessions/z${folder}/x`]: '' }),
        [claudePath]: JSON.stringify({ ...fields, ...claudeEntry }),
      };
      expect(knownOf(more, plants)).toEqual(plain);
    }),
    runs,
  );
});

test('an entry of Claude Code that lacks a field, or has it under another name, proves no end', () => {
  assert(
    property(lives, constantFrom('pid', 'sessionId', 'procStart'), strangeName, (state, field, name) => {
      const renamed = Object.fromEntries(
        Object.entries(claudeEntry).map(([key, value]) => [key === field ? `x${name}` : key, value]),
      );
      const plants = plantsOf(state, 'claude');
      const { sessions, unclear } = readWith({ [claudePath]: JSON.stringify(renamed) }, plants);
      const own = sessions.filter((one) => one.id === id);
      const proved = own.some((one) => one.state === 'gone' && one.claimant !== true);
      expect([proved, unclear.length]).toEqual([false, field === 'procStart' ? 0 : 1]);
    }),
    runs,
  );
});

test('unknown files and folders beside a lock of Copilot change nothing of what it says, also those that begin like it', () => {
  assert(
    property(
      lives,
      dictionary(strangeName, constantFrom('', '23', '99'), { maxKeys: 4 }),
      constantFrom('', 'inuse.', 'inuse.23.'),
      constantFrom('', 'copilot'),
      (state, files, prefix, above) => {
        const plants = plantsOf(state, 'copilot');
        const plain = { [`${copilotFolder}/inuse.23.lock`]: '23' };
        const beside = Object.entries(files).map(
          ([name, text]) => [`${copilotFolder}/${prefix}x${name}`, text] as const,
        );
        const more: Files = {
          ...plain,
          ...Object.fromEntries<string>(beside),
          ...(above === '' ? {} : { '.copilot/session-state/.session-operation-locks/23': '' }),
        };
        expect(knownOf(more, plants)).toEqual(knownOf(plain, plants));
      },
    ),
    runs,
  );
});

test('a lock of Copilot in a form that is not known is noticed, whatever lies beside it', () => {
  assert(
    property(lives, stringMatching(/^inuse[.a-z0-9-]{0,12}$/), (state, name) => {
      if (/^inuse\.[1-9]\d{0,6}\.lock$/.test(name)) return;
      const { unclear } = readWith({ [`${copilotFolder}/${name}`]: '' }, plantsOf(state, 'copilot'));
      expect(unclear).toMatchObject([{ agent: 'copilot', session: id }]);
    }),
    runs,
  );
});

const lease = { supervisor: { pid: 70, pgid: 70, startTicks: 500, bootId }, state: 'keep' };
const leaseFile = `${copilotFolder}/detached-shells/s2.lease.json`;

test('unknown fields and files beside a lease of Copilot change nothing of what it keeps', () => {
  const fields = dictionary(stringMatching(/^x[A-Za-z]{1,9}$/), jsonValue(), { maxKeys: 3 });
  const files = dictionary(strangeName, string({ maxLength: 20 }), { maxKeys: 3 });
  assert(
    property(lives, fields, fields, files, constantFrom('active', 'keep'), (state, more, inner, beside, said) => {
      const plants = plantsOf(state, 'copilot');
      const plain = { [leaseFile]: JSON.stringify({ ...lease, state: said }) };
      const named = Object.entries(beside).map(
        ([name, text]) => [`${copilotFolder}/detached-shells/y${name}`, text] as const,
      );
      const changed = { ...more, ...lease, state: said, supervisor: { ...inner, ...lease.supervisor } };
      expect(readWith(plain, plants).keptByAgent).toHaveLength(said === 'keep' ? 1 : 0);
      expect(knownOf({ ...Object.fromEntries<string>(named), [leaseFile]: JSON.stringify(changed) }, plants)).toEqual(
        knownOf(plain, plants),
      );
    }),
    runs,
  );
});

test('a lease of Copilot that lacks a field, or has it under another name, leaves its session unclear', () => {
  const { supervisor } = lease;
  const renamed = (fields: object, field: string, name: string): object =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key === field ? `x${name}` : key, value]));
  assert(
    property(constantFrom('supervisor', 'state', 'pid', 'pgid', 'startTicks', 'bootId'), strangeName, (field, name) => {
      const changed = renamed({ ...lease, supervisor: renamed(supervisor, field, name) }, field, name);
      const { keptByAgent, unclear } = readWith({ [leaseFile]: JSON.stringify(changed) }, []);
      expect(keptByAgent).toEqual([]);
      expect(unclear).toMatchObject([{ agent: 'copilot', session: id }]);
    }),
    runs,
  );
});

test('unknown fields, files and folders in what Claude Code keeps of background sessions change nothing of it', () => {
  const strange = record({
    fields: dictionary(stringMatching(/^x[A-Za-z]{1,9}$/), jsonValue(), { maxKeys: 4 }),
    inWorker: dictionary(stringMatching(/^x[A-Za-z]{1,9}$/), jsonValue(), { maxKeys: 4 }),
    worker: jsonValue(),
    files: dictionary(strangeName, string({ maxLength: 20 }), { maxKeys: 3 }),
    folder: constantFrom('.claude/daemon', '.claude/jobs', '.claude/jobs/d6994008'),
  });
  const worker = { pid: 20, sessionId: id, replPid: 23, replProcStart: '1000' };
  const handover = { writtenAtMs: Date.now(), shells: [{ taskId: 'b', pid: 70, startTimeTicks: 500 }] };
  const adoptedOf = (files: Files, plants: readonly Plant[]): unknown => {
    const { adoptions, keptByAgent, unclear } = readWith(files, plants);
    return [adoptions.map(({ session, by }) => [session, by.pid]), keptByAgent, unclear.length];
  };
  const filesOf = (more: object, inWorker: object, workers: object): Files => ({
    '.claude/daemon/roster.json': JSON.stringify({
      ...more,
      workers: { d6994008: { ...inWorker, ...worker }, ...workers },
    }),
    '.claude/jobs/d6994008/adopt.json': JSON.stringify({ ...more, ...handover }),
  });
  assert(
    property(lives, strange, (state, { fields, inWorker, worker: other, files, folder }) => {
      const plants = plantsOf(state, 'claude');
      const beside = Object.entries(files).map(([name, text]) => [`${folder}/y${name}`, text] as const);
      const isStrange = typeof other !== 'object' || other === null || !('sessionId' in other || 'replPid' in other);
      const more = filesOf(fields, inWorker, isStrange ? { yy: other } : {});
      expect(adoptedOf({ ...Object.fromEntries<string>(beside), ...more }, plants)).toEqual(
        adoptedOf(filesOf({}, {}, {}), plants),
      );
    }),
    runs,
  );
});

test('unknown files and folders beside a transcript of Codex change nothing of what it says, and unreadable ones prove nothing', () => {
  const day = '.codex/sessions/2026/11/21';
  const transcript = `${day}/rollout-2026-11-21T03-52-13-${id}.jsonl`;
  const stateIn = (files: Files, held: boolean | null): unknown => {
    const home = mkdtempSync(join(tmpdir(), 'curfew-registries-'));
    try {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), content);
      }
      const holder: Holder = { pid: asPid(23), access: 'write', locks: false };
      const holders: Probing['holders'] = (_pids, paths) =>
        new Map([...paths].map((path) => [path, { complete: held !== null, holders: held === true ? [holder] : [] }]));
      const { table } = fakeMachine([]);
      const found = new CodexRecords(filesHere).read([join(home, '.codex')], [asAgentSessionId(id)], table, {
        holders,
      } as Probing);
      return found.map(({ state }) => state);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  };
  assert(
    property(
      constantFrom(true, false, null),
      dictionary(strangeName, string({ maxLength: 20 }), { maxKeys: 4 }),
      constantFrom(day, '.codex/sessions', '.codex/sessions/2026', '.codex/sessions/2026/11'),
      (held, files, folder) => {
        const beside = Object.entries(files).map(([name, text]) => [`${folder}/y${name}`, text] as const);
        const found = stateIn({ ...Object.fromEntries<string>(beside), [transcript]: '' }, held);
        expect(found).toEqual([held === false ? 'gone' : 'unknown']);
        expect(stateIn(Object.fromEntries<string>(beside), held)).toEqual([]);
      },
    ),
    runs,
  );
});
