import { notWhiteSpace } from '../../../runtime/kinds/text.js'
import { isFieldKind, kindOf } from '../../kinds/kinds.js'
import type { FieldDefinition } from '../../manifest/field.js'
import type { Place } from '../problems.js'

/** A text of nothing but white space, and one without any character. */
export const isBlank = (text: string): boolean => !notWhiteSpace.test(text)

/**
 * Returns true if requests must say a text that is not blank. Kinds with a form of their own refuse
 * it anyway.
 */
export function refusesBlank(definition: FieldDefinition): boolean {
  const { kind, nullable, readonly, hidden, generated, allowEmpty } = definition
  const isPlainText = isFieldKind(kind) && kindOf(kind).group === 'text'
  return isPlainText && ![nullable, readonly, hidden, generated, allowEmpty].includes(true)
}

/** Bounds that contradict what a field says of empty texts. */
export function checkBlank(definition: FieldDefinition, { at, what, report }: Place): void {
  const { min = 0, max, allowEmpty } = definition
  if (allowEmpty === true && min > 0) {
    report({
      rule: 'field-bounds',
      at: [...at, 'min'],
      message: `${what} has .allowEmpty() and .min(${min}), which does not allow an empty text`,
      fix: `leave .min(${min}) out, or .allowEmpty()`,
    })
  }
  if (max === 0 && refusesBlank(definition)) {
    report({
      rule: 'field-bounds',
      at: [...at, 'max'],
      message: `${what} has .max(0) and must not be empty, so no value fits`,
      fix: '.max(255)',
    })
  }
}
