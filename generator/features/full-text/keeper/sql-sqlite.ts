import type { SearchIndex, SearchSql } from './search-index.js'

/**
 * A virtual table of FTS5, and triggers: it has a copy of the words, so that a row that is replaced, which no trigger of DELETE
 * sees, is replaced there too.
 */
export const sqliteIndex: SearchSql = {
  drop: ({ index, key }) =>
    [
      ...events.map((event) => `DROP TRIGGER IF EXISTS "${index}_${event}";`),
      `DROP TABLE IF EXISTS "${index}";`,
      ...(key === undefined ? [] : [`DROP TABLE IF EXISTS "${index}_keys";`]),
      '',
    ].join('\n'),
  create: (search) => {
    const { index, columns, language } = search
    const tokenizer = `${language === 'english' ? 'porter ' : ''}unicode61 remove_diacritics 0 ${characters}`
    const made = `CREATE VIRTUAL TABLE "${index}" USING fts5(${names(columns)}, tokenize='${tokenizer}');`
    return [
      made,
      ...(search.key === undefined ? byNumber(search) : byKey(search, search.key)),
      '',
    ].join('\n')
  },
  isTouched: (sql, { table }) => sql.includes(`ALTER TABLE "new_${table}" RENAME TO "${table}"`),
}

/** Many scripts write vowels as marks. Those that make an emoji of what is before them are in no word: they are seen nowhere. */
const characters = "categories ''L* M* N*'' separators ''\u{20E3}\u{FE0E}\u{FE0F}''"

const events = ['insert', 'update', 'delete'] as const

/** Names of the table's columns may be reserved in the index. */
const names = (columns: readonly string[]) => columns.map((_, at) => 'abcd'[at]).join(', ')

const valuesOf = (columns: readonly string[], row: string) =>
  columns.map((name) => `${row}"${name}"`).join(', ')

function byNumber({ table, index, columns }: SearchIndex): readonly string[] {
  const into = `INSERT INTO "${index}" (rowid, ${names(columns)})`
  const add = `  ${into} VALUES (NEW.rowid, ${valuesOf(columns, 'NEW.')});`
  const remove = (rows: string) => `  DELETE FROM "${index}" WHERE rowid ${rows};`
  return [
    trigger(index, 'insert', `INSERT ON "${table}"`, [remove('= NEW.rowid'), add]),
    trigger(index, 'update', `UPDATE ON "${table}"\n${when('rowid', columns)}`, [
      remove('IN (OLD.rowid, NEW.rowid)'),
      add,
    ]),
    trigger(index, 'delete', `DELETE ON "${table}"`, [remove('= OLD.rowid')]),
    `${into} SELECT rowid, ${valuesOf(columns, '')} FROM "${table}";`,
  ]
}

/** The number of a row with a key of another kind may change when the file is compacted: each has one of its own here. */
function byKey({ table, index, columns }: SearchIndex, key: string): readonly string[] {
  const keys = `${index}_keys`
  const into = `INSERT INTO "${index}" (rowid, ${names(columns)})`
  const numberOf = (row: string) => `(SELECT "row" FROM "${keys}" WHERE "key" = ${row}."${key}")`
  const remove = (row: string) => [
    `  DELETE FROM "${index}" WHERE rowid = ${numberOf(row)};`,
    `  DELETE FROM "${keys}" WHERE "key" = ${row}."${key}";`,
  ]
  const add = [
    // An old table may have rows without a key, which nothing shows.
    `  INSERT INTO "${keys}" ("key") SELECT NEW."${key}" WHERE NEW."${key}" IS NOT NULL;`,
    `  ${into} SELECT "row", ${valuesOf(columns, 'NEW.')} FROM "${keys}" WHERE "key" = NEW."${key}";`,
  ]
  return [
    `CREATE TABLE "${keys}" ("row" INTEGER PRIMARY KEY, "key" NOT NULL UNIQUE);`,
    trigger(index, 'insert', `INSERT ON "${table}"`, [...remove('NEW'), ...add]),
    trigger(index, 'update', `UPDATE ON "${table}"\n${when(`"${key}"`, columns)}`, [
      ...remove('OLD'),
      ...remove('NEW'),
      ...add,
    ]),
    trigger(index, 'delete', `DELETE ON "${table}"`, remove('OLD')),
    `INSERT INTO "${keys}" ("key") SELECT "${key}" FROM "${table}" WHERE "${key}" IS NOT NULL;`,
    `${into} SELECT k."row", ${valuesOf(columns, 't.')} FROM "${table}" t JOIN "${keys}" k ON k."key" = t."${key}";`,
  ]
}

/** An UPDATE of anything else costs nothing. */
const when = (key: string, columns: readonly string[]) =>
  `WHEN ${[key, ...columns.map((name) => `"${name}"`)].map((name) => `NEW.${name} IS NOT OLD.${name}`).join(' OR ')}`

const trigger = (
  index: string,
  event: (typeof events)[number],
  on: string,
  statements: readonly string[],
) => `CREATE TRIGGER "${index}_${event}" AFTER ${on}\nBEGIN\n${statements.join('\n')}\nEND;`
