import { safe } from '../../ui/scene/safe.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { byKey } from '../../../app/format/said.ts';
import { sayHostProblem } from '../../../app/text/host-problem.ts';
import { reachSaid } from '../../../app/text/reach.ts';
import { germanForms } from '../../../app/text/catalogue/index.ts';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { memberSaid } from '../../../app/text/evidence.ts';
import { knownBy } from '../../../app/model/owner-sign.ts';
import type { Job, Member, Provenance } from '../../../app/model/job.ts';
import { restartedNote, usersDoubtNote, usersDoubtNoted, usersDoubts } from '../../../app/model/users-doubt.ts';
import type { Limits } from '../../../app/judge/limits.ts';
import { ownerReason } from '../../../app/judge/reasons.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import { NoRegularFile } from '../../../main/os/files/own-file.ts';
import { endingOf, endingSaid, endingSentence, targetSaid } from '../../../app/text/outcomes.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { say, saidOf, sayVeto } from '../../../app/text/say.ts';
import { stateSaid } from '../../../app/text/states.ts';
import { spoken } from './spoken.ts';
import { languageOf } from '../../../app/text/languages.ts';
import { englishVoice } from '../../../app/text/voice.ts';
import { english } from '../../../renderer/texts/en/index.ts';
import { german } from '../../../renderer/texts/de/index.ts';

const project = join(import.meta.dirname, '../../..');

/** Every text with its path; a function is called with words that show where they stand. */
const textsOf = (texts: unknown, path = ''): readonly (readonly [string, string])[] => {
  if (typeof texts === 'string') return [[path, texts]];
  if (typeof texts === 'function') {
    const made = texts as (...given: unknown[]) => unknown;
    return [1, 7].map(
      (count, index) => [`${path}(${index})`, String(made(...Array<string>(4).fill(String(count))))] as const,
    );
  }
  return Object.entries(texts ?? {}).flatMap(([key, value]) => textsOf(value, `${path}.${key}`));
};

const [inEnglish, inGerman] = [textsOf(english), textsOf(german)];

describe('German', () => {
  test('has every text of the windows, none of them empty', () => {
    expect(inGerman.map(([path]) => path).toSorted()).toEqual(inEnglish.map(([path]) => path).toSorted());
    expect(inGerman.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('shows every figure that the English text shows', () => {
    const figures = (text: string): number => (text.match(/(?<!\d)[17](?!\d)/gu) ?? []).length;
    const shown = new Map(inEnglish);
    const lost = inGerman.filter(([path, text]) => figures(shown.get(path) ?? '') > 0 && figures(text) === 0);
    expect(lost).toEqual([]);
  });

  test('addresses no user as “Sie” or “du”, and shows no backticks', () => {
    const files = readdirSync(join(project, 'app/text/de'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file.split(sep)[0] !== 'said')
      .map((file) => join(project, 'app/text/de', file));
    const written = files.flatMap((file) => readFileSync(file, 'utf8').match(/'[^'\n]+'/gu) ?? []);
    const all = [...inGerman.map(([, text]) => text), ...Object.values(germanForms), ...written];
    expect(
      all.filter((text) => /\b(?:[Dd]u|[Dd]ein\w*|Ihnen|Ihr)\b/u.test(text) || /^[^$]*`[^$]*$/u.test(text)),
    ).toEqual([]);
  });
});

describe('how the state of a session is known', () => {
  const said = knownBy('agent process {pid} is gone', { pid: 34 });

  test('is said in German as fully as in English', () => {
    expect(germanVoice.owner('gone', 'agent process 34 is gone', said)).toBe(
      'die Sitzung ist beendet: Agentenprozess 34 ist beendet',
    );
    expect(englishVoice.owner('gone', 'agent process 34 is gone', said)).toBe('agent process 34 is gone');
  });

  test('stays as an older record has it, which has only the English', () => {
    const kept = 'its session has ended: agent process 34 is gone';
    expect(germanVoice.owner('gone', kept)).toBe(kept);
  });

  test('is said with the reason that rests on it', () => {
    const gone = { code: 'owner-gone', text: 'in English', figures: { evidence: 'agent process 34 is gone' } };
    expect(germanVoice.reason(gone, said)).toBe('die Sitzung ist beendet (Agentenprozess 34 ist beendet)');
    const reach = { code: 'out-of-reach', text: 'in English', figures: { state: 'unreachable' } };
    expect(germanVoice.reason(reach, knownBy('its terminal is hung up'))).toBe('sein Terminal ist geschlossen');
  });
});

describe('what the engine says', () => {
  const statement = { code: 'past-hard-cap', text: 'in English', figures: { ageSeconds: 7200, limitSeconds: 3600 } };

  test('is said anew of what the user may have started, whichever sign of that there is', () => {
    const said = usersDoubts.map((code) => {
      const noted = usersDoubtNoted(usersDoubtNote({ code, pid: 82, parent: 81 }));
      expect(noted.doubt).toEqual({ code, pid: 82, parent: 81 });
      const job = { owner: { state: 'unknown', ...noted } } as unknown as Job;
      return germanVoice.reason({ ...ownerReason(job, {} as Limits), text: 'in English' }, noted.evidence);
    });
    expect(new Set(said).size).toBe(usersDoubts.length);
    for (const text of said) expect(text).toMatch(/^unbekannt, ob die Sitzung offen ist \(Prozess 8[12] .*8[12].*\)$/u);
    const kept = 'process 82 does not have the environment of process 81, which started it';
    expect(usersDoubtNoted(kept)).toEqual({ evidence: kept });
  });

  test('is said anew of a service of the user’s that was started again', () => {
    const { evidence } = usersDoubtNoted(restartedNote(82, 3000));
    expect(spoken(evidence)).toBe('process 82 listens on port 3000 as the same command of the user did before');
    expect(germanVoice.owner('unknown', '', evidence)).toMatch(/Prozess 82 lauscht auf Port 3000/u);
  });

  test('is said anew of the port at which a client is connected', () => {
    const figures = { by: 'connection', at: safe('port 3000, 5173'), from: safe('10.0.0.7:443') };
    const said = 'a client is connected to it (port 3000, 5173, from 10.0.0.7:443)';
    expect(sayReason({ code: 'in-use', figures })).toBe(said);
    expect(germanVoice.reason({ code: 'in-use', figures, text: safe(said) })).toMatch(/\(Port 3000, 5173, von 10/u);
  });

  test.each(['/home/me/a.lease.json', `/${'long/'.repeat(40)}a.lease.json`])(
    'is said anew of the shell that an agent keeps by %s, in English as before',
    (path) => {
      const before = { agent: 'copilot', evidence: safe(`Copilot keeps its detached shell a1 (${path})`) };
      const figures = { ...before, keeper: 'Copilot', shell: safe('a1'), path: safe(path) };
      const text = sayVeto({ code: 'kept-by-agent', figures });
      expect(text).toBe(sayVeto({ code: 'kept-by-agent', figures: before }));
      const said = germanVoice.veto({ code: 'kept-by-agent', figures, text: safe(text) });
      expect(said).toMatch(/Copilot behält die abgelöste Shell a1 \(\//u);
    },
  );

  test('is said anew of a table that could not be read, and of a file', () => {
    const table = new ProcessTableUnreadable(say('Windows does not tell which ports are in use.'));
    expect(table.message).toBe('Windows does not tell which ports are in use.');
    expect(germanVoice.said(saidOf(table))).toBe('Windows sagt nicht, welche Ports belegt sind.');
    expect(germanVoice.said(saidOf(new NoRegularFile('/a')))).toMatch(/^\/a ist keine gewöhnliche Datei/u);
  });

  test('is one word of an ending, whichever window, command or record shows it', () => {
    expect(endingSaid(null)).toEqual(endingSaid('unfinished'));
    expect(germanVoice.said(endingSaid('killed'))).toBe('mit KILL beendet');
    expect(germanVoice.said(endingSaid('asked', 'HUP'))).toBe('HUP gesendet');
    expect(spoken(endingSentence('asked', 'HUP'))).toBe('HUP sent.');
    expect(endingOf({ phase: 'ended', outcome: 'spared' })).toBe('spared');
    expect(endingOf({ phase: 'killing', outcome: null })).toBe('killing');
    const unknown = 'from-the-future';
    for (const [target, said] of [
      ['group 39', 'Gruppe 39'],
      ['process 40', 'Prozess 40'],
      ['its curfew run, process 50', 'das zugehörige „curfew run“, Prozess 50'],
      ['a thread', 'a thread'],
    ] as const) {
      expect(spoken(targetSaid(target))).toBe(target);
      expect(germanVoice.said(targetSaid(target))).toBe(said);
    }
    expect([endingSaid(unknown), stateSaid(unknown)]).toEqual([unknown, unknown]);
  });

  test('is said anew from code and figures', () => {
    expect(germanVoice.reason(statement)).toBe('2 h alt, über der Höchstdauer von 1 h');
    expect(englishVoice.reason(statement)).toBe('in English');
  });

  test('stays as the engine wrote it where its code is not known here', () => {
    const unknown = { ...statement, code: 'from-the-future' };
    expect([germanVoice.reason(unknown), germanVoice.veto(unknown), germanVoice.evidence(unknown)]).toEqual([
      'in English',
      'in English',
      'in English',
    ]);
  });

  test('is said anew of everything that shows that an agent started a job', () => {
    const proofs: readonly Provenance[] = [
      { code: 'wrapper', rule: 'claude-shell' },
      { code: 'marker', rule: 'claude-marker' },
      { code: 'output', path: '/tmp/a.output' },
      { code: 'ledger', firstSeenMs: Date.UTC(2026, 10, 20, 8, 12) },
      { code: 'parent', agent: 'codex' },
      { code: 'rule', rule: 'mine' },
      { code: 'run', run: 'r1' },
      { code: 'agent', agent: 'gemini' },
    ];
    for (const proof of proofs) {
      const { code, ...figures } = proof;
      expect(germanVoice.evidence({ code, text: safe('in English'), figures })).not.toMatch(/^$|in English|undefined/u);
    }
    const member = { row: { pid: 40 }, by: ['group', 'tree'] } as unknown as Member;
    expect(germanVoice.said(memberSaid(member))).toBe(
      'Prozess 40 ist in derselben Prozessgruppe oder Kernel-Sitzung, stammt vom Wurzelprozess ab',
    );
  });

  test('joins what was freed as German does', () => {
    const freed = { processes: 3, rssBytes: 1_100_000_000, cameAndWent: 0, ports: [3000], locks: [] };
    expect(germanVoice.freed(freed)).toBe('3 Prozesse, 1,1 GB und Port 3000');
    expect(germanVoice.freed({ processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] })).toBeNull();
  });
});

test.each([
  ['system', ['de-AT', 'en'], 'de'],
  ['system', ['fr-FR', 'en-US', 'de'], 'en'],
  ['system', ['fr-FR'], 'en'],
  ['system', [], 'en'],
  ['de', ['en-GB'], 'de'],
  ['en', ['de-DE'], 'en'],
] as const)('chosen %s, wanted %j: %s', (chosen, wanted, language) => {
  expect(languageOf(chosen, wanted)).toBe(language);
});

test('what a machine answered, an agent’s ends and a client’s place are said in German', () => {
  const detail = { key: 'its answer has two parts called {name}', figures: { name: 'rows' } };
  expect(germanVoice.said(sayHostProblem('web1', { code: 'senseless', detail }))).toBe(
    'web1 lässt sich nicht überwachen: die Antwort hat zwei Teile namens rows',
  );
  expect(germanVoice.said(reachSaid({ state: 'unknown', why: byKey('its terminal can’t be opened') }))).toBe(
    'unbekannt, ob er erreichbar ist: sein Terminal lässt sich nicht öffnen',
  );
  expect(
    germanVoice.reason({ code: 'in-use', text: safe(''), figures: { by: 'display', at: safe('the desktop') } }),
  ).toBe('zeigt Fenster, die in Gebrauch sein können (der Desktop)');
});
