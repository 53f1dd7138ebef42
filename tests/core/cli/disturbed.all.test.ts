import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textsOf } from '../write/folder.js'
import { emptyFolder, spawnSvc, svc } from './project.js'

/** Saves line after line to a file until it is told to end, and answers how many it saved. */
const saving = `
  const { appendFileSync } = require('node:fs')
  let count = 0
  const saved = setInterval(() => appendFileSync(process.argv[1], '// mine ' + count++ + '\\n'), 4)
  process.once('message', () => {
    clearInterval(saved)
    process.send(count, () => process.disconnect())
  })
  process.send('started')
`

test('a developer who keeps saving while svc writes loses no line', async () => {
  const folder = emptyFolder()
  await svc(folder, 'new', 'shop')
  const root = join(folder, 'shop')
  const [models, manifest] = [join(root, 'app/Models.ts'), join(root, 'manifest/posts.ts')]
  const text = readFileSync(manifest, 'utf8')
  for (const name of ['subtitle', 'teaser']) {
    const child = spawn(process.execPath, ['-e', saving, models], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await new Promise((resolve) => child.once('message', resolve))
    writeFileSync(manifest, text.replace('fields: {', `fields: {\n    ${name}: text(),`))
    const ran = await spawnSvc(root, 'generate')
    const count = await new Promise<number>((resolve) => {
      child.once('message', (number) => resolve(Number(number)))
      child.send('end')
    })
    expect([0, 1, 3]).toContain(ran.code)
    const all = Object.values(textsOf(root)).flatMap((content) => content.split('\n'))
    const lost = Array.from({ length: count }, (_, number) => `// mine ${number}`).filter(
      (line) => !all.includes(line),
    )
    expect(lost).toEqual([])
    expect(ran.errors === '' || ran.errors.includes('changed while svc was writing')).toBe(true)
    await svc(root, 'generate', '--force')
    expect(readFileSync(models, 'utf8')).toContain(name)
  }
})
