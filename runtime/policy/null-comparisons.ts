import { isComposite } from './condition-sql.js'
import { operands } from './condition.js'

/**
 * What a condition compares with null, each as what to write instead: NULL is asked for with
 * `isNull`, and a to-one relation without a record with `isNot: true`.
 */
export function nullComparisons(condition: unknown, name = ''): string[] {
  if (typeof condition !== 'object' || condition === null) return []
  if (isComposite(condition)) {
    const parts = condition[operands]
    const ofSql = condition.combines === 'sql' && parts.includes(null) ? [inSql] : []
    return [...ofSql, ...parts.flatMap((part) => nullComparisons(part, name))]
  }
  return Object.entries(condition).flatMap(([key, tested]) => {
    const isTest = Array.isArray(condition) || testWords.has(key)
    if (tested === null) return [instead(isTest ? name : key, key)]
    return nullComparisons(tested, isTest ? name : key)
  })
}

const toOneWords: ReadonlySet<string> = new Set(['is', 'isNot'])

/** Words that stand between a name and what it is compared with. */
const testWords: ReadonlySet<string> = new Set([
  ...['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte'],
  ...['contains', 'startsWith', 'endsWith', 'isNull', 'some', 'none', 'every', ...toOneWords],
])

const inSql = `sql compares with null, which admits no row: write 'is null' in its text`

function instead(name: string, word: string): string {
  const compared = `compares '${name}' with null, which admits no row: write`
  return toOneWords.has(word)
    ? `${compared} { ${name}: { isNot: true } } for no record, { is: true } for any`
    : `${compared} { ${name}: { isNull: true } } for NULL, { isNull: false } for any value`
}
