import { readFields, readReferences } from './datamodel.js'
import { otherId, pointedAt, type LeftRows } from './left-rows.js'
import type { SchemaFile } from './schema-file.js'

/**
 * Columns that point at another table than before: the same numbers would mean other records, and nothing in the database
 * would say so.
 */
export function retargetedRows(
  before: SchemaFile,
  after: string,
  cuts: readonly string[] | 'all' = [],
): readonly LeftRows[] {
  const [old, now] = [readReferences(before.content), readReferences(after)]
  const fields = readFields(after)
  return [...now].flatMap(([name, target]): readonly LeftRows[] => {
    const was = old.get(name)
    if (was === undefined || was === target) return []
    const [table = '', column = ''] = name.split('.')
    const isNullable = fields.get(table)?.get(column)?.type.endsWith('?') === true
    const isEmptied = isNullable && (cuts === 'all' || cuts.includes(name))
    const where = `"${column}" IS NOT NULL`
    return [
      {
        table,
        column,
        becomes: isEmptied ? 'emptied' : 'stopping',
        check: { table, column, says: pointedAt(was, isNullable), isSecret: false, where },
        sql: `UPDATE "${table}" SET "${column}" = NULL WHERE ${where};\n`,
        says: isEmptied
          ? `drops the values of '${column}' of '${table}', which point at '${was}' and not at '${target}'`
          : `points '${column}' of '${table}' at '${target}' instead of '${was}': rows with a value stop it`,
      },
    ]
  })
}

/** Ids of another kind: nothing that knows a record, in this database or outside, would find it again. */
export function otherIds(before: SchemaFile, after: string): readonly LeftRows[] {
  const old = readFields(before.content)
  return [...readFields(after)].flatMap(([table, columns]): readonly LeftRows[] => {
    const [was, now] = [old.get(table)?.get('id'), columns.get('id')]
    const isKey = now?.attributes.includes('@id') === true
    if (!isKey || was === undefined || was.type === now.type) return []
    return [
      {
        table,
        column: 'id',
        becomes: 'stopping',
        check: { table, column: 'id', says: otherId, isSecret: false, where: '1 = 1' },
        sql: '',
        says: `makes the ids of '${table}' ${now.type === 'Int' ? 'integers' : 'uuids'}: rows stop it`,
      },
    ]
  })
}
