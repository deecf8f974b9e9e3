import { say } from '../../app/text/say.ts';

/** Why a page has no answer: it may have loaded no language yet. */
export const pageSays = {
  unconnected: say('This page is not connected to Curfew.'),
  unconnectedAdvice: say('Open it from the tray, or run “curfew web” and open the link it prints.'),
  signedOut: say('This browser isn’t signed in.'),
  signedOutAdvice: say('Run “curfew web” and open the link it prints. Each link signs in one browser once.'),
  offline: say('Curfew can’t be reached.'),
  offlineAdvice: say('This page keeps trying. If it doesn’t come back, run “curfew web”.'),
  tooMany: say('Too many requests at once. Try again in a moment.'),
  refused: say('Curfew refused this. Reload the page: it may be older than the running Curfew.'),
  late: say('Curfew took too long to answer.'),
  noClipboard: say('The browser doesn’t let this page use the clipboard. Select the text and copy it instead.'),
} as const;
