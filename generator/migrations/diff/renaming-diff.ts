import type { MigrationContext } from '../keepers/kept.js'
import { triggersOutside } from '../keepers/morph-triggers.js'
import type { Renamed } from '../schema/datamodel.js'
import { PrismaSchemaError } from '../schema/schema-error.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { readObjects } from '../sql/sql-objects.js'
import { builtAnewFor } from '../sqlite-rebuild/built-anew-for.js'
import { buildsAnew } from '../sqlite-rebuild/built-anew.js'
import { carried } from '../sqlite-rebuild/carried.js'
import { readDeclared } from '../sqlite-rebuild/declared.js'
import { adopted } from './adopted.js'
import { changedPart, type ChangedPart } from './changed-part.js'
import { diffConverted } from './converting-diff.js'
import { buildSql, type SchemaDiff } from './engine.js'
import { withColumn, type LeftAlone } from './left-alone.js'
import { agreed } from './postgres-agreed.js'
import { renameSql } from './rename-sql.js'
import { takeRenames } from './renames.js'
import type { Renaming } from './renaming.js'

interface Comparing {
  /** An earlier run wrote the schema, and the engine had nothing against it. */
  readonly isChecked?: boolean
  /** True: the diff is about the two schemas alone, whatever the database has beside them. */
  readonly isAlone?: boolean
}

/**
 * The SQL between two schemas that first renames what the manifest says was renamed, and keeps its rows. Most changes are of
 * a model or two, and only those are compared.
 */
export async function diffRenamed(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  renaming: Renaming,
  { isChecked = false, isAlone = false }: Comparing = {},
): Promise<SchemaDiff> {
  const { left = [], history = [] } = renaming
  const isBeside = left.length > 0 || history.length > 0 || renaming.past !== undefined
  if (isBeside && !isAlone) return diffBeside(context, from, to, renaming)
  const whole = () => diffWhole(context, from, to, renaming)
  const part = partOf(from, to, renaming)
  if (part === null) return whole()
  // Reports a model that is missing in the part, or two together.
  if (!isChecked) await buildSql(context, to)
  try {
    return await diffWhole(context, part.from, [part.to], renaming)
  } catch (error) {
    // Lines are counted in the whole of it.
    if (error instanceof PrismaSchemaError) return whole()
    throw error
  }
}

/** Makes the diff of a database that has more than its schema says. */
async function diffBeside(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  renaming: Renaming,
): Promise<SchemaDiff> {
  const { left: had = [], history = [], ...rest } = renaming
  const { made, datamodel } = takeRenames(renaming.wishes, from.content)
  const start = adopted(from, to, had)
  if (context.database !== 'sqlite') {
    const diff = await diffRenamed(context, start, to, rest, { isAlone: true })
    const text = to.map(({ content }) => content).join('\n')
    const sql = agreed(
      diff.sql,
      made.length === 0 ? start.content : takeRenames(renaming.wishes, start.content).datamodel,
      text,
    )
    return { ...diff, sql, changed: sql !== '' }
  }
  const tables = made.filter((each) => each.column === null)
  const left = had.map((each) => {
    const table = tables.find(({ from }) => from === each.table)?.table ?? each.table
    return made.reduce<LeftAlone>(
      (now, { table, column }) =>
        column === null ? now : withColumn(now, table, column.from, column.to),
      { ...each, table },
    )
  })
  const middle = made.length === 0 ? start : adopted({ ...from, content: datamodel }, to, left)
  const asMade = () => readDeclared([...history, ...made.map(renameStatement)])
  const anew = await builtAnewFor(context, middle, to, asMade)
  const diff = await diffRenamed(context, start, to, { ...rest, anew }, { isAlone: true })
  if (!buildsAnew(diff.sql) && !diff.sql.includes('DROP INDEX')) return diff
  const asSaid = await buildSql(context, [middle])
  const objects = readObjects(asSaid)
  // An index that svc named is renamed with its columns.
  const ours = new Set(
    [...readObjects(await buildSql(context, [start])), ...objects].map(({ name }) => name),
  )
  const asDeclared = asMade()
  const others = asDeclared.indexes.filter(({ name }) => !ours.has(name))
  const declared = { ...asDeclared, indexes: others }
  const { sql, leaves } = carried(diff.sql, {
    ...{ from: middle, to, left, declared, objects },
    made: readDeclared([asSaid]),
  })
  return { ...diff, sql, losses: { ...diff.losses, leaves } }
}

const renameStatement = ({ table, column, from }: Renamed) =>
  column === null
    ? `ALTER TABLE "${from}" RENAME TO "${table}";`
    : `ALTER TABLE "${table}" RENAME COLUMN "${column.from}" TO "${column.to}";`

/** Null: the manifest says more of the change than the two schemas do. */
function partOf(
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, fills }: Renaming,
): ChangedPart | null {
  return fills.length > 0 || takeRenames(wishes, from.content).made.length > 0
    ? null
    : changedPart(from, to)
}

/** Makes the diff of all models. */
export async function diffWhole(
  context: MigrationContext,
  from: SchemaFile,
  to: readonly SchemaFile[],
  { wishes, morphs, past, ...given }: Renaming,
): Promise<SchemaDiff> {
  const renames = takeRenames(wishes, from.content)
  if (renames.made.length === 0) return diffConverted(context, from, to, given)
  const middle = { ...from, content: renames.datamodel }
  const [before, after] = [await buildSql(context, [from]), await buildSql(context, [middle])]
  const first = renameSql(context.database, renames, morphs, { before, after, past })
  const renamed = {
    keys: renames.made.flatMap(({ key }) => key ?? []),
    tables: renames.made.flatMap(({ table, column, from }) =>
      column === null ? [{ from, to: table }] : [],
    ),
  }
  const rest = await diffConverted(context, middle, to, { ...given, renamed })
  const sql = rest.changed ? `${first}\n${rest.sql}` : first
  return { sql: triggersOutside(sql), changed: true, losses: rest.losses }
}
