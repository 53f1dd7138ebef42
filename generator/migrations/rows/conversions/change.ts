import type { Database } from '../../../blueprint/types.js'
import { readFields, type SchemaField } from '../../schema/datamodel.js'
import { conversionOf, type Conversion } from './conversion.js'
import { formOfType, readForm, type Form } from './form.js'

/** A column that has other values than before, and what becomes of those that are there. */
export interface Change {
  readonly table: string
  readonly column: string
  readonly from: Form
  readonly to: Form
  readonly conversion: Conversion
}

/** Columns that svc converts; what has no mark is a key, or a table of somebody's own. */
export function changesBetween(database: Database, from: string, to: string): readonly Change[] {
  const before = readFields(from)
  return [...readFields(to)].flatMap(([table, fields]) =>
    [...fields].flatMap(([column, field]) => {
      const old = before.get(table)?.get(column)
      const now = readForm(field.mark, field.type)
      const then = old === undefined || now === null ? null : formBefore(old, field, now)
      const conversion = then && now && conversionOf(database, then, now)
      return conversion == null || then === null || now === null
        ? []
        : [{ table, column, from: then, to: now, conversion }]
    }),
  )
}

/** Schemas of earlier versions say no more than the type: where it is the same, so is the kind. */
function formBefore(old: SchemaField, now: SchemaField, form: Form): Form | null {
  const marked = readForm(old.mark, old.type)
  if (marked !== null) return marked
  const isSame = plainType(old) === plainType(now)
  return isSame
    ? { ...form, nullable: old.type.endsWith('?') }
    : formOfType(old.type, old.attributes)
}

const plainType = ({ type, attributes }: SchemaField) =>
  `${type.replace('?', '')} ${/@db\.\w+(\([^)]*\))?/.exec(attributes)?.[0] ?? ''}`
