import { describe, expect, test } from 'vitest'
import { planChanges } from '../../../generator/plan/compare/plan-changes.js'
import type { PlanFile, PlanOptions } from '../../../generator/plan/status.js'
import { parses } from '../../../generator/source/syntax.js'
import { rendered } from './run.js'

const models = 'app/Models.ts'
const policy = 'app/Policies/PostPolicy.ts'
const config = 'config/svc.ts'

const old = 'export const one = 1\n\nexport const two = 2\n\nexport const three = 3\n'
const now = old.replace('three = 3', 'three = 33')
const mine = old.replace('one = 1', 'one = 11')
const disputed = old.replace('three = 3', 'three = 333')
const both = mine.replace('three = 3', 'three = 33')

interface Case {
  readonly path?: string
  readonly disk?: string
  readonly base?: string
  /** Absent: not rendered any more. */
  readonly today?: string
  readonly options?: Partial<PlanOptions>
}

async function plan({ path = models, disk, base, today, options }: Case): Promise<PlanFile> {
  const entry = (text: string | undefined) => new Map(text === undefined ? [] : [[path, text]])
  const { files } = await planChanges(
    today === undefined ? [] : rendered({ [path]: today }),
    { disk: entry(disk), base: entry(base) },
    { conflicts: 'stop', force: false, parses, ...options },
  )
  const [file] = files
  if (file === undefined) throw new Error('nothing planned')
  return file
}

test('what an edited config imports stays with it when neither is rendered any more', async () => {
  const base = new Map([
    ['app/spoken.ts', "import { say } from './say.js'\nexport type Spoken = typeof say\n"],
    ['app/say.ts', 'export const say = 1\n'],
    ['app/other.ts', 'export const other = 1\n'],
    ['config/spoken.ts', "import type { Spoken } from '#app/spoken.js'\n"],
  ])
  const statuses = async (disk: ReadonlyMap<string, string>) => {
    const options = { conflicts: 'stop', force: false, parses } as const
    const { files } = await planChanges([], { disk, base }, options)
    return Object.fromEntries(files.map(({ path, status, note }) => [path, note ?? status]))
  }
  const edited = `${base.get('config/spoken.ts')}// mine\n`
  expect(await statuses(new Map([...base, ['config/spoken.ts', edited]]))).toEqual({
    'app/other.ts': 'remove',
    'app/say.ts': 'needed',
    'app/spoken.ts': 'needed',
    'config/spoken.ts': 'orphan',
  })
  const all = Object.fromEntries([...base.keys()].map((path) => [path, 'remove']))
  expect(await statuses(base)).toEqual(all)
  const without = new Map([...base].filter(([path]) => path !== 'config/spoken.ts'))
  expect(await statuses(without)).toEqual(all)
})

describe('what a run does with a file', () => {
  test.each<[string, Case, Partial<PlanFile>]>([
    ['new', { today: now }, { status: 'create', content: now, base: now }],
    ['as it was', { disk: now, base: now, today: now }, { status: 'same', content: now }],
    ['changed by svc', { disk: old, base: old, today: now }, { status: 'update', content: now }],
    [
      'edited',
      { disk: mine, base: now, today: now },
      { status: 'keep', content: mine, note: null },
    ],
    [
      'edited, and changed by svc elsewhere',
      { disk: mine, base: old, today: now },
      { status: 'merge', content: both, base: now },
    ],
    [
      'edited, and changed by svc in the same lines',
      { disk: disputed, base: old, today: now },
      { status: 'conflict', content: disputed, aside: now, base: old },
    ],
    ['edited as svc does', { disk: now, base: old, today: now }, { status: 'same', base: now }],
    ['deleted', { base: now, today: now }, { status: 'deleted', content: null, base: now }],
    ['not ours, in our place', { disk: mine, today: now }, { status: 'conflict', aside: now }],
    ['not ours, but the same', { disk: now, today: now }, { status: 'same', base: now }],
    [
      'gone from the manifest',
      { disk: old, base: old },
      { status: 'remove', content: null, base: null },
    ],
    [
      'gone from the manifest, edited',
      { disk: mine, base: old },
      { status: 'orphan', content: mine, base: old },
    ],
    [
      'gone from the manifest and the disk',
      { base: old },
      { status: 'remove', before: null, base: null },
    ],
  ])('%s', async (_, given, expected) => {
    expect(await plan(given)).toMatchObject(expected)
  })
})

describe('files of the developer', () => {
  test.each<[string, Case, Partial<PlanFile>]>([
    [
      'stays as edited',
      { disk: mine, base: old, today: now },
      { status: 'keep', content: mine, note: 'outdated' },
    ],
    [
      'follows while untouched',
      { disk: old, base: old, today: now },
      { status: 'update', content: now },
    ],
    ['is taken as found', { disk: mine, today: now }, { status: 'keep', content: mine, base: now }],
    ['stays deleted', { base: old, today: now }, { status: 'deleted' }],
    [
      'stays under --force',
      { disk: mine, base: old, today: now, options: { force: true } },
      { status: 'keep', content: mine },
    ],
    [
      'stays deleted under --force',
      { base: old, today: now, options: { force: true } },
      { status: 'deleted' },
    ],
  ])('a policy %s', async (_, given, expected) => {
    expect(await plan({ ...given, path: policy })).toMatchObject(expected)
  })

  test.each<[string, Case, Partial<PlanFile>]>([
    ['is merged', { disk: mine, base: old, today: now }, { status: 'merge', content: both }],
    ['is taken as found', { disk: mine, today: now }, { status: 'keep', content: mine, base: now }],
    ['stops at a conflict', { disk: disputed, base: old, today: now }, { status: 'conflict' }],
  ])('the config %s', async (_, given, expected) => {
    expect(await plan({ ...given, path: config })).toMatchObject(expected)
  })
})

describe('--force', () => {
  const options = { force: true }

  test('replaces an edited file and says so', async () => {
    const file = await plan({ disk: mine, base: now, today: now, options })
    expect(file).toMatchObject({ status: 'update', content: now, note: 'replaced' })
  })

  test('brings a deleted file back', async () => {
    expect(await plan({ base: now, today: now, options })).toMatchObject({
      status: 'create',
      content: now,
    })
  })

  test('still merges the config when it can', async () => {
    const file = await plan({ path: config, disk: mine, base: old, today: now, options })
    expect(file).toMatchObject({ status: 'merge', content: both })
  })
})

describe('--conflicts', () => {
  const conflict = { disk: disputed.replace('one = 1', 'one = 11'), base: old, today: now }

  test('ours keeps the disputed lines and takes the rest', async () => {
    const today = now.replace('two = 2', 'two = 22')
    const file = await plan({ ...conflict, today, options: { conflicts: 'ours' } })
    const content = conflict.disk.replace('two = 2', 'two = 22')
    expect(file).toMatchObject({ status: 'merge', content, base: today })
  })

  test('ours that changes nothing leaves the file alone and knows what svc wrote', async () => {
    const file = await plan({ ...conflict, options: { conflicts: 'ours' } })
    expect(file).toMatchObject({ status: 'keep', content: conflict.disk, base: now })
  })

  test('theirs takes the disputed lines and keeps the rest', async () => {
    const file = await plan({ ...conflict, options: { conflicts: 'theirs' } })
    expect(file).toMatchObject({ status: 'merge', content: both, note: 'replaced' })
  })

  describe('of what does not parse', () => {
    test('theirs that leaves an open end keeps every other edit', async () => {
      const disk = `/* MINE, not closed\n${disputed}`
      const options = { conflicts: 'theirs' } as const
      const file = await plan({ disk, base: old, today: now, options })
      expect(file).toMatchObject({
        status: 'conflict',
        note: 'unreadable',
        content: disk,
        base: old,
      })
    })

    test('ours of a file that cannot be read stops too', async () => {
      const disk = `/* MINE, not closed\n${disputed}`
      const file = await plan({ disk, base: old, today: now, options: { conflicts: 'ours' } })
      expect(file).toMatchObject({
        status: 'conflict',
        note: 'unreadable',
        content: disk,
        base: old,
      })
    })

    test('ours whose merge cannot be read keeps the file and says that svc has more', async () => {
      const text = (call: string, number: number) => `${call}\n\nexport const number = ${number}\n`
      const disk = text('call([\n  a,\n  b,\n])', 2)
      const file = await plan({
        disk,
        base: text('call({\n  a,\n  b,\n})', 1),
        today: text('call({\n  a,\n  c: 3,\n  b,\n})', 3),
        options: { conflicts: 'ours' },
      })
      expect(file).toMatchObject({ status: 'keep', content: disk, note: 'outdated' })
    })
  })

  test('theirs, where git left its markers, says that the edits of both are replaced', async () => {
    const disk = '<<<<<<< HEAD\nexport const a = 2\n=======\nexport const a = 3\n>>>>>>> b\n'
    const base = 'export const a = 1\n'
    const file = await plan({ disk, base, today: base, options: { conflicts: 'theirs' } })
    expect(file).toMatchObject({ status: 'update', content: base, note: 'replaced' })
  })

  describe('while the markers are in the file', () => {
    const marked = disputed.replace(
      'export const three = 333\n',
      '<<<<<<< yours\nexport const three = 333\n=======\nexport const three = 33\n>>>>>>> svc\n',
    )
    const state = { disk: marked, base: now, today: now }

    test('ours and theirs take them out', async () => {
      const ours = await plan({ ...state, options: { conflicts: 'ours' } })
      expect(ours).toMatchObject({ status: 'merge', before: marked, content: disputed, base: now })
      const theirs = await plan({ ...state, options: { conflicts: 'theirs' } })
      expect(theirs).toMatchObject({ before: marked, content: now, base: now, note: 'replaced' })
    })

    test('what svc changes meanwhile comes with it', async () => {
      const today = now.replace('one = 1', 'one = 111')
      const ours = await plan({ ...state, today, options: { conflicts: 'ours' } })
      expect(ours).toMatchObject({ status: 'merge', content: disputed.replace('= 1\n', '= 111\n') })
    })

    test('--force writes the whole text of svc, and says so', async () => {
      const forced = await plan({ ...state, options: { force: true } })
      expect(forced).toMatchObject({ status: 'update', content: now, note: 'replaced' })
    })

    test("those of git's own are nobody's to take out", async () => {
      const disk = `${marked}<<<<<<< HEAD\nconst a = 1\n=======\nconst a = 2\n>>>>>>> b\n`
      const file = await plan({ ...state, disk, options: { conflicts: 'ours' } })
      expect(file).toMatchObject({ status: 'conflict', note: 'unfinished', content: disk })
    })
  })

  test('markers writes both, and the next run still waits for the developer', async () => {
    const marked = await plan({ ...conflict, options: { conflicts: 'markers' } })
    expect(marked.content).toContain(
      '<<<<<<< yours\nexport const three = 333\n=======\nexport const three = 33\n>>>>>>> svc\n',
    )
    const next = await plan({ disk: marked.content ?? '', base: marked.base ?? '', today: now })
    expect(next).toMatchObject({ status: 'conflict', note: 'unfinished', aside: null })
    const forced = { disk: marked.content ?? '', base: marked.base ?? '', today: now }
    expect(await plan({ ...forced, options: { force: true } })).toMatchObject({
      status: 'update',
      content: now,
      note: 'replaced',
    })
  })
})

describe('a merge', () => {
  test('that no longer parses is a conflict', async () => {
    const base = 'export const all = [\n  one,\n  two,\n  three,\n]\n'
    const edited = 'export const all = new Set([\n  one,\n  two,\n  three,\n])\n'
    const today = 'export const all = [\n  one,\n  two,\n  three,\n  four,\n] as const\n'
    expect(await plan({ disk: edited, base, today })).toMatchObject({ status: 'conflict' })
  })

  test('knows lines that a plain object would trip over', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const base = names.join('\n')
    const file = await plan({
      path: 'names.txt',
      disk: `${base}\nmine`,
      base,
      today: `svc\n${base}`,
    })
    expect(file).toMatchObject({ status: 'merge', content: `svc\n${base}\nmine` })
  })

  test('keeps the line endings of the file', async () => {
    const disk = mine.replaceAll('\n', '\r\n')
    const file = await plan({ disk, base: old, today: now })
    expect(file.content).toBe(both.replaceAll('\n', '\r\n'))
  })

  test('goes by the line endings of most lines', async () => {
    const disk = mine.replace('\n', '\r\n')
    const file = await plan({ disk, base: old, today: now })
    expect(file.content).toBe(both)
  })

  test('takes other line endings for no edit', async () => {
    const disk = old.replaceAll('\n', '\r\n')
    expect(await plan({ disk, base: old, today: old })).toMatchObject({
      status: 'same',
      content: disk,
    })
    const updated = await plan({ disk, base: old, today: now })
    expect(updated).toMatchObject({ status: 'update', content: now.replaceAll('\n', '\r\n') })
  })
})

describe('package.json', () => {
  const path = 'package.json'
  const text = (value: object) => `${JSON.stringify(value, null, 2)}\n`
  const base = text({
    name: 'blog',
    scripts: { dev: 'tsx a' },
    dependencies: { hono: '4.0.0', pg: '8.0.0' },
  })
  const today = text({
    name: 'blog',
    type: 'module',
    scripts: { dev: 'tsx b', test: 'vitest' },
    dependencies: { hono: '4.1.0', kysely: '0.28.0', pg: '8.1.0' },
  })

  test('is merged key by key: what the developer changed or removed stays so', async () => {
    const disk = text({
      name: 'my-blog',
      scripts: { dev: 'tsx mine' },
      dependencies: { hono: '4.0.0', lodash: '4.17.0' },
    })
    const file = await plan({ path, disk, base, today })
    expect(file.status).toBe('merge')
    expect(file.content).toBe(
      text({
        name: 'my-blog',
        type: 'module',
        scripts: { dev: 'tsx mine', test: 'vitest' },
        dependencies: { hono: '4.1.0', kysely: '0.28.0', lodash: '4.17.0' },
      }),
    )
  })

  test('of a developer who came first gets what it lacks, with its own indentation', async () => {
    const file = await plan({
      path,
      disk: '{\n\t"name": "mine",\n\t"private": true\n}',
      today: base,
    })
    expect(file.content).toBe(
      JSON.stringify(
        {
          name: 'mine',
          scripts: { dev: 'tsx a' },
          dependencies: { hono: '4.0.0', pg: '8.0.0' },
          private: true,
        },
        null,
        '\t',
      ),
    )
  })

  test('that cannot be read is a conflict', async () => {
    expect(await plan({ path, disk: '{ "name": ', base, today })).toMatchObject({
      status: 'conflict',
    })
  })
})

describe('after git merged two branches that both generated', () => {
  const torn = (left: string, right: string) =>
    `<<<<<<< HEAD\n${left}=======\n${right}>>>>>>> feature\n`
  const left = 'export const posts = 1\n'
  const right = 'export const tags = 1\n'

  test('an unedited file is what svc renders today', async () => {
    const today = `${left}${right}`
    const file = await plan({ disk: torn(left, right), base: torn(left, right), today })
    expect(file).toMatchObject({ status: 'update', content: today, base: today })
  })

  test("edits of both branches meet in today's text", async () => {
    const base = (list: string) => `// top\n\n${list}\n// bottom\n`
    const disk = `// TOP\n\n${torn(left, right)}\n// BOTTOM\n`
    const today = base(left + right)
    const file = await plan({ disk, base: base(torn(left, right)), today })
    expect(file).toMatchObject({
      status: 'merge',
      content: `// TOP\n\n${left}${right}\n// BOTTOM\n`,
    })
  })

  test('edits that meet in the same lines wait for the developer', async () => {
    const disk = torn('export const posts = 2\n', 'export const posts = 3\n')
    const file = await plan({ disk, base: left, today: left })
    expect(file).toMatchObject({ status: 'conflict', content: disk })
  })

  test('package.json has the dependencies of both', async () => {
    const text = (names: string[]) =>
      `{\n  "dependencies": {\n${names.map((name) => `    "${name}": "1"`).join(',\n')}\n  }\n}\n`
    const disk = `{\n  "dependencies": {\n${torn('    "mine": "1",\n', '    "yours": "1",\n')}    "hono": "1"\n  }\n}\n`
    const file = await plan({
      path: 'package.json',
      disk,
      base: text(['hono']),
      today: text(['hono']),
    })
    expect(JSON.parse(file.content ?? '')).toEqual({
      dependencies: { mine: '1', yours: '1', hono: '1' },
    })
  })
})

describe('routes/api.ts', () => {
  const path = 'routes/api.ts'
  const base = `import { svcResources } from './r.js'\n\nexport const api = new Hono()\n\nsvcResources(api)\n`
  const today = base.replace('svcResources(api)', 'svcAuth(api)\nsvcResources(api)')

  test('keeps its line endings when svc adds a call', async () => {
    const disk = `${base}api.get('/mine', mine)\n`
    const file = await plan({ path, disk: disk.replaceAll('\n', '\r\n'), base, today })
    expect(file).toMatchObject({ status: 'merge' })
    expect(file.content).toBe(
      disk
        .replace('svcResources(api)\n', 'svcAuth(api)\nsvcResources(api)\n')
        .replaceAll('\n', '\r\n'),
    )
  })
})
