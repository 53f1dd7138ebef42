import type { Access } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { reachableRows } from '../../policy/access.js'
import { isComposite } from '../../policy/condition-sql.js'
import { combine, type Composite, operands } from '../../policy/condition.js'
import { maySeeSome } from '../../policy/gates.js'
import { whereSeen } from '../../policy/where-seen.js'
import {
  accessBehind,
  isLink,
  isMorph,
  type Link,
  maySeeEntry,
  relatedOf,
} from '../relations/entries.js'

/** Neither true nor false, as a comparison with NULL. */
const unknown = null

/**
 * A condition as this user may ask it. Callers choose its values, so that it must not tell of what
 * they may not see: related records that their policy hides are not there for it, and what tests a
 * column or a relation behind a closed gate is unknown.
 */
export async function asSeen(access: Access, condition: unknown): Promise<unknown> {
  if (!isRecord(condition)) return condition
  if (isComposite(condition)) return compositeAsSeen(access, condition)
  const members = Object.entries(condition).map(
    async ([name, tests]) => [name, await testsAsSeen(access, name, tests)] as const,
  )
  const seen = await Promise.all(members)
  if (seen.some(([, tests]) => tests === closed)) return unknown
  const columns = seen.flatMap(([name]) => (access.entity.columns.has(name) ? name : []))
  return whereSeen(access, columns, Object.fromEntries(seen))
}

async function compositeAsSeen(access: Access, condition: Composite): Promise<unknown> {
  const { combines, [operands]: parts } = condition
  if (combines === 'sql') return whereSeen(access, columnsNamed(parts), condition)
  return combine(combines, await Promise.all(parts.map((part) => asSeen(access, part))))
}

/** Lists the columns that `self(…)` names. */
export const columnsNamed = (parts: readonly unknown[]): readonly string[] =>
  parts.flatMap((part) => (isRecord(part) ? String(part['column']) : []))

const closed = Symbol('closed')

async function testsAsSeen(access: Access, name: string, tests: unknown): Promise<unknown> {
  if (!maySeeSome(access, name)) return closed
  const entry = relatedOf(access.entity)?.entries.get(name)
  if (entry === undefined || !isRecord(tests)) return tests
  if (!maySeeEntry(access, entry)) return closed
  if (isLink(entry)) return mapped(tests, (how, inner) => quantified(access, entry, how, inner))
  if (!isMorph(entry)) return tests
  return mapped(tests, async (how, inner) => {
    const each = isRecord(inner) ? Object.entries(inner) : [...entry.links.keys()].map(every(inner))
    const ofTypes = each.map(async ([type, condition]) => {
      const link = entry.links.get(type)
      const seen = link === undefined ? condition : await amongSeen(access, link, condition)
      return [type, seen] as const
    })
    return [how, Object.fromEntries(await Promise.all(ofTypes))]
  })
}

const every =
  (inner: unknown) =>
  (type: string): [string, unknown] => [type, inner]

type Member = readonly [string, unknown]

async function mapped(
  tests: Readonly<Record<string, unknown>>,
  map: (name: string, inner: unknown) => Promise<Member>,
): Promise<unknown> {
  const members = Object.entries(tests).map(([name, inner]) => map(name, inner))
  return Object.fromEntries(await Promise.all(members))
}

/** Hidden records pass a test of all related records. */
async function quantified(
  access: Access,
  link: Link,
  how: string,
  inner: unknown,
): Promise<Member> {
  if (how !== 'every') return [how, await amongSeen(access, link, inner)]
  const behind = accessBehind(access, link)
  const isHidden = combine('not', [combine('holds', [await reachableRows(behind)])])
  return [how, combine('any', [isHidden, await asSeen(behind, inner)])]
}

async function amongSeen(access: Access, link: Link, inner: unknown): Promise<unknown> {
  const behind = accessBehind(access, link)
  return combine('all', [await reachableRows(behind), await asSeen(behind, inner)])
}
