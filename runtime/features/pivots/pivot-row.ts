import type { Row } from '../../model/definition.js'
import type { PivotLink } from './pivot-sql.js'

/** The keys of a row between that say whose it is. */
export function ownKeys({ relation, source }: PivotLink, row: Row): Row {
  const { foreignKey, morphType, foreignKind } = relation.pivot
  const id = foreignKind === 'text' ? String(row['id']) : row['id']
  return { ...(morphType === undefined ? {} : { [morphType]: source.key }), [foreignKey]: id }
}

/** A row between, as policies see it. */
export function pivotRow(link: PivotLink, row: Row, raw: readonly unknown[]): Row {
  const pivot: Row = { ...ownKeys(link, row), [link.relation.pivot.relatedKey]: raw[0] }
  let at = 1
  for (const { name, decode } of link.pivot.values()) {
    const stored = raw[at++]
    pivot[name] = stored === null || decode === null ? stored : decode(stored)
  }
  return pivot
}

/** The same as JSON: keys are text there, hidden fields are left out. */
export function shownPivot({ relation, shownPivot: shown }: PivotLink, pivot: Row): Row {
  const { foreignKey, morphType, relatedKey } = relation.pivot
  return {
    ...(morphType === undefined ? {} : { [morphType]: pivot[morphType] }),
    [foreignKey]: String(pivot[foreignKey]),
    [relatedKey]: String(pivot[relatedKey]),
    ...Object.fromEntries(shown.map(({ name }) => [name, pivot[name]])),
  }
}
