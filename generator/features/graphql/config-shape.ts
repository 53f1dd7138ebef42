/**
 * Checks a value of `config/svc-graphql.ts`: returns the end of a sentence, or null where it is
 * right.
 */
type Check = (value: unknown) => string | null

/** A key is a value, or holds keys of its own. */
type Shape = { readonly [key: string]: Check | Shape }

const must =
  (isRight: (value: unknown) => boolean, words: string): Check =>
  (value) =>
    isRight(value) ? null : words

const whole = (least: number, most: number): Check =>
  must(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number from ${least} to ${most}`,
  )

const isText = (value: unknown) => typeof value === 'string'
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const holds = (value: unknown, is: (each: unknown) => boolean) =>
  isRecord(value) && Object.values(value).every(is)

const aTruth = must((value) => typeof value === 'boolean', 'true or false')
const aText = must(isText, 'a text')
const texts = must(isTexts, 'a list of texts')
const named = must((value) => holds(value, isText), 'an object of texts')
const listed = must((value) => holds(value, isTexts), 'an object of lists of texts')
const oneOf = (...words: readonly unknown[]) =>
  must(
    (value) => words.includes(value),
    words.map((word) => (isText(word) ? `'${word}'` : String(word))).join(' or '),
  )

/** Every key, as the server checks it when it starts. */
const shape: Shape = {
  enabled: aTruth,
  output: {
    path: aText,
    schema_file: aText,
    resolvers: aTruth,
    sort: oneOf('name', 'manifest'),
    descriptions: aTruth,
  },
  types: named,
  fields: named,
  schema: {
    relations: aTruth,
    timestamps: aTruth,
    mutations: aTruth,
    first: whole(1, 10_000),
    precise: aTruth,
    ids: listed,
  },
  repositories: { only: texts, except: texts, names: named },
  public_fields: texts,
  introspection: oneOf(true, false, 'development'),
  graphiql: aTruth,
  limits: {
    depth: whole(1, 100),
    aliases: whole(0, 100_000),
    fields: whole(1, 1_000_000),
    cost: whole(1, 1_000_000_000),
    tokens: whole(1, 1_000_000),
    documents: whole(1, 100_000),
  },
}

export interface WrongKey {
  /** `limits.depth` */
  readonly path: string
  readonly says: string
  /** The keys there are, where this one is not. */
  readonly known?: readonly string[]
}

/** Lists the wrong keys of a config: one that does not exist, or a value it cannot have. */
export function wrongKeys(config: unknown, at: Shape = shape, before = ''): readonly WrongKey[] {
  if (!isRecord(config)) return [{ path: before.slice(0, -1), says: 'must be an object' }]
  return Object.entries(config).flatMap(([key, value]): readonly WrongKey[] => {
    const path = `${before}${key}`
    const found = Object.hasOwn(at, key) ? at[key] : undefined
    if (found === undefined)
      return [{ path, says: 'is no key of the config', known: Object.keys(at) }]
    if (value === undefined) return []
    if (typeof found !== 'function') return wrongKeys(value, found, `${path}.`)
    const words = found(value)
    return words === null ? [] : [{ path, says: `must be ${words}` }]
  })
}
