/** Numbers that look random and follow from a seed (mulberry32), so that a history can be had again. */
export class Dice {
  constructor(private state: number) {}

  /** 0 to below `sides`. */
  roll(sides: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }

  isOneIn(sides: number): boolean {
    return this.roll(sides) === 0
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.roll(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  /** `8f3c…-…`: a UUID. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.roll(16).toString(16)).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}
