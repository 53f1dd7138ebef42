import type { Database, KeptColumn } from '../../blueprint/types.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { tableMap } from '../schema/schema-marks.js'

/** The database that migrations are for, and what features have it keep. */
export interface MigrationContext {
  readonly database: Database
  readonly keepers: readonly Keeper[]
}

export const keepersOf = (features: readonly { readonly keeper?: Keeper }[]): readonly Keeper[] =>
  features.flatMap(({ keeper }) => keeper ?? [])

/** Writes the SQL of what a feature has the database keep, which Prisma's engine does not write; `kept` of the blueprint says what that is. */
export interface Keeper {
  /** Returns the columns of a schema that have them. */
  readonly columnsIn: (schema: readonly SchemaFile[]) => readonly KeptIn[]
  /** The SQL between two schemas with its own statements; the two as they stand in the project. */
  readonly between: (
    sql: string,
    before: readonly SchemaFile[],
    after: readonly SchemaFile[],
  ) => string
  /** Adds its own statements around SQL that was put together from several steps. */
  readonly outside: (sql: string) => string
  /** Returns its own statements in a migration. */
  readonly wroteIn: (migration: string) => readonly string[]
}

export const keptFieldType = ({ type }: KeptColumn) => `Unsupported("${type}")?`

export const keptIndex = ({ name, index }: KeptColumn): readonly string[] =>
  index === undefined ? [] : [`@@index([${name}], map: "${index.name}", type: ${index.type})`]

/** Columns of Prisma's schema that a keeper fills, as its marks there say. */
export interface KeptIn extends Pick<KeptColumn, 'name'> {
  readonly table: string
  /** The name of the index on it, or on one beside it. */
  readonly indexName: string
}

/** A schema without such columns: what keeps them writes them. Lines stay where they are, and so do those of the developer's own. */
export function withoutKept(
  schema: readonly SchemaFile[],
  kept: readonly KeptIn[],
): readonly SchemaFile[] {
  if (kept.length === 0) return schema
  return schema.map(({ path, content }) => ({
    path,
    content: content
      .split(/^(?=model )/m)
      .map((model) => withoutLines(model, kept))
      .join(''),
  }))
}

function withoutLines(model: string, kept: readonly KeptIn[]): string {
  const [, table] = tableMap.exec(model) ?? []
  const own = kept.filter((each) => each.table === table)
  if (own.length === 0) return model
  const isKept = (line: string) =>
    own.some(
      ({ name, indexName }) =>
        new RegExp(`^\\s*${name}\\s+Unsupported\\(`).test(line) ||
        (/^\s*@@index\(/.test(line) && line.includes(`map: "${indexName}"`)),
    )
  return model
    .split('\n')
    .map((line) => (isKept(line) ? '' : line))
    .join('\n')
}
