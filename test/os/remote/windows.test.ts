import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inEnglish } from '../../../app/text/say.ts';
import { describe, expect, test } from 'vitest';
import { applyDifference } from '../../../app/contract/difference/difference.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { FakeClaude } from '../scene/claude.ts';
import { connected } from '../interface/running-service.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

/** The window side of the service that runs on the near machine. */
class Window {
  snapshot: Snapshot | null = null;
  readonly ended: unknown[] = [];
  readonly #answers = new Map<number, (answer: unknown) => void>();
  readonly #connection: Socket;
  #questions = 0;

  constructor(connection: Socket) {
    this.#connection = connection;
    createInterface({ input: this.#connection }).on('line', (line) => {
      const told = JSON.parse(line) as { kind: string } & Record<string, unknown>;
      if (told.kind === 'snapshot') this.snapshot = told['snapshot'] as Snapshot;
      else if (told.kind === 'difference' && this.snapshot !== null)
        this.snapshot = applyDifference(this.snapshot, told['difference'] as Parameters<typeof applyDifference>[1]);
      else if (told.kind === 'ended') this.#keep(told['incident'] as { readonly host: string });
      else if (told.kind === 'answer') this.#answers.get(told['id'] as number)?.(told['answer']);
    });
  }

  // The near machine sees the other scenes beside this test, and their jobs vary.
  #keep(incident: { readonly host: string }): void {
    if (incident.host === 'web1') this.ended.push(incident);
  }

  ask(name: string, input: unknown): Promise<unknown> {
    const id = (this.#questions += 1);
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#connection.write(`${JSON.stringify({ id, name, input })}\n`);
    });
  }

  close(): void {
    this.#connection.destroy();
  }
}

const opened = async (machine: FarMachine): Promise<{ readonly window: Window; readonly end: () => Promise<void> }> => {
  const socket = join(machine.home, 'service');
  const service = machine.startProgram([join(import.meta.dirname, '../interface/programs/service.ts'), socket]);
  await machine.stage.until('the service listens', () => machine.hasHere(socket));
  const window = new Window(await connected(machine.stage, socket));
  return {
    window,
    end: async () => {
      window.close();
      service.end();
      expect((await service.ended).code).toBe(0);
    },
  };
};

describe.skipIf(missing !== null)(`other machines in the windows ${skipped}`, () => {
  test(
    'their jobs are shown with the host, kept and ended from there, and an unreachable one is reported with its time',
    far(async (machine) => {
      const { stage } = machine;
      machine.configure('Host dead\n  HostName 127.0.0.1\n  Port 2\nHost web1\n  HostName 127.0.0.1\n  Port 2222\n');
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('echo printed over there; sleep 7777 | cat');
      const { window, end } = await opened(machine);
      expect(await window.ask('host.check', { host: 'dead' })).toMatchObject({
        ok: true,
        value: { reachable: false, jobs: null },
      });
      expect(await window.ask('host.check', { host: 'web1' })).toMatchObject({
        ok: true,
        value: { reachable: true, jobs: 1 },
      });
      expect(await window.ask('host.check', { host: '-oProxyCommand=id' })).toMatchObject({
        ok: true,
        value: { reachable: false },
      });
      await window.ask('settings.change', { changes: { hosts: ['web1', 'dead'] } });
      const job = await stage.until('its job is shown', () =>
        window.snapshot?.jobs.find(({ host, root }) => host === 'web1' && root.pid === call.shell.pid),
      );
      await stage.until('the dead one is told of', () =>
        window.snapshot?.health.problems.some(
          ({ code, text }) => code === 'host-out-of-reach' && /dead.* since /u.test(inEnglish(text)),
        ),
      );
      const target = { job: job.id, host: 'web1' };
      await stage.until('it has printed', () => stage.read(call.output ?? '').includes('printed over there\n'));
      expect(await window.ask('job.output', { ...target, fromByte: null })).toMatchObject({
        value: { restarted: false, text: 'printed over there\n' },
      });
      stage.append(call.output ?? '', 'and more\0\u001B[2J\n');
      expect(await window.ask('job.output', { ...target, fromByte: 19 })).toMatchObject({
        value: { restarted: true, text: 'printed over there\nand more \u001B[2J\n' },
      });
      expect(await window.ask('job.output', { job: 'abcdef', host: 'web1', fromByte: null })).toMatchObject({
        ok: false,
      });
      expect(await window.ask('job.details', target)).toMatchObject({ ok: true, value: { id: job.id, host: 'web1' } });
      expect(await window.ask('job.keep', { ...target, seconds: 600 })).toMatchObject({ ok: true });
      await stage.until('it is kept', () =>
        window.snapshot?.jobs.some(({ id, verdict }) => id === job.id && verdict.state === 'kept'),
      );
      expect(await window.ask('job.unkeep', target)).toMatchObject({ ok: true });
      expect(await window.ask('job.reap', { job: job.id, host: 'dead' })).toMatchObject({ ok: false });
      expect(await window.ask('job.reap', { job: job.id, host: 'local' })).toMatchObject({ ok: false });
      expect(stage.lives(call.shell)).toBe(true);
      expect(await window.ask('job.reap', target)).toMatchObject({ ok: true });
      await stage.until('it is told', () => window.ended.length > 0);
      expect(window.ended).toMatchObject([{ job: job.id, host: 'web1', decidedBy: 'person', outcome: 'reaped' }]);
      expect(window.ended).toMatchObject([{ outputTail: 'printed over there\nand more \u001B[2J' }]);
      expect(stage.lives(call.shell)).toBe(false);
      expect(stage.lives(claude.identity)).toBe(true);
      await stage.until('the job is gone from the windows', () =>
        window.snapshot?.jobs.every(({ host }) => host !== 'web1'),
      );
      await window.ask('settings.change', { changes: { hosts: [] } });
      await stage.until('nothing is said of it any more', () =>
        window.snapshot?.health.problems.every(({ code }) => code !== 'host-out-of-reach'),
      );
      await end();
    }),
  );
});
