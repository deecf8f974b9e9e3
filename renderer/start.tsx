import './styles/tokens.css';
import './styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../app/contract/bridge.ts';
import { App } from './app.tsx';
import { BridgeContext } from './state/bridge-context.ts';
import { SnapshotStore } from './state/snapshot-store.ts';
import { StoreContext } from './state/store-context.ts';

/** Renders the interface over any bridge. Needs an element `#root` in the page. */
export const start = (bridge: Bridge): void => {
  const place = document.querySelector('#root');
  if (place === null) throw new Error('The page has no element #root to show the interface in.');
  const store = new SnapshotStore(bridge);
  createRoot(place).render(
    <StrictMode>
      {/* The policy forbids inline styles, and none is needed: our own sheets have them. */}
      <CSPProvider disableStyleElements>
        <BridgeContext value={bridge}>
          <StoreContext value={store}>
            <App />
          </StoreContext>
        </BridgeContext>
      </CSPProvider>
    </StrictMode>,
  );
};
