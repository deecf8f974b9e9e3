import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { ServingAgent } from '../scene/servers.ts';
import { StageError } from '../scene/stage-error.ts';
import { far, missing, skipped } from './far-machine.ts';

const event = z.looseObject({ event: z.string(), host: z.string().optional(), problem: z.string().nullish() });

describe.skipIf(missing !== null)(`twenty machines of which five are dead ${skipped}`, () => {
  test(
    'the others are scanned while dead ones still hang, and none of them is mistaken for dead',
    far(async (machine) => {
      const { stage } = machine;
      await machine.startSilent(2223);
      const good = Array.from({ length: 15 }, (_, at) => `web${at}`);
      const silent = ['silent1', 'silent2', 'silent3'];
      const refusing = ['closed1', 'closed2'];
      machine.configure(
        'Host silent*\n  HostName 127.0.0.1\n  Port 2223\nHost closed*\n  HostName 127.0.0.1\n  Port 2\nHost *\n  HostName 127.0.0.1\n  Port 2222\n',
      );
      const hosts = [...silent, ...refusing, ...good];
      expect((await machine.run(['settings', 'set', 'hosts', hosts.join(' ')])).code).toBe(0);
      await FakeClaude.start(stage);
      const watch = machine.start(['watch', '--json', '--observe']);
      const events = (): readonly z.infer<typeof event>[] =>
        watch
          .stdout()
          .split('\n')
          .slice(0, -1)
          .map((line) => event.parse(JSON.parse(line)));
      await stage.until(
        'all are heard of',
        () => new Set(events().flatMap(({ host }) => host ?? [])).size > hosts.length,
        90,
      );
      const seen = events();
      const place = (kind: string, host: string): number =>
        seen.findIndex((one) => one.event === kind && one.host === host);
      // The silent ones are first in the list. How many others finish while they hang depends on
      // the machine.
      const slow = good.filter(
        (host) => place('reach', host) >= 0 && /in time|timed out/u.test(seen[place('reach', host)]?.problem ?? ''),
      );
      if (slow.length > 0)
        throw new StageError(`waited in vain: no answer within ssh's own time from ${slow.join(' ')}`);
      const lastSilent = Math.max(...silent.map((host) => place('reach', host)));
      expect(good.filter((host) => place('looked', host) < lastSilent)).not.toEqual([]);
      for (const host of good) {
        expect(place('looked', host), `on ${host}`).toBeGreaterThanOrEqual(0);
        expect(place('reach', host), `on ${host}`).toBe(-1);
      }
      for (const host of [...silent, ...refusing]) {
        expect(place('looked', host), `on ${host}`).toBe(-1);
        expect(seen[place('reach', host)]?.problem, `on ${host}`).toContain(host);
      }
      watch.end();
      expect((await watch.ended).code).toBe(0);
    }),
  );

  test(
    'a watch in enforce mode ends a job that two scans there found due and a server that it saw below its agent, and says so',
    far(async (machine) => {
      const { stage } = machine;
      for (const [key, value] of [
        ['hosts', 'web1'],
        ['orphanGraceSeconds', '10'],
        ['noticeSeconds', '5'],
        ['backgroundKillGraceSeconds', '1'],
      ] as const)
        expect((await machine.run(['settings', 'set', key, value])).code).toBe(0);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 7777 | cat');
      await claude.crash();
      const serving = await ServingAgent.start(stage, 'claude');
      const { pid } = await serving.serve('wrapped');
      const server = serving.tree(pid);
      const watch = machine.start(['watch', '--json', '--enforce']);
      const looks = (): number => watch.stdout().match(/^\{"event":"looked",.*"host":"web1"/gmu)?.length ?? 0;
      await stage.until('it looked there', () => looks() > 0, 90);
      await serving.crash();
      const left = [call.shell, ...server];
      await stage.until('they are ended', () => left.every((one) => !stage.lives(one)), 220);
      const told = (): number => watch.stdout().match(/^\{"event":"ended",.*"host":"web1"/gmu)?.length ?? 0;
      await stage.until('it is told', () => told() >= 2);
      watch.end();
      const { code, stdout } = await watch.ended;
      expect(code).toBe(0);
      const ended = stdout
        .split('\n')
        .filter((line) => line.includes('"event":"ended"'))
        .map((line) => JSON.parse(line) as { readonly host: string })
        // The near machine sees the other scenes beside this test, and their jobs vary.
        .filter(({ host }) => host === 'web1');
      const byRule = { decidedBy: 'rule', host: 'web1' };
      expect(ended).toMatchObject([{ incident: byRule }, { incident: byRule }]);
      const record = await machine.run(['history', '--json', '--host', 'web1']);
      expect(JSON.parse(record.stdout)).toMatchObject({ incidents: [byRule, byRule] });
    }),
  );
});
