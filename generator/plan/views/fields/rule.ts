import type { Column } from '../../../blueprint/types.js'
import { kindOf } from '../../../kinds/kinds.js'
import { literal } from '../../../source/literal.js'

/** A function of a file in `runtime/input/`. */
export interface RuleFunction {
  readonly use: string
  readonly file: string
}

/** The rule a value from a request must pass, and the functions that it calls. */
export interface Rule {
  readonly functions: readonly RuleFunction[]
  readonly text: string
}

/*
 *  column            rule
 *  required          integer().min(1)
 *  required text     text().check(notBlank).max(160), text().max(160) with allowEmpty
 *  with a default    boolean().optional()
 *  nullable          dateTime().nullish()
 *  foreign           reference('integer'), wideReference('bigInteger')
 *  given id          givenId('text', { max: 12 })
 *  bigInteger        bigInteger({ min: 0 })
 *  decimal           decimal(10, 2, { min: 0 })
 *  textarea, json    textarea(5000), json(2000)
 */
export function ruleOf(column: Column): Rule {
  if (column.role === 'id') return givenIdRule(column)
  const isForeign = column.role === 'foreign'
  const { name, file, given } = isForeign ? referenceTo(column) : kindOf(column.kind).rule
  const functions = [{ use: name, file }, ...(column.notBlank === true ? [notBlank] : [])]
  return { functions, text: `${name}${given(column)}${presence(column)}` }
}

const notBlank: RuleFunction = { use: 'notBlank', file: 'rules' }

function referenceTo({ kind }: Column): ReturnType<typeof kindOf>['rule'] {
  const isWide = kind !== 'integer' && kind !== 'uuid'
  return {
    name: isWide ? 'wideReference' : 'reference',
    file: isWide ? 'wide-id-rules' : 'id-rules',
    given: () => `(${literal(kindOf(kind).storage)})`,
  }
}

function givenIdRule({ kind, given, max }: Column): Rule {
  const bound = max === undefined ? '' : `, { max: ${max} }`
  const presence = given === 'must' ? '' : '.optional()'
  const text = `givenId(${literal(kindOf(kind).storage)}${bound})${presence}`
  return { functions: [{ use: 'givenId', file: 'wide-id-rules' }], text }
}

function presence(column: Column): string {
  if (column.nullable) return '.nullish()'
  return column.default === undefined ? '' : '.optional()'
}
