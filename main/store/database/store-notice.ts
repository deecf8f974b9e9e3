/**
 * Something about Curfew's own files that the user should know. Callers show it; none is swallowed.
 */
export type StoreNotice =
  | {
      readonly kind: 'set-aside';
      /** "The history" */
      readonly name: string;
      readonly path: string;
      readonly movedTo: string;
      readonly reason: string;
    }
  | { readonly kind: 'dropped'; readonly name: string; readonly path: string; readonly rows: number }
  | { readonly kind: 'in-memory'; readonly name: string; readonly path: string; readonly reason: string }
  | { readonly kind: 'writable-again'; readonly name: string; readonly path: string };

export type Notify = (notice: StoreNotice) => void;

/** Returns a notice as a sentence: what happened, what it means, what to do. */
export const storeNoticeText = (notice: StoreNotice): string => {
  switch (notice.kind) {
    case 'set-aside':
      return (
        `${notice.name} (${notice.path}) was damaged (${notice.reason}), so it was set aside and a fresh one was started. ` +
        `What was recorded before is in ${notice.movedTo}; "sqlite3 FILE .recover" may get it back.`
      );
    case 'dropped':
      return `${notice.name} (${notice.path}) holds ${notice.rows === 1 ? 'an entry' : `${notice.rows} entries`} that can't be read; Curfew goes on without.`;
    case 'in-memory':
      return (
        `${notice.name} (${notice.path}) can't be kept on disk: ${notice.reason} ` +
        `Curfew goes on with what it remembers; after a restart it will know less, and so end less.`
      );
    case 'writable-again':
      return `${notice.name} (${notice.path}) is kept on disk again.`;
  }
};
