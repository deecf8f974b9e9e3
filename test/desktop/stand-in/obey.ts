import { desktop } from './desktop.ts';
import type { DesktopOrder, From, Served } from './events.ts';
import { app } from './fake-app.ts';
import { ipcMain } from './fake-rest.ts';
import { session } from './fake-session.ts';
import type { FakeBrowserWindow } from './fake-window.ts';

const windowOf = (id: number): FakeBrowserWindow => {
  const window = desktop.windows.get(id);
  if (window === undefined) throw new Error(`there is no window ${id}`);
  return window;
};

const tray = () => {
  const [first] = desktop.trays;
  if (first === undefined) throw new Error('there is no tray icon');
  return first;
};

const notificationOf = (id: number) => {
  const notification = desktop.notifications.get(id);
  if (notification === undefined) throw new Error(`notification ${id} is not up`);
  return notification;
};

const eventFrom = ({ id, url }: From) => ({ sender: { id }, senderFrame: { url, parent: null } });

const request = async (method: string, url: string): Promise<Served> => {
  const response = await session.fromPartition('curfew').request(method, url);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
};

/**
 * Does what a user, the system or a page does, and returns the result. Throws when it can't be
 * done.
 */
export const obey = async (order: DesktopOrder): Promise<unknown> => {
  switch (order.do) {
    case 'click-tray':
      return tray().emit('click', {}, tray().bounds, {});
    case 'double-click-tray':
      return tray().emit('double-click', {}, tray().bounds);
    case 'right-click-tray':
      return tray().emit('right-click', {}, tray().bounds);
    case 'second-start':
      return app.emit('second-instance', {}, [], '', {});
    case 'quit':
      return app.quit();
    case 'choose':
      if (desktop.menu === null) throw new Error('there is no menu');
      return desktop.menu.choose(order.path);
    case 'click-notification':
      return notificationOf(order.id).emit('click', {});
    case 'time-out':
      // Windows moves it to its Action Center, where it can be clicked.
      return notificationOf(order.id).emit('close', { reason: 'timedOut' });
    case 'press':
      return notificationOf(order.id).emit('action', { actionIndex: order.index });
    case 'answer-box':
      if (desktop.answerBox === null) throw new Error('no box is open');
      return desktop.answerBox(order.button);
    case 'press-keys': {
      const press = desktop.shortcuts.get(order.accelerator);
      if (press === undefined) throw new Error(`${order.accelerator} is no shortcut of the app`);
      return press();
    }
    case 'take-keys':
      return void desktop.takenShortcuts.add(order.accelerator);
    case 'save-as':
      desktop.saveAs = order.path;
      return undefined;
    case 'drawn':
      return windowOf(order.id).drawn();
    case 'close':
      return windowOf(order.id).close();
    case 'blur':
      return windowOf(order.id).blur();
    case 'crash':
      return windowOf(order.id).contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    case 'went-to':
      return windowOf(order.id).contents.emit('did-navigate-in-page', {}, order.url, true, 0, 0);
    case 'invoke': {
      const handler = desktop.handlers.get(order.channel);
      if (handler === undefined) throw new Error(`No handler registered for '${order.channel}'`);
      return handler(eventFrom(order.from), ...order.input);
    }
    case 'send':
      return ipcMain.emit(order.channel, eventFrom(order.from), ...order.input);
    case 'request':
      return request(order.method, order.url);
  }
};
