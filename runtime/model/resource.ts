export const answerHeaders = Symbol('headers')

/** A record as clients see it (spec 2.1). */
export interface Resource {
  id: string
  /** URI key of the repository. */
  type: string
  attributes: Record<string, unknown>
  /** Present when related entries were asked for. */
  relationships?: Record<string, unknown>
  meta?: Meta
  /** Only in the items of a many-to-many relation. */
  pivots?: Record<string, unknown>
  /** Headers of an answer that is this record alone. JSON has no symbols. */
  [answerHeaders]?: Readonly<Record<string, string>>
}

/** Flags: what the user may do with this record. */
export interface Meta {
  readonly authorizedToShow: boolean
  readonly authorizedToStore: boolean
  readonly authorizedToUpdate: boolean
  readonly authorizedToDelete: boolean
}

/** One page of an index. */
export interface Page extends PageOf<Resource> {
  readonly data: Resource[]
}

/** One page of anything. */
export interface PageOf<Item> {
  readonly data: readonly Item[]
  /** Records the user may see and the query matches, on all pages. */
  readonly total: number
  /** From 1. */
  readonly page: number
  readonly perPage: number
  /** Replaces the page numbers of an answer by other `meta` and links. */
  about?(place: PagePlace): { readonly meta: object; readonly links: object }
}

/** The place of a page, for its links. */
export interface PagePlace {
  readonly path: string
  /** The address of this page with other parameters; null: without one. */
  link(changes: Readonly<Record<string, string | null>>): string
}

/** Every combination of the four flags, made once. */
const metas: readonly Meta[] = Array.from({ length: 16 }, (_, bits) =>
  Object.freeze({
    authorizedToShow: (bits & 1) !== 0,
    authorizedToStore: (bits & 2) !== 0,
    authorizedToUpdate: (bits & 4) !== 0,
    authorizedToDelete: (bits & 8) !== 0,
  }),
)

export function metaOf(show: boolean, store: boolean, update: boolean, del: boolean): Meta {
  const bits = (show ? 1 : 0) + (store ? 2 : 0) + (update ? 4 : 0) + (del ? 8 : 0)
  // The list has every combination of four bits.
  return metas[bits] as Meta
}
