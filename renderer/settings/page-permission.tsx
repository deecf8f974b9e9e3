import { useEffect, useId, useState, type ReactElement } from 'react';
import { pagePermission } from '../page/browser-notifications.ts';
import { Button } from '../parts/input/button.tsx';
import { Row } from '../parts/display/section.tsx';
import { useLanguage } from '../texts/texts-context.ts';

/** Whether this browser shows notifications of the page, and the button that asks it to. */
export const PagePermission = (): ReactElement => {
  const words = useLanguage().texts.settings.notifications;
  const [permission, setPermission] = useState(pagePermission);
  const id = useId();
  useEffect(() => {
    // The user may change it beside the address; the page reads it again when it gets the focus.
    const look = (): void => setPermission(pagePermission());
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  return (
    <Row label={words.onPage} labelId={id} body={words.onPageBody[permission]} bodyId={`${id}-body`}>
      {permission === 'default' ? (
        <Button
          size="small"
          aria-labelledby={`${id} ${id}-allow`}
          aria-describedby={`${id}-body`}
          id={`${id}-allow`}
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          {words.allow}
        </Button>
      ) : null}
    </Row>
  );
};
