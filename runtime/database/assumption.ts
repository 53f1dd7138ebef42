import type { Parameter } from '../kinds/kind.js'
import type { Later } from '../later.js'

interface ReadStatement {
  readonly sql: string
  readonly access: 'read'
  readonly most?: number
}

type Rows = readonly (readonly unknown[])[]

/** A connection, as far as it reads. */
interface Reads {
  query(statement: ReadStatement, parameters: readonly Parameter[]): Promise<Rows>
}

/**
 * What a request assumes of the database, and the read that says whether it holds. The read is sent
 * in one packet with the first statement of the request, so that it costs no round trip of its own.
 */
export class Assumption {
  #holds: boolean | null = null

  constructor(
    readonly connection: Reads,
    readonly statement: ReadStatement,
    readonly parameters: readonly Parameter[],
    readonly check: (rows: Rows) => boolean,
  ) {}

  /** Returns true if it holds: what was read with a statement says so, or a read of its own. */
  isTrue(): Later<boolean> {
    return this.#holds ?? this.#read()
  }

  /** Throws where it does not hold. */
  async confirm(): Promise<void> {
    if (!(await this.isTrue())) throw new Error('What was assumed does not hold.')
  }

  async #read(): Promise<boolean> {
    this.receive(await this.connection.query(this.statement, this.parameters))
    return this.#holds === true
  }

  receive(rows: Rows): void {
    this.#holds = this.check(rows)
  }
}
