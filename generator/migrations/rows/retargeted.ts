import { readFields, readReferences, type SchemaField } from '../schema/datamodel.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { otherId, pointedAt, type LeftRows } from './left-rows.js'

/**
 * Columns that point at another table than before: the same numbers would mean other records, and nothing in the database
 * would say so.
 */
export function retargetedRows(before: SchemaFile, after: string): readonly LeftRows[] {
  const [old, now] = [readReferences(before.content), readReferences(after)]
  const fields = [readFields(before.content), readFields(after)]
  return [...now].flatMap(([name, target]): readonly LeftRows[] => {
    const was = old.get(name)
    if (was === undefined || was === target) return []
    const [table = '', column = ''] = name.split('.')
    const isNullable = fields.every(
      (each) => each.get(table)?.get(column)?.type.endsWith('?') === true,
    )
    const where = `"${column}" IS NOT NULL`
    return [
      {
        table,
        column,
        check: {
          table,
          column,
          says: pointedAt(was, isNullable),
          isSecret: false,
          isAcceptable: isNullable,
          where,
        },
        sql: isNullable ? `UPDATE "${table}" SET "${column}" = NULL WHERE ${where};\n` : '',
        says:
          `points '${column}' of '${table}' at '${target}' instead of '${was}': rows with a value stop it` +
          (isNullable ? ', or lose it in a run that accepts data loss' : ''),
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
    if (!isKey || was === undefined) return []
    const [from, to] = [kindOfKey(was), kindOfKey(now)]
    if (from === to || sameText.includes(`${from} → ${to}`)) return []
    const isNarrower = `${from} → ${to}` === '64-bit integers → integers'
    const rows = isNarrower ? 'rows with an id that does not fit' : 'rows'
    return [
      {
        table,
        column: 'id',
        check: {
          table,
          column: 'id',
          says: otherId,
          isSecret: false,
          isAcceptable: false,
          where: isNarrower ? '"id" NOT BETWEEN 1 AND 2147483647' : '1 = 1',
        },
        sql: isNarrower ? countingOn(table, before) : '',
        says: `makes the ids of '${table}' ${to}: ${rows} stop it`,
      },
    ]
  })
}

type KeyName = 'integers' | '64-bit integers' | 'uuids' | 'texts'

/** Each id is written as before. */
const sameText: readonly string[] = ['integers → 64-bit integers', 'uuids → texts']

function kindOfKey({ type, attributes }: SchemaField): KeyName {
  if (type === 'Int') return 'integers'
  if (type === 'BigInt') return '64-bit integers'
  return /\buuid\(|@db\.Uuid\b/.test(attributes) ? 'uuids' : 'texts'
}

/** A number that is beyond 32 bits already goes on behind the last record. */
function countingOn(table: string, { content }: SchemaFile): string {
  const last = `(SELECT coalesce(max("id"), 1) FROM "${table}")`
  if (/^\s*provider\s*=\s*"sqlite"/m.test(content)) {
    const name = `'${table.replaceAll("'", "''")}'`
    return `UPDATE "sqlite_sequence" SET "seq" = ${last} WHERE "name" = ${name} AND "seq" > 2147483647;\n`
  }
  return `DO $svc$ DECLARE svc_sequence text := pg_get_serial_sequence('"${table}"', 'id'); svc_last bigint; BEGIN
IF svc_sequence IS NOT NULL THEN
EXECUTE 'SELECT last_value FROM ' || svc_sequence INTO svc_last;
IF svc_last > 2147483647 THEN PERFORM setval(svc_sequence, ${last}); END IF;
END IF;
END $svc$;
`
}
