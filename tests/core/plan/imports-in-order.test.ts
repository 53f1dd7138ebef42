import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const fixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url))

/** The modules that a file imports, but for those of its own folder, which come last. */
const modulesIn = (text: string) =>
  [...text.matchAll(/^import (?:[^'\n{]*|[^'\n]*\{[^}]*\}) from '([^.'][^']*)'/gm)].map(
    ([, name = '']) => name,
  )

/** Node's own, then packages, then those of the project. */
const place = (name: string) => {
  const group = name.startsWith('node:') ? 0 : name.startsWith('#') ? 2 : 1
  return `${group} ${name.toLowerCase()}`
}

test('emitted files import in the order of names', () => {
  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /expected\/(.*\/)?app\/.*\.ts$/.test(path))
  const unsorted = files.filter((path) => {
    const places = modulesIn(readFileSync(join(fixtures, path), 'utf8')).map(place)
    return places.some((name, index) => index > 0 && name < (places[index - 1] ?? ''))
  })
  expect(files.length).toBeGreaterThan(50)
  expect(unsorted).toEqual([])
})
