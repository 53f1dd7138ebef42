import type { GraphQLField } from 'graphql'
import type { HasEntity } from '../../model/entity.js'

type Field = Pick<GraphQLField<unknown, unknown>, 'extensions'>

/** The repository whose records a number counts; null: it is no such number. */
export function countedBy({ extensions }: Field): HasEntity | null {
  // Only `setCounted` writes it.
  const { svcCounted } = extensions as { readonly svcCounted?: () => HasEntity | null }
  return svcCounted?.() ?? null
}

/** A number has no type that says of what it is. */
export function setCounted(field: Field, repository: () => HasEntity | null): void {
  field.extensions = { ...field.extensions, svcCounted: repository }
}
