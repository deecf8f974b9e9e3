import { useCallback, useMemo, useRef, useState, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { lateView } from '../late/late-view.tsx';
import { useRemembered } from '../state/remembered.ts';
import { useAddressed } from '../state/route.ts';
import { useAttend } from '../state/use-attend.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useViewAction } from '../state/view-actions.ts';
import { useWide } from '../state/use-wide.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { AgentList } from './agents/agent-list.tsx';
import { LeftOpenList } from './agents/left-open-list.tsx';
import { filterGroups } from './card/filter-groups.ts';
import { jobGroups } from './card/groups.ts';
import { SaidMine } from '../parts/message/said-mine.tsx';
import { Foot } from './foot.tsx';
import { Head } from './head.tsx';
import { JobLists } from './job-lists.tsx';
import { BulkEnds } from './leftovers/bulk-end.tsx';
import { ChosenJobs } from './leftovers/chosen-jobs.tsx';
import { KeyList } from './keys/key-list.tsx';
import { useKeys } from './keys/use-keys.ts';
import { Notices } from './notices.tsx';
import styles from './popover.module.css';
import { RecentList } from './recent-list.tsx';
import { SearchField } from './search-field.tsx';
import { ViewSwitch, type JobsView } from './table/view-switch.tsx';

// Only a wide page shows it.
const JobTable = lateView('part', async () => (await import('./table/job-table.tsx')).JobTable);

/** What jobs are searched for, as the address says it; null: no search field is asked for. */
const queryIn = (asked: URLSearchParams): string | null => asked.get('find');

const askedFor = (query: string | null): URLSearchParams =>
  new URLSearchParams(query === null || query === '' ? [] : [['find', query]]);

/** With more jobs than this the search field is always there; else `/` shows it. */
const manyJobs = 10;

/** In five seconds: what is stuck, may I end it. `focus`: the job whose card is shown. */
export const Popover = ({ focus }: { readonly focus: string | null }): ReactElement => {
  const { texts } = useLanguage();
  const snapshot = useSnapshot();
  const { platform } = snapshot;
  useAttend();
  const [query, setQuery] = useAddressed(queryIn, askedFor);
  const [help, setHelp] = useState(false);
  const wide = useWide();
  const [kept, setKept] = useRemembered('jobs-view');
  const view: JobsView = kept === 'table' ? 'table' : 'cards';
  const hasTable = wide && platform.surface === 'page' && snapshot.jobs.length + snapshot.reapings.length > 0;
  const back = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const groups = useMemo(() => jobGroups(snapshot), [snapshot]);
  const found = useMemo(() => filterGroups(groups, query ?? ''), [groups, query]);
  const searching = (query ?? '').trim() !== '';
  const search = useCallback(() => {
    flushSync(() => setQuery(query ?? ''));
    field.current?.focus();
  }, [query, setQuery]);
  const showKeys = useCallback(() => {
    back.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setHelp(true);
  }, []);
  useViewAction('search', search);
  useViewAction('keys', showKeys);
  useKeys(
    useMemo(
      () => ({
        search,
        help: showKeys,
        leave: () => {
          if (field.current === null) return false;
          const was = field.current.value;
          field.current.blur();
          setQuery(null);
          return was !== '';
        },
      }),
      [search, setQuery, showKeys],
    ),
  );
  const none =
    searching && found.look.length + found.within.length + found.kept.length + found.protectedOnes.length === 0;
  return (
    <div className={styles.popover} data-surface={platform.surface}>
      <Head>{hasTable ? <ViewSwitch view={view} onChange={(next) => setKept(next)} /> : null}</Head>
      <main className={styles.body}>
        <Notices />
        {query === null && snapshot.jobs.length <= manyJobs ? null : (
          <SearchField ref={field} query={query ?? ''} onChange={setQuery} />
        )}
        {none ? <p role="status">{texts.popover.noneFound}</p> : null}
        <SaidMine>
          <BulkEnds>
            <ChosenJobs>
              {hasTable && view === 'table' ? (
                <>
                  <JobTable groups={found} focus={focus} searching={searching} />
                  {searching ? null : (
                    <>
                      <AgentList />
                      <LeftOpenList />
                      <RecentList />
                    </>
                  )}
                </>
              ) : (
                <JobLists groups={found} focus={focus} searching={searching} />
              )}
            </ChosenJobs>
          </BulkEnds>
        </SaidMine>
      </main>
      {platform.surface === 'page' ? null : <Foot />}
      <KeyList open={help} back={back} onClose={() => setHelp(false)} />
    </div>
  );
};
