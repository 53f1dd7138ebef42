import { expect, test } from 'vitest'
import { fill, textsOf } from '../write/folder.js'
import { generateKilled } from './killed.js'
import { build, emptyFolder, svc } from './project.js'

test('a run killed at any moment leaves a project that the next run makes whole', async () => {
  build()
  const whole = emptyFolder()
  await svc(whole, 'new', 'shop')
  const expected = textsOf(whole)
  const manifest = Object.entries(expected).filter(([path]) =>
    /^shop\/manifest\/.*\.ts$/.test(path),
  )
  // The cache of texts also says what they were made of: a second run knows policies that the first one had yet to write.
  const isKept = (path: string) =>
    !path.includes('prisma/client/') && !path.endsWith('.svc/tidied.json')
  const comparable = (folder: string) =>
    Object.fromEntries(Object.entries(textsOf(folder)).filter(([path]) => isKept(path)))
  const fresh = () => {
    const folder = emptyFolder()
    fill(folder, Object.fromEntries(manifest))
    return folder
  }
  const { calls } = generateKilled(`${fresh()}/shop`, Number.POSITIVE_INFINITY)
  expect(calls).toBeGreaterThan(150)
  // The first change, the last, and some between; which call fails is gone through one by one elsewhere.
  const moments = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => 1 + Math.round(part * (calls - 1)))
  for (const n of moments) {
    const folder = fresh()
    expect(generateKilled(`${folder}/shop`, n).isKilled, `change ${n}`).toBe(true)
    const { code, errors } = await svc(`${folder}/shop`, 'generate')
    expect({ code, errors }, `change ${n}`).toEqual({ code: 0, errors: '' })
    // The projects lie in different folders, and package.json says how to get from there to svckit; both are siblings.
    expect(comparable(folder), `change ${n}`).toEqual(comparable(whole))
  }
})
