import { describe, expect, test } from 'vitest';
import { SupervisionTaken } from '../../../main/home/watch-session.ts';
import { desktop, preventable } from '../../desktop/stand-in/desktop.ts';
import { app } from '../../desktop/stand-in/fake-app.ts';
import { FakeMenu } from '../../desktop/stand-in/fake-menu.ts';
import { powerMonitor } from '../../desktop/stand-in/fake-rest.ts';
import { obey } from '../../desktop/stand-in/obey.ts';
import { overdue } from './overdue.ts';
import { onlyTray, onlyWindow, pass, PlayedService, raise, watching } from './stage.ts';

describe('the language', () => {
  test('is the system’s until one is chosen, and then the chosen one', async () => {
    app.languages = ['fr-FR', 'de-AT'];
    try {
      const { service } = await raise();
      expect(onlyTray().tip).toBe('Curfew: Nichts ist übrig geblieben');
      const { settings } = service.state;
      service.become({ settings: { ...settings, values: { ...settings.values, language: 'en' } } });
      await pass();
      expect(onlyTray().tip).toBe('Curfew: Nothing is left behind');
    } finally {
      app.languages = ['en-GB'];
    }
  });
});

describe('Quit', () => {
  test('ends the service first, then the app', async () => {
    const { service } = await raise();
    await obey({ do: 'click-tray' });
    await pass();
    await obey({ do: 'choose', path: ['Quit'] });
    await pass();
    expect(service.stopped).toBe(1);
    expect(desktop.windows.size).toBe(0);
    expect(desktop.trays).toEqual([]);
    expect(desktop.exited).toBe(0);
  });

  test('waits for a reaping in progress and says so; asked again it goes at once', async () => {
    const { service } = await raise();
    service.finishStop = () => undefined;
    await obey({ do: 'choose', path: ['Quit'] });
    await pass();
    expect(desktop.exited).toBeNull();
    expect(onlyTray().tip).toBe('Curfew: Quitting: a job is being ended…');
    await obey({ do: 'choose', path: ['Quit Curfew'] });
    expect(desktop.exited).toBe(0);
  });

  test('goes on when the reaping is over', async () => {
    const { service } = await raise();
    service.finishStop = () => undefined;
    await obey({ do: 'quit' });
    await pass();
    expect(desktop.exited).toBeNull();
    service.finishStop();
    await pass();
    expect(desktop.exited).toBe(0);
  });

  test('is what a shutdown of the system asks for, and it is made to wait', async () => {
    const { service } = await raise();
    const event = preventable();
    powerMonitor.emit('shutdown', event);
    await pass();
    expect(event.defaultPrevented).toBe(true);
    expect(service.stopped).toBe(1);
    expect(desktop.exited).toBe(0);
  });

  test('works although the service could not end', async () => {
    const warnings: string[] = [];
    const { service } = await raise({ warn: (text) => void warnings.push(text) });
    service.stop = () => Promise.reject(new Error('disk full'));
    await obey({ do: 'quit' });
    await pass();
    expect(warnings).toEqual(['Curfew did not end as it should: disk full']);
    expect(desktop.exited).toBe(0);
  });
});

describe('when another supervisor runs', () => {
  const taken = new SupervisionTaken('`curfew watch`, process 42, supervises here already; end that one first');

  const opened = async (attempts: (() => Promise<PlayedService>)[]) => {
    let attempt = 0;
    const stage = raise({
      openService: () => {
        attempt += 1;
        return attempts[attempt - 1]?.() ?? Promise.reject(new Error('too many attempts'));
      },
    });
    await pass();
    return stage;
  };

  test('a message names it and what to do, and Quit quits', async () => {
    const starting = opened([() => Promise.reject(taken)]);
    await pass();
    await expect.poll(() => desktop.answerBox).not.toBeNull();
    expect(desktop.told.find(({ kind }) => kind === 'message-box')).toEqual({
      kind: 'message-box',
      message: 'Curfew is already running',
      detail: '“curfew watch”, process 42, supervises here already; end that one first',
      buttons: ['Try again', 'Quit'],
    });
    expect(onlyTray().tip).toBe('Curfew: Nothing is being watched');
    await obey({ do: 'answer-box', button: 1 });
    await starting;
    await pass();
    expect(desktop.exited).toBe(0);
  });

  test('Try again tries again', async () => {
    const service = new PlayedService(watching);
    const starting = opened([() => Promise.reject(taken), () => Promise.resolve(service)]);
    await pass();
    await expect.poll(() => desktop.answerBox).not.toBeNull();
    await obey({ do: 'answer-box', button: 0 });
    await starting;
    service.become({ jobs: [overdue('1')] });
    expect(onlyTray().tip).toBe('Curfew: 1 job needs a look · 1 B');
  });
});

describe('when the supervision is lost', () => {
  test('windows, tray and a message say so, and nothing is answered', async () => {
    const { service, told } = await raise();
    await obey({ do: 'click-tray' });
    await pass();
    const { contents } = onlyWindow();
    service.tell({ kind: 'lost', problem: 'The lock was removed' });
    expect(told('tell').at(-1)?.payload).toEqual({ event: 'connection', payload: 'lost' });
    expect(told('message-box')).toEqual([expect.objectContaining({ message: 'Curfew stopped watching' })]);
    const from = { id: contents.id, url: contents.url };
    const answer = await obey({ do: 'invoke', from, channel: 'curfew:ask', input: ['snapshot.get', {}] });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'offline' } });
    await obey({ do: 'answer-box', button: 0 });
    await pass();
    expect(told('tell').at(-1)?.payload).toEqual({ event: 'connection', payload: 'connected' });
  });
});

describe('on macOS', () => {
  test('a menu carries the keys for copy and paste', async () => {
    await raise({ platform: 'darwin' });
    expect(FakeMenu.application?.shown().map(({ label }) => label)).toEqual(['appMenu', 'editMenu', 'windowMenu']);
  });

  test('which windows elsewhere do not have', async () => {
    await raise();
    expect(FakeMenu.application).toBeNull();
  });

  test('settings come to the front of an app without a Dock icon', async () => {
    app.calls.length = 0;
    await raise({ platform: 'darwin' });
    await obey({ do: 'right-click-tray' });
    await obey({ do: 'choose', path: ['Settings…'] });
    await pass();
    expect(app.calls).toContain('focus');
  });
});
