/** Why, who and what a change allows, of restoring and deleting for good. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { svc } from '../../core/cli/project.js'
import { toldOn } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Project } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'

scriptsShareAProcess()

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/questions.ts',
  policies: {
    Post: {
      update: '(user) => ({ owner_id: user?.id })',
      delete: '(user) => ({ owner_id: user?.id })',
      restore: '(user) => ({ owner_id: user?.id })',
      forceDelete: '(user) => user?.is_admin === true',
    },
  },
}

const socket = { remoteAddress: '127.0.0.1' }

describe.each(toldOn('postgresql'))('questions about a trash on %s', (name) => {
  let project: Project
  let [ann, bob, gone, there] = [0, 0, 0, 0]
  beforeAll(async () => {
    project = await openManifest(manifest, name, 'development')
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    gone = await project.insert('posts', { title: 'Gone', owner_id: ann })
    there = await project.insert('posts', { title: 'There', owner_id: ann })
    await project.delete(`/api/svc/posts/${gone}`, ann)
  })
  afterAll(() => project.close())

  const asked = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(project.folder, ...line)
    return {
      code,
      out: (out + errors)
        .replaceAll(/'\d{4}-[^']+Z'/g, "'then'")
        .replaceAll(/(Policy\.ts):\d+/g, '$1:9'),
    }
  }

  it('svc why says who may bring a record back, or delete it for good', async () => {
    expect(await asked('why', 'posts', String(gone), String(ann), 'restore')).toEqual({
      code: 0,
      out: `Yes: Ann (user ${ann}) may restore posts/${gone}.

show: yes, whatever the record  app/Policies/PostPolicy.ts:9
  () => true

is there, of the record: yes
  yes      all of
    yes      deleted_at is set  (the record has 'then')  ← decides
    yes      any of
      yes      owner_id is ${ann}  (the record has ${ann})  ← decides
      no       no record

restore, of the record: yes  app/Policies/PostPolicy.ts:9
  yes      owner_id is the user's id, ${ann}  (the record has ${ann})  ← decides
`,
    })
    expect((await asked('why', `POST /api/svc/posts/${there}/restore`, String(ann))).out).toContain(
      `No: Ann (user ${ann}) cannot restore posts/${there}: it is there, and not to be found for that (404).`,
    )
    const forGood = await asked('why', 'posts', String(gone), String(bob), 'forceDelete')
    expect([forGood.code, forGood.out.split('\n')[0]]).toEqual([
      1,
      `No: Bob (user ${bob}) cannot forceDelete posts/${gone}: it is there, and not to be found for that (404).`,
    ])
  })

  it('svc who says how many may bring it back', async () => {
    expect(await asked('who', 'posts', String(gone), 'restore')).toEqual({
      code: 0,
      out: `1 of 2 users may restore posts/${gone}. A guest may not.

  1  restore: owner_id is the user's id
       Ann (${ann})
`,
    })
    expect(await asked('who', 'posts', String(gone), 'store')).toEqual({
      code: 2,
      out: 'Who may is asked of a record with show, update, delete, restore, forceDelete.\n',
    })
  })

  it('the page says the rights of a record, and what policies have', async () => {
    const why = await project.request('GET', `/docs/why/posts/${gone}?user=${ann}`, { socket })
    expect(why.status, JSON.stringify(why.body)).toBe(200)
    expect(
      why.body.rights.map((each: Record<string, string>) => [each['operation'], each['answer']]),
    ).toEqual([
      ['show', 'no'],
      ['update', 'no'],
      ['delete', 'no'],
      ['store', 'yes'],
      ['restore', 'yes'],
      ['forceDelete', 'no'],
    ])
    const { body } = await project.request('GET', `/docs/policies?users=${ann}`, { socket })
    const posts = body.repositories.find((each: { key: string }) => each.key === 'posts')
    expect(posts.methods.map((each: { method: string }) => each.method)).toEqual([
      ...['show', 'store', 'update', 'delete', 'restore', 'forceDelete'],
    ])
  })

  it('an answer says why a record cannot be brought back, where the request asks', async () => {
    const headers = { 'x-svc-why': '1' }
    const restoring = { as: bob, headers, socket }
    const denied = await project.request('POST', `/api/svc/posts/${gone}/restore`, restoring)
    expect([denied.status, denied.body.why?.sentence]).toEqual([
      404,
      `No: Bob (user ${bob}) cannot restore posts/${gone}: it is there, and not to be found for that (404).`,
    ])
  })

  it('svc policies diff says who may bring back more than before', async () => {
    const { folder } = project
    const git = (...line: readonly string[]) =>
      execFileSync('git', ['-c', 'user.email=a@b.cd', '-c', 'user.name=A', ...line], {
        cwd: folder,
      })
    git('init', '-q')
    git('add', 'app')
    git('commit', '-qm', 'before')
    const policy = join(folder, 'app/Policies/PostPolicy.ts')
    const text = readFileSync(policy, 'utf8')
    writeFileSync(policy, text.replace(/^ {2}restore: .*/m, '  restore: () => true,'))
    expect(await asked('policies', 'diff', '--users', String(bob))).toEqual({
      code: 0,
      out: `               who      gains  loses
posts restore  Bob (${bob})  1: ${gone}

Compared for a guest, Bob (${bob}).
`,
    })
  })
})
