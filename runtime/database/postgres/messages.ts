/** Messages of PostgreSQL's protocol, written into one buffer: node-pg makes one for each. */

export interface BoundStatement {
  readonly text: string
  /** Empty: it is not kept prepared. */
  readonly name: string
  readonly values: readonly (string | Buffer | null)[]
  /** True where the connection has not prepared it. */
  readonly isNew: boolean
  /** True where its columns are not known. */
  readonly isDescribed: boolean
}

let buffer = Buffer.allocUnsafe(65_536)

const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])
const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** Writes statements of which each is bound and executed, all before one Sync. */
export function writeStatements(statements: readonly BoundStatement[]): Buffer {
  reserve(statements)
  let at = 0
  for (const statement of statements) {
    if (statement.isNew) at = writeParse(statement, at)
    at = writeBind(statement, at)
    if (statement.isDescribed) at += describePortal.copy(buffer, at)
    at += execute.copy(buffer, at)
  }
  at += sync.copy(buffer, at)
  // The stream may hold it until the socket takes more.
  return Buffer.from(buffer.subarray(0, at))
}

/** A character of a text takes three bytes at most: those that take four are two. */
const mostBytesOf = (value: string | Buffer | null): number =>
  value === null ? 4 : 4 + (typeof value === 'string' ? 3 * value.length : value.length)

function reserve(statements: readonly BoundStatement[]): void {
  let size = sync.length
  for (const { text, name, values } of statements) {
    size += 64 + 2 * name.length + mostBytesOf(text) + 2 * values.length
    for (const value of values) size += mostBytesOf(value)
  }
  if (size > buffer.length) buffer = Buffer.allocUnsafe(2 * size)
}

/** Writes the length of the message that began at `start`, and returns its end. */
function endMessage(start: number, end: number): number {
  buffer.writeInt32BE(end - start - 1, start + 1)
  return end
}

function writeText(text: string, at: number): number {
  const end = at + buffer.write(text, at)
  buffer[end] = 0
  return end + 1
}

function writeParse({ name, text }: BoundStatement, start: number): number {
  buffer[start] = 0x50
  const at = writeText(text, writeText(name, start + 5))
  return endMessage(start, buffer.writeInt16BE(0, at))
}

function writeBind({ name, values }: BoundStatement, start: number): number {
  buffer[start] = 0x42
  buffer[start + 5] = 0
  let at = writeText(name, start + 6)
  at = buffer.writeInt16BE(values.length, at)
  for (const value of values) at = buffer.writeInt16BE(value instanceof Buffer ? 1 : 0, at)
  at = buffer.writeInt16BE(values.length, at)
  for (const value of values) at = writeValue(value, at)
  // Every column is answered as text.
  return endMessage(start, buffer.writeInt16BE(0, at))
}

function writeValue(value: string | Buffer | null, start: number): number {
  if (value === null) return buffer.writeInt32BE(-1, start)
  const at = start + 4
  const length = typeof value === 'string' ? buffer.write(value, at) : value.copy(buffer, at)
  buffer.writeInt32BE(length, start)
  return at + length
}
