/** Texts that open doors. Each has a shape that nothing else has; words such as `password` prove nothing. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})/],
  ['a live key of Stripe', /\b[sr]k_live_[A-Za-z0-9]{20,}/],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['a key of Resend', /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  [
    'the password of a database',
    /\bpostgres(?:ql)?:\/\/[^:\s'"`/]+:(?!(?:postgres|password|secret|user|pass|\*+|x+)@)[^@\s'"`${<]{6,}@(?!(?:localhost|127\.0\.0\.1|db|postgres)[:/])/i,
  ],
]

export interface Secret {
  readonly line: number
  readonly what: string
}

export function findSecrets(text: string): readonly Secret[] {
  const found = shapes.filter(([, shape]) => shape.test(text))
  if (found.length === 0) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      found.filter(([, shape]) => shape.test(line)).map(([what]) => ({ line: index + 1, what })),
    )
}
