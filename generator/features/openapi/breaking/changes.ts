import type { Data } from '../facts.js'
import { SchemaComparison, type Finding } from './fits.js'
import { dataOf, inner, innerParts, listed, whole, type Part } from './part.js'

/** A change that breaks a client of the old document. */
export interface Change extends Finding {
  /** The first operation it was met in: `PATCH /api/svc/posts/{id}`. */
  readonly operation: string
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Every breaking change between two documents, each once, in the order of the old one. */
export function breakingChanges(before: Data, after: Data): readonly Change[] {
  const [old, now] = [whole(before), whole(after)]
  const comparisons = {
    input: new SchemaComparison('input'),
    output: new SchemaComparison('output'),
  }
  const paths = new Map(pathsOf(now).map(([path, part]) => [shapeOf(path), part]))
  const changes = pathsOf(old).flatMap(([path, item]) => {
    const other = paths.get(shapeOf(path))
    return operationsOf(item).flatMap(([method, operation]) => {
      const same = other === undefined ? null : inner(other, method)
      const found =
        same === null || other === undefined
          ? [{ at: operation.at, text: 'is gone' }]
          : operationChanges({ item, operation }, { item: other, operation: same }, comparisons)
      return found.map((each) => ({ ...each, operation: `${method.toUpperCase()} ${path}` }))
    })
  })
  const known = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.at} ${change.text}`
    if (!known.has(key)) known.set(key, change)
  }
  return [...known.values()]
}

const pathsOf = (document: Part) => {
  const paths = inner(document, 'paths')
  return paths === null ? [] : innerParts(paths)
}

/** Parameters of a path may be called otherwise. */
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}')

const operationsOf = (item: Part) => innerParts(item).filter(([key]) => methods.has(key))

interface Operation {
  readonly item: Part
  readonly operation: Part
}

interface Comparisons {
  readonly input: SchemaComparison
  readonly output: SchemaComparison
}

function operationChanges(
  old: Operation,
  now: Operation,
  comparisons: Comparisons,
): readonly Finding[] {
  const isClosed = isOpen(old) && !isOpen(now)
  return [
    ...(isClosed ? [{ at: now.operation.at, text: 'wants a token now' }] : []),
    ...parameterChanges(old, now, comparisons.input),
    ...bodyChanges(old.operation, now.operation, comparisons.input),
    ...answerChanges(old.operation, now.operation, comparisons.output),
  ]
}

/** Returns true if it needs no token. */
function isOpen({ operation }: Operation): boolean {
  const asked = dataOf(operation)['security'] ?? operation.document['security'] ?? []
  if (!Array.isArray(asked) || asked.length === 0) return true
  return asked.some((each) => Object.keys(Object(each)).length === 0)
}

/** By place and name, those of a path by where they stand in it; an operation's own stand over those of its path. */
function parametersOf({ item, operation }: Operation): ReadonlyMap<string, Part> {
  const all = [...listed(inner(item, 'parameters')), ...listed(inner(operation, 'parameters'))]
  const path = item.at.split('/').at(-1) ?? ''
  return new Map(
    all.map((part) => {
      const { in: place, name } = dataOf(part)
      const known = place === 'path' ? path.indexOf(`{${String(name)}}`) : -1
      const at = path.slice(0, known).split('{').length
      return [known === -1 ? `${String(place)} ${String(name)}` : `path ${at}`, part] as const
    }),
  )
}

const isRequired = (part: Part) => dataOf(part)['required'] === true

function parameterChanges(
  old: Operation,
  now: Operation,
  comparison: SchemaComparison,
): readonly Finding[] {
  const [before, after] = [parametersOf(old), parametersOf(now)]
  const name = (part: Part) => `parameter '${String(dataOf(part)['name'])}'`
  const kept = [...before].flatMap(([key, part]) => {
    const other = after.get(key)
    if (other === undefined) return [{ at: part.at, text: `${name(part)} is gone` }]
    const isAsked = isRequired(other) && !isRequired(part)
    const isWritten = styleOf(part) === styleOf(other)
    return [
      ...(isAsked ? [{ at: other.at, text: `${name(other)} is required now` }] : []),
      ...(isWritten ? [] : [{ at: other.at, text: `${name(other)} is written otherwise` }]),
      ...schemas(part, other, comparison),
    ]
  })
  const added = [...after].filter(([key, part]) => !before.has(key) && isRequired(part))
  const asked = added.map(([, part]) => ({ at: part.at, text: `${name(part)} is required now` }))
  return [...kept, ...asked]
}

function styleOf(part: Part): string {
  const { in: place, style = place === 'query' ? 'form' : 'simple', explode } = dataOf(part)
  return `${String(style)} ${String(explode ?? style === 'form')}`
}

/** The schemas of two parameters, bodies or headers. */
function schemas(old: Part, now: Part, comparison: SchemaComparison): readonly Finding[] {
  const [before, after] = [inner(old, 'schema'), inner(now, 'schema')]
  return before === null || after === null ? [] : comparison.compare([before], [after])
}

function bodyChanges(old: Part, now: Part, comparison: SchemaComparison): readonly Finding[] {
  const [before, after] = [inner(old, 'requestBody'), inner(now, 'requestBody')]
  if (after === null) return before === null ? [] : [{ at: before.at, text: 'is gone' }]
  const isAsked = isRequired(after) && (before === null || !isRequired(before))
  return [
    ...(isAsked ? [{ at: after.at, text: 'a body is required now' }] : []),
    ...(before === null ? [] : contentChanges(before, after, comparison)),
  ]
}

/** By media type. */
function contentChanges(old: Part, now: Part, comparison: SchemaComparison): readonly Finding[] {
  const [before, after] = [inner(old, 'content'), inner(now, 'content')]
  const all = before === null ? [] : innerParts(before)
  return all.flatMap(([type, part]) => {
    const other = after === null ? null : inner(after, type)
    return other === null ? [{ at: part.at, text: 'is gone' }] : schemas(part, other, comparison)
  })
}

function answerChanges(old: Part, now: Part, comparison: SchemaComparison): readonly Finding[] {
  const [before, after] = [inner(old, 'responses'), inner(now, 'responses')]
  const all = before === null ? [] : innerParts(before)
  return all.flatMap(([status, part]) => {
    const names = [status, `${status.charAt(0)}XX`, 'default']
    const [other] = names.flatMap((name) => (after && inner(after, name)) ?? [])
    if (other === undefined) return [{ at: `${before?.at}/${status}`, text: 'is gone' }]
    return [...contentChanges(part, other, comparison), ...headerChanges(part, other, comparison)]
  })
}

function headerChanges(old: Part, now: Part, comparison: SchemaComparison): readonly Finding[] {
  const [before, after] = [inner(old, 'headers'), inner(now, 'headers')]
  const all = before === null ? [] : innerParts(before)
  return all.flatMap(([name, part]) => {
    const other = after === null ? null : inner(after, name)
    if (other !== null) return schemas(part, other, comparison)
    return [{ at: part.at, text: `header '${name}' is gone` }]
  })
}
