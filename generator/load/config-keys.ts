import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../manifest/nearest.js'
import { runConfig, syntaxProblem } from './config-data.js'
import { keysIn, placeOfKey } from './keys-in.js'
import type { LoadProblem } from './position.js'

/** By name, what holds keys of its own, or a value. */
export interface ConfigKeys {
  readonly [name: string]: true | ConfigKeys
}

const FILE = 'config/svc.ts'

/** Exports of `config/svc.ts` that every server has. */
const serverKeys: ConfigKeys = {
  config: {
    auth: { user_model: true },
    middleware: true,
    pagination: { max_per_page: true },
    strict_queries: true,
    strict_bodies: true,
    max_include_depth: true,
    related_meta_on_index: true,
    cors: { origins: true, credentials: true, max_age: true },
    limits: {
      body_bytes: true,
      json_depth: true,
      related_records: true,
      response_bytes: true,
      answers_bytes: true,
      statement_ms: true,
      transaction_ms: true,
      bulk_rows: true,
      bulk_bytes: true,
      action_rows: true,
    },
    durability: true,
  },
}

/**
 * Keys of `config/svc.ts` that nobody reads: the server would not start with them, and what svc goes by is not said. Those of
 * features that are off stay where they are.
 */
export async function unknownConfigKeys(
  root: string,
  ofFeatures: readonly ConfigKeys[],
): Promise<readonly LoadProblem[]> {
  const path = join(root, FILE)
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const known = ofFeatures.reduce(merged, serverKeys)
  const said = await exportedBy(text)
  return Object.entries(known).flatMap(([name, keys]) =>
    unknownIn(said[name], keys, [name]).map(({ at, among }) => {
      const key = at.at(-1) ?? ''
      return {
        ...placeOfKey({ file: FILE, text }, at),
        rule: 'config-key',
        message: `'${at.slice(1).join('.')}' is not a key of ${name === 'config' ? 'the config' : `'${name}'`}`,
        ...nearKeys(key, among),
      }
    }),
  )
}

/** Suggests keys in place of an unknown one. */
export function nearKeys(key: string, known: readonly string[]) {
  const meant = nearest(key, known)
  const fix = meant === undefined ? `leave '${key}' out` : `'${meant}'`
  return { known: known.toSorted(), fix }
}

type Data = Readonly<Record<string, unknown>>

/** As it is written where it runs only inside the server; nothing where it does not parse as TypeScript, which is a problem of its own. */
const exportedBy = (text: string): Promise<Data> =>
  runConfig(text).catch((error: unknown) =>
    syntaxProblem(error, FILE, 'config-key') === null ? nested([...keysIn(text).keys()]) : {},
  )

interface Unknown {
  readonly at: readonly string[]
  readonly among: readonly string[]
}

function unknownIn(
  value: unknown,
  keys: true | ConfigKeys,
  at: readonly string[],
): readonly Unknown[] {
  if (keys === true || !isData(value)) return []
  return Object.entries(value).flatMap(([key, inside]) => {
    const found = Object.hasOwn(keys, key) ? keys[key] : undefined
    const here = [...at, key]
    return found === undefined
      ? [{ at: here, among: Object.keys(keys) }]
      : unknownIn(inside, found, here)
  })
}

function merged(one: ConfigKeys, other: ConfigKeys): ConfigKeys {
  const both = Object.entries(other).map(([name, keys]) => {
    const before = one[name]
    const isNested = before !== undefined && before !== true && keys !== true
    return [name, isNested ? merged(before, keys) : keys] as const
  })
  return { ...one, ...Object.fromEntries(both) }
}

/** `config.limits.depth` as objects in each other. */
function nested(paths: readonly string[]): Data {
  const all: Record<string, unknown> = {}
  for (const path of paths) {
    let at = all
    for (const key of path.split('.')) at = (at[key] ??= {}) as Record<string, unknown> // made here
  }
  return all
}

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
