/**
 * A map of at most about twice `limit` entries. Two generations instead of a list of uses: a hit
 * in the young one costs one lookup, and what was not asked for during a whole generation is
 * forgotten.
 */
export class BoundedCache<Key, Value> {
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(readonly limit: number) {}

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const aged = this.#old.get(key)
    if (aged !== undefined) this.set(key, aged)
    return aged
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.limit) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
