import { storedKind } from '../../../runtime/kinds/kinds.js'
import { LONGEST_INDEXED } from '../../kinds/index-length.js'
import { keyKindOf, type KeyKind, keyWords, kindOf } from '../../kinds/kinds.js'
import type { Id, IdOptions } from '../../manifest/id.js'
import type { EntityDraft } from '../entity-draft.js'
import { isRecord, oneOf, type Shape } from '../fields/shapes.js'
import type { Place } from '../problems.js'

const word = oneOf(...keyWords)

/** `'uuid'`, or `{ kind: 'text', given: 'must' }`. */
export const anId: Shape = {
  ...word,
  says: `${word.says}, or an object with one of them as its kind`,
  holds: (value) => word.holds(value) || (isRecord(value) && isIdObject(value)),
}

const isIdObject = ({ kind, given = 'may', max = 1, ...rest }: Record<string, unknown>): boolean =>
  word.holds(kind) &&
  (given === 'may' || given === 'must') &&
  Number.isInteger(max) &&
  Object.keys(rest).length === 0

/** Reads the ids of a repository, and reports what is wrong with them. */
export function idOf(id: Id, place: Place): Pick<EntityDraft, 'id' | 'givenId'> {
  if (typeof id === 'string') return { id: keyKindOf(id), givenId: {} }
  const kind = keyKindOf(id.kind)
  const wrong = wrongWith(kind, id)
  if (wrong !== null) {
    const { at, what, report } = place
    report({ rule: 'given-id', at, message: `the id of ${what} ${wrong.says}`, fix: wrong.fix })
  }
  if (id.given === undefined) return { id: kind, givenId: {} }
  const max = kindOf(kind).isText ? { max: id.max ?? usualMax } : {}
  return { id: kind, givenId: { given: id.given, ...max } }
}

const usualMax = 64

function wrongWith(kind: KeyKind, { kind: written, given, max }: IdOptions) {
  if (max !== undefined && (given === undefined || !kindOf(kind).isText)) {
    return {
      says: 'has `max`, which bounds texts that bodies give',
      fix: "id: { kind: 'text', given: 'must', max: 12 }",
    }
  }
  if (max !== undefined && (max < 1 || max > LONGEST_INDEXED)) {
    return {
      says: `has max: ${max}, and it takes 1 to ${LONGEST_INDEXED} characters`,
      fix: "id: { kind: 'text', given: 'must', max: 64 }",
    }
  }
  const isCounted = storedKind(kindOf(kind).storage).key?.makes === null
  if (given !== 'may' || !isCounted) return null
  return {
    says: `may be given, and the database counts ${written}s up: it would come to the same number`,
    fix: `id: { kind: '${written}', given: 'must' }, or id: '${written}'`,
  }
}
