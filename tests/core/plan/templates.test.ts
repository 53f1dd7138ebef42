import { existsSync, readdirSync, readFileSync } from 'node:fs'
import Handlebars from 'handlebars'
import { describe, expect, test } from 'vitest'
import { clientOutputs } from '../../../generator/features/client/outputs.js'
import { features } from '../../../generator/features/index.js'
import { ownOutputs } from '../../../generator/plan/feature.js'
import { outputs } from '../../../generator/plan/render/outputs.js'
import { entitySlots, slots } from '../../../generator/plan/render/slots.js'
import { root } from './fixture.js'

const templates = readdirSync(`${root}/templates`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.hbs'))
  .map((path) => path.replaceAll('\\', '/'))
const parts = await Promise.all(features.map(async ({ client }) => client?.()))
const paths = [
  ...[...outputs, ...ownOutputs(features)].map(({ path }) => path),
  ...clientOutputs.map(({ path }) => `client/${path}`),
  ...parts.flatMap((part) => (part?.module === undefined ? [] : `client/${part.module.path}`)),
  ...parts.flatMap((part) => (part?.templates ?? []).map(({ path }) => `client/${path}`)),
]
const textOf = (template: string) => readFileSync(`${root}/templates/${template}`, 'utf8')

test('every template has its row in the table of outputs, and every row its template', () => {
  const rows = paths.map((path) => `${path}.hbs`)
  expect(rows.toSorted()).toEqual(templates.toSorted())
})

test('no two rows make the same file', () => {
  expect(new Set(paths).size).toBe(paths.length)
})

test('every file in which features import something is made from a template', () => {
  const folder = `${root}/generator/features`
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8'))
  const files = texts.flatMap((text) => [...text.matchAll(/'((?:app|config|tests)\/[^']+)':/g)])
  expect(files.length).toBeGreaterThan(50)
  expect(files.map(([, path = '']) => path).filter((path) => !paths.includes(path))).toEqual([])
})

test('every place for lines of features is in a template or a view, and there is no other', () => {
  const folder = `${root}/generator/plan/views`
  const views = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8'))
  const places = [...templates.map(textOf), ...views].flatMap((text) =>
    [...text.matchAll(/\b(?:slots|entityLines\([^)]*\))\.(?!js\b)(\w+)/g)].map(
      ([, place = '']) => place,
    ),
  )
  expect([...new Set(places)].toSorted()).toEqual([...slots, ...entitySlots].toSorted())
})

describe.each(templates)('%s', (template) => {
  const [first = '', ...rest] = textOf(template).split('\n')

  test('names its view and the file the view lives in', () => {
    const [, view, file] = /^\{\{!-- (\w+) in (\S+) --\}\}$/.exec(first) ?? []
    expect(first, 'first line').toMatch(
      /^\{\{!-- \w+ in generator\/(plan\/views|features)\/\S+\.ts --\}\}$/,
    )
    expect(existsSync(`${root}/${file}`), file).toBe(true)
    expect(readFileSync(`${root}/${file}`, 'utf8')).toContain(`export interface ${view} `)
  })

  test('knows each, if, else and the three helpers, and nothing else', () => {
    expect(usedIn(Handlebars.parse(rest.join('\n')))).toEqual([])
  })
})

/** Blocks and helpers outside the agreed few. */
function usedIn(program: hbs.AST.Program): readonly string[] {
  const strange: string[] = []
  const visitor = new (class extends Handlebars.Visitor {
    override BlockStatement(block: hbs.AST.BlockStatement): void {
      note(block.path, ['each', 'if'])
      super.BlockStatement(block)
    }
    override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
      if (mustache.params.length > 0) note(mustache.path, ['list', 'quote', 'quoteList'])
      super.MustacheStatement(mustache)
    }
  })()
  const note = (path: hbs.AST.Node, known: readonly string[]) => {
    const name = 'original' in path ? String(path.original) : path.type
    if (!known.includes(name)) strange.push(name)
  }
  visitor.accept(program)
  return strange
}
