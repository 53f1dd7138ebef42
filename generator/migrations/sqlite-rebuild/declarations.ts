/** The parts of a `CREATE TABLE` of SQLite, as its author wrote them; types and defaults alone do not say all of them. */
export interface Declarations {
  /** By column, in lower case: `geo geometry NOT NULL`. */
  readonly columns: ReadonlyMap<string, string>
  /** `CHECK (…)` of the table and of its columns. */
  readonly checks: readonly string[]
  /** Constraints with their names: `CONSTRAINT positive CHECK (…)`. */
  readonly constraints: readonly string[]
  /** Keys and foreign keys of the table itself: `FOREIGN KEY (p_id) REFERENCES p (id)`. */
  readonly keys: readonly string[]
}

const piece =
  /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[(),]|[^-/'"`[(),]+|[^]/g

const constraint = /^(CONSTRAINT|PRIMARY\s+KEY|UNIQUE|CHECK|FOREIGN\s+KEY)\b/i

export function readDeclarations(sql: string): Declarations {
  const columns = new Map<string, string>()
  const checks: string[] = []
  const constraints: string[] = []
  const keys: string[] = []
  for (const part of partsOf(sql)) {
    const found = checksIn(part)
    checks.push(...found.map((each) => each.sql))
    constraints.push(...found.map((each) => `${each.name}${each.sql}`))
    if (constraint.test(part)) {
      if (found.length === 0) keys.push(part)
      continue
    }
    const [, name = ''] = /^("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|'(?:[^']|'')*'|\S+)/.exec(part) ?? []
    const rest = part.slice(name.length)
    const plain = unquoted(name)
    columns.set(plain.toLowerCase(), `"${plain.replaceAll('"', '""')}"${rest}`)
  }
  return { columns, checks, constraints, keys }
}

/** Splits the text between the outer parentheses at its commas, without comments. */
function partsOf(sql: string): readonly string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const [text] of sql.matchAll(piece)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue
    if (text === ')') depth -= 1
    if (depth > 0 && text === ',' && depth === 1) parts.push('')
    else if (depth > 0) parts.push(`${parts.pop() ?? ''}${text}`)
    if (text === '(') depth += 1
    if (text === ')' && depth === 0) break
  }
  return parts.map((part) => part.trim())
}

function checksIn(part: string): readonly { readonly sql: string; readonly name: string }[] {
  const checks: { sql: string; name: string }[] = []
  let open: { text: string; depth: number; name: string } | null = null
  let before = ''
  for (const [text] of part.matchAll(piece)) {
    if (open === null && text === '(' && /\bCHECK\s*$/i.test(before)) {
      const [name = ''] =
        /\bCONSTRAINT\s+(?:"(?:[^"]|"")*"|\S+)\s+(?=CHECK\s*$)/i.exec(before) ?? []
      open = { text: 'CHECK ', depth: 0, name }
    }
    if (open !== null) {
      open = { ...open, text: `${open.text}${text}`, depth: depthAfter(open.depth, text) }
      if (open.depth === 0) {
        checks.push({ sql: open.text, name: open.name })
        open = null
      }
    }
    before = text === '(' || text === ')' ? text : `${before}${text}`
  }
  return checks
}

const depthAfter = (depth: number, text: string) =>
  text === '(' ? depth + 1 : text === ')' ? depth - 1 : depth

function unquoted(name: string): string {
  const [first = ''] = name
  if (first === '"' || first === "'") return name.slice(1, -1).replaceAll(first + first, first)
  return first === '`' || first === '[' ? name.slice(1, -1) : name
}
