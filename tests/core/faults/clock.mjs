/** Preloaded: the clock of the day is as many milliseconds off as a file says, which may change at any time. */
import { readFileSync } from 'node:fs'

const RealDate = Date
const offset = () => Number(readFileSync(process.env.CLOCK_OFFSET, 'utf8'))
const now = () => RealDate.now() + offset()

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }

  static now = now
}
