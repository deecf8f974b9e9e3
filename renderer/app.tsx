import { useEffect, useState, type ReactElement } from 'react';
import { needsLook } from '../app/contract/claims/claims.ts';
import { lateView, loadLateViews } from './late/late-view.tsx';
import { ViewBoundary } from './late/view-boundary.tsx';
import { ViewFailure } from './late/view-failure.tsx';
import { PageFrame } from './page/page-frame.tsx';
import { Centred } from './parts/display/centred.tsx';
import { FailureNote } from './parts/message/failure-note.tsx';
import { Icon } from './parts/display/icon.tsx';
import { PaletteHost } from './palette/palette-host.tsx';
import { Popover } from './popover/popover.tsx';
import { useBridge } from './state/bridge-context.ts';
import { hashOf, useRoute, type Route } from './state/route.ts';
import { SnapshotContext, useKnown, useStore } from './state/store-context.ts';
import { pageSays } from './bridge/page-says.ts';
import { LanguageContext, useLanguage } from './texts/texts-context.ts';
import { useWindowLanguage } from './texts/use-window-language.ts';

// The popover loads at once, the other views when they are opened or the page is at rest.
const Settings = lateView('view', async () => (await import('./settings/settings.tsx')).Settings);
const History = lateView('view', async () => (await import('./history/history.tsx')).History);
const Sessions = lateView('view', async () => (await import('./sessions/sessions.tsx')).Sessions);
const Ports = lateView('view', async () => (await import('./ports/ports.tsx')).Ports);
const Files = lateView('view', async () => (await import('./files/files.tsx')).Files);
const Example = lateView('view', async () => (await import('./example/example.tsx')).Example);
const Welcome = lateView('view', async () => (await import('./welcome/welcome.tsx')).Welcome);

const View = ({ route }: { readonly route: Route }): ReactElement => {
  switch (route.view) {
    case 'popover':
      return <Popover focus={route.job} />;
    case 'settings':
      return <Settings section={route.section} />;
    case 'history':
      return <History incident={route.incident} />;
    case 'sessions':
      return <Sessions />;
    case 'ports':
      return <Ports port={route.port} />;
    case 'files':
      return <Files />;
    case 'example':
      return <Example />;
    case 'welcome':
      return <Welcome />;
  }
};

const titleOf = (route: Route, { texts }: ReturnType<typeof useLanguage>): string => {
  const { product } = texts.common;
  if (route.view === 'settings') return `${texts.settings.title} – ${product}`;
  if (route.view === 'history') return `${texts.history.title} – ${product}`;
  if (route.view === 'sessions') return `${texts.sessions.title} – ${product}`;
  if (route.view === 'ports') return `${texts.ports.title} – ${product}`;
  if (route.view === 'files') return `${texts.files.title} – ${product}`;
  return route.view === 'welcome' ? texts.welcome.title : product;
};

/** Calls back when the page has nothing else to do; Safari has no `requestIdleCallback`. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
};

const Shown = (): ReactElement => {
  const language = useLanguage();
  const { texts, voice } = language;
  const route = useRoute();
  const bridge = useBridge();
  const store = useStore();
  const { snapshot, failure, connection } = useKnown();
  const [tries, setTries] = useState(0);
  // On a desktop the tray shows the count.
  const needing = snapshot?.platform.surface === 'page' ? snapshot.jobs.filter(needsLook).length : 0;
  const plainTitle = titleOf(route, language);
  const title = needing > 0 ? `(${needing}) ${plainTitle}` : plainTitle;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(
    () =>
      bridge.on('navigate', (place) => {
        window.location.hash = hashOf(place);
      }),
    [bridge],
  );
  const firstRun = snapshot?.platform.surface === 'page' && !snapshot.modeChosen;
  useEffect(() => {
    // A page that is opened plainly shows the first run's question, once; a link to a place
    // doesn't.
    if (firstRun && /^#?\/?(?:popover)?$/u.test(window.location.hash)) window.location.replace('#/welcome');
  }, [firstRun]);
  const isPage = snapshot?.platform.surface === 'page';
  useEffect(() => {
    // A page is left open for days: all of it is there before Curfew is restarted or upgraded.
    if (isPage) whenIdle(loadLateViews);
  }, [isPage]);
  const appearance = snapshot?.settings.values.appearance ?? 'system';
  useEffect(() => {
    document.documentElement.dataset['appearance'] = appearance;
  }, [appearance]);
  if (snapshot === null && connection === 'signed-out') {
    return (
      <main>
        <Centred whole picture={<Icon name="moon" />} title={voice.said(pageSays.signedOut)}>
          <p>{voice.said(pageSays.signedOutAdvice)}</p>
        </Centred>
      </main>
    );
  }
  if (snapshot === null) {
    return (
      <main>
        <Centred whole title={failure === null ? texts.common.loading : texts.common.failure.offline}>
          <FailureNote failure={failure} again={() => void store.refresh()} />
        </Centred>
      </main>
    );
  }
  const shown = (
    <ViewBoundary
      key={`${route.view} ${tries}`}
      failed={<ViewFailure again={() => setTries((before) => before + 1)} />}
    >
      <View route={route} />
    </ViewBoundary>
  );
  return (
    <SnapshotContext value={snapshot}>
      {snapshot.platform.surface === 'page' ? <PageFrame current={route.view}>{shown}</PageFrame> : shown}
      <ViewBoundary key={tries} failed={null}>
        <PaletteHost />
      </ViewBoundary>
    </SnapshotContext>
  );
};

/** One window: its language, its route, and the snapshot that all views draw from. */
export const App = (): ReactElement | null => {
  const language = useWindowLanguage(useKnown().snapshot?.settings.values.language ?? 'system');
  if (language === null) return null;
  return (
    <LanguageContext value={language}>
      <Shown />
    </LanguageContext>
  );
};
