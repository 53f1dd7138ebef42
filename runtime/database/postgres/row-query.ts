import type { Connection, Submittable } from 'pg'
import type { Parameter, RawRow } from '../types.js'
import { writeStatements } from './messages.js'
import { type ColumnReader, readerOf } from './values.js'

export interface RowQueryOptions {
  readonly statements: readonly RowStatement[]
  /** Sees how many characters of each row of the last statement may be long text; what it throws ends the query. */
  readonly count?: ((characters: number) => void) | undefined
  /** The columns of each statement, and the rows of the last one. */
  readonly resolve: (answer: RowAnswer) => void
  readonly reject: (error: unknown) => void
}

export interface RowStatement {
  readonly text: string
  /** Empty: it is not kept prepared. */
  readonly name: string
  readonly values: readonly Parameter[]
  /** The columns that this connection answered to the same name before. */
  readonly columns: Columns | null
  /** Receives the rows of a statement before the last one, when all are there. */
  readonly receive?: (rows: RawRow[]) => void
}

export type Columns = readonly (ColumnReader | null)[]

export interface RowAnswer {
  readonly rows: RawRow[]
  readonly columns: readonly Columns[]
}

/**
 * Statements on their way through node-pg, as its cursors are: in one packet, with one Sync. A
 * connection asks for the columns of a prepared statement once: node-pg's own `Query` asks, and reads
 * the answer, each time, and copies its options by property (of a `show`, 25 of 190 µs).
 */
export class RowQuery implements Submittable {
  readonly #options: RowQueryOptions
  readonly #values: readonly (readonly (string | Buffer | null)[])[]
  readonly #columns: Columns[]
  /** The index of the statement that is answered now. */
  #at = 0
  #rows: RawRow[] = []
  #failure: { readonly error: unknown } | null = null

  /** Throws here what it cannot send: in `submit`, it would leave the connection half written. */
  constructor(options: RowQueryOptions) {
    this.#values = options.statements.map(({ values }) => values.map(encode))
    this.#columns = options.statements.map(({ columns }) => columns ?? [])
    this.#options = options
  }

  /** node-pg notes it as prepared, when the statement that is answered now is parsed. */
  get name(): string {
    return this.#options.statements[this.#at]?.name ?? ''
  }

  get text(): string {
    return this.#options.statements[this.#at]?.text ?? ''
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as unknown as Protocol
    const bound = this.#options.statements.map(({ name, text, columns }, at) => ({
      name,
      text,
      values: this.#values[at] ?? [],
      isNew: name === '' || parsedStatements[name] === undefined,
      isDescribed: columns === null,
    }))
    stream.write(writeStatements(bound))
  }

  handleRowDescription({ fields }: { readonly fields: readonly { dataTypeID: number }[] }): void {
    this.#columns[this.#at] = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
  }

  /** Reads in place: the parser makes a list for each row. */
  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    if (this.#failure !== null) return
    const columns = this.#columns[this.#at] ?? []
    let characters = 0
    for (let at = 0; at < fields.length; at++) {
      const text = fields[at]
      if (typeof text !== 'string') continue
      const read = columns[at]
      if (read) fields[at] = read(text)
      else characters += text.length
    }
    this.#rows.push(fields)
    if (this.#at < this.#columns.length - 1) return
    try {
      this.#options.count?.(characters)
    } catch (error) {
      this.#failure = { error }
    }
  }

  handleCommandComplete(): void {
    const receive = this.#options.statements[this.#at]?.receive
    this.#at += 1
    if (this.#at === this.#columns.length) return
    receive?.(this.#rows)
    this.#rows = []
  }

  /**
   * node-pg replaces this by a function that ends its timer, where DATABASE_URL has a
   * `query_timeout`.
   */
  callback(): void {}

  handleReadyForQuery(): void {
    this.callback()
    const { resolve, reject } = this.#options
    if (this.#failure === null) resolve({ rows: this.#rows, columns: this.#columns })
    else reject(this.#failure.error)
  }

  handleError(error: unknown): void {
    this.callback()
    this.#options.reject(this.#failure === null ? error : this.#failure.error)
  }

  handleCopyInResponse(connection: { sendCopyFail(why: string): void }): void {
    connection.sendCopyFail('a repository copies nothing')
  }

  handleEmptyQuery(): void {}
  handleCopyData(): void {}
}

/** Members of node-pg's connection that its types leave out, or type too narrowly. */
interface Protocol {
  readonly stream: { write(bytes: Buffer): void }
  readonly parsedStatements: Readonly<Record<string, string>>
}

function encode(value: Parameter): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value !== 'object') return String(value)
  return `{${value.map((each) => `"${String(each).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
}
