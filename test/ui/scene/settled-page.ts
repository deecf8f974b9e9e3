/**
 * Frames without a change after which a page counts as drawn: effects of a render appear in the
 * next frame.
 */
const quietFrames = 3;

/**
 * Resolves once the page has nothing more to do now. React draws deferred state in slices between
 * which frames pass: on a busy machine more of them than count as quiet. A task in the background
 * runs after all slices, and Playwright's clock, unlike the frames, does not play it.
 */
const idle = async (): Promise<void> => {
  await window.scheduler.postTask(() => undefined, { priority: 'background' });
};

const nextFrame = async (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });

/** Detects when a page has settled; before that, it shows intermediate states. */
export class SettledPage {
  #awaited = 0;
  #changes = 0;

  constructor() {
    new MutationObserver(() => {
      this.#changes += 1;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** Counts an answer as awaited until it is there. */
  async awaiting<Value>(answer: Promise<Value>): Promise<Value> {
    this.#awaited += 1;
    try {
      return await answer;
    } finally {
      this.#awaited -= 1;
    }
  }

  /** Resolves once no answer is awaited and nothing was drawn for a few frames. */
  async settled(): Promise<void> {
    let changes = -1;
    for (let quiet = 0; quiet < quietFrames;) {
      await nextFrame();
      await idle();
      quiet = this.#awaited === 0 && changes === this.#changes ? quiet + 1 : 0;
      changes = this.#changes;
    }
  }
}
