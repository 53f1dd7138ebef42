/** The keys that `svc generate` knows of `config/svc.ts`, beside those that the server takes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { features } from '../../../generator/features/index.js'
import { unknownConfigKeys } from '../../../generator/load/config-keys.js'
import { keysIn } from '../../../generator/load/keys-in.js'
import { defineOperations } from '../../../runtime/features/metrics/config.js'
import { defineDocs } from '../../../runtime/features/openapi/config.js'
import { defineRateLimit } from '../../../runtime/features/rate-limit/config.js'
import { defineConfig } from '../../../runtime/features/sign-in/config.js'

const jwt = {
  issuer: 'https://issuer.example',
  audience: 'us',
  jwks_url: 'https://issuer.example/keys',
  claim: 'sub',
  column: 'subject',
}

function problemsOf(text: string) {
  const root = mkdtempSync(join(tmpdir(), 'svc-config-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'config'))
  writeFileSync(join(root, 'config/svc.ts'), text)
  const ofFeatures = features.flatMap(({ reader }) =>
    reader?.configKeys === undefined ? [] : [reader.configKeys],
  )
  return unknownConfigKeys(root, ofFeatures)
}

test('are those that the server takes, and no others', async () => {
  const exported = {
    config: defineConfig({ auth: { jwt } }),
    operations: defineOperations({}),
    docs: defineDocs({}),
    requests: defineRateLimit({}),
  }
  const text = (all: object) =>
    Object.entries(all)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  expect(await problemsOf(text(exported))).toEqual([])
  const [{ known = [] } = {}] = await problemsOf(text({ config: { none: 1 } }))
  expect(known).toEqual(Object.keys(exported.config).toSorted())
  for (const [name, value] of Object.entries(exported)) {
    if (name === 'config') continue
    const [problem] = await problemsOf(text({ [name]: { none: 1 } }))
    expect(problem?.known).toEqual(Object.keys(value).toSorted())
  }
})

test('are read from the text where the file cannot be run', async () => {
  const found = await problemsOf(`import { limits } from './limits.js'
throw new Error('only inside the server')
export const config = defineConfig({
  // limitz: 1
  middleware: ['api', limits ? 'throttle' : 'none'],
  "corz": { origins: [] },
  limits: { ...limits, body_byte: 5 },
})`)
  const places = found.map(({ line, column, fix }) => [line, column, fix])
  expect(places).toEqual([
    [6, 3, "'cors'"],
    [7, 24, "'body_bytes'"],
  ])
})

test('are found by what they are below', () => {
  const text = "const a = { b: { c: 1 }, 'c': f({ d }), /* e: */ g: [{ h: 'c: 1' }] }"
  expect([...keysIn(text).keys()]).toEqual(['a.b', 'a.b.c', 'a.c', 'a.c.d', 'a.g', 'a.g.h'])
})
