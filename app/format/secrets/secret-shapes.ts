import { once } from '../once.ts';
import { tokenForms } from './token-forms.ts';

/** Replacement of a secret. Hiding it again changes nothing. */
export const hidden = '***';

/** A form of tokens: what they begin with, the characters that follow, and how many at least. */
type TokenForm = readonly [start: string, characters: string, min: number];

const word = 'A-Za-z0-9_-';

/**
 * Forms that gitleaks doesn't have, or asks more of, as published by their issuers. Every count is
 * a minimum, so that longer and newer forms are hidden too and cutting a text never reveals one.
 */
const ownForms: readonly TokenForm[] = [
  // Anthropic, OpenAI, OpenRouter, DeepSeek.
  ...['ant', 'proj', 'or', 'svcacct', 'admin', 'live', 'test'].map((kind): TokenForm => [`sk-${kind}-`, word, 8]),
  ['sk-', word, 16],
  // Groq, xAI, Perplexity, Replicate, Hugging Face, Fireworks, NVIDIA, Cerebras, Tavily.
  ['gsk_', word, 16],
  ['xai-', word, 16],
  ['pplx-', word, 16],
  ['r8_', word, 16],
  ['hf_', 'A-Za-z0-9', 16],
  ['fw_', 'A-Za-z0-9', 20],
  ['nvapi-', word, 16],
  ['csk-', 'A-Za-z0-9', 20],
  ['tvly-', word, 16],
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  ...['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_', 'github_pat_'].map((start): TokenForm => [start, word, 16]),
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  ...['pat', 'dt', 'rt', 'rtr', 'cbt', 'ptt', 'ft', 'imt', 'agent', 'soat', 'ffct', 'oas'].map((kind): TokenForm => [
    `gl${kind}-`,
    'A-Za-z0-9_.-',
    16,
  ]),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((start): TokenForm => [start, 'A-Z0-9', 12]),
  // Slack.
  ...['a', 'b', 'c', 'd', 'e', 'o', 'p', 'r', 's'].map((kind): TokenForm => [`xox${kind}-`, word, 8]),
  ['xapp-', word, 8],
  // Google: API keys, access tokens, client secrets.
  ['AIza', word, 20],
  ['ya29.', word, 8],
  ['GOCSPX-', word, 8],
  // Stripe and Clerk.
  ...['sk', 'rk', 'pk'].flatMap((kind) => ['live', 'test'].map((mode): TokenForm => [`${kind}_${mode}_`, word, 8])),
  ['whsec_', 'A-Za-z0-9+/=_', 8],
  // npm, PyPI, crates.io, Docker, Shopify, Linear, Grafana, DigitalOcean.
  ['npm_', 'A-Za-z0-9', 20],
  ['pypi-', word, 16],
  ['cio', 'A-Za-z0-9', 32],
  ['dckr_pat_', word, 8],
  ['dckr_oat_', word, 8],
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_', 'lin_api_', 'lin_oauth_', 'glsa_', 'dop_v1_', 'doo_v1_'].map(
    (start): TokenForm => [start, word, 16],
  ),
  // Tailscale, Supabase, Notion, Figma, Databricks, PlanetScale, Netlify, Render, Doppler,
  // Atlassian.
  ['tskey-', word, 8],
  ['sbp_', 'A-Za-z0-9', 20],
  ['sb_secret_', word, 16],
  ['secret_', 'A-Za-z0-9', 32],
  ['ntn_', 'A-Za-z0-9', 16],
  ['figd_', word, 16],
  ['figo_', word, 16],
  ['dapi', 'a-f0-9', 16],
  ['pscale_tkn_', 'A-Za-z0-9_.=-', 16],
  ['nfp_', 'A-Za-z0-9', 16],
  ['rnd_', 'A-Za-z0-9', 20],
  ...['pt', 'st', 'ct', 'sa', 'scim', 'audit'].map((kind): TokenForm => [`dp.${kind}.`, 'A-Za-z0-9._-', 16]),
  ['ATATT3', 'A-Za-z0-9_=-', 16],
  ['ATCTT3', 'A-Za-z0-9_=-', 16],
  // Fly, 1Password, HashiCorp Vault, Pulumi, Terraform, New Relic, Sentry, Contentful, Mapbox, age.
  ['fm2_', 'A-Za-z0-9+/=_', 16],
  ['FlyV1', ' A-Za-z0-9+/=_', 16],
  ['ops_', 'A-Za-z0-9+/=_-', 20],
  ['hvs.', word, 16],
  ['hvb.', word, 16],
  ['pul-', 'a-f0-9', 16],
  ['NRAK-', 'A-Z0-9', 16],
  ['sntrys_', 'A-Za-z0-9+/=_', 16],
  ['CFPAT-', word, 16],
  ['sk.eyJ', 'A-Za-z0-9._-', 16],
  ['AGE-SECRET-KEY-1', 'A-Z0-9', 20],
  // LangSmith, PostHog, E2B, Firecrawl, Jina, MailerSend, ElevenLabs, Meta, Typeform, Cloudflare,
  // PASETO, PlanetScale's passwords, Buildkite, CircleCI, Deno, Honeycomb, Upstash, Mistral.
  ['lsv2_', 'A-Za-z0-9_', 32],
  ['phc_', 'A-Za-z0-9', 20],
  ['phx_', 'A-Za-z0-9', 20],
  ['e2b_', 'a-f0-9', 20],
  ['fc-', 'a-f0-9', 24],
  ['jina_', 'A-Za-z0-9_-', 24],
  ['mlsn.', 'a-f0-9', 24],
  ['sk_', 'a-f0-9', 32],
  ['EAA', 'A-Za-z0-9', 60],
  ['cfat_', word, 20],
  ['cfut_', word, 20],
  ['v1.public.', 'A-Za-z0-9._-', 20],
  ['v2.local.', 'A-Za-z0-9._-', 20],
  ['v3.local.', 'A-Za-z0-9._-', 20],
  ['v4.local.', 'A-Za-z0-9._-', 20],
  ['v4.public.', 'A-Za-z0-9._-', 20],
  ['bkua_', 'a-f0-9', 20],
  ['bkct_', 'A-Za-z0-9._-', 20],
  ['CCIPAT_', 'A-Za-z0-9_', 20],
  ['ddp_', 'A-Za-z0-9', 20],
  ['ddo_', 'A-Za-z0-9', 20],
  ['hcaik_', 'a-z0-9', 20],
];

const byStart = once((): { readonly starts: RegExp; readonly forms: ReadonlyMap<string, readonly Run[]> } => {
  const forms = new Map<string, Run[]>();
  for (const [start, characters, min] of [...tokenForms, ...ownForms]) {
    const run: Run = { characters: new RegExp(`[${characters}]*`, 'uy'), min };
    const known = forms.get(start);
    if (known === undefined) forms.set(start, [run]);
    else known.push(run);
  }
  const starts = [...forms.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((start) => start.replaceAll(/[.+]/gu, String.raw`\$&`));
  return { starts: new RegExp(`(?<![A-Za-z\\d])(?:${starts.join('|')})`, 'gu'), forms };
});

/** The characters that follow a start. */
interface Run {
  readonly characters: RegExp;
  readonly min: number;
}

/** A word or a name has no digit, and its letters are of one case. */
const isRandom = (text: string): boolean => /\d/u.test(text) || (/[a-z]/u.test(text) && /[A-Z]/u.test(text));

/** Length of the longest token that begins so here; 0: none does. */
const tokenLength = (text: string, start: string, at: number): number => {
  let longest = 0;
  // A longer start may be of a form that this is not: `sk-ant-` is also `sk-`.
  const { forms } = byStart();
  for (let length = start.length; length >= 3; length -= 1)
    for (const { characters, min } of forms.get(start.slice(0, length)) ?? []) {
      characters.lastIndex = at + length;
      const found = characters.exec(text)?.[0] ?? '';
      if (found.length >= min && (isRandom(found) || /^A[A-Z]{3}$/u.test(start) || start.length >= 12))
        longest = Math.max(longest, length + found.length);
    }
  return longest;
};

/** Hides tokens by what they begin with. One pass, whatever the number of forms. */
const hideTokens = (text: string): string => {
  const { starts } = byStart();
  let shown = '';
  let from = 0;
  starts.lastIndex = 0;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const length = tokenLength(text, found[0], found.index);
    if (length === 0) {
      // Another form may begin within this start.
      starts.lastIndex = found.index + 1;
      continue;
    }
    shown += `${text.slice(from, found.index)}${hidden}`;
    from = found.index + length;
    starts.lastIndex = from;
  }
  return shown + text.slice(from);
};

/** An issuer's start that says what follows: `cal_live_`, `abc_pat_`. */
const issued =
  /(?<![\w./%+-])[a-z\d]{1,12}_(?:live|test|prod|sandbox|secret|api|key|token|pat|oat|sat)_(?=\w*\d)[A-Za-z\d]{20,}/gu;

/** Forms that don't begin with fixed characters. Commit hashes, UUIDs and paths match none. */
const shapes: readonly RegExp[] = [
  // Webhooks of Slack, Discord and Teams.
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{8,}/gu,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{8,}/gu,
  /(?<=webhook\.office\.com\/webhookb2\/)[\w@/-]{20,}/gu,
  // Telegram: also behind `/bot` in an address.
  /(?<!\d)\d{8,10}:AA[\w-]{30,}/gu,
  // Airtable, and access keys of Azure's storage.
  /(?<!\w)pat[A-Za-z\d]{14}\.[a-f\d]{32,}/gu,
  /(?<=AccountKey=)[A-Za-z\d+/=]{40,}/gu,
  issued,
  // The key of a stream, which ends its address.
  /(?<=rtmps?:\/\/[^\s/'"]+\/[\w/-]{1,40}\/)(?=[\w-]{16})[\w-]+(?=[?\s'"]|$)/gu,
  // A wireless network as a code holds it.
  /(?<=WIFI:(?:[A-Z]:[^;'"\n]{0,64};){0,4}P:)[^;'"\n]+/gu,
  // A recovery key of BitLocker.
  /(?<![\w-])(?:\d{6}-){7}\d{6}(?![\w-])/gu,
  // JSON Web Tokens: a header that is JSON begins with eyJ; one with certificates is long. Behind a
  // dash it is bounded: else each eyJ of a long run would be looked at to the end of the run.
  /(?:(?<![\w-])eyJ[\w-]{8,}|(?<!\w)eyJ[\w-]{8,1024})(?:\.[\w-]*)+/gu,
  // A private key as text, possibly cut off.
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/gu,
];

/** A long run of letters and digits, with what joins it to others; no part of a path. */
const longWord = /(?<![\w.%+/@~=-]|=\/)[\w.-]{20,1024}(?![\w./@+])|(?<=[=:])[\w.-]{20,1024}(?![\w./@+])/gu;
const longRun = /[A-Za-z\d]{20,}/gu;
/** What is an id or a hash by its own first word, or by the name before it. */
const idStart = /^(?:sha\d+|md5|ses|session|msg|toolu|call|req|resp|run|thread|item|chatcmpl|prj|dpl|team)[_-]/u;
const idName =
  /(?:id|ids|hash|sha\d*|digest|checksum|integrity|commit|rev|ref|build|version|etag)["']?(?:\s*[=:]\s*|\s+)["']?$/iu;

/**
 * True for letters and digits that no person wrote: capitals, small letters and digits that change
 * at every second place or so, and few words of four letters. Names in camel case are words.
 */
const isScrambled = (run: string): boolean => {
  if (!/\d/u.test(run) || !/[a-z]/u.test(run) || !/[A-Z]/u.test(run)) return false;
  const kinds = run.replaceAll(/[a-z]/gu, 'a').replaceAll(/[A-Z]/gu, 'A').replaceAll(/\d/gu, '0');
  let changes = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1]) changes += 1;
  const inWords = (run.match(/[A-Z]?[a-z]{3,}/gu) ?? []).join('').length;
  return changes >= (run.length - 1) * 0.38 && inWords <= run.length * 0.6;
};

/** Hides tokens of issuers that no list has, by how random they are. */
const hideScrambled = (text: string): string =>
  text.replace(longWord, (found, at: number) => {
    if (idStart.test(found) || idName.test(text.slice(Math.max(0, at - 24), at))) return found;
    return (found.match(longRun) ?? []).some(isScrambled) ? hidden : found;
  });

/** Hides everything whose form alone shows that it is a secret. */
export const hideShapes = (text: string): string =>
  hideScrambled(shapes.reduce((left, shape) => left.replace(shape, hidden), hideTokens(text)));

/**
 * Hides passwords in addresses: `scheme://user:password@host`, and the sandbox proxies of Claude
 * Code, whose passwords are in the argv of every sandboxed command (`srt…:…@localhost`). The user
 * name stays, unless it stands alone and looks like a token.
 */
export const hideAddresses = (text: string): string =>
  text
    // A lone name is more often a token than a name; so is one with an empty password or with
    // GitHub's fixed word.
    .replace(
      /((?:https?|nats):\/\/)[^\s/:@'"?#]+(:(?:x-oauth-basic|\*\*\*)?)?@/gu,
      (match, start: string, rest?: string) => (rest === `:${hidden}` ? match : `${start}${hidden}@`),
    )
    .replace(/(:\/\/[^\s/:@'"?#]*):[^\s/'"?#]+@/gu, `$1:${hidden}@`)
    // A password with a slash in it, which is no port with a path behind it.
    .replace(
      /(:\/\/[^\s/:@'"?#]+):(?!\*\*\*@|\d{1,5}(?:[/?#]|$))[^\s'"<>@]{1,200}@(?=[\w-]+(?:\.[\w-]+)*(?:[:/?#\s'"]|$))/gu,
      `$1:${hidden}@`,
    )
    .replace(/(?<!\w)(srt[^\s:@/'"]*):[^\s@'"]{1,200}@/gu, `$1:${hidden}@`)
    // `user:password@tcp(host)`, `domain/user:password@host`; no version of a package.
    .replace(
      /(?<![\w:@./+\\-])((?!(?:npm|jsr|file|git|mailto|acct|sips?|xmpp|workspace|link|portal):)[\w./\\-]+):(?=[^\s:@/'"]*[\d!$%^&*+=#])(?!\d+@|\*\*\*)[^\s:@/'"]{4,}@(?=(?:tcp|unix)\(|[\w-]+(?:\.[\w-]+)*(?:[\s'"]|\/\w|$))(?!sha\d)/gu,
      `$1:${hidden}@`,
    );
