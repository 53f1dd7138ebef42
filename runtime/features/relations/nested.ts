import { methodNotAllowed, notFound } from '../../errors.js'
import {
  type Access,
  accessTo,
  maySeeEntry,
  noPart,
  type Parent,
  visibleRows,
} from '../../policy/access.js'
import { combine, type Composite, self } from '../../policy/condition.js'
import type { Row } from '../../model/definition.js'
import { describeAll, everything } from '../../policy/parse-condition.js'
import { type Link, targetOf } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { isPivotLink, type PivotLink, pivotsPlan } from '../pivots/pivot-sql.js'
import { pivotRow } from '../pivots/pivot-row.js'
import { run } from '../../sql/statement-cache.js'
import { emptyQuery, type IndexQuery, type ShowQuery } from '../../query/parse-query.js'
import { hidden, indexPage, readRow, showResource } from '../../operations/read.js'
import { pointerKind } from './relation-sql.js'
import type { ThroughPivot } from './relations.js'
import type { Page, Resource } from '../../model/resource.js'
import type { Input } from '../../input/validation.js'
import { deleteResource, storeResource, updateResource } from '../../operations/write.js'

/** The operations of a repository on the records that one record is related to. */
export interface RelatedRecords {
  index(query?: IndexQuery): Promise<Page>
  show(id: string, query?: ShowQuery): Promise<Resource>
  /** hasOne, hasMany and their morphs: the new record belongs to the parent; the others are 405. */
  store(input: Input): Promise<Resource>
  update(id: string, input: Input): Promise<Resource>
  patch(id: string, input: Input): Promise<Resource>
  delete(id: string): Promise<void>
}

/** `/posts/1/comments`: the parent must be visible, then the related repository's policy decides. */
export async function relatedTo(
  parent: Access,
  idText: string,
  key: string,
): Promise<RelatedRecords> {
  const access = await accessBelow(parent, idText, key)
  return {
    index: async (query = emptyQuery) => {
      const page = await indexPage(access, query)
      await showPivots(access, page.data)
      return page
    },
    show: async (id, query = emptyQuery) => {
      const resource = await showResource(access, id, query)
      await showPivots(access, [resource])
      return resource
    },
    store: async (input) => {
      if (access.parent.columns === null) throw methodNotAllowed('GET, HEAD')
      return storeResource(access, input)
    },
    update: async (id, input) => updateResource(access, id, input, 'whole'),
    patch: async (id, input) => updateResource(access, id, input, 'part'),
    delete: async (id) => deleteResource(access, id),
  }
}

/** What stands between the parent and each record, as includes show it. One statement for all. */
async function showPivots(
  { entity, between }: AccessBelow,
  resources: readonly Resource[],
): Promise<void> {
  if (between === null || resources.length === 0) return
  const { link, row } = between
  const shown = link.shownPivot.map(({ name }) => name)
  const plan = link.source.plans.get(`pivots|${link.key}|shown`, () =>
    pivotsPlan(link, everything, 'named', false),
  )
  const ids = resources.map(({ id }) => readId(entity.id, id))
  const values = [row['id'], ids]
  const rows =
    shown.length === 0 ? [] : await run(entity.database, plan, [noPart, { key: '', values }])
  const pivots = rows.map((raw) => pivotRow(link, row, raw))
  const byId = new Map(pivots.map((each) => [String(each[link.relation.pivot.relatedKey]), each]))
  for (const resource of resources) {
    const pivot = byId.get(resource.id) ?? {}
    resource.pivots = Object.fromEntries(shown.map((name) => [name, pivot[name] ?? null]))
  }
}

interface AccessBelow extends Access {
  readonly parent: Parent
  /** Of a many-to-many relation: it, and the parent. */
  readonly between: { readonly link: PivotLink; readonly row: Row } | null
}

async function accessBelow(above: Access, idText: string, key: string): Promise<AccessBelow> {
  const { entity, request } = above
  const link = entity.links.get(key)
  const id = readId(entity.id, idText)
  if (link === undefined || id === null || !maySeeEntry(above, link)) throw notFound()
  const filter = describeAll(entity, [{ id }, await visibleRows(above)])
  if (filter.key === 'false') throw await hidden(above)
  const row = await readRow(entity, filter)
  if (row === null) throw notFound()
  const between = isPivotLink(link) ? { link, row } : null
  return { ...accessTo(request, targetOf(link)), parent: parentOf(link, row), between }
}

function parentOf(link: Link, row: Row): Parent {
  const { relation, source } = link
  if (relation.kind === 'belongsTo') {
    return { condition: { id: row[relation.foreignKey] ?? null }, columns: null }
  }
  const id = pointerKind(link) === 'text' ? String(row['id']) : row['id']
  if ('pivot' in relation) {
    return { condition: throughPivot(relation, source.key, id), columns: null }
  }
  const { foreignKey, morphType } = relation
  const type = morphType === null ? {} : { [morphType]: source.key }
  const columns = { ...type, [foreignKey]: id }
  return { condition: columns, columns }
}

/** The other side may not declare the relation, so the table between is named here. */
function throughPivot({ pivot }: ThroughPivot, key: string, id: unknown): Composite {
  const { table, foreignKey, relatedKey, morphType } = pivot
  const own = `in (select ${quoted(relatedKey)} from ${quoted(table)} where ${quoted(foreignKey)} =`
  if (morphType === undefined) return combine('sql', [self('id'), id], ['', ` ${own} `, ')'])
  const texts = ['', ` ${own} `, ` and ${quoted(morphType)} = `, ')']
  return combine('sql', [self('id'), id, key], texts)
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
