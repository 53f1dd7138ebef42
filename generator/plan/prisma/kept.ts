import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { SchemaFile } from './schema-file.js'

/** What the database keeps of rows beside their columns, and Prisma's engine does not write: a feature's own. */
export interface Keeper {
  /** Of one repository; null: nothing. */
  readonly of: (entity: Entity, blueprint: Blueprint) => Kept | null
  /** The SQL between two schemas with its own statements; the two as they stand in the project. */
  readonly between: (
    sql: string,
    before: readonly SchemaFile[],
    after: readonly SchemaFile[],
  ) => string
  /** The same where such SQL was put together from several steps: its own statements around all others. */
  readonly outside: (sql: string) => string
  /** Whether one of these tables of a database is its own: what is in it can be made again. */
  readonly keeps: (table: string, tables: ReadonlySet<string>) => boolean
  /** Whether a statement of a migration is one of these. */
  readonly wrote: (statement: string) => boolean
}

/** In Prisma's schema. */
export interface Kept {
  /** Comments above columns, by their names in the blueprint: migrations read them. */
  readonly marks: ReadonlyMap<string, string>
  /** Columns that only the database fills. */
  readonly columns: readonly KeptColumn[]
}

/** Of a type that Prisma's client has no values of. */
export interface KeptColumn {
  readonly name: string
  /** PostgreSQL's: `tsvector`. */
  readonly type: string
  /** What kind of index it has. */
  readonly index: 'Gin'
  /** The name of it. */
  readonly indexName: string
}

export const keptFieldType = ({ type }: KeptColumn) => `Unsupported("${type}")?`

export const keptIndex = ({ name, index, indexName }: KeptColumn) =>
  `@@index([${name}], map: "${indexName}", type: ${index})`

/** A schema without such columns: what keeps them writes them. Lines stay where they are. */
export const withoutKept = (schema: readonly SchemaFile[]): readonly SchemaFile[] =>
  schema.map((file) =>
    file.content.includes('Unsupported(')
      ? { ...file, content: file.content.replaceAll(anyModel, withoutKeptOf) }
      : file,
  )

const anyModel = /^model .*\{\n[^]*?^\}/gm

/** Its comments name them; the developer may have such columns as well. */
function withoutKeptOf(model: string): string {
  const names = [...model.matchAll(/ on `(\w+)` in the migrations\.$/gm)].map(([, name]) => name)
  const lines = names.map(
    (name) => new RegExp(`^ +(${name} +Unsupported\\(.*|@@index\\(\\[${name}\\], map: .*)$`),
  )
  return model
    .split('\n')
    .map((line) => (lines.some((each) => each.test(line)) ? '' : line))
    .join('\n')
}
