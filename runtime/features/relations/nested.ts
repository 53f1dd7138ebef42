import { methodNotAllowed, notFound } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import type { Access, HasEntity, Operation, Parent, Row, WriteOptions } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Page, Resource } from '../../model/resource.js'
import { indexPage, notShown, readRow, showResource } from '../../operations/read.js'
import { deleteResource, storeResource, updateResource } from '../../operations/write/one.js'
import { accessTo, newRequest, visibleWithId } from '../../policy/access.js'
import { combine, self } from '../../policy/condition.js'
import { emptyQuery, type IndexQuery, type ShowQuery } from '../../query/query.js'
import { forWrite } from '../../query/request-parts.js'
import { quoted } from '../../sql/sql.js'
import {
  accessBehind,
  isLink,
  isMorph,
  type Link,
  maySeeEntry,
  relatedOf,
  type ThroughPivot,
} from './entries.js'
import { readPivots } from './pivot-rows.js'
import { isPivotLink, type PivotLink, pointerKind } from './relation-sql.js'

/**
 * The operations of a repository on the records that one record is related to; the others are 405.
 *
 * | Relation | Served below a record |
 * |---|---|
 * | hasOne, hasMany, their morphs | all: what is there belongs to it |
 * | belongsToMany, morphToMany | all but `store`: records are attached |
 * | belongsTo, morphTo | `index` and `show`: it belongs to what is there |
 */
export interface RelatedRecords {
  index(query?: IndexQuery): Promise<Page>
  show(id: string, query?: ShowQuery): Promise<Resource>
  store(input: Input, options?: WriteOptions): Promise<Resource>
  update(id: string, input: Input, options?: WriteOptions): Promise<Resource>
  patch(id: string, input: Input, options?: WriteOptions): Promise<Resource>
  delete(id: string, options?: WriteOptions): Promise<void>
}

/**
 * `/posts/1/comments`: the records one record is related to, under both policies. Others do not
 * exist there, and new ones belong to it. 404 when there is no such relation, or no such record the
 * user may see.
 */
export async function relatedRecords(
  { definition }: HasEntity,
  user: unknown,
  idText: string,
  key: string,
): Promise<RelatedRecords> {
  const above = accessTo(newRequest(user), definition)
  const { access, parent, between } = await below(above, idText, key)
  const writing = (operation: Operation, options?: WriteOptions) =>
    forWrite(access, operation, options)
  const changing = (operation: 'update' | 'delete', options?: WriteOptions) => {
    if (parent.columns === null && between === null) throw methodNotAllowed('GET, HEAD')
    return writing(operation, options)
  }
  return {
    index: async (query = emptyQuery) => {
      const page = await indexPage(access, query)
      await showPivots(between, page.data)
      return page
    },
    show: async (id, query = emptyQuery) => {
      const resource = await showResource(access, id, query)
      await showPivots(between, [resource])
      return resource
    },
    store: async (input, options) => {
      if (parent.columns === null) throw methodNotAllowed('GET, HEAD')
      return storeResource(writing('store', options), input)
    },
    update: async (id, input, options) =>
      updateResource(changing('update', options), id, input, 'whole'),
    patch: async (id, input, options) =>
      updateResource(changing('update', options), id, input, 'part'),
    delete: async (id, options) => deleteResource(changing('delete', options), id),
  }
}

/** A many-to-many relation, and the parent. */
interface Between {
  readonly link: PivotLink
  readonly row: Row
}

/** The related repository, as far as it belongs to a record the user may see. */
export async function below(above: Access, idText: string, key: string) {
  const { entity } = above
  const entry = relatedOf(entity)?.entries.get(key)
  const id = readId(entity.id, idText)
  if (entry === undefined || id === null || !maySeeEntry(above, entry)) throw notFound()
  if (!isLink(entry) && !isMorph(entry)) throw notFound()
  if (entry.relation.kind === 'belongsTo' && entry.relation.routes === false) throw notFound()
  const filter = await visibleWithId(above, id)
  if (filter === false) throw await notShown(above)
  const found = await readRow(entity, filter)
  const way = found === null || !isMorph(entry) ? { link: entry, row: found } : entry.linkOf(found)
  if (way === null || way.row === null || isMorph(way.link)) throw notFound()
  const { link, row } = way
  const parent = Object.assign(parentOf(link, row), { path: `${entity.key}/${idText}/${key}` })
  const between: Between | null = isPivotLink(link) ? { link, row } : null
  return { access: Object.assign({}, accessBehind(above, link), { parent }), parent, between }
}

/** Returns the condition on the records below a parent, and the columns of a new one. */
export function parentOf(link: Link, row: Row): Parent {
  const { relation, source } = link
  if (relation.kind === 'belongsTo') {
    return { condition: { id: row[relation.foreignKey] ?? null }, columns: null }
  }
  const isSame = pointerKind(link) === source.id.storage
  const id = isSame ? row['id'] : String(row['id'])
  if ('pivot' in relation) {
    return { condition: throughPivot(relation, source.key, id), columns: null }
  }
  const { foreignKey, morphType } = relation
  const columns: Row = morphType === null ? {} : { [morphType]: source.key }
  columns[foreignKey] = id
  return { condition: columns, columns }
}

/** The other side may not declare the relation, so the pivot table is named here. */
function throughPivot({ pivot }: ThroughPivot, key: string, id: unknown) {
  const { table, foreignKey, relatedKey, morphType } = pivot
  const rows = ` in (select ${quoted(relatedKey)} from ${quoted(table)} where ${quoted(foreignKey)} = `
  if (morphType === undefined) return combine('sql', [self('id'), id], ['', rows, ')'])
  const texts = ['', rows, ` and ${quoted(morphType)} = `, ')']
  return combine('sql', [self('id'), id, key], texts)
}

/** The pivot fields of each record, as includes show them. One statement for all. */
async function showPivots(between: Between | null, resources: readonly Resource[]): Promise<void> {
  if (between === null || resources.length === 0) return
  const { link, row } = between
  const names = link.shownPivot.map(({ name }) => name)
  const { id } = link.relation.target().definition
  const ids = resources.map((resource) => readId(id, resource.id))
  const { database } = link.source
  const pivots = names.length === 0 ? [] : await readPivots(database, link, row, { ids })
  const byId = new Map(pivots.map((each) => [String(each[link.relation.pivot.relatedKey]), each]))
  for (const resource of resources) {
    const pivot = byId.get(resource.id) ?? {}
    resource.pivots = Object.fromEntries(names.map((name) => [name, pivot[name] ?? null]))
  }
}
