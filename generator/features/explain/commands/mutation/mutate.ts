import { createHash } from 'node:crypto'
import type { MutatedPolicies, Mutant } from './mutant.js'
import {
  bare,
  type Change,
  conditionPlaces,
  type Place,
  relationWords,
  valuePlaces,
} from './places.js'
import { type Node, policySources, type Sources, type Ts } from './policy-sources.js'

const gates: ReadonlySet<string> = new Set([
  'canSee',
  'canStore',
  'canUpdate',
  'canAttach',
  'canDetach',
  'canSync',
])

/** A rule of a policy, or a function that rules call. */
interface Root {
  readonly file: string
  readonly rule: string
  readonly value: Node
  readonly kind: 'rule' | 'gate' | 'shared' | 'value'
}

/** Every way to mutate the policies of `app/`, and their files with all of them behind a question. */
export function mutate(ts: Ts, files: ReadonlyMap<string, string>): MutatedPolicies {
  const sources = policySources(ts, files)
  const mutants: Mutant[] = []
  const places = new Map<string, Marked[]>()
  for (const root of rootsOf(sources)) {
    const count = new Map<string, number>()
    for (const place of placesOf(sources, root)) {
      const ids = place.changes.map((change) => {
        const made = mutantOf(sources, root, place.node, change, count)
        mutants.push(made)
        return made.id
      })
      places.set(root.file, [...(places.get(root.file) ?? []), { ...place, ids }])
    }
  }
  const texts = [...places].map(([file, some]) => [file, textOf(sources, file, some)] as const)
  return { mutants, texts: new Map(texts) }
}

function rootsOf(sources: Sources): readonly Root[] {
  const { ts } = sources
  const roots: Root[] = []
  for (const { file, value } of sources.policies) {
    const object = bare(ts, value)
    if (!ts.isObjectLiteralExpression(object)) continue
    for (const member of object.properties) {
      const name = member.name?.getText() ?? ''
      if (!ts.isPropertyAssignment(member)) continue
      const inner = bare(ts, member.initializer)
      if (!gates.has(name)) roots.push({ file, rule: name, value: inner, kind: 'rule' })
      else if (ts.isObjectLiteralExpression(inner)) {
        for (const gate of inner.properties) {
          if (!ts.isPropertyAssignment(gate)) continue
          const rule = `${name}.${gate.name.getText()}`
          roots.push({ file, rule, value: bare(ts, gate.initializer), kind: 'gate' })
        }
      }
    }
  }
  return withShared(sources, roots)
}

/** Functions that rules call, and those that these call. */
function withShared(sources: Sources, rules: readonly Root[]): readonly Root[] {
  const roots = [...rules]
  const seen = new Set<string>()
  for (let at = 0; at < roots.length; at += 1) {
    const root = roots[at]
    if (root === undefined) break
    for (const { name, isValue } of namesIn(sources.ts, root.value)) {
      const found = sources.named(root.file, name)
      const key = `${found?.file ?? ''} ${name}`
      if (found === null || seen.has(key) || !isFunction(sources.ts, found.value)) continue
      seen.add(key)
      const kind = isValue || root.kind === 'value' ? 'value' : 'shared'
      roots.push({ file: found.file, rule: found.name, value: found.value, kind })
    }
  }
  return roots
}

const isFunction = (ts: Ts, value: Node): boolean =>
  ts.isFunctionDeclaration(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value)

/** Names that are called or are rules themselves; a call for the value of a column is no condition. */
function namesIn(
  ts: Ts,
  root: Node,
): readonly { readonly name: string; readonly isValue: boolean }[] {
  if (ts.isIdentifier(root)) return [{ name: root.text, isValue: false }]
  const found: { name: string; isValue: boolean }[] = []
  const visit = (node: Node, isValue: boolean): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      found.push({ name: node.expression.text, isValue })
    }
    if (ts.isPropertyAssignment(node)) {
      const ofRelated = relationWords.has(node.name.getText())
      return visit(node.initializer, !ofRelated && !ts.isObjectLiteralExpression(node.initializer))
    }
    ts.forEachChild(node, (child) => visit(child, isValue))
  }
  visit(root, false)
  return found
}

function placesOf({ ts }: Sources, { value, kind }: Root): readonly Place[] {
  if (kind === 'value') return valuePlaces(ts, value)
  const inside = isFunction(ts, value) ? conditionPlaces(ts, value) : []
  const isOpen = /^\(\w*\)\s*=>\s*true$/.test(value.getText())
  if (isOpen) return inside
  const open: Change = {
    kind: kind === 'gate' ? 'gate' : 'true',
    text: null,
    became: 'true',
  }
  return [{ node: value, changes: [open] }, ...inside]
}

function mutantOf(
  { ts }: Sources,
  { file, rule, value }: Root,
  node: Node,
  { kind, became, at = node, was }: Change,
  count: Map<string, number>,
): Mutant {
  const { line, character } = ts.getLineAndCharacterOfPosition(node.getSourceFile(), at.getStart())
  const text = shortened(was ?? at.getText())
  const name = `${file} ${rule} ${kind} ${text} ${became} ${hash(value.getText())}`
  const times = count.get(name) ?? 0
  count.set(name, times + 1)
  return {
    id: hash(`${name} ${times}`),
    file,
    line: line + 1,
    column: character + 1,
    rule,
    kind,
    was: text,
    became: shortened(became),
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

interface Marked extends Place {
  readonly ids: readonly string[]
}

function textOf(sources: Sources, file: string, places: readonly Marked[]): string {
  const source = sources.source(file)
  if (source === null) return ''
  const { ts } = sources
  const byNode = new Map<Node, Marked[]>()
  for (const place of places) byNode.set(place.node, [...(byNode.get(place.node) ?? []), place])
  const text = source.text
  const render = (node: Node): string => {
    const inside: { start: number; end: number; text: string }[] = []
    ts.forEachChild(node, (child) => {
      inside.push({ start: child.getStart(), end: child.getEnd(), text: render(child) })
    })
    let at = node.getStart()
    let rendered = ''
    for (const child of inside) {
      rendered += text.slice(at, child.start) + child.text
      at = child.end
    }
    rendered += text.slice(at, node.getEnd())
    return (byNode.get(node) ?? []).reduce((whole, place) => asked(ts, place, whole), rendered)
  }
  // On the first line, so that all others keep their numbers.
  return `${prelude}${text.slice(0, source.getStart())}${render(source)}`
}

function asked(ts: Ts, { node, changes, ids }: Marked, rendered: string): string {
  return changes.reduceRight((whole, { text }, at) => {
    const is = `svcIsOn('${ids[at] ?? ''}')`
    if (text !== null) return `(${is} ? ${text} : (${whole}))`
    // A rule, which is a function; a declaration has a body to open.
    if (ts.isFunctionDeclaration(node)) return whole.replace('{', `{ if (${is}) return true;`)
    return `((...svcGiven) => ${is} ? true : (${whole})(...svcGiven))`
  }, rendered)
}

const prelude =
  "import { all as svcAll, any as svcAny, not as svcNot } from '#runtime/policy/condition.js';" +
  'const svcIsOn = (id) => globalThis.svcMutant?.(id) ?? process.env.SVC_MUTANT === id;' +
  "const svcNegated = (found) => typeof found === 'boolean' ? !found : svcNot(found);"
