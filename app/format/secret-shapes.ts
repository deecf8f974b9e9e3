/** Replacement of a secret. Hiding it again changes nothing. */
export const hidden = '***';

/**
 * Secrets that are recognised by their own form, as published by their issuers. Every count is a
 * minimum, so that longer and newer forms are hidden too and cutting a text never reveals one.
 * Commit hashes, UUIDs and paths match none of them.
 */
const shapes: readonly RegExp[] = [
  // Anthropic, OpenAI, OpenRouter and others with the same prefix. Requires a digit, so that
  // `sk-learn-contrib-package` is left alone.
  /(?<![\w-])sk-(?:ant|proj|or|svcacct|admin|live|test)-[\w-]{8,}/gu,
  /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{16,}/gu,
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  /(?<!\w)gh[opusr]_\w{16,}/gu,
  /(?<!\w)github_pat_\w{16,}/gu,
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  /(?<![\w-])gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|oas)-[\w.-]{16,}/gu,
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  /(?<!\w)(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{12,}/gu,
  // Slack tokens and webhooks, Discord webhooks.
  /(?<![\w-])xox[a-z]-[\w-]{8,}/gu,
  /(?<![\w-])xapp-[\w-]{8,}/gu,
  /(?<=hooks\.slack\.com\/services\/)[\w/]{8,}/gu,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{8,}/gu,
  // Google: API keys, access tokens, client secrets.
  /(?<!\w)AIza[\w-]{20,}/gu,
  /(?<!\w)ya29\.[\w-]{8,}/gu,
  /(?<!\w)GOCSPX-[\w-]{8,}/gu,
  // Stripe, npm, PyPI, Hugging Face, DigitalOcean, Docker, Shopify, Linear, Grafana, Tailscale,
  // SendGrid, Telegram, age.
  /(?<!\w)(?:sk|rk|pk)_(?:live|test)_\w{8,}/gu,
  /(?<!\w)whsec_\w{8,}/gu,
  /(?<!\w)npm_[A-Za-z\d]{20,}/gu,
  /(?<![\w-])pypi-[\w-]{16,}/gu,
  /(?<!\w)hf_[A-Za-z\d]{16,}/gu,
  /(?<!\w)do[op]_v1_\w{16,}/gu,
  /(?<!\w)dckr_pat_[\w-]{8,}/gu,
  /(?<!\w)shp(?:at|ca|pa|ss)_\w{16,}/gu,
  /(?<!\w)lin_(?:api|oauth)_\w{16,}/gu,
  /(?<!\w)glsa_\w{16,}/gu,
  /(?<![\w-])tskey-[\w-]{8,}/gu,
  /(?<!\w)SG\.[\w-]{10,}\.[\w-]{10,}/gu,
  /(?<!\w)\d{8,10}:AA[\w-]{30,}/gu,
  /AGE-SECRET-KEY-1[A-Z\d]{20,}/gu,
  // JSON Web Tokens: a header that is JSON begins with eyJ.
  /(?<!\w)eyJ[\w-]{8,}(?:\.[\w-]*)+/gu,
  // A private key as text, possibly cut off.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
];

/** Hides everything whose form alone shows that it is a secret. */
export const hideShapes = (text: string): string => shapes.reduce((left, shape) => left.replace(shape, hidden), text);

/**
 * Hides passwords in addresses: `scheme://user:password@host`, and the sandbox proxies of Claude
 * Code, whose passwords are in the argv of every sandboxed command (`srt…:…@localhost`). The user
 * name stays, unless it stands alone and looks like a token.
 */
export const hideAddresses = (text: string): string =>
  text
    // A lone name is more often a token than a name; so is one with an empty password or with
    // GitHub's fixed word.
    .replace(/(https?:\/\/)[^\s/:@'"?#]+(:(?:x-oauth-basic|\*\*\*)?)?@/gu, (match, start: string, rest?: string) =>
      rest === `:${hidden}` ? match : `${start}${hidden}@`,
    )
    .replace(/(:\/\/[^\s/:@'"?#]*):[^\s/'"?#]+@/gu, `$1:${hidden}@`)
    .replace(/(?<!\w)(srt[^\s:@/'"]*):[^\s@'"]+@/gu, `$1:${hidden}@`);
