import { useDeferredValue, useMemo, useRef, type ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { Centred } from '../parts/display/centred.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { askedInAddress, hashOf, useAddressed } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { Chart } from './chart.tsx';
import { askedFor, chosenIn, filterOf, isNarrowed } from './filter.ts';
import { Filters } from './filters.tsx';
import styles from './history.module.css';
import { IncidentDetail } from './incident/incident-detail.tsx';
import { IncidentList } from './incident-list.tsx';
import { Repeats } from './repeats.tsx';
import { useFresh } from './use-fresh.ts';
import { usePages } from './use-pages.ts';

const go = (incident: string | null): void =>
  window.location.replace(`${hashOf({ window: 'history', incident })}${askedInAddress()}`);

/** The history: search and filters, a chart, the list, and one incident in full. */
export const History = ({ incident }: { readonly incident: string | null }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.history;
  const list = useRef<HTMLDivElement>(null);
  const fresh = useFresh(list);
  const { untilMs } = fresh;
  const [chosen, setChosen] = useAddressed(chosenIn, askedFor);
  const filter = useDeferredValue(useMemo(() => filterOf(chosen, untilMs), [chosen, untilMs]));
  const overview = useAnswer('history.overview', { filter });
  const pages = usePages(filter);
  const nothing = pages.total === 0;
  return (
    <div className={styles.window}>
      <header className={styles.head}>
        <h1 className="visually-hidden">{words.title}</h1>
        <Filters chosen={chosen} overview={overview.value} filter={filter} onChange={setChosen} />
      </header>
      <main className={styles.main} data-detail={incident !== null}>
        <div className={styles.left}>
          {overview.value === null || nothing ? null : <Chart overview={overview.value} />}
          {nothing ? (
            <Centred
              picture={<Icon name={isNarrowed(chosen) ? 'search' : 'moon'} />}
              title={isNarrowed(chosen) ? words.noneTitle : words.emptyTitle}
            >
              <p>{isNarrowed(chosen) ? words.noneBody : words.emptyBody}</p>
            </Centred>
          ) : (
            <>
              {fresh.count === 0 ? null : (
                <Button size="small" className={styles.fresh} onClick={fresh.show}>
                  {words.fresh(fresh.count)}
                </Button>
              )}
              <IncidentList box={list} pages={pages} selected={incident} onSelect={go} />
            </>
          )}
        </div>
        <div className={styles.right}>
          {incident === null ? (
            nothing ? null : (
              <Repeats
                filter={filter}
                onShow={({ command, project, agent }) => setChosen({ ...chosen, text: command, project, agent })}
              />
            )
          ) : (
            <IncidentDetail id={incident} onClose={() => go(null)} />
          )}
        </div>
      </main>
    </div>
  );
};
