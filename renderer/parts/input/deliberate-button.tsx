import { useRef, type ComponentProps, type MouseEvent, type ReactElement } from 'react';
import { Button } from './button.tsx';
import { pointerMoved } from './pointer-moved.ts';

/**
 * A button that ends processes. It ignores a key that was pressed on another control and repeats
 * here, and a click with a pointer that didn't move to it: then the page moved and something else
 * was meant. A second click counts.
 */
export const DeliberateButton = ({ onClick, ...rest }: ComponentProps<typeof Button>): ReactElement => {
  const aimed = useRef(false);
  return (
    <Button
      {...rest}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onPointerMove={() => {
        if (pointerMoved()) aimed.current = true;
      }}
      onPointerLeave={() => {
        aimed.current = false;
      }}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        const { nativeEvent } = event;
        const byMouse = nativeEvent instanceof window.PointerEvent && nativeEvent.pointerType === 'mouse';
        if (byMouse && !aimed.current) {
          aimed.current = true;
          return;
        }
        onClick?.(event);
      }}
    />
  );
};
