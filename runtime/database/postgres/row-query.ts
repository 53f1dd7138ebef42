import type { Connection, Submittable } from 'pg'
import type { Parameter, RawRow } from '../types.js'
import { type ColumnReader, readerOf } from './values.js'

export interface RowQueryOptions {
  readonly text: string
  /** Empty: it is not kept prepared. */
  readonly name: string
  readonly values: readonly Parameter[]
  /** The columns that this connection answered to the same name before. */
  readonly columns: Columns | null
  /** Sees how many characters of each row may be long text; what it throws ends the query. */
  readonly count?: ((characters: number) => void) | undefined
  readonly resolve: (answer: RowAnswer) => void
  readonly reject: (error: unknown) => void
}

export type Columns = readonly (ColumnReader | null)[]

export interface RowAnswer {
  readonly rows: RawRow[]
  readonly columns: Columns
}

/**
 * A statement on its way through node-pg, as its cursors are. A connection asks for the columns of a
 * prepared statement once: node-pg's own `Query` asks, and reads the answer, each time, and copies its
 * options by property (of a `show`, 25 of 190 µs).
 */
export class RowQuery implements Submittable {
  readonly name: string
  readonly text: string
  readonly #options: RowQueryOptions
  readonly #values: readonly (string | Buffer | null)[]
  readonly #rows: RawRow[] = []
  #columns: Columns
  #failure: { readonly error: unknown } | null = null

  /** Throws here what it cannot send: in `submit`, it would leave the connection half written. */
  constructor(options: RowQueryOptions) {
    this.#values = options.values.map(encode)
    this.name = options.name
    this.text = options.text
    this.#options = options
    this.#columns = options.columns ?? []
  }

  submit(connection: Connection): void {
    const { name, text, columns } = this.#options
    const to = connection as unknown as Protocol
    to.stream.cork()
    if (name === '' || to.parsedStatements[name] === undefined) to.parse({ name, text })
    to.bind({ statement: name, values: this.#values })
    if (columns === null) to.describe({ type: 'P' })
    to.execute()
    to.sync()
    to.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly { dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
  }

  /** Reads in place: the parser makes a list for each row. */
  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    if (this.#failure !== null) return
    const columns = this.#columns
    let characters = 0
    for (let at = 0; at < fields.length; at++) {
      const text = fields[at]
      if (typeof text !== 'string') continue
      const read = columns[at]
      if (read) fields[at] = read(text)
      else characters += text.length
    }
    this.#rows.push(fields)
    try {
      this.#options.count?.(characters)
    } catch (error) {
      this.#failure = { error }
    }
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

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}
}

/** Members of node-pg's connection that its types leave out, or type too narrowly. */
interface Protocol {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(values: {
    readonly statement: string
    readonly values: readonly (string | Buffer | null)[]
  }): void
  describe(what: { readonly type: 'P' }): void
  execute(): void
  sync(): void
}

function encode(value: Parameter): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value !== 'object') return String(value)
  return `{${value.map((each) => `"${String(each).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
}
