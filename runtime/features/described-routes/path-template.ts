/** A path of Hono as a document has it: `/guests/:id{[0-9]{3}}` is `/guests/{id}`. */
export interface PathTemplate {
  readonly shown: string
  /** Its parameters, in their order. */
  readonly names: readonly string[]
}

/** The template of a path, or what keeps a document from having it. */
export function templateOf(path: string): PathTemplate | { readonly problem: string } {
  const names: string[] = []
  let shown = ''
  for (let at = 0; at < path.length;) {
    const parameter = path[at] === ':' && path[at - 1] === '/' ? parameterAt(path, at) : null
    if (parameter === null) {
      shown += path[at]
      at += 1
    } else if (names.includes(parameter.name)) {
      return { problem: `has two parameters ':${parameter.name}'` }
    } else {
      names.push(parameter.name)
      shown += `{${parameter.name}}`
      at = parameter.end
    }
  }
  const literal = shown.replaceAll(/\/\{[^{}/]+\}(?=\/|$)/g, '')
  const wrong = /[*?{}\\]/.exec(literal) ?? (names.length > 0 ? /:/.exec(literal) : null)
  if (wrong === null) return { shown, names }
  return { problem: `has a '${wrong[0]}' that is no parameter's` }
}

/** The parameter that begins here, with its pattern, in which braces nest; null: Hono reads none. */
function parameterAt(path: string, start: number) {
  const [, name = ''] = /^:([^{}/*?\\]+)/.exec(path.slice(start)) ?? []
  if (name === '') return null
  const end = start + 1 + name.length
  const after = path[end] === '{' ? closed(path, end) : end
  const isWhole = after !== null && (after === path.length || path[after] === '/')
  return isWhole ? { name, end: after } : null
}

/** Behind the brace that closes the one at `start`. */
function closed(path: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < path.length; at += 1) {
    if (path[at] === '\\') at += 1
    else if (path[at] === '{') depth += 1
    else if (path[at] === '}' && --depth === 0) return at + 1
  }
  return null
}
