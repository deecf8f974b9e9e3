import { app, shell } from 'electron';
import { externalLink } from './external-links.ts';
import { confine } from './harden.ts';

/** Confines every page; allowed links open in the user's browser. Call before `ready`. */
export const confineAll = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    confine(contents, (url) => {
      const link = externalLink(url);
      if (link !== null) void shell.openExternal(link);
    });
  });
};
