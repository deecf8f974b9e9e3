// Loaded into Electron before the app (-r): remembers what the app gives to tray, menu and notifications, which no test can read back from
// the system. The app knows nothing of it. Not a module, because Electron loads only such before an app.
const { Menu, Notification, Tray } = require('electron');

const seen = { tray: null, tip: '', menu: null, notifications: [] };
globalThis.curfewDesktop = seen;

const remember = (owner, method, take) => {
  const original = owner[method];
  owner[method] = function (...given) {
    const result = original.apply(this, given);
    take(this, given, result);
    return result;
  };
};

remember(Tray.prototype, 'setToolTip', (tray, [tip]) => {
  seen.tray = tray;
  seen.tip = tip;
});
remember(Menu, 'buildFromTemplate', (_menu, [template], menu) => {
  // Submenus are built the same way; the tray's own begins with the sentence that can't be chosen.
  if (template[0]?.enabled === false) seen.menu = menu;
});
remember(Notification.prototype, 'show', (notification) => {
  seen.notifications.push(`${notification.title}\n${notification.body}`);
});
