import { useState, type ReactElement } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './details.module.css';

interface PathLinkProps {
  readonly path: string;
  readonly host: string;
  /** Name for screen readers. */
  readonly name: (path: string) => string;
}

/** A path that a desktop opens; a page can't, nor another machine's: there it is copied. */
export const PathLink = ({ path, host, name }: PathLinkProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details;
  const { surface } = useSnapshot().platform;
  const open = useAction('app.openPath');
  const copy = useAction('app.copy');
  const [told, setTold] = useState('');
  const shown = visibleText(path);
  return (
    <>
      {surface === 'desktop' && host === 'local' ? (
        <Button
          look="link"
          className={styles.path}
          aria-label={name(shown)}
          onClick={() => void open.run({ path }).then((done) => setTold(done?.did === 'shown' ? words.shown : ''))}
        >
          {shown}
        </Button>
      ) : (
        <>
          {shown}{' '}
          <Button
            look="link"
            aria-label={words.copyPath(shown)}
            onClick={() =>
              void copy.run({ text: path }).then((done) => setTold(done === null ? '' : texts.common.copied))
            }
          >
            {words.copyShort}
          </Button>
        </>
      )}{' '}
      <span role="status" className={styles.quiet}>
        {told}
      </span>
      <FailureNote failure={open.failure ?? copy.failure} />
    </>
  );
};

/** A port: the browser opens what listens on it, if that is on this machine. */
export const PortLink = ({ port, host }: { readonly port: number; readonly host: string }): ReactElement => {
  const { texts } = useLanguage();
  const { surface } = useSnapshot().platform;
  const open = useAction('app.openPort');
  const shown = `:${port}`;
  if (host !== 'local') return <span>{shown}</span>;
  if (surface === 'page')
    return (
      <a href={`http://localhost:${port}/`} target="_blank" rel="noreferrer">
        {shown}
      </a>
    );
  return (
    <>
      <Button look="link" aria-label={texts.popover.details.openPort(port)} onClick={() => void open.run({ port })}>
        {shown}
      </Button>
      <FailureNote failure={open.failure} />
    </>
  );
};
