import { windowBridge } from './bridge/window-bridge.ts';
import { start } from './start.tsx';

start(windowBridge());
