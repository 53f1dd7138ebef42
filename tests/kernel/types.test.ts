/** The compiler speaks first: a line marked as an error that is none fails the type-check of the tests. */
import { expect, test } from 'vitest'
import { all, any, not, sql } from '../../runtime/kernel/condition.js'
import { yes } from './blog.js'
import type { CompanyModel, HooksFor, NoteModel, PolicyFor, PostModel, UserModel } from './models.js'

interface BareModel {
  row: { id: number; title: string }
  relations: object
  computed: object
}

test('policies are checked where they are written', () => {
  const posts: PolicyFor<PostModel> = {
    show: (user) => any({ published_at: { not: null } }, { owner_id: user?.id }),
    store: (user) => user !== null,
    update: async (user) => all({ owner: { is: { id: user?.id } } }, not({ title: 'x' })),
    delete: () => ({ comments: { none: { user: { is: { is_admin: true } } } } }),
    attachTags: (user, post, tag) => post.owner_id === user?.id && tag.name !== '',
    detachTags: (_, post, tag) => post.title === tag.name,
    syncTags: (_, post, ids) => ids.every((id) => id.length === 36) && post.id > 0,
    canSee: { title: (user) => user?.is_admin === true, comments: yes },
    canStore: { title: yes },
    canAttach: { tags: (_, pivot) => pivot.tag_id !== undefined },
  }
  const companies: PolicyFor<CompanyModel> = {
    show: (user) => ({ users: { some: { id: user?.id, pivot: { is_admin: true } } } }),
    store: yes,
    update: () => sql`1 = ${1}`,
    delete: () => false,
    attachUsers: (user, _, member) => member.id !== user?.id,
    detachUsers: yes,
    syncUsers: (_, __, ids) => ids.includes(1),
    attachTags: yes,
    detachTags: yes,
    syncTags: yes,
  }
  expect([posts, companies]).toHaveLength(2)
})

test('a mistake in a policy does not compile', () => {
  const show = { show: yes, store: yes, update: yes, delete: yes }
  // @ts-expect-error a many-to-many relation asks for attachTags, detachTags and syncTags
  const without: PolicyFor<PostModel> = { ...show }
  // @ts-expect-error delete is missing
  const users: PolicyFor<UserModel> = { show: yes, store: yes, update: yes, attachCompanies: yes, detachCompanies: yes, syncCompanies: yes }
  const pivots = { attachTags: yes, detachTags: yes, syncTags: yes }
  // @ts-expect-error no such column
  const column: PolicyFor<PostModel> = { ...show, ...pivots, show: () => ({ titel: 'x' }) }
  // @ts-expect-error no such column, where there are no relations either
  const bare: PolicyFor<BareModel> = { ...show, show: () => ({ titel: 'x' }) }
  // @ts-expect-error a number is no title
  const value: PolicyFor<PostModel> = { ...show, ...pivots, show: () => ({ title: 5 }) }
  // @ts-expect-error a to-one relation has no `some`
  const quantifier: PolicyFor<PostModel> = { ...show, ...pivots, show: () => ({ owner: { some: {} } }) }
  // @ts-expect-error no such column inside any
  const inner: PolicyFor<PostModel> = { ...show, ...pivots, show: () => any({ titel: 'x' }) }
  // @ts-expect-error JSON columns have no order
  const json: PolicyFor<NoteModel> = { ...show, ...pivots, show: () => ({ data: { gt: 1 } }) }
  // @ts-expect-error no such pivot column
  const pivot: PolicyFor<UserModel> = { ...show, show: () => ({ companies: { some: { pivot: { admin: true } } } }), attachCompanies: yes, detachCompanies: yes, syncCompanies: yes }
  // @ts-expect-error gates are about fields
  const gate: PolicyFor<PostModel> = { ...show, ...pivots, canSee: { titel: yes } }
  expect([without, users, column, bare, value, quantifier, inner, json, pivot, gate]).toHaveLength(10)
})

test('hooks must answer every computed entry', () => {
  const hooks: HooksFor<CompanyModel> = {
    computed: { summary: (_, company) => company.name, ranking: (_, rows) => rows.map(({ name }) => name) },
    beforeStore: (_, values) => ({ name: values.name ?? 'x' }),
  }
  // @ts-expect-error ranking is missing
  const missing: HooksFor<CompanyModel> = { computed: { summary: () => 1 } }
  // @ts-expect-error a page is answered with a list
  const single: HooksFor<CompanyModel> = { computed: { summary: () => 1, ranking: () => 1 } }
  // @ts-expect-error the manifest says that it answers texts
  const wrong: HooksFor<CompanyModel> = { computed: { summary: () => 1, ranking: (_, rows) => rows.map(({ id }) => ({ id })) } }
  // @ts-expect-error no such column to fill
  const fill: HooksFor<PostModel> = { fill: { titel: () => 'x' } }
  expect([hooks, missing, single, wrong, fill]).toHaveLength(5)
})
