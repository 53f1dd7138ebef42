import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { packRuntime } from '../../../generator/plan/render/runtime-archive.js'
import { openFolder } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'
import { checkout, emptyFolder, linkDependencies, newProject, svc } from '../cli/project.js'
import { baseOf, fillBase } from '../write/base.js'
import { fill, textsOf, type Texts } from '../write/folder.js'

/**
 * The shop as svc 10.0.0 writes it: with the runtime as its own, a published controller and a saved migration; files by path.
 * `UPDATE_UPGRADE=1` writes it anew until 10.0.0 is released, and never after that.
 */
const archive = join(checkout, 'fixtures/upgrade/shop-10.0.0.json.br')

const packedRuntime = /^\.svc\/runtime-.*\.br\.txt$/

async function writeArchive(): Promise<void> {
  const root = await newProject('--example=shop', '--runtime=own')
  await succeeds(root, 'auth', '--actions=login')
  await succeeds(root, 'migrate', 'save', 'init')
  // The packed runtime is made again of the files of runtime/.
  const texts = Object.entries(textsOf(root)).filter(([path]) => !packedRuntime.test(path))
  const json = JSON.stringify(Object.fromEntries(texts))
  writeFileSync(archive, brotliCompressSync(Buffer.from(json)))
}

async function succeeds(root: string, ...line: readonly string[]): Promise<string> {
  const { code, out, errors } = await svc(root, ...line)
  expect(code, out + errors).toBe(0)
  return out
}

/** `older` makes the text of a file of the runtime another one, as if svc had written it. */
async function projectOfThen(older = (_path: string, text: string) => text) {
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  if (process.env['UPDATE_UPGRADE'] !== undefined) await writeArchive()
  const root = emptyFolder()
  const texts: Texts = JSON.parse(brotliDecompressSync(readFileSync(archive)).toString('utf8'))
  const runtime = Object.entries(texts)
    .filter(([path]) => /^runtime\/.*\.(ts|js|css|html)$/.test(path))
    .map(([path, text]) => [path, older(path, text)] as const)
  const { name, content, hashes } = packRuntime(new Map(runtime))
  const list = Object.entries(hashes).map(([path, hash]) => `${path} ${hash}\n`)
  fill(root, { ...texts, ...Object.fromEntries(runtime) })
  fill(root, { [`.svc/${name}`]: content, '.svc/runtime-files.txt': list.join('') })
  linkDependencies(root)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const edit = (path: string, from: string, to: string) => {
    if (!read(path).includes(from)) throw new Error(`${path} has no '${from}'`)
    fill(root, { [path]: read(path).replace(from, to) })
  }
  /** As if svc had written a line of the file otherwise then. */
  const wroteThen = (path: string, now: string, then: string) => {
    edit(path, now, then)
    fillBase(root, { [path]: (baseOf(root)[path] ?? '').replace(now, then) })
  }
  return { root, read, edit, wroteThen }
}

type Project = Awaited<ReturnType<typeof projectOfThen>>

const controller = 'app/Http/Controllers/ProductController.ts'
const respond = 'runtime/http/respond.ts'
const login = 'app/Http/Controllers/Svc/LoginController.ts'

/** Edits files that svc writes, files that it wrote once, and the runtime. */
function editAsOwner({ root, read, edit }: Project): void {
  edit('app/Policies/ProductPolicy.ts', 'store: isAdmin', 'store: isStaff')
  edit('config/svc.ts', 'body_bytes: 1_048_576', 'body_bytes: 2_000_000')
  edit('package.json', '"scripts": {', '"scripts": {\n    "lint": "oxlint",')
  edit(
    controller,
    ".get('/', ",
    ".use('/', (c, next) => {\n    c.header('X-Mine', 'yes')\n    return next()\n  })\n  .get('/', ",
  )
  edit(login, '/** POST', '/** Mine. POST')
  fill(root, { [respond]: `${read(respond)}// The end.\n` })
}

/** A copy that serves: its modules are loaded once for each folder. */
async function serve(root: string) {
  const folder = emptyFolder()
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true })
  const project = await openFolder(folder, 'sqlite')
  onTestFinished(() => project.close())
  return project
}

test('a project of 10.0.0 is carried over with its edits and its rows, and undo takes it back', async () => {
  const project = await projectOfThen()
  const { root, read, wroteThen } = project
  wroteThen('config/svc.ts', 'max_per_page: 100', 'max_per_page: 90')
  wroteThen('app/app.ts', '/** ', '/** Then: ')
  editAsOwner(project)
  const old = await serve(root)
  const product = { name: 'Lamp', price: '12.50', is_active: 1 }
  const category = await old.insert('categories', { name: 'Light' })
  await old.insert('products', { ...product, category_id: category })
  await old.database.close()
  cpSync(join(old.folder, 'test.sqlite'), join(root, 'test.sqlite'))
  const before = textsOf(root)

  await succeeds(root, 'generate')
  expect(read('app/app.ts')).not.toContain('/** Then: ')
  const config = read('config/svc.ts')
  for (const line of ['body_bytes: 2_000_000', 'max_per_page: 100']) expect(config).toContain(line)
  expect(JSON.parse(read('package.json')).scripts).toMatchObject({ lint: 'oxlint' })
  expect(read('app/Policies/ProductPolicy.ts')).toContain('store: isStaff')
  expect(read(login)).toContain('/** Mine. POST')
  expect(read(respond)).toMatch(/\/\/ The end\.\n$/)
  expect(typeCheck(root)).toBe('')
  await succeeds(root, 'generate', '--check')

  const now = await serve(root)
  const list = await now.get('/api/svc/products')
  expect([list.status, list.headers.get('x-mine')]).toEqual([200, 'yes'])
  expect(list.body.data[0].attributes).toMatchObject({ name: 'Lamp', price: '12.50' })

  await succeeds(root, 'undo')
  expect(textsOf(root)).toEqual(before)
})

test('svc doctor names a runtime that is older than the svckit that is installed', async () => {
  const { root, edit } = await projectOfThen((path, text) =>
    path === 'runtime/errors.ts' ? `${text}// An older line.\n` : text,
  )
  const wrong = async () => {
    const { code, out } = await svc(root, 'doctor')
    expect(code).toBe(1)
    return out.split('\n').filter((line) => line.includes('runtime'))
  }
  expect(await wrong()).toEqual([
    expect.stringMatching(
      /^ {2}runtime\/ {2}is older than svckit 10\.0\.0, which is installed: \d+ files? differs?$/,
    ),
  ])
  edit('svc.lock.json', '"10.0.0"', '"9.9.0"')
  const [line] = await wrong()
  expect(line).toContain('runtime/  is that of svckit 9.9.0, and 10.0.0 is installed: ')
  await succeeds(root, 'generate', '--no-compile')
  expect((await svc(root, 'doctor')).out).not.toContain('runtime/')
})

test("Prisma's command line stays in the version that its owner chose", async () => {
  const { root, read, edit } = await projectOfThen()
  const { devDependencies } = JSON.parse(read('package.json'))
  expect(devDependencies.prisma).toBeUndefined()
  edit('package.json', '"devDependencies": {', '"devDependencies": {\n    "prisma": "7.9.0",')
  await succeeds(root, 'generate', '--no-compile')
  expect(JSON.parse(read('package.json')).devDependencies.prisma).toBe('7.9.0')
})
