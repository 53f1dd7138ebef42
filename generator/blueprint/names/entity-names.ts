import { RESERVED_KEYS } from '../../manifest/reserved.js'
import type { EntityDraft } from '../entity-draft.js'
import type { Finding, Report } from '../problems.js'
import { entityNames, isReservedTable, isTypeName, isUriKey } from './names.js'

/** Names of repositories: fit for paths, tables and types, and different from each other. */
export function checkEntityNames(drafts: readonly EntityDraft[], report: Report): void {
  for (const draft of drafts) {
    for (const finding of [keyFinding(draft), nameFinding(draft)]) {
      if (finding !== null) report(finding)
    }
  }
  checkUnique(drafts, report)
}

function keyFinding({ path, key, names: { table }, definition }: EntityDraft): Finding | null {
  const at = definition.uriKey === undefined ? [path] : [path, 'uriKey']
  if (RESERVED_KEYS.some((reserved) => reserved.toLowerCase() === key.toLowerCase())) {
    return {
      rule: 'reserved-uri-key',
      at,
      message: `the URI key '${key}' would shadow a route of the server`,
      known: RESERVED_KEYS.toSorted(),
      fix: `uriKey: '${key}-records'`,
    }
  }
  if (!isUriKey(key)) {
    return {
      rule: 'uri-key',
      at,
      message: `the URI key '${key}' cannot stand in a path: it is letters and digits, with single '-' or '_' between, 50 at most`,
      fix: uriKeyFix(key),
    }
  }
  if (!isReservedTable(table)) return null
  return {
    rule: 'reserved-table',
    at,
    message: `the table of '${path}' would be '${table}', which the server or a database keeps for itself`,
    fix: `uriKey: 'own-${key}'`,
  }
}

function uriKeyFix(key: string): string {
  const better = key.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[-0-9]+|-+$/g, '')
  return isUriKey(better) ? `uriKey: '${better}'` : 'give it another key'
}

function nameFinding({ path, key, definition: { name } }: EntityDraft): Finding | null {
  if (name === undefined || isTypeName(name)) return null
  const better = entityNames(name.replace(/[^A-Za-z0-9]+/g, '-') || key).name
  return {
    rule: 'entity-name',
    at: [path, 'name'],
    message: `the name '${name}' cannot be a type in the emitted code: it is PascalCase, and not a name the code uses itself`,
    fix: `name: '${better}'`,
  }
}

/**
 * Checks the names that must differ between repositories; letter case is not enough for tables and
 * files.
 */
function checkUnique(drafts: readonly EntityDraft[], report: Report): void {
  const seen = { keys: new Map(), names: new Map(), tables: new Map() }
  for (const draft of drafts) {
    const { key, names } = draft
    const sameKey = claim(seen.keys, [key], draft)
    const sameName = claim(seen.names, [names.name, `${names.name}Model`], draft)
    const sameTable = claim(seen.tables, [names.table], draft)
    if (sameKey !== undefined) report(keyTwice(sameKey, draft))
    else if (sameName !== undefined) report(nameTwice(sameName, draft))
    else if (sameTable !== undefined) report(tableTwice(sameTable, draft))
  }
}

/** The first repository that wanted one of these, if it is another. */
function claim(
  seen: Map<string, EntityDraft>,
  candidates: readonly string[],
  draft: EntityDraft,
): EntityDraft | undefined {
  const folded = candidates.map((each) => each.toLowerCase())
  const found = folded.flatMap((each) => seen.get(each) ?? [])[0]
  for (const each of folded) if (!seen.has(each)) seen.set(each, draft)
  return found
}

const keyTwice = (first: EntityDraft, { path, key }: EntityDraft): Finding => ({
  rule: 'uri-key-twice',
  at: [path, 'uriKey'],
  message: `repositories '${first.path}' and '${path}' both have the URI key '${key}'`,
  fix: `uriKey: '${path === key ? `${key}-2` : path}'`,
})

const nameTwice = (first: EntityDraft, { path, names: { name } }: EntityDraft): Finding => ({
  rule: 'entity-name-twice',
  at: [path],
  message: `repositories '${first.path}' and '${path}' would both be called '${name}' in the emitted code, or like its model`,
  fix: `name: '${name}Item'`,
})

const tableTwice = (first: EntityDraft, { path, key, names: { table } }: EntityDraft): Finding => ({
  rule: 'table-twice',
  at: [path],
  message: `repositories '${first.path}' and '${path}' would both have the table '${table}'`,
  fix: `uriKey: 'other-${key}'`,
})

/** Many changes of an SQLite table build it anew, under this name at first. */
export function checkRebuiltNames(drafts: readonly EntityDraft[], report: Report): void {
  const tables = new Map(drafts.map((draft) => [`new_${draft.names.table}`, draft]))
  for (const draft of drafts) {
    const other = tables.get(draft.names.table)
    if (other !== undefined) report(nameOfRebuilt(other, draft))
  }
}

const nameOfRebuilt = (other: EntityDraft, { path, key, names }: EntityDraft): Finding => ({
  rule: 'name-of-rebuilt',
  at: [path],
  message: `the table '${names.table}' has the name that SQLite needs while it rebuilds '${other.names.table}'`,
  fix: `uriKey: 'other-${key}'`,
})
