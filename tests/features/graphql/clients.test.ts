import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, Client, fetchExchange } from '@urql/core'
import { GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

type Variables = Record<string, unknown>
type Data = Record<string, Record<string, unknown>>
type Send = (document: string, variables?: Variables) => Promise<Data>

const create =
  'mutation ($input: PostInput!) { createPost(input: $input) { id title owner { id name } } }'
const update =
  'mutation ($id: ID!, $input: PostInput!) { updatePost(id: $id, input: $input) { id title } }'
const remove = 'mutation ($id: ID!) { deletePost(id: $id) }'
const list = '{ postList(first: 3) { id title owner { id name } } }'
const show = 'query ($id: ID!) { post(id: $id) { id title } }'

describe.each(databases)('three clients on %s', (database) => {
  let blog: Project
  let headers: Record<string, string>
  let fetch: typeof globalThis.fetch
  const url = 'http://blog.test/graphql'

  beforeAll(async () => {
    blog = await openProject('blog', database)
    headers = { authorization: `Bearer ${blog.token(await blog.user('Ann'))}` }
    fetch = async (input, init) => blog.fetch(new Request(input, init))
  })
  afterAll(() => blog.close())

  const clients: Record<string, () => Send> = {
    'graphql-request': () => {
      const client = new GraphQLClient(url, { headers, fetch })
      return (document, variables = {}) => client.request(document, variables)
    },
    'Apollo Client': () => {
      const link = new HttpLink({ uri: url, fetch, headers })
      const client = new ApolloClient({ link, cache: new InMemoryCache() })
      return async (document, variables = {}) => {
        const { data } = document.startsWith('mutation')
          ? await client.mutate<Data>({ mutation: gql(document), variables })
          : await client.query<Data>({
              query: gql(document),
              variables,
              fetchPolicy: 'network-only',
            })
        return data ?? {}
      }
    },
    urql: () => {
      const client = new Client({
        url,
        fetch,
        exchanges: [cacheExchange, fetchExchange],
        fetchOptions: { headers },
        requestPolicy: 'network-only',
        preferGetMethod: false,
      })
      return async (document, variables = {}) => {
        const { data, error } = document.startsWith('mutation')
          ? await client.mutation(document, variables).toPromise()
          : await client.query(document, variables).toPromise()
        if (error !== undefined) throw error
        return data
      }
    },
  }

  it.each(Object.keys(clients))('%s creates, reads, changes and deletes', async (name) => {
    const send = clients[name]?.()
    if (send === undefined) throw new Error(name)
    const { createPost } = await send(create, { input: { title: `By ${name}` } })
    expect(createPost).toMatchObject({ title: `By ${name}`, owner: { name: 'Ann' } })
    const id = createPost?.['id']
    expect(await send(list)).toMatchObject({ postList: [{ id, title: `By ${name}` }] })
    expect(await send(update, { id, input: { title: 'Changed' } })).toMatchObject({
      updatePost: { id, title: 'Changed' },
    })
    expect(await send(show, { id })).toMatchObject({ post: { title: 'Changed' } })
    expect(await send(remove, { id })).toEqual({ deletePost: true })
    await expect(send(show, { id })).rejects.toThrow(/Not found/)
  })
})
