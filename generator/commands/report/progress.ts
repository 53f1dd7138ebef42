import type { Writable } from 'node:stream'

export interface Progress {
  readonly step: (name: string) => void
  readonly end: () => void
}

/** A shorter run shows none. */
const delayMs = 1000

/** On a terminal, one line that says what a run is doing, once it has taken a while; gone at the end. */
export function showProgress(stream: Writable): Progress {
  if (!('isTTY' in stream) || stream.isTTY !== true) return { step: () => {}, end: () => {} }
  const started = performance.now()
  let current = ''
  let isShown = false
  const show = () => {
    isShown = true
    stream.write(`\r\u001B[2K${current} …`)
  }
  const timer = setTimeout(show, delayMs)
  return {
    step: (name) => {
      current = name
      if (performance.now() - started > delayMs) show()
    },
    end: () => {
      clearTimeout(timer)
      if (isShown) stream.write('\r\u001B[2K')
    },
  }
}
