/** A new kind is held to its interface: what somebody forgets to say of it does not compile. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Project, ts, type SourceFile } from 'ts-morph'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const project = new Project({
  tsConfigFilePath: join(root, 'tsconfig.json'),
  skipAddingFilesFromTsConfig: true,
})
const kinds = join(root, 'generator/kinds')
const declared = project.addSourceFileAtPath(join(kinds, 'kind.ts'))

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

const prelude = `import { boolean } from './boolean.js'
import type { Kind } from './kind.js'
`

function kindWithout([member = '', part]: readonly string[]): SourceFile {
  const text =
    part === undefined
      ? `const { ${member}: _, ...others } = boolean\nexport const tried: Kind = others\n`
      : `const { ${part}: _, ...others } = boolean.${member}\nexport const tried: Kind = { ...boolean, ${member}: others }\n`
  const name = ['without', member, part].filter((each) => each !== undefined).join('-')
  return project.createSourceFile(join(kinds, `${name}.ts`), prelude + text)
}

function errorsIn(file: SourceFile): readonly string[] {
  const found = project.getProgram().compilerObject.getSemanticDiagnostics(file.compilerNode)
  return found
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    .filter((text) => !text.includes("'_' is declared but"))
}

test('a kind that leaves out something does not compile, and the error names it', () => {
  const tried = members.map((path) => ({ name: path.at(-1), file: kindWithout(path) }))
  const whole = project.createSourceFile(
    join(kinds, 'whole.ts'),
    `${prelude}export const tried: Kind = { ...boolean }\n`,
  )
  expect(members.length).toBeGreaterThan(30)
  expect(errorsIn(whole)).toEqual([])
  const silent = tried.filter(
    ({ name, file }) =>
      !errorsIn(file).some((text) => text.includes(`Property '${name}' is missing`)),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a kind that texts tell does not compile without how they do', () => {
  const text = `import { like, type Told } from './kind.js'
import { text } from './text.js'
declare const told: Told
export const whole = like(text, { name: 'some', group: 'told', told })
export const tried = like(text, { name: 'some', group: 'told' })
`
  const file = project.createSourceFile(join(kinds, 'untold.ts'), text)
  expect(errorsIn(file)).toEqual([expect.stringContaining("Property 'told' is missing")])
})

test('a kind whose values a migration tells apart does not compile without its rows', () => {
  const tried = ['sqlite', 'postgres'].map((database) => {
    const text = `import type { Group } from '../../../kinds/kinds.js'
import { ${database} } from './${database}.js'
import type { Stored } from './stored.js'
export const forms: Readonly<Record<Group, Stored>> = ${database}.forms
export const more: Readonly<Record<Group | 'another', Stored>> = ${database}.forms
`
    const folder = join(root, 'generator/plan/prisma/conversions')
    return project.createSourceFile(join(folder, `another-${database}.ts`), text)
  })
  const missing = [expect.stringContaining("Property 'another' is missing")]
  expect(tried.map(errorsIn)).toEqual([missing, missing])
})
