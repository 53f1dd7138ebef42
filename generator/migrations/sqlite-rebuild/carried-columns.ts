import type { LeftAlone } from '../diff/left-alone.js'
import { readForm } from '../rows/conversions/form.js'
import type { SchemaField } from '../schema/datamodel.js'
import { countsUp, foreignKeyOf } from './declared-keys.js'
import type { DeclaredTable } from './declared.js'

/** A table that SQLite builds anew. */
export interface TableChange {
  readonly table: string
  /** Objects that `svc init` left alone. */
  readonly own: readonly LeftAlone[]
  readonly declared: DeclaredTable | undefined
  /** As the schema from before would have it made. */
  readonly made: DeclaredTable | undefined
  readonly before: ReadonlyMap<string, SchemaField>
  readonly after: ReadonlyMap<string, SchemaField>
  /** Its columns, as the schema knows them. */
  readonly known: ReadonlySet<string>
  /** Columns that were there. */
  readonly gone: readonly string[]
}

/** Columns that its own declaration makes, each as a whole. */
export interface CarriedColumns {
  /** That are no fields. */
  readonly left: readonly CarriedColumn[]
  /** Fields whose values the database works out. */
  readonly filled: readonly CarriedColumn[]
}

interface CarriedColumn {
  readonly name: string
  readonly sql: string
  readonly isGenerated: boolean
}

const leading = /^"((?:[^"]|"")*)"\s*/
const ofTheEngine = /^[A-Z]+(?:\(\d+,\s*\d+\))?/
const behindType =
  /(?:^|\s)(?:CONSTRAINT|PRIMARY|NOT|NULL|UNIQUE|CHECK|DEFAULT|COLLATE|REFERENCES|GENERATED|AS)\b[^]*$/i

/** A column as the engine declares it, of the type that its table has declared; another kind of field is of another type. */
export function carriedItem(change: TableChange, item: string): string {
  const { declared, before, after } = change
  const [head = '', name = ''] = leading.exec(item) ?? []
  const column = name.replaceAll('""', '"')
  const sql = declared?.columns.get(column.toLowerCase())
  const isSame = typeOf(before.get(column)) === typeOf(after.get(column))
  if (item.includes(' AUTOINCREMENT')) {
    return givesIdsAgain(change) ? item.replace(' AUTOINCREMENT', '') : item
  }
  if (head === '') return carriedKey(change, item)
  if (sql === undefined || !isSame) return declared?.isStrict === true ? strict(item, head) : item
  const type = sql.replace(leading, '').replace(behindType, '').trim()
  const rest = item.slice(head.length).replace(ofTheEngine, '').trim()
  const [, by] = / COLLATE\s+["`[]?(\w+)/i.exec(sql) ?? []
  const collated = by === undefined ? [] : [`COLLATE ${by}`]
  return [head.trim(), type, rest, ...collated].filter((each) => each !== '').join(' ')
}

/** Its key was one that is counted up, without AUTOINCREMENT; a key of another kind that becomes one gets it. */
export const givesIdsAgain = ({
  declared,
  before,
}: Pick<TableChange, 'declared' | 'before'>): boolean =>
  declared !== undefined &&
  !countsUp(declared) &&
  [...before.values()].some(({ attributes }) => attributes.includes('autoincrement()'))

const foreignKey =
  /^(CONSTRAINT "(?:[^"]|"")*" FOREIGN KEY \(([^()]*)\) REFERENCES .*?) ON DELETE (SET NULL|\w+) ON UPDATE \w+$/

/** The foreign key of a relation does what its table has declared; `onDelete` is the manifest's once that changes. */
function carriedKey({ declared, made }: TableChange, item: string): string {
  const [, start, list = '', onDelete] = foreignKey.exec(item) ?? []
  const names = list.split(', ').map((each) => each.slice(1, -1))
  const [then, before] = [declared, made].map((table) =>
    table === undefined ? null : foreignKeyOf(table, names),
  )
  if (start === undefined || then === null || then === undefined) return item
  const isChanged = before?.onDelete !== onDelete
  const deferred = then.isDeferred ? ' DEFERRABLE INITIALLY DEFERRED' : ''
  return `${start} ON DELETE ${isChanged ? onDelete : then.onDelete} ON UPDATE ${then.onUpdate}${deferred}`
}

const typeOf = (field: SchemaField | undefined) =>
  field === undefined
    ? ''
    : `${field.type.replace('?', '')} ${field.type.startsWith('Decimal') ? field.mark : ''}`

const strictTypes: Readonly<Record<string, string>> = {
  DATETIME: 'TEXT',
  JSONB: 'TEXT',
  BOOLEAN: 'INTEGER',
  BIGINT: 'INTEGER',
  DECIMAL: 'REAL',
}

/** The types that a STRICT table knows. */
const strict = (item: string, head: string) =>
  head +
  item
    .slice(head.length)
    .replace(ofTheEngine, (type) => strictTypes[type.replace(/\(.*/, '')] ?? type)

/**
 * Lists the clauses of the table and its columns, but for those that `inside` declares and svc's
 * own of decimals.
 */
export function carriedChecks(
  { table, own, declared, gone, before, after }: TableChange,
  inside: readonly string[],
): { readonly kept: readonly string[]; readonly leaves: readonly string[] } {
  const checks = (declared?.checks ?? []).filter((each) => {
    const bare = each.slice(each.search(/CHECK \(/))
    return !ofDecimal.test(bare) && !inside.some((sql) => sql.includes(bare.slice(6)))
  })
  const foreign = own.flatMap((each) =>
    each.is === 'constraint' && !/^CHECK\b/i.test(each.sql) ? [each.sql] : [],
  )
  const [kept, leaves] = [[] as string[], [] as string[]]
  for (const each of [...checks, ...foreign]) {
    const lost = gone.find((name) => namesWord(each, name))
    const now = lost === undefined ? asOptions(each, before, after) : null
    if (now !== null) kept.push(now)
    else if (lost === undefined)
      leaves.push(`leaves out ${each} of '${table}': it is no select any more`)
    else leaves.push(`leaves out ${each} of '${table}', which names '${lost}'`)
  }
  return { kept, leaves }
}

const ofDecimal = /^CHECK \("((?:[^"]|"")*)" = round\("/

/** `CHECK (kind IN ('a', 'b'))`: the column, and the list. */
export const checkOfWords =
  /^((?:CONSTRAINT\s+\S+\s+)?CHECK \(\s*["`[]?(\w+)["`\]]?\s+IN\s*\()((?:\s*'(?:[^']|'')*'\s*,?)+)(\)\s*\))$/i

/** With the options of today; null: the field is no select any more. */
function asOptions(
  check: string,
  before: TableChange['before'],
  after: TableChange['after'],
): string | null {
  const [, head = '', column = '', , end = ''] = checkOfWords.exec(check) ?? []
  const [then, now] = [before, after].map((fields) => optionsOf(fields.get(column)))
  if (then === undefined || then === null || then.join() === now?.join()) return check
  if (now === undefined || now === null) return null
  return `${head}${now.map((each) => `'${each.replaceAll("'", "''")}'`).join(', ')}${end}`
}

/** Null: no select. */
export function optionsOf(field: SchemaField | undefined): readonly string[] | null {
  const form = field === undefined ? null : readForm(field.mark, field.type)
  return form?.kind === 'select' ? (form.options ?? []) : null
}

export const namesWord = (sql: string, name: string): boolean =>
  /^\w+$/.test(name)
    ? (sql.match(/\w+/g) ?? []).some((word) => word.toLowerCase() === name.toLowerCase())
    : sql.toLowerCase().includes(name.toLowerCase())
