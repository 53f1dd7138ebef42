import { decimalText } from '../../../runtime/kinds/decimal.js'
import { isFieldKind, kindOf } from '../../kinds/kinds.js'
import { passes } from '../../kinds/text/text-rules.js'
import type { FieldDefinition } from '../../manifest/field.js'
import type { Place } from '../problems.js'
import type { Json } from '../types.js'
import { isBlank, refusesBlank } from './blank.js'
import { nearestWord, show } from './shapes.js'

/** The default in the form the server stores, or undefined: none, or a wrong one, which is reported. */
export function checkDefault(definition: FieldDefinition, place: Place): Json | undefined {
  const written = definition.default
  if (written === undefined) return undefined
  const read = kindIn(definition).preset.read(written)
  if (read === undefined) return reportWrong(definition, place)
  const wish = outside(definition, read)
  if (wish === null) return digitsOf(definition, read) ?? read
  place.report({
    rule: 'default-outside',
    at: [...place.at, 'default'],
    message: `${place.what} has the default ${show(written)}, and ${wish.says}`,
    fix: wish.fix,
  })
  return undefined
}

function reportWrong(definition: FieldDefinition, { at, what, report }: Place): undefined {
  const { says, example } = kindIn(definition).preset
  const written = definition.default
  const isNull = written === null
  report({
    rule: 'wrong-default',
    at: [...at, 'default'],
    message: `${what} has the default ${show(written)}, and ${definition.kind}() takes ${says}`,
    fix: isNull ? '.nullable(), which is null unless a record says' : example,
  })
  return undefined
}

interface Wish {
  readonly says: string
  readonly fix: string
}

/** A decimal with exactly `scale` digits behind the point; undefined: it is none, or does not fit. */
const digitsOf = (definition: FieldDefinition, value: Json): string | undefined => {
  const { precision = 0, scale = 0 } = definition
  return kindIn(definition).takes === 'digits'
    ? decimalText(String(value), { precision, scale })
    : undefined
}

/** Returns the rule that the default breaks, or null. */
function outside(definition: FieldDefinition, value: Json): Wish | null {
  const { options = [], min, max } = definition
  const { takes, isList } = kindIn(definition)
  const words = Array.isArray(value) ? value : [value]
  if (takes === 'options' && !words.every((word) => options.some((option) => option === word))) {
    // The options report their own problem.
    if (options.length === 0) return null
    const first = isList ? show(options.slice(0, 1)) : show(options[0])
    const fix = `.default(${nearestWord(value, options) ?? first})`
    return { says: `the options are ${show(options)}`, fix }
  }
  if (takes === 'digits' && digitsOf(definition, value) === undefined) {
    const { precision, scale } = definition
    return {
      says: `it is decimal(${precision}, ${scale})`,
      fix: 'a smaller default, or more digits',
    }
  }
  const size = sizeOf(value, takes === 'digits')
  if (min !== undefined && size < min) return outOfBound('min', min, size)
  if (max !== undefined && size > max) return outOfBound('max', max, size)
  if (typeof value === 'string' && refusesBlank(definition) && isBlank(value)) {
    return { says: 'a required text must not be blank', fix: '.allowEmpty()' }
  }
  const broken = typeof value === 'string' ? brokenRule(definition, value) : undefined
  return broken === undefined
    ? null
    : { says: `.${broken} does not allow it`, fix: 'another default, or other rules' }
}

/** As the manifest has it; what is wrong with a rule is said of it. */
function brokenRule({ rules = [] }: FieldDefinition, text: string): string | undefined {
  const asked = rules.filter((rule) => {
    return typeof (rule.name === 'regex' ? rule.source : rule.text) === 'string'
  })
  const broken = asked.find((rule) => !passes([rule], text))
  return broken === undefined ? undefined : `${broken.name}()`
}

const outOfBound = (name: string, bound: number, size: number): Wish => ({
  says: `.${name}(${bound}) does not allow it`,
  fix: `another default, or .${name}(${size})`,
})

/** Returns the size that `.min()` and `.max()` bound. */
function sizeOf(value: Json, isDigits: boolean): number {
  if (isDigits) return Number(value)
  if (typeof value === 'number') return value
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0
}

/** A kind that nobody knows is reported elsewhere. */
const kindIn = ({ kind }: Pick<FieldDefinition, 'kind'>) =>
  kindOf(isFieldKind(kind) ? kind : 'field')
