import {
  AliasNode,
  ColumnNode,
  ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  type QueryId,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'

/** Our value for a column, `posts.published_on`. */
type EncodeColumn = (column: string, value: unknown) => unknown

/**
 * Encodes what `db` inserts and sets: there, unlike in other places of a query, the column of a
 * value is known.
 */
export function writtenValues(encode: EncodeColumn): KyselyPlugin {
  const transformer = new WrittenValues(encode)
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class WrittenValues extends OperationNodeTransformer {
  /** That of the innermost statement that writes. */
  #table = ''

  constructor(readonly encode: EncodeColumn) {
    super()
  }

  protected override transformInsertQuery(node: InsertQueryNode, id?: QueryId): InsertQueryNode {
    const { values, columns = [], into } = node
    const names = columns.map(({ column }) => column.name)
    return this.#within(into?.table.identifier.name, () => {
      const encoded =
        values !== undefined && ValuesNode.is(values) ? this.#rows(values, names) : values
      return super.transformInsertQuery(
        encoded === undefined ? node : { ...node, values: encoded },
        id,
      )
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, id?: QueryId): UpdateQueryNode {
    const { table: named } = node
    const table = named !== undefined && AliasNode.is(named) ? named.node : named
    const name =
      table !== undefined && TableNode.is(table) ? table.table.identifier.name : undefined
    return this.#within(name, () => super.transformUpdateQuery(node, id))
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, id?: QueryId): ColumnUpdateNode {
    const { column, value } = super.transformColumnUpdate(node, id)
    const name = ColumnNode.is(column) ? column.column.name : undefined
    return ColumnUpdateNode.create(column, this.#value(name, value))
  }

  #within<Node>(table: string | undefined, transform: () => Node): Node {
    const outer = this.#table
    this.#table = table ?? ''
    try {
      return transform()
    } finally {
      this.#table = outer
    }
  }

  #rows({ values }: ValuesNode, names: readonly string[]): ValuesNode {
    const rows = values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create(
            row.values.map((value, at) => this.#encode(names[at], value)),
          )
        : ValueListNode.create(row.values.map((value, at) => this.#value(names[at], value))),
    )
    return ValuesNode.create(rows)
  }

  #value(column: string | undefined, node: OperationNode): OperationNode {
    if (!ValueNode.is(node) || node.immediate === true) return node
    return ValueNode.create(this.#encode(column, node.value))
  }

  #encode(column: string | undefined, value: unknown): unknown {
    return this.encode(`${this.#table}.${column}`, value)
  }
}
