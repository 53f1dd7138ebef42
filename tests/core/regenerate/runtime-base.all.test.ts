import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  allRuntimeTexts,
  hashOfText,
  packRuntime,
} from '../../../generator/plan/render/runtime-archive.js'
import { newProject, svc } from '../cli/project.js'
import { baseOf } from '../write/base.js'
import { fill, textsOf } from '../write/folder.js'

const list = '.svc/runtime-files.txt'
const isArchive = (name: string) => /^runtime-.*\.br\.txt$/.test(name)

async function project() {
  const root = await newProject('--runtime=own')
  const path = (name: string) => join(root, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  const base = () => readdirSync(path('.svc'))
  const archives = () => base().filter(isArchive)
  const generate = async (...options: readonly string[]) => {
    const { code, out } = await svc(root, 'generate', '--json', ...options)
    const files: { path: string; status: string }[] = JSON.parse(out).files
    const told = files.filter(({ status }) => status !== 'same' && status !== 'keep')
    return { code, told: told.map(({ status, path: file }) => `${status} ${file}`) }
  }
  return { root, path, read, base, archives, generate }
}

type Made = Awaited<ReturnType<typeof project>>

const runtimeIn = ({ root }: Made) =>
  Object.keys(baseOf(root)).filter((path) => path.startsWith('runtime/'))

/** As an older svc left the project, which wrote these files otherwise. */
function turnBack({ root, read, archives }: Made, changed: (path: string, text: string) => string) {
  const texts = allRuntimeTexts()
  const then = new Map([...texts].map(([path, text]) => [path, changed(path, text)]))
  for (const name of archives()) rmSync(join(root, '.svc', name))
  const { name, content } = packRuntime(then)
  const rows = read(list)
    .trim()
    .split('\n')
    .map((row) => row.split(' ')[0] ?? '')
  const listed = rows.map((path) => `${path} ${hashOfText(then.get(path) ?? '')}\n`).join('')
  fill(root, { [`.svc/${name}`]: content, [list]: listed })
  for (const path of rows) fill(root, { [path]: then.get(path) ?? '' })
  return { name, listed }
}

const errors = 'runtime/errors.ts'
const answers = 'runtime/http/answers.ts'
const respond = 'runtime/http/respond.ts'
const older = (path: string, text: string) =>
  path === errors || path === answers ? text.replace('\n\n', '\n\n// An older line.\n\n') : text

describe('the base of the runtime', () => {
  test('is one archive and a list, and no second copy of what nobody edited', async () => {
    const made = await project()
    const committed = made.base().filter((name) => !['journal', 'tidied.json'].includes(name))
    expect(committed.toSorted()).toEqual(
      ['.gitignore', 'base.txt', ...made.archives(), 'runtime-files.txt'].toSorted(),
    )
    expect(runtimeIn(made)).toEqual(['runtime/README.md'])
    expect(made.archives()).toHaveLength(1)
    expect(await made.generate('--check')).toEqual({ code: 0, told: [] })
  })

  test('of an older svc merges an edit with what came since, and gives way to the archive of today', async () => {
    const made = await project()
    const today = made.read(errors)
    const [archive] = made.archives()
    const then = turnBack(made, older)
    fill(made.root, { [errors]: `${made.read(errors)}// Mine.\n` })
    const before = textsOf(made.root)
    expect(await made.generate()).toEqual({
      code: 0,
      told: [`merge ${errors}`, `update ${answers}`],
    })
    expect(made.read(errors)).toBe(`${today}// Mine.\n`)
    expect(made.archives()).toEqual([archive])
    expect(await made.generate('--check')).toEqual({ code: 0, told: [] })
    expect((await svc(made.root, 'undo')).code).toBe(0)
    expect(textsOf(made.root)).toEqual(before)
    expect(made.archives()).toEqual([then.name])
  })

  test('knows what nobody edited, though the archive of a branch is gone', async () => {
    const made = await project()
    const today = made.read(errors)
    const archive = made.archives()[0] ?? ''
    const content = made.read(`.svc/${archive}`)
    const { name } = turnBack(made, older)
    rmSync(made.path(`.svc/${name}`))
    fill(made.root, { [`.svc/${archive}`]: content })
    expect(await made.generate()).toEqual({
      code: 0,
      told: [`update ${errors}`, `update ${answers}`],
    })
    expect(made.read(errors)).toBe(today)
    expect(await made.generate('--check')).toEqual({ code: 0, told: [] })
  })

  test('of two branches that were upgraded to two versions leads to the newer text', async () => {
    const made = await project()
    const today = made.read(errors)
    const archive = made.archives()[0] ?? ''
    const rows = made.read(list)
    const [packed, text] = [made.read(`.svc/${archive}`), made.read(errors)]
    const other = turnBack(made, older)
    // As git leaves it: both archives, markers in the list, the runtime of one or of both.
    // A file that the runtime of one branch alone has, and that was edited there.
    const ours = other.listed.replace(/^runtime\/http\/respond\.ts .*\n/m, '')
    expect(ours).not.toBe(other.listed)
    fill(made.root, { [respond]: `${made.read(respond)}// Mine.\n` })
    const torn = `<<<<<<< HEAD\n${ours}=======\n${rows}>>>>>>> other\n`
    fill(made.root, { [`.svc/${archive}`]: packed, [list]: torn, [errors]: text })
    const mixed = made.read(answers).replace('// An older line.\n\n', '')
    writeFileSync(
      made.path(answers),
      `<<<<<<< HEAD\n${made.read(answers)}=======\n${mixed}>>>>>>> other\n`,
    )
    const { code } = await made.generate()
    expect(code).toBe(0)
    expect(made.read(errors)).toBe(today)
    expect(made.read(answers)).toBe(mixed)
    expect(made.read(respond)).toMatch(/\/\/ Mine\.\n$/)
    expect(made.archives()).toEqual([archive])
    expect(made.read(list)).toBe(rows)
    expect(await made.generate('--check')).toEqual({ code: 0, told: [] })
  })

  test('that cannot be read asks about what was edited, and about nothing else', async () => {
    const made = await project()
    turnBack(made, older)
    const archive = `.svc/${made.archives()[0] ?? ''}`
    fill(made.root, {
      [archive]: made.read(archive).slice(0, -400),
      [errors]: `${made.read(errors)}// Mine.\n`,
    })
    expect(await made.generate()).toEqual({
      code: 3,
      told: [`conflict ${errors}`, `update ${answers}`],
    })
  })
})
