import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import type { RulePlaces } from './answers.js'
import { filesBelow } from './mutation/known.js'
import { answersOf, bare } from './mutation/places.js'
import { type Node, policySources, type Sources, type Ts } from './mutation/policy-sources.js'

export interface PolicyPlaces {
  /** By the key of a repository. */
  readonly places: Readonly<Record<string, RulePlaces>>
  /** Text by path: policies that say, where a rule has several answers, which one it gave. */
  readonly texts: ReadonlyMap<string, string>
}

/** Finds the places of policies' rules, by the files that repositories name. */
export async function policyPlaces(root: string): Promise<PolicyPlaces> {
  const { ts } = await import('../../../source/ts-morph.js')
  const paths = filesBelow(root, 'app').filter((path) => path.endsWith('.ts'))
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const sources = policySources(ts, files)
  const places: Record<string, RulePlaces> = {}
  const texts = new Map<string, string>()
  for (const path of paths.filter((each) => each.startsWith('app/Repositories/'))) {
    const source = sources.source(path)
    const said = source === null ? null : saidBy(ts, source)
    const declared = said === null ? null : sources.named(path, said.policy)
    if (said === null || declared === null) continue
    const rules = rulesOf(ts, bare(ts, declared.value))
    const shown = [...rules].map(([name, node]) => [
      name,
      { line: lineOf(ts, node), code: codeOf(node) },
    ])
    places[said.key] = { file: declared.file, rules: Object.fromEntries(shown) }
    const told = textOf(sources, declared.file, [...rules.values()])
    if (told !== null) texts.set(declared.file, told)
  }
  return { places, texts }
}

/** The key and the policy of the repository that a file defines. */
function saidBy(ts: Ts, source: Node): { readonly key: string; readonly policy: string } | null {
  let found: { key: string; policy: string } | null = null
  const visit = (node: Node): void => {
    if (found !== null) return
    if (!ts.isObjectLiteralExpression(node)) return ts.forEachChild(node, visit)
    const values = new Map<string, Node>()
    for (const member of node.properties) {
      if (ts.isPropertyAssignment(member)) values.set(member.name.getText(), member.initializer)
      if (ts.isShorthandPropertyAssignment(member)) values.set(member.name.text, member.name)
    }
    const [key, policy] = [values.get('key'), values.get('policy')]
    const isSaid = key !== undefined && policy !== undefined
    if (isSaid && ts.isStringLiteral(key) && ts.isIdentifier(policy)) {
      found = { key: key.text, policy: policy.text }
    }
  }
  visit(source)
  return found
}

/** Rules by their names, those of gates as `canSee.notes`. */
function rulesOf(ts: Ts, policy: Node): ReadonlyMap<string, Node> {
  const rules = new Map<string, Node>()
  const add = (object: Node, prefix: string): void => {
    if (!ts.isObjectLiteralExpression(object)) return
    for (const member of object.properties) {
      const name = `${prefix}${member.name?.getText() ?? ''}`
      const value = ts.isPropertyAssignment(member) ? bare(ts, member.initializer) : member
      if (ts.isObjectLiteralExpression(value)) add(value, `${name}.`)
      else rules.set(name, value)
    }
  }
  add(policy, '')
  return rules
}

const lineOf = (ts: Ts, node: Node): number =>
  ts.getLineAndCharacterOfPosition(node.getSourceFile(), node.getStart()).line + 1

function codeOf(node: Node): string {
  const line = node.getText().replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** On the first line, so that all others keep their numbers. */
const prelude =
  'const svcAnswered = (line, found) => { globalThis.svcAnsweredAt = line; return found };'

function textOf(sources: Sources, file: string, rules: readonly Node[]): string | null {
  const { ts } = sources
  const text = sources.source(file)?.text ?? ''
  const answers = rules.flatMap((rule) => {
    const found =
      ts.isArrowFunction(rule) || ts.isMethodDeclaration(rule) ? answersOf(ts, rule) : []
    return found.length > 1 ? found : []
  })
  if (answers.length === 0) return null
  let told = text
  for (const answer of answers.toSorted((one, other) => other.getStart() - one.getStart())) {
    const [start, end] = [answer.getStart(), answer.getEnd()]
    const inner = told.slice(start, end)
    told = `${told.slice(0, start)}svcAnswered(${lineOf(ts, answer)}, ${inner})${told.slice(end)}`
  }
  return prelude + told
}

/** Policies as they are asked: with the line of their answer. */
export function toldPolicies(root: string, { texts }: PolicyPlaces): Plugin {
  return {
    name: 'told-policies',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path.slice(root.length + 1).replaceAll('\\', '/'))
        return contents === undefined ? null : { contents, loader: 'ts' }
      }),
  }
}
