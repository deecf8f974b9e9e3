/**
 * Returns a body as the system accepts it. On Linux the notification server parses markup in the
 * body, links and pictures included
 * (https://specifications.freedesktop.org/notification-spec/latest/markup.html), and Electron
 * passes the text on unchanged (shell/browser/notifications/linux/libnotify_notification.cc:
 * `notify_notification_new(title, body)`), so markup is escaped as entities. A server without
 * markup may show those; a command line never becomes a link. The title is plain text by the same
 * specification, and stays as it is.
 * Seen with libnotify 0.8 and dunst 1.9 (dbus-monitor): `Notify` carries this text exactly, `<b>`
 * and `<img>` of a command line are shown as such, and dunst escapes the title itself. Not seen
 * with Electron.
 */
export const bodyFor = (platform: NodeJS.Platform, body: string): string =>
  platform === 'linux' ? body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : body;
