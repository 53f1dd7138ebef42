import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { buildBlueprint } from '../../generator/blueprint/blueprint.js'
import { clientSettings } from '../../generator/blueprint/client.js'
import { loadManifest } from '../../generator/load/load-manifest.js'
import { clientFiles } from '../../generator/plan/client/files.js'
import { describeProject } from '../../generator/plan/project.js'
import { root } from '../plan/fixture.js'
import { checkClient } from './check-client.js'

test('what the README does with the client of its manifest compiles', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-client-'))
  for (const [, path = '', text = ''] of readme.matchAll(
    /```ts\n\/\/ (manifest\/\S+)\n([\s\S]*?)```/g,
  )) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const loaded = await loadManifest(folder)
  rmSync(folder, { recursive: true })
  const built = 'problems' in loaded ? loaded : buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  const project = describeProject(built.blueprint, { name: 'shop', svckit: '10.0.0' })
  const files = await clientFiles(project, clientSettings('readme/api', true, true))
  const shown = /```ts\n(import \{ login \}[\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(shown).toContain('products.each')
  const more = `
    import { useQuery } from '@tanstack/react-query'
    import * as categories from './api/categories.js'
    import { productsMutations, productsQueries } from './api/products.queries.js'
    export const used = [categories.indexProducts(api, '2'), useQuery(productsQueries(api).index({ search: 'lamp' })), productsMutations(api).store()]
  `
  const use = { path: 'readme/use.ts', content: shown + more }
  expect(checkClient([...files, use]).problems).toBe('')
})
