/** The table of kept answers comes and goes with the word in the manifest, and is asked for before it goes. */
import { describe, expect, test } from 'vitest'
import { liveProject } from '../../core/regenerate/live-project.js'
import { toldOn } from '../../support/databases.js'
import { users } from '../../support/own-manifest.js'

/** On SQLite `on-and-off.test.ts` has them with all others. */
describe.each(toldOn('postgresql'))('kept answers on %s', (name) => {
  const { ok, run, asked, manifest } = liveProject(name)

  test('on, off and on again', async () => {
    const repositories = `${users} books: repository({ fields: { name: text() } }),`
    const become = async (options: string) => {
      manifest(repositories, options)
      await ok('generate', '--no-compile')
    }
    await become('')
    await ok('migrate')
    await become('idempotency: true,')
    await ok('migrate')
    await asked(
      `insert into idempotency_keys (key, fingerprint, attempt, running_until, expires_at) values ('k', 'f', 'a', '2030-01-01', '2030-01-01') returning key`,
    )
    expect(await ok('generate', '--no-compile')).toContain('unchanged')
    await become('')
    const { code, out, errors } = await run('migrate')
    expect([code, out + errors]).toEqual([
      expect.any(Number),
      expect.stringMatching(/idempotency_keys/),
    ])
    expect(code).not.toBe(0)
    await ok('migrate', '--accept-data-loss')
    await become('idempotency: true,')
    await ok('migrate')
    expect(await asked('select key from idempotency_keys')).toEqual([])
  })
})
