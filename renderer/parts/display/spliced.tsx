import { Fragment, type ReactElement, type ReactNode } from 'react';

interface SplicedProps {
  /** A text with one place to fill. */
  readonly text: (filling: string) => string;
  readonly children: ReactNode;
}

const place = '\u0000';

/** A sentence with an element in it, wherever its language puts that. */
export const Spliced = ({ text, children }: SplicedProps): ReactElement => {
  const [before, after] = text(place).split(place, 2);
  return (
    <Fragment>
      {before}
      {children}
      {after}
    </Fragment>
  );
};
