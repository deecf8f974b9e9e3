import type { Page } from '@playwright/test';

/** One picture: a scene, a place in it, a size, and what is done before. */
export interface ViewSketch {
  readonly name: string;
  readonly query: string;
  readonly hash: string;
  readonly size: { readonly width: number; readonly height: number };
  /** Selector that must be visible first, unless it is a heading. */
  readonly ready?: string;
  readonly before?: (page: Page) => Promise<void>;
}

/** Sizes of the windows and screens, in CSS pixels. */
export const sizes = {
  popover: { width: 400, height: 560 },
  settings: { width: 860, height: 640 },
  history: { width: 1040, height: 700 },
  tab: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;
