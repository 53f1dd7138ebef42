import type { DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { listedBy } from '../openapi/operations/related-operations.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter } from '../openapi/schemas/references.js'
import { hasRead } from '../reads/feature.js'
import { cursorsRead } from './words.js'

export const cursorsInDocument: DocumentPart = {
  says: '`cursor=`, empty at first and then `next_cursor` of the page before, walks a list while others write; `withTotal=bounded` or `false` counts less.',
  takes: ({ project }, entity) =>
    hasRead(entity, project, 'cursors') ? cursorsRead.parameters : [],
  around: (operation, route, api) =>
    listedBy(api, route).some((entity) => hasRead(entity, api.project, 'cursors'))
      ? {
          ...operation,
          parameters: [
            ...(operation.parameters ?? []),
            ...[parameter('cursor'), parameter('withTotal')],
          ],
        }
      : operation,
  components: () => ({
    parameters: {
      cursor: {
        name: 'cursor',
        in: 'query',
        description:
          'Where the page begins: `next_cursor` or `prev_cursor` of another one, with the same sort, search and filters. Empty: the first page. Not beside `page`.',
        schema: { type: 'string' },
      },
      withTotal: {
        name: 'withTotal',
        in: 'query',
        description:
          'Whether records are counted: `bounded` up to 10,000. Without, pages by number are, and those of a cursor are not.',
        schema: { enum: [true, false, 'bounded'] },
      },
    },
    schemas: { PageMeta: pageMeta, PageLinks: pageLinks },
  }),
}

const count = { type: 'integer', minimum: 0 }
const text = { type: 'string' }
const orNull = ({ type, ...more }: { readonly type: string; readonly minimum?: number }): Data => ({
  ...more,
  type: [type, 'null'],
})

/** A member that only some pages have. */
const all = (properties: Data, some: readonly string[] = []): Data =>
  objectOf(
    properties,
    Object.keys(properties).filter((name) => !some.includes(name)),
  )

const pageMeta = {
  anyOf: [
    {
      description: 'Of a page by its number. Without a total, the last page is not known.',
      ...all(
        {
          current_page: count,
          from: orNull(count),
          last_page: orNull(count),
          path: text,
          per_page: count,
          to: orNull(count),
          total: orNull(count),
          total_exact: { type: 'boolean' },
        },
        ['total_exact'],
      ),
    },
    {
      description: 'Of a page by a cursor; counted where `withTotal` asks.',
      ...all(
        {
          per_page: count,
          next_cursor: orNull(text),
          prev_cursor: orNull(text),
          total: count,
          total_exact: { type: 'boolean' },
        },
        ['total', 'total_exact'],
      ),
    },
  ],
}

const pageLinks = {
  anyOf: [
    all({
      first: text,
      last: orNull(text),
      next: orNull(text),
      path: text,
      prev: orNull(text),
    }),
    all({ next: orNull(text), prev: orNull(text) }),
  ],
}
