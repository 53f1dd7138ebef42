import type { Database, FieldKind, Problem } from '../../blueprint/types.js'
import { isFieldKind, kindOf } from '../../kinds/kinds.js'
import type { MigrationState } from '../migration-state.js'
import {
  columnOf,
  modelsOf,
  readColumns,
  readFields,
  readModels,
  readNames,
} from '../schema/datamodel.js'
import type { SchemaFile } from '../schema/schema-file.js'
import type { LeftAlone, LeftColumn, LeftTable } from './left-alone.js'

/**
 * A field that names a column which was left alone means that column: it is not added, and not filled. So it is put into the
 * schema that a change starts from, as the database has it; and one that is a field no more is taken out of there, and left
 * alone again.
 */
export function adopted(
  from: SchemaFile,
  to: readonly SchemaFile[],
  left: readonly LeftAlone[],
): SchemaFile {
  const after = to.map(({ content }) => content).join('\n')
  const [before, now] = [readNames(from.content), readNames(after)]
  let content = from.content
  for (const each of left) {
    if (each.is !== 'column') continue
    const [had, has] = [before, now].map((names) => names.get(each.table)?.has(each.name) === true)
    if (has === true && had !== true) content = withField(content, after, each, left)
    if (has !== true && had === true && now.has(each.table)) content = withoutField(content, each)
  }
  return content === from.content ? from : { ...from, content: withKeys(content, after, left) }
}

function withField(
  text: string,
  after: string,
  left: LeftColumn,
  all: readonly LeftAlone[],
): string {
  const found = linesOf(after, left)
  const model = modelsOf(text).find(({ table }) => table === left.table)
  if (found === null || model === undefined) return text
  const isUnique = all.some(
    (each) =>
      each.is === 'unique' && each.table === left.table && each.columns.join() === left.name,
  )
  const line = found.line
    .replace(/^(\s+\w+\s+\w+)\??/, (_, start: string) => `${start}${left.isNullable ? '?' : ''}`)
    .replace(isUnique ? /$^/ : / @unique\b/, '')
    .replace(/ @db\.Decimal\([^)]*\)/, (own) => ` @db.D${left.digits?.slice(1) ?? own.slice(6)}`)
  const lines = text.split('\n')
  return [...lines.slice(0, model.start), ...found.marks, line, ...lines.slice(model.start)].join(
    '\n',
  )
}

/** The field, and what a comment above it says of how it is stored. */
function linesOf(text: string, { table, name }: LeftColumn) {
  const models = modelsOf(text)
  const types = new Set(models.map((each) => each.name))
  const lines = models.find((each) => each.table === table)?.lines ?? []
  const at = lines.findIndex((line) => columnOf(line, types) === name)
  if (at === -1) return null
  const above = lines[at - 1] ?? ''
  const marks = /^\s*\/\/\/ .*see its CHECK/.test(above) ? [above] : []
  return { line: lines[at] ?? '', marks }
}

function withoutField(text: string, { table, name }: LeftColumn): string {
  const models = modelsOf(text)
  const types = new Set(models.map((each) => each.name))
  const model = models.find((each) => each.table === table)
  if (model === undefined) return text
  const isOf = (at: number) => at >= model.start && at < model.end
  const lines = text.split('\n')
  return lines.filter((line, at) => !isOf(at) || columnOf(line, types) !== name).join('\n')
}

/** Keys of several columns that are there. */
function withKeys(text: string, after: string, left: readonly LeftAlone[]): string {
  const lines = text.split('\n')
  const named = readColumns(after)
  const keys = modelsOf(after).flatMap(({ table, lines: body }) =>
    body.flatMap((line) => {
      const fields = /^\s*@@unique\(\[([\w, ]+)\]/.exec(line)?.[1]?.split(', ')
      const columns = fields?.map((name) => named.get(table)?.get(name) ?? name).join()
      const isLeft = left.some(
        (each) => each.is === 'unique' && each.table === table && each.columns.join() === columns,
      )
      const model = modelsOf(text).find((each) => each.table === table)
      const isNew = model?.lines.some((each) => each.trim() === line.trim()) === false
      return isLeft && isNew ? [{ line, at: model.start }] : []
    }),
  )
  for (const { line, at } of keys.toReversed()) lines.splice(at, 0, line)
  return lines.join('\n')
}

/** Fields that are not what their columns are, and tables that are there. */
export function adoptionProblems(
  database: Database,
  { base, saved, left = [] }: MigrationState,
  schema: readonly SchemaFile[],
): readonly Problem[] {
  if (left.length === 0) return []
  const file = `prisma/migrations/${saved[0] ?? ''}/migration.sql`
  const text = schema.map(({ content }) => content).join('\n')
  const [before, fields, models] = [readNames(base ?? ''), readFields(text), readModels(text)]
  const isSameTable = (one: string, other: string) =>
    database === 'sqlite' ? one.toLowerCase() === other.toLowerCase() : one === other
  return left.flatMap((each) => {
    if (each.is === 'table') {
      const isMade = [...models.keys()].some((table) => isSameTable(table, each.table))
      const isOurs = [...before.keys()].some((table) => isSameTable(table, each.table))
      return isMade && !isOurs ? [tableProblem(database, file, each)] : []
    }
    if (each.is !== 'column' || !models.has(each.table)) return []
    if (before.get(each.table)?.has(each.name) === true) return []
    const found = [...(fields.get(each.table) ?? [])].find(([name]) =>
      database === 'sqlite' ? name.toLowerCase() === each.name.toLowerCase() : name === each.name,
    )
    if (found === undefined) return []
    const [name, { type, attributes, mark }] = found
    const wrong = wrongIn(database, each, { name, type, attributes, mark })
    if (wrong === null) return []
    const own = `the table '${each.table}' has a column '${each.name}', which svc init left alone`
    const problem = { rule: 'existing-column', file, line: 1, column: 1 }
    return [{ ...problem, message: `${own}, and ${wrong.says}`, fix: wrong.fix }]
  })
}

/** Adopting it would mean to know each of its columns, keys and rows, as init did when it decided. */
function tableProblem(database: Database, file: string, { table, why }: LeftTable): Problem {
  const rename = `ALTER TABLE "${table}" RENAME TO "${table}_before";`
  // PostgreSQL has one name for each index of a schema, and the table keeps those it has.
  const key = ` ALTER INDEX IF EXISTS "${table}_pkey" RENAME TO "${table}_before_pkey";`
  return {
    rule: 'existing-table',
    about: { table },
    file,
    line: 1,
    column: 1,
    message:
      `the database has a table '${table}', which svc init left alone` +
      `${why === undefined ? '' : ` (${why})`}, and this would make one of that name`,
    fix:
      `another table: '…' for the repository; or first a migration of yours, in a folder of prisma/migrations, that says ` +
      `${rename}${database === 'postgresql' ? key : ''}`,
  }
}

interface Found {
  readonly name: string
  readonly type: string
  readonly attributes: string
  readonly mark: string
}

function wrongIn(
  database: Database,
  left: LeftColumn,
  { name, type, attributes, mark }: Found,
): { readonly says: string; readonly fix: string } | null {
  const { kind, length } = left
  const isA = `it is ${left.type === '' ? 'without a type' : left.type}`
  if (name !== left.name) {
    return { says: `the manifest writes it '${name}'`, fix: `${left.name}: …` }
  }
  if (kind === undefined) {
    const fix = `another name for the field '${name}': the column stays as it is`
    return { says: `${isA}: no field of svc keeps what it holds`, fix }
  }
  const word = /^\w+/.exec(mark)?.[0] ?? ''
  const given: FieldKind | null = isFieldKind(word) ? word : null
  const { prisma } = kindOf(kind)
  const isNative = database === 'sqlite' || prisma.native === nativeIn(attributes)
  if (type.replace('?', '') !== prisma.type || !isNative) {
    const says = `${isA}, which is no ${given ?? type}`
    return { says, fix: `${name}: ${left.digits ?? `${kind}()`}, or another name for the field` }
  }
  const most = Number(/ max (\d+)/.exec(mark)?.[1] ?? (given === 'text' ? 255 : Infinity))
  if (length === undefined || most <= length || given === 'select') return null
  const fix = `${name}: text().max(${length}); or widen the column in a migration of yours`
  return { says: `${isA}, too short for a ${given ?? 'text'}`, fix }
}

const nativeIn = (attributes: string) =>
  /@db\.(?!Decimal)\w+(?:\(\d+\))?/.exec(attributes)?.[0] ?? null
