import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { generateInto } from '../../support/generate.js'
import { openProject, type Project } from '../../support/project.js'

const path = '/openapi.json'
const readBy = (who: string) => ({
  'config/svc.ts': (text: string) => text.replace("document: 'public'", `document: '${who}'`),
})

describe('the document of the API', () => {
  let blog: Project
  afterEach(() => blog.close())

  const operation = () => JSON.parse(textOf(blog)).paths[path]?.get

  it('is served as it is in the file, and not again to who has it', async () => {
    blog = await openProject('blog', 'sqlite')
    const { status, headers, body } = await blog.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual(JSON.parse(textOf(blog)))
    const etag = headers.get('etag') ?? ''
    const again = async (known: string) => {
      const answer = await blog.request('GET', path, { headers: { 'if-none-match': known } })
      return [answer.status, answer.headers.get('etag'), answer.body === null]
    }
    expect(await again(etag)).toEqual([304, etag, true])
    expect(await again(`"other", W/${etag}`)).toEqual([304, etag, true])
    expect(await again('"other"')).toEqual([200, etag, false])
  })

  it('is for tokens where the config says so, and says it', async () => {
    blog = await openProject('blog', 'sqlite', readBy('token'))
    expect((await blog.get(path)).status).toBe(401)
    expect((await blog.get(path, await blog.user('Ann'))).status).toBe(200)
    expect(operation()).not.toHaveProperty('security')
    expect(Object.keys(operation().responses)).toEqual(['200', '304', '401'])
  })

  it('is nobody’s where the config says so, and says that too', async () => {
    blog = await openProject('blog', 'sqlite', readBy('off'))
    expect((await blog.get(path, await blog.user('Ann'))).status).toBe(404)
    expect(operation()).toBeUndefined()
  })

  it('says what policies, hooks and routes of the developer add to the manifest', async () => {
    blog = await openProject('blog', 'sqlite', {
      // Answers with some attributes require none.
      'manifest/index.ts': (text) => text.replace('({', '({\n  reads: [],'),
      'app/Policies/PostPolicy.ts': (text) =>
        text.replace('  store: ', '  canSee: { description: (user) => user !== null },\n  store: '),
      'app/Hooks/CompanyHooks.ts': (text) =>
        text.replace(
          '  computed: ',
          '  attachCallback: { users: () => ({ done: true }) },\n  computed: ',
        ),
    })
    const document = () => JSON.parse(textOf(blog))
    const { PostResource } = document().components.schemas
    const [, { properties }] = PostResource.allOf
    const { required } = properties.attributes
    expect(required).toContain('title')
    expect(required).not.toContain('description')
    const attach = (what: string) => document().paths[`/api/svc/companies/{id}/attach/${what}`].post
    expect(Object.keys(attach('users').responses)).not.toContain('201')
    expect(Object.keys(attach('tags').responses)).toContain('201')
    const routes = join(blog.folder, 'routes/api.ts')
    const text = readFileSync(routes, 'utf8')
    writeFileSync(routes, text.replace('svcAuth(api)', "svcAuth(api, { actions: ['login'] })"))
    const own = { paths: { '/api/stats': { get: { operationId: 'stats', responses: {} } } } }
    writeFileSync(join(blog.folder, 'app/OpenApi/own.json'), JSON.stringify(own))
    await generateInto(blog.folder)
    const paths = Object.keys(document().paths).filter((each) => !each.startsWith('/api/svc/'))
    expect(paths).toEqual(['/api/login', '/api/stats', '/health', path, '/ready'])
  })

  it('is not written over a file of yours that cannot be read', async () => {
    blog = await openProject('blog', 'sqlite')
    writeFileSync(join(blog.folder, 'app/OpenApi/own.json'), '{ "paths": ')
    await expect(generateInto(blog.folder)).rejects.toThrow(/own\.json:1:1 .*cannot be read/)
  })
})

const textOf = ({ folder }: Project) =>
  readFileSync(join(folder, 'app/OpenApi/openapi.json'), 'utf8')
