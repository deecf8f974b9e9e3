import { expect, test } from 'vitest';
import { unitOf } from '../../../app/process/systemd-unit.ts';

const app = '/user.slice/user-1000.slice/user@1000.service/app.slice';

test.each([
  [{ '': `${app}/app-gnome-code-4711.scope` }, `${app}/app-gnome-code-4711.scope`],
  [{ '': `${app}/app-org.kde.konsole@1.service` }, `${app}/app-org.kde.konsole@1.service`],
  [{ '': `${app}/app-org.kde.konsole@1.service/tab(2)` }, `${app}/app-org.kde.konsole@1.service`],
  [{ '': '', 'name=systemd': `${app}/vte-spawn-1.scope` }, `${app}/vte-spawn-1.scope`],
  [{ '': '/user.slice/user-1000.slice/session-2.scope' }, null],
  [{ '': '/user.slice/user-1000.slice/user@1000.service/init.scope' }, null],
  [{ '': app }, null],
  [{ '': '/system.slice/nginx.service' }, null],
  [{ '': '/' }, null],
  [{}, null],
  [null, null],
])('the unit of %o is %s', (cgroups, unit) => {
  expect(unitOf(cgroups)).toBe(unit);
});
