/** What a feature may say to the core and to other features: each member of these interfaces, and each slot, has users. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Project, type InterfaceDeclaration } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import { root } from './fixture.js'

const seams = [
  ['blueprint/feature.ts', 'CheckedFeature', 'FeatureCheck'],
  ['plan/feature.ts', 'PlannedFeature'],
  ['plan/project.ts', 'Contribution'],
  ['plan/routes/routes.ts', 'Serves'],
  ['plan/texts.ts', 'Texts'],
  ['write/feature.ts', 'FeatureReader'],
  ['features/client/names.ts', 'ClientPart'],
  ['features/openapi/api.ts', 'DocumentPart'],
] as const

/** What a feature of the runtime adds to repositories. */
const extensions = [
  ['model/entity.ts', 'Extension', 'Says', 'ReadSteps', 'WriteSteps', 'Within'],
  ['model/exchange.ts', 'RequestPart'],
] as const

/** The sources of each feature. */
const textsIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      const sources = files.filter((file) => file.endsWith('.ts'))
      return sources.map((file) => readFileSync(join(folder, name, file), 'utf8')).join('\n')
    })

interface Member {
  readonly name: string
  readonly comment: string
  /** How features say it. */
  readonly said: RegExp
}

const project = new Project({ skipAddingFilesFromTsConfig: true })

const membersOf = (declaration: InterfaceDeclaration): readonly Member[] =>
  [...declaration.getProperties(), ...declaration.getMethods()].map((property) => ({
    name: property.getName(),
    comment: property
      .getJsDocs()
      .map((doc) => doc.getText())
      .join(''),
    // A member of an object, a shorthand, or a method.
    said: new RegExp(
      `(?:^ {2,}(?:return )?(?:\\{ )?(?:[\\w.']+: [^\\n]*\\{ )?${property.getName()}(?::|,$|\\()|\\{ ${property.getName()}(?:: |, ))`,
      'm',
    ),
  }))

/** A comment belongs to the slots below it, up to the next comment. */
function slotsOf(): readonly Member[] {
  let comment = ''
  return readFileSync(join(root, 'generator/plan/render/slots.ts'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/^ {2}\/\//.test(line)) comment = line
      const [, name] = /^ {2}'(\w+)',$/.exec(line) ?? []
      return name === undefined ? [] : [{ name, comment, said: new RegExp(`\\b${name}\\b`) }]
    })
}

const membersIn = (
  folder: string,
  all: readonly (readonly [path: string, ...names: string[]])[],
): readonly Member[] =>
  all.flatMap(([path, ...names]) => {
    const source = project.addSourceFileAtPath(join(root, folder, path))
    return names.flatMap((name) => membersOf(source.getInterfaceOrThrow(name)))
  })

describe.each([
  {
    of: 'the generator',
    members: [...slotsOf(), ...membersIn('generator', seams)],
    texts: textsIn(join(root, 'generator/features')),
    atLeast: { members: 90, alone: 20 },
  },
  {
    of: 'the runtime',
    members: membersIn('runtime', extensions),
    texts: textsIn(join(root, 'runtime/features')),
    atLeast: { members: 35, alone: 5 },
  },
])('of $of', ({ members, texts, atLeast }) => {
  /**
   * By names, so that a name which others have too may hide that nobody uses a member; it never
   * blames one that is used.
   */
  const usersOf = ({ said }: Member) => texts.filter((text) => said.test(text)).length

  test('some feature uses each slot, and each member of what a feature may be', () => {
    expect(members.length).toBeGreaterThan(atLeast.members)
    expect(members.filter((each) => usersOf(each) === 0).map(({ name }) => name)).toEqual([])
  })

  test('what one feature alone uses says why it is there', () => {
    const alone = members.filter((each) => usersOf(each) === 1)
    expect(alone.length).toBeGreaterThan(atLeast.alone)
    expect(
      alone.filter(({ comment }) => !/\bonly\b/i.test(comment)).map(({ name }) => name),
    ).toEqual([])
  })
})

test('an extension has at most eight members', () => {
  expect(membersIn('runtime', [['model/entity.ts', 'Extension']]).length).toBeLessThanOrEqual(8)
})
