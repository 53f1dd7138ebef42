import type { FieldDefinitionNode, InputValueDefinitionNode } from 'graphql'

type DeclaredNode = FieldDefinitionNode | InputValueDefinitionNode | null | undefined

/** `@field(resolver: "PostResolver@show")`: the text, or null. */
export const resolverOf = (node: DeclaredNode): string | null => argument(node, 'field', 'resolver')

/** `@ids(of: "comments")`: the relation's key, or null. */
export const idsOf = (node: DeclaredNode): string | null => argument(node, 'ids', 'of')

/** `@edges(of: "users")`: the relation's key, or null. */
export const edgesOf = (node: DeclaredNode): string | null => argument(node, 'edges', 'of')

/** `@reads(rows: "all")`: a statement goes through a whole table, however little it answers. */
export const readsAllRows = (node: DeclaredNode): boolean =>
  argument(node, 'reads', 'rows') === 'all'

function argument(node: DeclaredNode, directive: string, name: string): string | null {
  const found = node?.directives?.find((each) => each.name.value === directive)
  const value = found?.arguments?.find((each) => each.name.value === name)?.value
  return value?.kind === 'StringValue' ? value.value : null
}
