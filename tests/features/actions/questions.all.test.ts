/** Why somebody may run an action, or ask a getter, and who may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { svc } from '../../core/cli/project.js'
import { toldOn } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Project } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'
import { edits, policies } from './own-files.js'

scriptsShareAProcess()

const manifest = { manifest: 'tests/features/actions/manifests/http.ts', policies, edits }

describe.each(toldOn('postgresql'))('questions about actions on %s', (name) => {
  let project: Project
  let [ann, bob, post] = [0, 0, 0]
  beforeAll(async () => {
    project = await openManifest(manifest, name, 'development')
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    post = await project.insert('posts', { title: 'a', status: 'locked', owner_id: ann })
  })
  afterAll(() => project.close())

  const firstLine = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(project.folder, ...line)
    return [code, (out + errors).split('\n')[0]]
  }

  it('svc why says it, by the name of the method or by the request', async () => {
    const no = `No: Ann (user ${ann}) sees posts/${post}, and may not runPublish it (403).`
    expect(await firstLine('why', 'posts', `${post}`, `${ann}`, 'runPublish')).toEqual([1, no])
    const request = `POST /api/svc/posts/${post}/actions/publish`
    expect(await firstLine('why', request, `${ann}`)).toEqual([1, no])
    expect(await firstLine('why', 'posts', `${post}`, `${ann}`, 'getStats')).toEqual([
      0,
      `Yes: Ann (user ${ann}) may getStats posts/${post}.`,
    ])
    expect((await firstLine('why', 'posts', `${post}`, `${bob}`, 'runQuiet'))[0]).toBe(1)
  })

  it('svc who says who may', async () => {
    expect(await firstLine('who', 'posts', `${post}`, 'runQuiet')).toEqual([
      0,
      '1 of 2 users may runQuiet posts/1. A guest may not.'.replace('/1', `/${post}`),
    ])
  })
})
