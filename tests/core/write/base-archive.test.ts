import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert, constantFrom, dictionary, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { archiveOf, ofBranches, readArchive } from '../../../generator/write/base/base-archive.js'
import { folder, type Texts } from './folder.js'

const none = new Map()
const archive = (texts: Texts) => archiveOf(new Map(Object.entries(texts)), none)
const read = (text: string) =>
  Object.fromEntries(
    [...readArchive(text, 'base.txt').sections].map(([path, section]) => [path, section.text]),
  )

describe('the archive of what svc wrote last', () => {
  test('gives back each text as it was, whatever lines it has', () => {
    const lines = constantFrom(
      '',
      ' ',
      '  x',
      'x',
      '# x',
      'app/a.ts',
      '\\ x',
      '=======',
      '<<<<<<< x',
      '\u2028',
      'é',
    )
    const text = tuple(array(lines), constantFrom('', '\n')).map(
      ([all, end]) => all.join('\n') + end,
    )
    const paths = constantFrom('app/a.ts', 'app/b.ts', '.gitignore', 'README.md', 'app/[id].ts')
    assert(
      property(dictionary(paths, text), (texts) => {
        const packed = archive(texts)
        expect(read(packed)).toEqual(texts)
        expect(read(packed.replaceAll('\n', '\r\n')), 'checked out on Windows').toEqual(texts)
        const known = readArchive(packed, 'base.txt').sections
        expect(archiveOf(new Map(Object.entries(texts)), known)).toBe(packed)
      }),
    )
    assert(
      property(string(), (any) => {
        const texts = { 'app/a.ts': any.replaceAll('\r', '').replace('\uFEFF', '') }
        expect(read(archive(texts))).toEqual(texts)
      }),
    )
  })

  test('is merged by git, also where one branch edits the end of a file and the other the start of the next', () => {
    const files = { 'a.ts': lined(1, 9), 'b.ts': lined(1, 9), 'c.ts': lined(1, 9) }
    const left = {
      ...files,
      'a.ts': `${files['a.ts']}left\n`,
      'a2.ts': lined(1, 4),
      'c.ts': files['c.ts'].replace('3\n', 'three\n'),
    }
    const right = {
      ...files,
      'b.ts': `right\n${files['b.ts']}`,
      'a3.ts': lined(1, 5),
      'c.ts': files['c.ts'].replace('8\n', 'eight\n'),
    }
    const merged = read(merge(archive(files), archive(left), archive(right)))
    expect(merged).toEqual({
      'a.ts': ofBranches(left['a.ts'], files['a.ts']),
      'a2.ts': left['a2.ts'],
      'a3.ts': right['a3.ts'],
      'b.ts': right['b.ts'],
      'c.ts': left['c.ts'].replace('8\n', 'eight\n'),
    })
  })

  test('of which half a merge is left says how to get the whole', () => {
    const torn = archive({ 'a.ts': 'a\n' }).replace(' a\n', '<<<<<<< HEAD\n a\n')
    expect(() => read(torn)).toThrow(
      "'base.txt' holds half of a merge, so svc cannot tell your edits from its own text.",
    )
  })
})

const lined = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('')

/** Returns the file after git's merge, with its markers where it has no answer. */
function merge(base: string, left: string, right: string): string {
  const root = folder({ base, left, right })
  const { status } = spawnSync('git', ['merge-file', 'left', 'base', 'right'], { cwd: root })
  expect(status).toBeGreaterThanOrEqual(0)
  return readFileSync(join(root, 'left'), 'utf8')
}
