/** What pages show of the blog: a request as curl makes it, and GraphQL. */
import { expect, onTestFinished } from 'vitest'
import { blocks } from '../support/pages.js'
import { openProject } from '../support/project.js'
import { commandsIn } from './shell.js'

export async function tryBlog(): Promise<void> {
  const blog = await openProject('blog', 'sqlite')
  onTestFinished(() => blog.close())
  const ada = await blog.user('Ada')
  await blog.user('Ben')
  await blog.user('Cay')
  await blog.insert('companies', { name: 'One' })
  await blog.link('company_user', { company_id: 1, user_id: ada, is_admin: true })

  for (const command of textsOf('docs/api.md', 'sh').flatMap(commandsIn)) {
    const { path, body } = curled(command)
    expect((await blog.post(path, JSON.parse(body), ada)).status).toBe(201)
  }
  for (const query of textsOf('docs/graphql.md', 'graphql')) {
    const { body } = await blog.post('/graphql', { query }, ada)
    expect(body.errors, JSON.stringify(body)).toBeUndefined()
  }
}

function textsOf(page: string, language: string): readonly string[] {
  const found = blocks().filter((each) => each.page === page && each.language === language)
  expect(found).not.toEqual([])
  return found.map(({ text }) => text)
}

function curled(command: string) {
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? []
  const [, path = ''] = /http:\/\/127\.0\.0\.1:3000(\S+)$/.exec(command) ?? []
  expect(command).toMatch(/^curl -X POST -H "Authorization: Bearer \$TOKEN" /)
  return { path, body }
}
