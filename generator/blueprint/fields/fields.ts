import { isFieldKind, kindOf, storedAs } from '../../kinds/kinds.js'
import type { Field, FieldDefinition } from '../../manifest/field.js'
import { GIVEN_COLUMNS, RESERVED_FIELDS } from '../../manifest/reserved.js'
import { column } from '../entity-draft.js'
import { isIdentifier, snakeCase } from '../names/names.js'
import type { Place } from '../problems.js'
import type { Column, FieldKind } from '../types.js'
import { checkBlank, refusesBlank } from './blank.js'
import { checkBounds } from './bounds.js'
import { checkDefault } from './defaults.js'
import { aSentence, aText, checkOptions, inheritsEntry, isRecord, madeBy, show } from './shapes.js'
import { textRules } from './text-rules.js'

/** The columns of declared fields. What is wrong is reported, and left out where it could mislead. */
export function fieldColumns(
  fields: Readonly<Record<string, unknown>>,
  place: Place,
): readonly Column[] {
  const columns: Column[] = []
  const folded = Object.keys(fields).filter((name) => isFolded(fields[name]))
  if (inheritsEntry(fields)) checkName('__proto__', columns, folded, fields, place)
  for (const [name, value] of Object.entries(fields)) {
    if (!isFieldValue(value)) reportNoField(name, value, place)
    else if (checkName(name, columns, folded, fields, place)) {
      const field = fieldColumn(name, value, place)
      columns.push(field, ...foldedColumn(field))
    }
  }
  return columns
}

const isFieldValue = (value: unknown): value is Field =>
  isRecord(value) &&
  value['type'] === 'field' &&
  isRecord(value['definition']) &&
  isFieldKind(String(value['definition']['kind']))

function reportNoField(name: string, value: unknown, { at, what, report }: Place): void {
  const isKind = typeof value === 'function' && isFieldKind(value.name)
  const fix = `${name}: ${isKind ? value.name : 'text'}()`
  report({
    rule: 'not-a-field',
    at: [...at, name],
    message: `${what} '${name}' is ${show(value)}, which is not a field kind`,
    fix: madeBy(value) === null ? fix : `move '${name}' to 'related'`,
  })
}

interface Wrong {
  readonly rule: string
  readonly says: string
  readonly fix: string
  readonly known?: readonly string[]
}

function checkName(
  name: string,
  before: readonly Column[],
  folded: readonly string[],
  all: Readonly<Record<string, unknown>>,
  { at, what, report }: Place,
): boolean {
  const wrong =
    keptName(name, folded) ?? twinOf(name, before) ?? takenName(name) ?? malformed(name, all)
  if (wrong === null) return true
  const { says, ...rest } = wrong
  report({ ...rest, at: [...at, name], message: `${what} '${name}' ${says}` })
  return false
}

function twinOf(name: string, before: readonly Column[]): Wrong | null {
  const twin = before.find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (twin === undefined) return null
  return {
    rule: 'column-twice',
    says: `differs from '${twin.name}' only in case, and databases do not tell them apart`,
    fix: 'rename one of them',
  }
}

function keptName(name: string, folded: readonly string[]): Wrong | null {
  const keeper = folded.find((each) => foldedName(each).toLowerCase() === name.toLowerCase())
  if (keeper === undefined) return null
  return {
    rule: 'column-twice',
    says: `is declared, and '${keeper}' is folded, which makes a column of that name`,
    fix: `rename '${name}'`,
  }
}

const isFolded = (value: unknown) => isFieldValue(value) && value.definition.folded === true

function takenName(name: string): Wrong | null {
  const isSame = (kept: string) => kept === name.toLowerCase()
  if (GIVEN_COLUMNS.some(isSame)) {
    return {
      rule: 'given-column',
      says: 'is declared, and every table has a column of that name already',
      fix: `leave '${name}' out`,
    }
  }
  if (!RESERVED_FIELDS.some(isSame)) return null
  return {
    rule: 'reserved-field',
    says: 'has a name that the server or a database keeps for itself',
    known: RESERVED_FIELDS.toSorted(),
    fix: `${name}_value: …`,
  }
}

function malformed(name: string, all: Readonly<Record<string, unknown>>): Wrong | null {
  if (isIdentifier(name)) return isFolded(all[name]) ? tooLong(name) : null
  const better = snakeCase(name.replace(/[^A-Za-z0-9]+/g, '_'))
  return {
    rule: 'field-name',
    says: "cannot be a column: a name is a letter, then letters, digits and '_', 63 at most",
    fix:
      isIdentifier(better) && name !== '__proto__' && !(better in all)
        ? `${better}: …`
        : 'give it another name',
  }
}

function tooLong(name: string): Wrong | null {
  if (isIdentifier(foldedName(name))) return null
  return {
    rule: 'field-name',
    says: `is folded, and '${foldedName(name)}' is too long for a column: 63 characters at most`,
    fix: 'give it a shorter name',
  }
}

function fieldColumn(name: string, { definition }: Field, { at, what, report }: Place): Column {
  const here = { at: [...at, name], what: `${what} '${name}'`, report }
  checkBounds(definition, here)
  const { description, label, placeholder, renamedFrom, column: stored } = definition
  const words = { describe: description, label, placeholder, renamedFrom, column: stored }
  const said = checkOptions(words, WORDS, { at: here.at, of: here.what, report })
  checkBlank(definition, here)
  const value = checkDefault(definition, here)
  // `isFieldValue` has looked.
  const kind = isFieldKind(definition.kind) ? definition.kind : 'field'
  return column({
    name,
    role: 'field',
    kind,
    nullable: definition.nullable === true,
    unique: definition.unique === true,
    hidden: definition.hidden === true || storedAs({ kind }).isSecret,
    readonly: [definition.readonly, definition.hidden, definition.generated].includes(true),
    ...(value === undefined ? {} : { default: value }),
    ...(definition.generated === true ? { generated: true as const } : {}),
    ...(said['column'] === undefined || stored === name ? {} : { stored: String(stored) }),
    ...(definition.folded === true ? { folded: foldedName(name) } : {}),
    ...(refusesBlank(definition) ? { notBlank: true as const } : {}),
    ...textRules(definition, here),
    ...declared(definition, kind),
  })
}

/**
 * Beside a folded field: its text without case and accents. The server keeps it, so it may be empty until a row that others
 * wrote has been looked at.
 */
function foldedColumn({ folded, renamedFrom }: Column): readonly Column[] {
  if (folded === undefined) return []
  const before = renamedFrom === undefined ? {} : { renamedFrom: foldedName(renamedFrom) }
  const facts = { nullable: true, hidden: true, readonly: true, ...before }
  return [column({ name: folded, role: 'field', kind: 'textarea', ...facts })]
}

const foldedName = (field: string) => `${field}_folded`

const WORDS = {
  ...{ describe: aSentence, label: aSentence, placeholder: aSentence },
  ...{ renamedFrom: aText, column: aText },
}
const OWN = [
  'min',
  'max',
  'options',
  'precision',
  'scale',
  'description',
  'label',
  'placeholder',
  'renamedFrom',
  'enumType',
] as const

/**
 * The definition, with the defaults filled in. One line of text has a bound: databases index it.
 */
function declared(definition: FieldDefinition, kind: FieldKind): Partial<Column> {
  const said = OWN.filter((key) => definition[key] !== undefined)
  const facts = Object.fromEntries(said.map((key) => [key, definition[key]]))
  const max = definition.max ?? kindOf(kind).usualMax
  return max === null ? facts : { ...facts, max }
}
