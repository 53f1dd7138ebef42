/** A line of the log for people: `13:42:17 GET /api/svc/posts 200, 3.1 ms`. */
export function readableLine(text: string, isColored: boolean): string {
  const line = parsed(text)
  if (line === null) return text
  const { level, time, msg, err } = line
  const request = requestIn(line)
  const said = request ?? (msg === undefined ? '' : String(msg))
  const named = levels.find(([least]) => Number(level) >= least)
  const below = request !== null && msg !== undefined ? `\n  ${String(msg)}` : ''
  const words = [
    new Date(Number(time)).toTimeString().slice(0, 8),
    ...(named === undefined ? [] : [painted(named[1], named[2], isColored)]),
    said,
    ...moreIn(line, said, named !== undefined),
  ]
  return `${words.filter((word) => word !== '').join(' ')}${below}${errorText(err)}\n`
}

/** From this level on, its name and colour; below, a line is plain. */
const levels = [
  [60, 'FATAL', 31],
  [50, 'ERROR', 31],
  [40, 'WARN', 33],
] as const

type Line = Readonly<Record<string, unknown>>

function parsed(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

function requestIn({ method, path, status, ms }: Line): string | null {
  if (method === undefined || status === undefined) return null
  return `${String(method)} ${String(path)} ${String(status)}, ${String(ms)} ms`
}

const painted = (text: string, color: number, isColored: boolean) =>
  isColored ? `\u001B[${color}m${text}\u001B[39m` : text

/** Members that every line has, or that appear elsewhere in it. */
const elsewhere = new Set(
  'level time pid hostname msg err method path status ms host port'.split(' '),
)

/** The id of a request is in the answer of one that failed: there it leads from one to the other. */
function moreIn(line: Line, said: string, isTrouble: boolean): readonly string[] {
  return Object.entries(line).flatMap(([name, value]) => {
    const isShown = name === 'requestId' ? isTrouble : !elsewhere.has(name)
    if (!isShown) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return said.includes(text) ? [] : [`${name}=${text}`]
  })
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message, cause } = error as Line
  const text = String(stack ?? message ?? '').replaceAll('\n', '\n  ')
  return `\n  ${text}${errorText(cause)}`
}
