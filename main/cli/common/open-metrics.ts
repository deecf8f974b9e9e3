import type { Said } from '../../../app/format/said.ts';
import { worded } from './words.ts';
import { saidOf, inEnglish } from '../../../app/text/say.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import type { Places } from '../../store/places.ts';
import { NotDone } from './exit-status.ts';

/** The scrape address of a command that watches. */
export interface OpenMetrics {
  readonly close: () => Promise<void>;
}

/**
 * Serves numbers for Prometheus while a command watches, and says where. Loaded on request only.
 * @param port 0: any free port; null: none is wanted, and null is returned
 * @throws NotDone when the port or the token can't be used
 */
export const openMetrics = async (
  port: number | null,
  places: Places,
  warn: (said: Said) => void,
): Promise<OpenMetrics | null> => {
  if (port === null) return null;
  const [{ metricsText }, { openScrapeAddress }, { metricsToken, TokenFailure }, { PortTaken }] = await Promise.all([
    import('../../publishing/collect.ts'),
    import('../../web/scrape-address.ts'),
    import('../../web/token-file.ts'),
    import('../../web/listen.ts'),
  ]);
  // Asked several times a minute, it would say the same as often.
  const told = new Set<string>();
  const tellOnce = (said: Said): void => {
    const text = inEnglish(said);
    if (!told.has(text)) warn(said);
    told.add(text);
  };
  try {
    const address = await openScrapeAddress({
      port,
      token: metricsToken(places.metricsToken),
      text: (format) => metricsText(places, format, tellOnce),
      report: (error) => tellOnce(worded('curfew: metrics: {why}', { why: messageOf(error) })),
    });
    warn(
      worded("curfew: metrics at {url}; Prometheus' credentials_file: {file}", {
        url: address.url,
        file: places.metricsToken,
      }),
    );
    return address;
  } catch (error) {
    if (error instanceof PortTaken || error instanceof TokenFailure) throw new NotDone(saidOf(error), { cause: error });
    throw error;
  }
};
