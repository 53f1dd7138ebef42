/** A new kind is held to its interface: what somebody forgets to say of it does not compile. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Project } from 'ts-morph'
import { expect, test } from 'vitest'
import { problemsOf, type Problem } from '../../support/compiler.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const declared = new Project().addSourceFileAtPath(join(root, 'generator/kinds/kind.ts'))

/** The members of a kind, and those of what it is made of: `prisma.type`. */
const members = declared
  .getInterfaceOrThrow('Kind')
  .getProperties()
  .flatMap((member) => {
    const parts =
      declared.getInterface(member.getTypeNode()?.getText() ?? '')?.getProperties() ?? []
    const required = parts.filter((part) => !part.hasQuestionToken())
    return [[member.getName()], ...required.map((part) => [member.getName(), part.getName()])]
  })

const prelude = `import { boolean } from 'generator/kinds/boolean.js'
import type { Kind } from 'generator/kinds/kind.js'
`

function kindWithout([member = '', part]: readonly string[]): string {
  return part === undefined
    ? `${prelude}const { ${member}: _, ...others } = boolean\nexport const tried: Kind = others\n`
    : `${prelude}const { ${part}: _, ...others } = boolean.${member}\nexport const tried: Kind = { ...boolean, ${member}: others }\n`
}

const untold = `import { like, type Told } from 'generator/kinds/kind.js'
import { text } from 'generator/kinds/text/text.js'
declare const told: Told
export const whole = like(text, { name: 'some', group: 'told', told })
export const tried = like(text, { name: 'some', group: 'told' })
`

const databases = ['sqlite', 'postgres']

const another = (database: string) => `import type { Group } from 'generator/kinds/kinds.js'
import { ${database} } from 'generator/migrations/rows/conversions/${database}.js'
import type { Stored } from 'generator/migrations/rows/conversions/stored.js'
export const forms: Readonly<Record<Group, Stored>> = ${database}.forms
export const more: Readonly<Record<Group | 'another', Stored>> = ${database}.forms
`

const errors = errorsIn({
  ...Object.fromEntries(members.map((path) => [`without-${path.join('-')}`, kindWithout(path)])),
  whole: `${prelude}export const tried: Kind = { ...boolean }\n`,
  untold,
  ...Object.fromEntries(databases.map((database) => [`another-${database}`, another(database)])),
})

/** Returns the compiler's errors in each text, as strict as with the generator. */
function errorsIn(texts: Readonly<Record<string, string>>): readonly Problem[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kinds-'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, `${name}.ts`), text)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const config = join(folder, 'tsconfig.json')
  const paths = { 'generator/*': [join(root, 'generator/*')] }
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions: { paths } }
  writeFileSync(config, JSON.stringify({ ...project, include: ['*.ts'], exclude: [] }))
  const problems = problemsOf(config).filter(({ text }) => !text.includes("'_' is declared but"))
  rmSync(folder, { recursive: true })
  return problems
}

const said = (name: string) =>
  errors.filter(({ path }) => path === `${name}.ts`).map(({ text }) => text)

test('a kind that leaves out something does not compile, and the error names it', () => {
  expect(members.length).toBeGreaterThan(30)
  expect(said('whole')).toEqual([])
  const silent = members.filter(
    (path) =>
      !said(`without-${path.join('-')}`).some((text) =>
        text.includes(`Property '${path.at(-1)}' is missing`),
      ),
  )
  expect(silent).toEqual([])
})

test('a kind that texts tell does not compile without how they do', () => {
  expect(said('untold')).toEqual([expect.stringContaining("Property 'told' is missing")])
})

test('a kind whose values a migration tells apart does not compile without its rows', () => {
  for (const database of databases) {
    expect(said(`another-${database}`)).toEqual([
      expect.stringContaining("Property 'another' is missing"),
    ])
  }
})
