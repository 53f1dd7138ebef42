import type { Log } from '../../http/log.js'

/** Milliseconds after a start that are left to the requests which waited for it. */
const quietMs = 1000

/**
 * Development: something that takes long to make is made when it is first asked for, or a moment
 * after the start, which says what is wrong with it as an error in the log.
 */
export function whenAsked(log: Log) {
  return <Made>(make: () => Made): (() => Made) => {
    let made: { readonly value: Made } | null = null
    const get = () => (made ??= { value: make() }).value
    const check = () => {
      try {
        get()
      } catch (error) {
        log.error({ err: error }, 'GraphQL is not served until this is mended')
      }
    }
    setTimeout(check, quietMs).unref()
    return get
  }
}
