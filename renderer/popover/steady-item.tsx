import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';

interface SteadyItemProps {
  /** The user is at the list: no item shrinks, so that none below it moves up. */
  readonly held: boolean;
  readonly children: ReactNode;
}

/** An item of a list that holds still. */
export const SteadyItem = ({ held, children }: SteadyItemProps): ReactElement => {
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const element = item.current;
    if (element === null) return;
    element.style.minBlockSize = held ? `${element.getBoundingClientRect().height}px` : '';
  }, [held]);
  return <li ref={item}>{children}</li>;
};
