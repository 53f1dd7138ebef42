/** Ids of operations, each once. */
export interface Ids {
  readonly free: (preferred: string) => string
  readonly isNumbered: () => boolean
}

/** Two keys may differ only in how they are written. */
export function idsOf(): Ids {
  const taken = new Set<string>()
  let isNumbered = false
  const free = (preferred: string) => {
    let id = preferred
    for (let number = 2; taken.has(id); number += 1) id = `${preferred}${number}`
    isNumbered ||= id !== preferred
    taken.add(id)
    return id
  }
  return { free, isNumbered: () => isNumbered }
}

const start = '{"operationId":"'

/** Reads the ids of a path's operations. */
export function idsIn(text: string): readonly string[] {
  return text
    .split(start)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('"')))
}
