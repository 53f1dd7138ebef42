import type { Finding, Path, Report } from '../problems.js'
import { nearest } from '../problems.js'

/** A kind of value an option takes. The compiler says the same first; a manifest may be plain JavaScript. */
export interface Shape {
  readonly says: string
  readonly example: string
  readonly holds: (value: unknown) => boolean
  /** Guesses what was meant, as an example. */
  readonly meant?: (value: unknown) => string | undefined
}

export type Shapes = Readonly<Record<string, Shape>>

const isText = (value: unknown) => typeof value === 'string' && value !== ''

export const aText: Shape = { says: 'a text', example: "'…'", holds: isText }
/** Emitted as a comment, so it must not end one. */
export const aSentence: Shape = {
  says: "a text of one line without '*/'",
  example: "'…'",
  holds: (value) => isText(value) && !/[\r\n\u2028\u2029]|\*\//.test(String(value)),
}
export const aTruth: Shape = {
  says: 'true or false',
  example: 'true',
  holds: (value) => typeof value === 'boolean',
}
export const truthOr = (word: string): Shape => ({
  says: `true, false or ${show(word)}`,
  example: 'true',
  holds: (value) => typeof value === 'boolean' || value === word,
  meant: (value) => nearestWord(value, [word]),
})
export const isFalse: Shape = {
  says: 'false',
  example: 'false',
  holds: (value) => value === false,
}
export const names: Shape = {
  says: 'a list of names',
  example: "['…']",
  holds: (value) => Array.isArray(value) && value.every(isText),
}
export const aRecord: Shape = { says: 'an object', example: '{ … }', holds: isRecord }
export const aPageSize: Shape = {
  says: 'a whole number from 1 to 1000',
  example: '15',
  holds: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000,
}

export const oneOf = (...words: readonly string[]): Shape => ({
  says: words.map(show).join(' or '),
  example: show(words[0]),
  holds: (value) => typeof value === 'string' && words.includes(value),
  meant: (value) => nearestWord(value, words),
})

export function nearestWord(value: unknown, words: readonly string[]): string | undefined {
  const meant = typeof value === 'string' ? nearest(value, words) : undefined
  return meant === undefined ? undefined : show(meant)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Options of something in the manifest. */
interface OptionsPlace {
  readonly at: Path
  /** Its name in messages: `repository 'posts'`. */
  readonly of: string
  /** Options that belong to something else, and the way to write one there. */
  readonly elsewhere?: { readonly options: Shapes; readonly write: (option: string) => string }
}

/** The options that hold; each other one is reported. */
export function checkOptions(
  written: Readonly<Record<string, unknown>>,
  shapes: Shapes,
  place: OptionsPlace & { readonly report: Report },
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(written).filter(([name, value]) => {
    if (value === undefined) return false
    const finding = optionFinding(name, value, shapes, place)
    if (finding !== null) place.report(finding)
    return finding === null
  })
  return Object.fromEntries(kept)
}

function optionFinding(
  name: string,
  value: unknown,
  shapes: Shapes,
  place: OptionsPlace,
): Finding | null {
  const { at, of } = place
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
  if (shape === undefined) return unknownOption(name, value, Object.keys(shapes), place)
  if (shape.holds(value)) return null
  return {
    rule: 'wrong-option',
    at: [...at, name],
    message: `${of} has '${name}' as ${show(value)}, which is not ${shape.says}`,
    fix: `${name}: ${shape.meant?.(value) ?? shape.example}`,
  }
}

function unknownOption(
  name: string,
  value: unknown,
  known: readonly string[],
  { at, of, elsewhere }: OptionsPlace,
): Finding {
  const home = homeOf(value)
  const shape = Object.hasOwn(elsewhere?.options ?? {}, name) ? elsewhere?.options[name] : undefined
  const isElsewhere = home !== undefined && known.includes(home.option)
  const meant = isElsewhere ? home.option : nearest(name, known)
  const place = isElsewhere ? `: ${home.what} belong in '${home.option}'` : ''
  return {
    rule: 'unknown-option',
    at: [...at, name],
    message: `${of} has an option '${name}', and there is no such option${place}`,
    known: known.toSorted(),
    fix:
      elsewhere !== undefined && shape !== undefined
        ? elsewhere.write(`${name}: ${shape.holds(value) ? show(value) : shape.example}`)
        : meant === undefined
          ? `leave '${name}' out`
          : `${meant}: …`,
  }
}

/**
 * Names the repositories with such entries, under whatever name they were written: `relations: {
 * author: belongsTo() }`.
 */
function homeOf(value: unknown): { readonly option: string; readonly what: string } | undefined {
  const types = isRecord(value)
    ? Object.values(value).map((each) => isRecord(each) && each['type'])
    : []
  if (types.includes('relation')) return { option: 'related', what: 'relations' }
  return types.includes('field') ? { option: 'fields', what: 'fields' } : undefined
}

/** The function of the vocabulary that gave a value, or null. */
export function madeBy(value: unknown): string | null {
  if (!isRecord(value)) return null
  const { type, definition } = value
  if (type === 'computed' || type === 'member' || type === 'repository') return type
  const isKind = (type === 'field' || type === 'relation') && isRecord(definition)
  return isKind ? String(definition['kind']) : null
}

/** `{ __proto__: text() }` names no property: JavaScript takes the value as what the object inherits from. */
export const inheritsEntry = (value: object) => madeBy(Object.getPrototypeOf(value)) !== null

/** A value as it would be written in a manifest, on one short line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value === 'function') return 'a function'
  if (!isRecord(value)) return String(value)
  const made = madeBy(value)
  if (made !== null) return `${made}()`
  const text = Object.entries(value).map(([key, part]) => `${key}: ${show(part)}`)
  return text.length === 0 ? '{}' : `{ ${text.join(', ')} }`
}
