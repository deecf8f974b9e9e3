import { failure } from '../../../../app/contract/answer.ts';
import { questionNames } from '../../../../app/contract/contract.ts';
import { diffSnapshot } from '../../../../app/contract/difference/difference.ts';
import { settingsView } from '../../../../app/contract/views/settings-view.ts';
import type { Answerers } from '../../../../app/contract/answerers.ts';
import type { Snapshot } from '../../../../app/contract/views/snapshot.ts';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import type { CurfewService, ServiceEvent } from '../../../../main/interface/curfew-service.ts';
import type { ExportContent } from '../../../../main/interface/answers/surface.ts';
import type { Downloads } from '../../../../main/web/page-files.ts';

const first: Snapshot = {
  revision: 1,
  at: '2026-11-21T10:00:00.000Z',
  platform: { system: 'linux', version: '0.1.0', canReap: true, surface: 'page' },
  mode: 'observe',
  modeChosen: true,
  pausedUntil: null,
  settings: {
    values: settingsView(defaultSettings),
    defaults: settingsView(defaultSettings),
    notices: [],
    readAt: null,
  },
  health: { lastLookAt: null, tookMs: null, processes: 0, journalWritable: true, problems: [] },
  watched: [],
  agents: [],
  leftOpen: [],
  freedThisWeek: { processes: 0, rssBytes: 0, since: null },
  jobs: [],
  reapings: [],
  incidents: [],
};

/** A service with one small state that a test changes, for tests of its carriers. */
export interface TinyService extends CurfewService {
  readonly change: (parts: Partial<Omit<Snapshot, 'revision'>>) => void;
  /** Its questions, in order. */
  readonly asked: readonly { readonly name: string; readonly input: unknown }[];
}

/**
 * Returns a service that answers three questions: the snapshot, an export of `content`, and
 * `watch.resume`; it refuses all others.
 */
export const tinyService = (
  downloads: Downloads,
  content: ExportContent,
  report: CurfewService['report'],
): TinyService => {
  let snapshot = first;
  const asked: { name: string; input: unknown }[] = [];
  const listeners = new Set<(event: ServiceEvent) => void>();
  const refused = { ok: false, failure: failure('unsupported', 'Not in this test.') } as const;
  const answerers = {
    ...(Object.fromEntries(questionNames.map((name) => [name, () => refused])) as unknown as Answerers),
    'snapshot.get': () => ({ ok: true, value: snapshot }),
    'watch.resume': (input) => {
      asked.push({ name: 'watch.resume', input });
      return { ok: true, value: {} };
    },
    'doctor.run': () => {
      throw new Error('this test failed inside');
    },
    'history.export': () => ({
      ok: true,
      value: { kind: 'download', url: downloads.offer(content, Date.now()), incidents: 3 },
    }),
  } satisfies Answerers;
  return {
    asked,
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answerers,
    report,
    awaitsNotice: () => false,
    noticesSeen: () => undefined,
    stop: () => Promise.resolve(),
    change: (parts) => {
      const old = snapshot;
      snapshot = { ...old, ...parts, revision: old.revision + 1 };
      for (const listener of listeners) listener({ kind: 'difference', difference: diffSnapshot(old, snapshot) });
    },
  };
};
