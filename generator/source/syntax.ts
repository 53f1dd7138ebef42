const checked = /\.(ts|mts|cts|js|mjs|cjs|tsx|jsx)$/

/** True when the text can be read as what its name says it is; kinds of file without a parser here always can. */
export async function parses(path: string, text: string): Promise<boolean> {
  if (path.endsWith('.json')) return parsesAsJson(text)
  if (!checked.test(path)) return true
  // Only a merge needs the parser, and it takes a while to load.
  const { format } = await import('oxfmt')
  const { errors } = await format(path, text, {})
  return errors.length === 0
}

function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return true
  } catch {
    return false
  }
}
