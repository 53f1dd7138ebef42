import { both, flat, type Flat } from './flat.js'
import { kindsOf, typesOf } from './kinds.js'
import type { Part } from './part.js'
import { inTime, valueMisfits, type Pair } from './value-fits.js'

/** Requests must still be accepted; answers must still be as promised. */
export type Direction = 'input' | 'output'

export interface Finding {
  /** In the new document; of what is gone, in the old one. */
  readonly at: string
  readonly text: string
}

const deepest = 50

/**
 * Compares schemas of one direction. In both, all that the one allows must be allowed by the other: what the old document
 * took by the new one, what the new document answers by the old one. Pairs that were met are not compared again.
 */
export class SchemaComparison {
  readonly #isInput: boolean
  /** By the places of the schemas. */
  readonly #findings = new Map<string, readonly Finding[]>()
  readonly #postponed: (readonly [old: readonly Part[], now: readonly Part[]])[] = []
  #depth = 0

  constructor(direction: Direction) {
    this.#isInput = direction === 'input'
  }

  compare(old: readonly Part[], now: readonly Part[]): readonly Finding[] {
    const findings = [...this.#compare(old, now)]
    for (let pair = this.#postponed.pop(); pair !== undefined; pair = this.#postponed.pop()) {
      findings.push(...this.#compare(...pair))
    }
    return findings
  }

  #compare(old: readonly Part[], now: readonly Part[]): readonly Finding[] {
    const key = [...old, '', ...now].map((part) => (part === '' ? '|' : part.at)).join(' ')
    const known = this.#findings.get(key)
    if (known !== undefined) return known
    // Relations lead through a thousand repositories: what lies deep is compared when the stack is free.
    if (this.#depth === deepest) {
      this.#postponed.push([old, now])
      return []
    }
    // A schema may hold itself.
    this.#findings.set(key, [])
    const [given, taken] = this.#isInput ? [old, now] : [now, old]
    this.#depth += 1
    const findings = this.#misfits(flat(given), flat(taken))
    this.#depth -= 1
    this.#findings.set(key, findings)
    return findings
  }

  /** Ways in which what `given` allows is not what `taken` allows. */
  #misfits(given: Flat, taken: Flat): readonly Finding[] {
    const [choice, ...choices] = given.choices
    if (choice !== undefined) {
      const rest = { ...given, choices }
      return choice.flatMap((part) => this.#misfits({ ...both(rest, flat([part])), part }, taken))
    }
    if (given.types?.size === 0 || given.values?.length === 0) return []
    const kinds = given.types === null ? [] : kindsOf(given)
    if (taken.choices.length > 0 && kinds.length > 1) {
      return kinds.flatMap((type) => this.#misfits({ ...given, types: new Set(type) }, taken))
    }
    const [allowed, ...others] = taken.choices
    if (allowed === undefined) return this.#withoutChoices({ isInput: this.#isInput, given, taken })
    const rest = { ...taken, choices: others }
    const all = allowed.map((part) => this.#misfits(given, { ...both(rest, flat([part])), part }))
    return all.toSorted((a, b) => a.length - b.length).at(0) ?? []
  }

  #withoutChoices(pair: Pair): readonly Finding[] {
    const [, now] = inTime(pair.isInput, pair.given, pair.taken)
    return [
      ...valueMisfits(pair).map((text) => ({ at: now.part.at, text })),
      ...(typesOf(pair.given).includes('object') ? this.#members(pair) : []),
      ...this.#elements(pair),
    ]
  }

  #members({ isInput, given, taken }: Pair): readonly Finding[] {
    const [old, now] = inTime(isInput, given, taken)
    const gone = [...old.properties.keys()].filter((name) => !now.properties.has(name))
    const required = [...taken.required].filter((name) => !given.required.has(name))
    const isClosedNow = isInput && taken.isClosed && !given.isClosed
    return [
      ...gone.map((name) => ({
        at: old.properties.get(name)?.[0]?.at ?? old.part.at,
        text: 'is gone',
      })),
      ...required.map((name) => ({
        at: now.part.at,
        text: isInput ? `'${name}' is required now` : `'${name}' may be missing now`,
      })),
      ...(isClosedNow ? [{ at: now.part.at, text: 'no longer takes other properties' }] : []),
      ...[...old.properties].flatMap(([name, parts]) => {
        const others = now.properties.get(name)
        return others === undefined ? [] : this.#compare(parts, others)
      }),
    ]
  }

  /**
   * Compares elements of lists, and of objects that are read as one: an element without a schema
   * may be anything.
   */
  #elements({ isInput, given, taken }: Pair): readonly Finding[] {
    const [old, now] = inTime(isInput, given, taken)
    const compare = (what: string, key: 'items' | 'others') => {
      if (old[key].length > 0 && now[key].length > 0) return this.#compare(old[key], now[key])
      if (taken[key].length === 0 || given[key].length > 0) return []
      const text = isInput ? `takes fewer ${what}` : `answers other ${what}`
      return [{ at: now.part.at, text }]
    }
    return [...compare('items', 'items'), ...compare('other properties', 'others')]
  }
}
