import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { createHookFolders, hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { noticePath, queueSessionNotice } from '../../../main/agents/hooks/inbox/notices.ts';
import { takeSessionAnswer } from '../../../main/agents/hooks/inbox/session-answer.ts';
import { hostileText } from '../hostile-text.ts';

let root = '';
let folders: HookFolders;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-notices-'));
  folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
  createHookFolders(folders);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const project = '/home/me/shop';
const agents = ['claude-code', 'codex', 'gemini', 'copilot', 'cursor'] as const;

test('for any command name an agent gets one short line in which commands stay between their quotes', () => {
  fc.assert(
    fc.property(
      fc.array(hostileText, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...agents),
      (commands, agent) => {
        for (const command of commands)
          expect(queueSessionNotice(folders, { project, outcome: 'killed', command, ageSeconds: 90 } as Incident)).toBe(
            true,
          );
        const [line = ''] = readFileSync(noticePath(folders, project) ?? '', 'utf8').split('\n');
        const answer = takeSessionAnswer(folders, agent, project) ?? '';
        expect(answer).not.toContain('\n');
        const said = JSON.stringify(JSON.parse(answer));
        const text = JSON.parse(`"${line}"`) as string;
        // The script puts the line where this one puts the text.
        expect(said).toContain(line);
        expect(visibleText(text)).toBe(text);
        expect(text.isWellFormed()).toBe(true);
        expect(text.length).toBeLessThan(620);
        const rest = text.replaceAll(/`[^`]*` \(after 1 min\)/gu, '…');
        expect(rest).toMatch(
          /^Curfew ended \d+ background commands? left running in this project since its last session: …(?:, …){0,2}(?: and \d+ more)?\. `curfew history` says why; `curfew keep JOB` keeps a running one longer\.$/u,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('no project’s name leads out of the folder of notices, or to the file of another project', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (first, second) => {
      const paths = [first, second].map((name) => noticePath(folders, `/home/${name}`));
      for (const path of paths)
        expect(path === null || path.startsWith(join(folders.notices, 'home') + sep)).toBe(true);
      const isOne = paths[0] !== null && paths[0] === paths[1];
      expect(isOne && first.replace(/\/$/u, '') !== second.replace(/\/$/u, '')).toBe(false);
    }),
  );
});
