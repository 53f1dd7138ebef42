/** The developer's own files, as they might be, for `manifests/http.ts`. */

const own = '(user) => ({ owner_id: user?.id })'
const unlocked = "(user) => ({ owner_id: user?.id, status: { not: 'locked' } })"

export const policies = {
  Post: {
    show: "(user) => any({ owner_id: user?.id }, { status: 'live' })",
    update: own,
    runPublish: unlocked,
    runRename: unlocked,
    runImportAll: '(user) => user?.is_admin === true',
    runFail: unlocked,
    runQuiet: own,
    runShow: own,
    runEcho: '() => true',
    getStats: own,
    getTotal: '(user) => user?.is_admin === true',
  },
  PageEntity: { show: '() => true', getLength: '() => true', getCount: '() => true' },
  Note: { show: own, update: own, runMark: own },
}

export const postActions = `
import type { ActionsFor, PostActions as Declared, PostModel } from '#app/Models.js'
import { HttpError } from '#runtime/errors.js'

/** What tests look at. */
export const calls: object[] = []

export const PostActions: ActionsFor<PostModel, Declared> = {
  actions: {
    publish: async (context, posts, { at, note }) => {
      const { origin, isMany, isDryRun, requestId, user } = context
      calls.push({ ids: posts.map(({ id }) => id), note, origin, isMany, isDryRun, hasId: requestId !== null, user: user?.name })
      for (const post of posts) {
        await context.db
          .updateTable('posts')
          .set({ status: 'live', published_at: at })
          .where('id', '=', post.id)
          .execute()
      }
      return { published: posts.map(({ title }) => title) }
    },
    rename: async ({ repositories, user }, post, { title }) => {
      await repositories.posts.patch(user, String(post.id), { title })
    },
    importAll: async (context, { count }) => {
      for (let made = 0; made < count; made += 1) {
        await context.repositories.posts.store(context.user, { title: \`imported \${made}\` })
      }
      return count
    },
    fail: async (context, posts) => {
      for (const post of posts) {
        await context.db.updateTable('posts').set({ title: 'done' }).where('id', '=', post.id).execute()
        if (post.title === 'refused') throw new HttpError(409, 'This one is refused.')
        if (post.title === 'broken') throw new Error('a bug')
      }
      return posts.length
    },
    quiet: () => {},
    show: (_, post) => post.title,
    echo: (_, input) => input,
  },
  getters: {
    stats: async ({ repositories, user }, post) => {
      const { attributes } = await repositories.users.show(user, String(post.owner_id))
      return { words: post.title.split(' ').length, owner: String(attributes['name']) }
    },
    total: async ({ db }) => {
      const rows = await db.selectFrom('posts').select('id').execute()
      return rows.length
    },
  },
}
`

export const noteActions = `
import type { ActionsFor, NoteActions as Declared, NoteModel } from '#app/Models.js'

export const NoteActions: ActionsFor<NoteModel, Declared> = {
  actions: {
    mark: async ({ repositories, user }, notes) => {
      for (const note of notes) {
        const found = await repositories.notes.find(user, String(note.id))
        if (found.body !== note.body) throw new Error('it is another one')
      }
      return notes.map(({ body }) => body)
    },
  },
}
`

export const pageActions = `
import type { ActionsFor, PageEntityActions as Declared, PageEntityModel } from '#app/Models.js'

export const PageEntityActions: ActionsFor<PageEntityModel, Declared> = {
  getters: { length: (_, { title }) => title.length, count: () => 3 },
}
`

export const edits = {
  'app/Actions/PageEntityActions.ts': () => pageActions,
  'app/Actions/PostActions.ts': () => postActions,
  'app/Actions/NoteActions.ts': () => noteActions,
}
