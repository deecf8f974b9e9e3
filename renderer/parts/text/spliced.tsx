import { Fragment, type ReactElement, type ReactNode } from 'react';

interface SplicedProps {
  readonly text: (filling: string) => string;
  readonly children: ReactNode;
}

const place = '\u0000';

/** A sentence with an element at the place that its language requires. */
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
