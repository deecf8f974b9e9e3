/**
 * A body as the system takes it. On Linux the notification's server reads markup in the body, links and pictures included
 * (https://specifications.freedesktop.org/notification-spec/latest/markup.html), and Electron hands the text on as it is
 * (shell/browser/notifications/linux/libnotify_notification.cc: `notify_notification_new(title, body)`, and nothing in between), so what
 * would be markup is written as entities. A server without markup may show those; a command line never becomes a link. The title is plain
 * text by the same specification, and goes as it is.
 *
 * Seen with libnotify 0.8 and dunst 1.9 (dbus-monitor): `Notify` carries this text to the letter, `<b>` and `<img>` of a command line are
 * shown as such, and dunst escapes the title itself. Electron was not at hand.
 */
export const bodyFor = (platform: NodeJS.Platform, body: string): string =>
  platform === 'linux' ? body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : body;
