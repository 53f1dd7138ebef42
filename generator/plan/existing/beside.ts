import type { Database } from '../../blueprint/types.js'
import { kindOf, storedAs as valuesOf } from '../../kinds/kinds.js'
import { isTrigger, type LeftAlone } from '../../migrations/diff/left-alone.js'
import type { Catalog, FoundColumn, FoundTable } from './catalog.js'
import type { Decision, Described } from './decide.js'
import { type Decided, storedAs } from './field-text.js'

/** Lists what the served tables have besides the manifest. */
export function besideManifest(
  { tables, database, views = [] }: Catalog,
  { repositories, pivots, said, left }: Decision,
): readonly LeftAlone[] {
  const ofTables = tables.flatMap((table): readonly LeftAlone[] => {
    const described = repositories.find((each) => each.table === table.name)
    if (described === undefined && !pivots.includes(table.name)) {
      const why = left.find(({ what }) => what === table.name)?.why
      const hasTrigger = table.further?.some(isTrigger) === true
      return [
        { is: 'table', table: table.name, ...(why === undefined ? {} : { why }) },
        ...(hasTrigger ? [{ is: 'reader' as const, table: table.name }] : []),
      ]
    }
    const { columns, links } = said.get(table.name) ?? { columns: new Set(), links: new Set() }
    return [
      ...leftColumns(table, columns, database),
      ...leftKeys(table, described),
      ...(database === 'sqlite'
        ? ofSqlite(table, columns, links)
        : ofPostgres(table, columns, links)),
    ]
  })
  const ofViews = views.flatMap((table): readonly LeftAlone[] => [
    { is: 'table', table, why: 'it is a view' },
    { is: 'reader', table },
  ])
  return [...ofTables, ...ofViews]
}

function leftColumns(
  { name: table, columns, declarations }: FoundTable,
  said: ReadonlySet<string>,
  database: Database,
): readonly LeftAlone[] {
  return columns
    .filter(({ name }) => !said.has(name))
    .map((column) => {
      const { name, type, nullable, isGenerated } = column
      const stored = storedLater({ ...column, default: null, isGenerated: false }, database)
      const kind = 'reason' in stored ? undefined : stored.kind
      const digits =
        kind !== undefined && kindOf(kind).takes === 'digits' && 'field' in stored
          ? /^[^.]*/.exec(stored.field)?.[0]
          : undefined
      const length = database === 'sqlite' ? undefined : /char.*\((\d+)\)/.exec(type)?.[1]
      const sql = declarations?.columns.get(name.toLowerCase())
      return {
        is: 'column' as const,
        table,
        name,
        type,
        ...(kind === undefined ? {} : { kind }),
        ...(digits === undefined ? {} : { digits }),
        ...(length === undefined ? {} : { length: Number(length) }),
        isNullable: nullable,
        isRequired: !nullable && !isGenerated && column.default === null,
        isGenerated,
        ...(sql === undefined ? {} : { sql }),
      }
    })
}

/** Uses the column's type, where some of its rows hold something else: they may be mended. */
function storedLater(column: FoundColumn, database: Database): Decided {
  const { values } = column
  const stored = storedAs(column, database)
  const isMixed = values.odd !== null || values.storage.length > 1
  if ('field' in stored || !isMixed) return stored
  return storedAs({ ...column, values: { ...values, storage: [], odd: null } }, database)
}

/** PostgreSQL keeps them; but a test cannot know what they take. A `character(20)` is filled with spaces. */
function ofPostgres(
  { name: table, columns, foreign, declarations }: FoundTable,
  said: ReadonlySet<string>,
  links: ReadonlySet<string>,
): readonly LeftAlone[] {
  const filled = columns.flatMap(({ name, type }) => {
    const length = /^character\((\d+)\)$/.exec(type)?.[1]
    return length === undefined || !said.has(name)
      ? []
      : [`CHECK (char_length(${quoted(name)}) = ${length})`]
  })
  const numbers = foreign
    .filter((each) => each.columns.some((name) => said.has(name) && !links.has(name)))
    .map(
      (each) =>
        `FOREIGN KEY (${each.columns.map(quoted).join(', ')}) REFERENCES ${quoted(each.table)}`,
    )
  return [...(declarations?.checks ?? []), ...filled, ...numbers].map((sql) => ({
    is: 'constraint',
    table,
    sql,
  }))
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Keys and indexes that the manifest does not say. */
function leftKeys(table: FoundTable, described: Described | undefined): readonly LeftAlone[] {
  const said = [...(described?.unique ?? []), ...(described?.uniqueFields ?? [])].map((each) =>
    [each].flat().join(),
  )
  const isConstant = (name: string) =>
    table.columns.some((each) => each.name === name && /^\(?('|[+-]?\d)/.test(each.default ?? ''))
  const of = (is: 'unique' | 'index', keys: readonly (readonly string[])[]) =>
    keys.map((columns) => ({
      ...{ is, table: table.name, columns },
      ...(is === 'unique' && columns.every(isConstant) ? { isOnce: true } : {}),
    }))
  const isUncounted =
    described !== undefined && valuesOf(described.id).key?.makes === null && !table.isCounted
  return [
    ...(isUncounted
      ? [{ is: 'unique' as const, table: table.name, columns: table.primaryKey, isOnce: true }]
      : []),
    ...of('unique', table.unique).filter(({ columns }) => !said.includes(columns.join())),
    ...of('index', table.indexes),
  ]
}

const escaped = (name: string) => name.replaceAll(/[^\w\s]/g, String.raw`\$&`)

/**
 * Lists the columns with a field or a relation: the manifest says what they refer to, and their
 * options.
 */
function ofSqlite(
  { name: table, columns, foreign, declarations, further = [] }: FoundTable,
  said: ReadonlySet<string>,
  links: ReadonlySet<string>,
): readonly LeftAlone[] {
  const words = columns.filter(({ name, options }) => options !== undefined && said.has(name))
  const isOfWords = (check: string) =>
    words.some(({ name }) =>
      new RegExp(`^CHECK \\(\\s*["\`[]?${escaped(name)}(?!\\w)["\`\\]]?\\s+IN\\b`, 'i').test(check),
    )
  const inline = [...(declarations?.columns ?? [])].filter(([name]) =>
    columns.some((each) => each.name.toLowerCase() === name && !said.has(each.name)),
  )
  const isInline = (check: string) => inline.some(([, sql]) => sql.includes(check.slice(6)))
  const isLink = (names: readonly string[]) => names.length === 1 && links.has(names[0] ?? '')
  const isDeclared = ([name = '']: readonly string[]) =>
    inline.some(([column, sql]) => column === name.toLowerCase() && /\bREFERENCES\b/i.test(sql))
  const isExpression = (text: string | null) =>
    text !== null && !/^(null|[+-]?\d+(\.\d+)?|'([^']|'')*'|true|false)$/i.test(text)
  const filled = columns.flatMap(({ name, isGenerated, default: text }) => {
    const sql = declarations?.columns.get(name.toLowerCase())
    if (sql === undefined || !said.has(name) || !(isGenerated || isExpression(text))) return []
    return [{ is: 'filled' as const, table, name, isGenerated, sql }]
  })
  const collated = columns.flatMap(({ name }) => {
    const by = / COLLATE\s+["`[]?(\w+)/i.exec(
      declarations?.columns.get(name.toLowerCase()) ?? '',
    )?.[1]
    return by === undefined || !said.has(name) ? [] : [{ is: 'collated' as const, table, name, by }]
  })
  return [
    ...filled,
    ...collated,
    ...(declarations?.checks ?? [])
      .filter((check) => !isOfWords(check) && !isInline(check))
      .map((sql) => ({ is: 'constraint' as const, table, sql })),
    ...foreign
      .filter((each) => !isLink(each.columns) && !isDeclared(each.columns))
      .flatMap(({ sql }) => (sql === undefined ? [] : [{ is: 'constraint' as const, table, sql }])),
    ...further.map((sql) => ({ is: 'statement' as const, table, sql })),
  ]
}
