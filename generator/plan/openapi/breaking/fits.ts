import type { Json } from '../../../blueprint/types.js'
import { atMost, both, flat, type Flat } from './flat.js'
import { concerns, isMultiple, isVoid, kindsOf, numberIn, typesOf } from './kinds.js'
import type { Part } from './part.js'

/** What is sent must still be taken; what is answered must still be what was promised. */
export type Direction = 'input' | 'output'

export interface Finding {
  /** In the new document; of what is gone, in the old one. */
  readonly at: string
  readonly text: string
}

const deepest = 50

export type Compare = (old: readonly Part[], now: readonly Part[]) => readonly Finding[]

/**
 * Compares schemas of one direction. In both, all that the one allows must be allowed by the other: what the old document
 * took by the new one, what the new document answers by the old one. Pairs that were met are not compared again.
 */
export function comparing(direction: Direction): Compare {
  const known = new Map<string, readonly Finding[]>()
  const isInput = direction === 'input'
  const left: (readonly [old: readonly Part[], now: readonly Part[]])[] = []
  let depth = 0

  const compare: Compare = (old, now) => {
    const key = [...old, '', ...now].map((part) => (part === '' ? '|' : part.at)).join(' ')
    const found = known.get(key)
    if (found !== undefined) return found
    // Relations lead through a thousand repositories: what lies deep is compared when the stack is free.
    if (depth === deepest) {
      left.push([old, now])
      return []
    }
    // A schema may hold itself.
    known.set(key, [])
    const [given, taken] = isInput ? [old, now] : [now, old]
    depth += 1
    const findings = misfits(flat(given), flat(taken))
    depth -= 1
    known.set(key, findings)
    return findings
  }

  const compareAll: Compare = (old, now) => {
    const findings = [...compare(old, now)]
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      findings.push(...compare(...pair))
    }
    return findings
  }

  /** Ways in which what `given` allows is not what `taken` allows. */
  function misfits(given: Flat, taken: Flat): readonly Finding[] {
    const [choice, ...choices] = given.choices
    if (choice !== undefined) {
      const rest = { ...given, choices }
      return choice.flatMap((part) => misfits({ ...both(rest, flat([part])), part }, taken))
    }
    if (given.types?.size === 0 || given.values?.length === 0) return []
    const kinds = given.types === null ? [] : kindsOf(given)
    if (taken.choices.length > 0 && kinds.length > 1) {
      return kinds.flatMap((type) => misfits({ ...given, types: new Set(type) }, taken))
    }
    const [allowed, ...others] = taken.choices
    if (allowed === undefined) return withoutChoices(given, taken)
    const rest = { ...taken, choices: others }
    const all = allowed.map((part) => misfits(given, { ...both(rest, flat([part])), part }))
    return all.toSorted((a, b) => a.length - b.length).at(0) ?? []
  }

  const now = (given: Flat, taken: Flat) => (isInput ? taken : given).part.at
  const old = (given: Flat, taken: Flat) => (isInput ? given : taken).part.at

  const changed = (what: string, given: Json | undefined, taken: Json | undefined) => {
    const [before, after] = isInput ? [given, taken] : [taken, given]
    const verb = isInput ? 'takes less' : 'answers more'
    return `${verb}: ${what} was ${shown(before)}, is ${shown(after)}`
  }

  function withoutChoices(given: Flat, taken: Flat): readonly Finding[] {
    const at = now(given, taken)
    return [
      ...typesAndValues(given, taken).map((text) => ({ at, text })),
      ...bounds(given, taken).map((text) => ({ at, text })),
      ...rules(given, taken).map((text) => ({ at, text })),
      ...members(given, taken),
    ]
  }

  function typesAndValues(given: Flat, taken: Flat): readonly string[] {
    if (taken.values !== null) {
      const known = new Set(taken.values.map((value) => JSON.stringify(value)))
      if (given.values === null) return [changed('it', null, [...taken.values])]
      const strange = given.values.filter((value) => !known.has(JSON.stringify(value)))
      if (strange.length === 0) return []
      const list = strange.map((value) => JSON.stringify(value)).join(', ')
      return [isInput ? `takes no ${list} any more` : `answers ${list}, too`]
    }
    const missing = typesOf(given).filter((type) => taken.types !== null && !taken.types.has(type))
    // An integer is a number.
    const strange = missing.filter((type) => type !== 'integer' || !missing.includes('number'))
    if (strange.length === 0) return []
    return [
      isInput ? `takes no ${strange.join(', ')} any more` : `answers ${strange.join(', ')}, too`,
    ]
  }

  function bounds(given: Flat, taken: Flat): readonly string[] {
    if (given.values !== null) return []
    return [...taken.bounds].flatMap(([key, bound]) => {
      const withoutChoices = given.bounds.get(key)
      const fits =
        withoutChoices !== undefined &&
        (atMost.includes(key) ? withoutChoices <= bound : withoutChoices >= bound)
      return fits || isVoid(key, bound) || !concerns(key, given)
        ? []
        : [changed(key, withoutChoices, bound)]
    })
  }

  /** What is not the same text may allow less, or other things. */
  function rules(given: Flat, taken: Flat): readonly string[] {
    if (given.values !== null) return []
    return [...taken.rules].flatMap(([rule, key]) => {
      if (!concerns(key, given) || given.rules.has(rule)) return []
      const ofGiven = [...given.rules].flatMap(([each, name]) => (name === key ? [each] : []))
      if (
        key === 'multipleOf' &&
        ofGiven.some((each) => isMultiple(numberIn(each), numberIn(rule)))
      )
        return []
      const [before, after] = isInput ? [ofGiven, [rule]] : [[rule], ofGiven]
      const said = (each: readonly string[]) =>
        each.map((text) => text.slice(key.length + 1)).join(', ') || 'none'
      const verb = isInput ? 'may take less' : 'may answer more'
      return [`${verb}: ${key} was ${said(before)}, is ${said(after)}`]
    })
  }

  function members(given: Flat, taken: Flat): readonly Finding[] {
    const [before, after] = isInput ? [given, taken] : [taken, given]
    const gone = [...before.properties.keys()].filter((name) => !after.properties.has(name))
    const required = [...taken.required].filter((name) => !given.required.has(name))
    const inner = [...before.properties].flatMap(([name, parts]) => {
      const others = after.properties.get(name)
      return others === undefined ? [] : compare(parts, others)
    })
    const ofElements = [
      ...list(before.items, after.items, now(given, taken), 'items'),
      ...list(before.others, after.others, now(given, taken), 'other properties'),
    ]
    if (!typesOf(given).includes('object')) return ofElements
    const isClosedNow = isInput && taken.isClosed && !given.isClosed
    return [
      ...gone.map((name) => ({
        at: before.properties.get(name)?.[0]?.at ?? old(given, taken),
        text: 'is gone',
      })),
      ...required.map((name) => ({
        at: now(given, taken),
        text: isInput ? `'${name}' is required now` : `'${name}' may be missing now`,
      })),
      ...(isClosedNow ? [{ at: taken.part.at, text: 'takes no other properties any more' }] : []),
      ...inner,
      ...ofElements,
    ]
  }

  /** Of elements that nothing is said of, anything is. */
  function list(
    old: readonly Part[],
    now: readonly Part[],
    at: string,
    what: string,
  ): readonly Finding[] {
    if (old.length > 0 && now.length > 0) return compare(old, now)
    const [given, taken] = isInput ? [old, now] : [now, old]
    if (taken.length === 0 || given.length > 0) return []
    return [{ at, text: isInput ? `takes fewer ${what}` : `answers other ${what}` }]
  }

  return compareAll
}

const shown = (value: Json | undefined) =>
  value === undefined ? 'none' : value === null ? 'anything' : JSON.stringify(value)
