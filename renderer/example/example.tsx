import { useState, type ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { Popover } from '../popover/popover.tsx';
import { BridgeContext, useBridge } from '../state/bridge-context.ts';
import { SnapshotStore } from '../state/snapshot-store.ts';
import { SnapshotContext, StoreContext, useKnown, useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { exampleBridge } from './example-bridge.ts';
import { exampleSnapshot } from './example-jobs.ts';
import styles from './example.module.css';

const Jobs = (): ReactElement | null => {
  const { snapshot } = useKnown();
  return snapshot === null ? null : (
    <SnapshotContext value={snapshot}>
      <Popover focus={null} />
    </SnapshotContext>
  );
};

/** Made-up jobs: what leftovers look like and how they are ended, on a machine without any. */
export const Example = (): ReactElement => {
  const { texts } = useLanguage();
  const real = useBridge();
  const snapshot = useSnapshot();
  const [bridge] = useState(() => exampleBridge(real, exampleSnapshot(snapshot, Date.now())));
  const [store] = useState(() => new SnapshotStore(bridge));
  const leave = (
    <Button
      size="small"
      onClick={() => {
        window.location.hash = '#/popover';
      }}
    >
      {texts.popover.example.leave}
    </Button>
  );
  return (
    <div className={styles.example}>
      <aside aria-label={texts.popover.example.title}>
        <Notice tone="amber" icon="info" actions={leave}>
          <p>{texts.popover.example.body}</p>
        </Notice>
      </aside>
      <BridgeContext value={bridge}>
        <StoreContext value={store}>
          <Jobs />
        </StoreContext>
      </BridgeContext>
    </div>
  );
};
