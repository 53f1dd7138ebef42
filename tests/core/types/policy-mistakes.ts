/** The vocabulary of policies and hooks, over the models that the kernel is tested with. */
export const policyVocabulary = `import { all, any, not, self, sql } from '../../../runtime/policy/condition.js'
import type { PivotPolicy } from '../../../runtime/features/pivots/pivot-types.js'; import type { Condition, Policy } from '../../../runtime/policy/policy-types.js'
import type { CompanyModel, HooksFor, NoteModel, OddModel, PolicyFor, PostModel, UserModel } from '../kernel/models.js'
const yes = () => true
const open = { show: yes, store: yes, update: yes, delete: yes, attachTags: yes, detachTags: yes, syncTags: yes }
const companies = { attachCompanies: yes, detachCompanies: yes, syncCompanies: yes }
interface Ranked { row: { rank: number }; relations: {}; computed: {} } interface Member { id: number; post_id: number | null; nick: string | null; roles: readonly { rank: number | null }[] }
`

const posts = (methods: string) => `const posts: PolicyFor<PostModel> = { ...open, ${methods} }`
const users = (methods: string) =>
  `const users: PolicyFor<UserModel> = { ...open, ...companies, ${methods} }`

/** A mistake in a policy or in hooks, and the one sentence the compiler says about it. Line 8 is the first of each text. */
export const policyMistakes: Readonly<Record<string, readonly [text: string, ...said: string[]]>> =
  {
    'a many-to-many relation without its methods': [
      `const posts: PolicyFor<PostModel> = { show: yes, store: yes, update: yes, delete: yes }`,
      `8:7  Type '{ show: () => boolean; store: () => boolean; update: () => boolean; delete: () => boolean; }' is not assignable to type 'PolicyFor<PostModel>'.
  Type '{ show: () => boolean; store: () => boolean; update: () => boolean; delete: () => boolean; }' is missing the following properties from type '{ readonly attachTags: (user: User | null, row: Post, related: Tag) => Later<boolean>; readonly detachTags: (user: User | null, row: Post, related: Tag) => Later<...>; }': attachTags, detachTags`,
    ],
    'a method that is missing': [
      `const { delete: _, ...rest } = open; const notes: PolicyFor<NoteModel> = rest`,
      `8:44  Type '{ show: () => boolean; store: () => boolean; update: () => boolean; attachTags: () => boolean; detachTags: () => boolean; syncTags: () => boolean; }' is not assignable to type 'PolicyFor<NoteModel>'.
  Property 'delete' is missing in type '{ show: () => boolean; store: () => boolean; update: () => boolean; attachTags: () => boolean; detachTags: () => boolean; syncTags: () => boolean; }' but required in type 'Policy<NoteModel, User, RowRule<NoteModel, User>>'.`,
    ],
    'a condition on no column': [
      posts(`show: () => ({ titel: 'x' })`),
      `8:60  Type '{ titel: string; }' is not assignable to type 'RowCondition<PostModel, Nothing>'.`,
    ],
    'a condition on no column, where there are no relations either': [
      `const ranked: () => Condition<Ranked> = () => ({ rnak: 1 })`,
      `8:47  Type '{ rnak: number; }' is not assignable to type 'Condition<Ranked>'.`,
    ],
    'a condition on no column inside any': [
      posts(`show: () => any({ title: 'x', titel: 'x' })`),
      `8:78  Object literal may only specify known properties, and 'titel' does not exist in type 'Condition<PostModel> | Condition<PostModel, NoInfer<Nothing>>'.`,
    ],
    'a condition on a computed entry': [
      `const company: Pick<PolicyFor<CompanyModel>, 'show'> = { show: () => ({ summary: 'x' }) }`,
      `8:70  Type '{ summary: string; }' is not assignable to type 'RowCondition<CompanyModel, Nothing>'.`,
    ],
    'a value of another type': [
      posts(`show: () => ({ title: 5 })`),
      `8:63  Type 'number' is not assignable to type 'string | AtLeastOne<TextTests<string, never>> | undefined'.`,
    ],
    'a Date where rows hold text': [
      posts(`show: () => ({ published_at: { lt: new Date() } })`),
      `8:79  Type 'Date' is not assignable to type 'string'.`,
    ],
    'order of a JSON column': [
      `const notes: PolicyFor<NoteModel> = { ...open, show: () => ({ data: { gt: 1 } }) }`,
      `8:71  Object literal may only specify known properties, and 'gt' does not exist in type 'NullTests & Readonly<Record<"isNull", unknown>>'.`,
    ],
    'a to-many test of a to-one relation': [
      posts(`show: () => ({ owner: { some: true } })`),
      `8:72  Object literal may only specify known properties, and 'some' does not exist in type 'AtLeastOne<ToOneTests<UserModel, never>>'.`,
    ],
    'null for a to-many relation': [
      posts(`show: () => ({ comments: { none: null } })`),
      `8:75  Type 'null' is not assignable to type 'TrueOrCondition<CommentModel, never>'.`,
    ],
    'no such pivot column': [
      users(`show: () => ({ companies: { some: { pivot: { admin: true } } } })`),
      `8:107  Object literal may only specify known properties, and 'admin' does not exist in type 'AtLeastOne<ColumnTests<CompanyUser, Nothing>>'.`,
    ],
    'NULL without its word': [
      posts(`show: () => ({ published_at: null })`),
      `8:63  Type 'null' is not assignable to type 'string | AtLeastOne<TextTests<string, never>> | undefined'.`,
    ],
    'NULL without its word, negated': [
      posts(`show: (user) => any({ published_at: { not: null } }, { owner_id: user?.id })`),
      `8:70  Type '{ not: null; }' is not assignable to type 'string | NoInfer<Nothing> | AtLeastOne<TextTests<string, NoInfer<Nothing>>> | undefined'.
  Types of property 'not' are incompatible.
    Type 'null' is not assignable to type 'string | NoInfer<Nothing> | undefined'.`,
    ],
    'NULL of a value that may be missing': [
      posts(`update: (user) => ({ owner_id: user?.id ?? null })`),
      `8:69  Type 'number | null' is not assignable to type 'number | AtLeastOne<OrderTests<number, never>> | undefined'.
  Type 'null' is not assignable to type 'number | AtLeastOne<OrderTests<number, never>> | undefined'.`,
    ],
    'NULL in a list': [
      posts(`update: () => ({ owner_id: { in: [1, null] } })`),
      `8:85  Type 'null' is not assignable to type 'number | undefined'.`,
    ],
    'NULL in the condition on a related record': [
      posts(`show: () => ({ comments: { some: all({ post_id: null }) } })`),
      `8:87  Type 'null' is not assignable to type 'number | NoInfer<Nothing> | AtLeastOne<OrderTests<number, NoInfer<Nothing>>> | undefined'.`,
    ],
    'null for a to-one relation': [
      posts(`show: () => ({ image: { is: null } })`),
      `8:72  Type 'null' is not assignable to type 'TrueOrCondition<ImageModel, never>'.`,
    ],
    'NULL in sql': [
      posts("show: () => sql`${self('published_at')} is not distinct from ${null}`"),
      `8:111  Argument of type 'null' is not assignable to parameter of type 'NoInfer<Nothing> | SqlValue | ColumnReference<"id" | "created_at" | "updated_at" | "title" | "owner_id" | "description" | "published_at">'.`,
    ],
    'NULL in a condition of its own': [
      `const draft: Condition<PostModel> = { published_at: null }`,
      `8:39  Type 'null' is not assignable to type 'string | AtLeastOne<TextTests<string, never>> | undefined'.`,
    ],
    'a condition that tests nothing': [
      posts(`show: () => ({})`),
      `8:60  Type '{}' is not assignable to type 'RowCondition<PostModel, Nothing>'.`,
    ],
    'a column that is not tested': [
      posts(`show: () => ({ title: {} })`),
      `8:63  Type '{}' is not assignable to type 'string | AtLeastOne<TextTests<string, never>> | undefined'.`,
    ],
    'a to-one relation that is not tested': [
      posts(`show: () => ({ owner: {} })`),
      `8:63  Type '{}' is not assignable to type 'AtLeastOne<ToOneTests<UserModel, never>> | undefined'.`,
    ],
    'a to-one record of which nothing is tested': [
      posts(`show: () => ({ owner: { is: {} } })`),
      `8:72  Type '{}' is not assignable to type 'TrueOrCondition<UserModel, never>'.`,
    ],
    'a to-many relation that is not tested': [
      posts(`show: () => ({ comments: {} })`),
      `8:63  Type '{}' is not assignable to type 'AtLeastOne<ToManyTests<CommentModel, never>> | undefined'.`,
    ],
    'related records of which nothing is tested': [
      posts(`delete: () => ({ comments: { none: {} } })`),
      `8:77  Type '{}' is not assignable to type 'TrueOrCondition<CommentModel, never>'.`,
    ],
    'related records of which nothing is tested, through a pivot': [
      users(`show: () => ({ companies: { some: {} } })`),
      `8:90  Type '{}' is not assignable to type 'TrueOrPivotCondition<CompanyModel, CompanyUser, Nothing>'.`,
    ],
    'a pivot of which nothing is tested': [
      users(`show: () => ({ companies: { some: { pivot: {} } } })`),
      `8:98  Type '{}' is not assignable to type 'AtLeastOne<ColumnTests<CompanyUser, Nothing>> | undefined'.`,
    ],
    'nothing to negate': [
      posts(`show: () => not({})`),
      `8:64  Argument of type '{}' is not assignable to parameter of type 'boolean | Condition<PostModel> | Condition<PostModel, NoInfer<Nothing>>'.`,
    ],
    'no such column in sql': [
      "const ranked: Condition<Ranked> = sql`${self('rnak')} = 1`",
      `8:46  Argument of type '"rnak"' is not assignable to parameter of type '"rank"'.`,
    ],
    'no such column in sql inside any': [
      "const ranked: Condition<Ranked> = any({ rank: 1 }, sql`${self('rnak')} = 1`)",
      `8:63  Argument of type '"rnak"' is not assignable to parameter of type '"rank"'.`,
    ],
    'a condition that tests nothing, where a column is called like what every object has': [
      `const odd: () => Condition<OddModel> = () => ({})`,
      `8:46  Type '{}' is not assignable to type 'Condition<OddModel>'.`,
    ],
    'a value of another type in a column that is called so': [
      `const odd: () => Condition<OddModel> = () => ({ id: 1, toString: 5 })`,
      `8:56  Type 'number' is not assignable to type 'string | Function | (() => string) | AtLeastOne<TextTests<string, never>> | undefined'.`,
    ],
    'a to-many relation that is called so and is not tested': [
      `const odd: () => Condition<OddModel> = () => ({ valueOf: {} })`,
      `8:49  Type '{}' is not assignable to type 'Function | (() => Object) | AtLeastOne<ToManyTests<PostModel, never>>'.`,
    ],
    'a hook that writes no such column where one is called so': [
      `const odd: HooksFor<OddModel> = { beforeStore: () => ({ cnstructor: 'x' }) }`,
      `8:35  Type '() => { cnstructor: string; }' is not assignable to type '(context: HookContext<User>, values: Values<{ id: number; constructor: string; toString: string | null; }>) => Later<void | Values<{ id: number; constructor: string; toString: string | null; }>>'.
  Type '{ cnstructor: string; }' is not assignable to type 'Later<void | Values<{ id: number; constructor: string; toString: string | null; }>>'.`,
    ],
    'a gate that is no function where a column is called so': [
      `const odd: Pick<PolicyFor<OddModel>, 'canSee'> = { canSee: { toString: true } }`,
      `8:62  Type 'true' is not assignable to type 'Function | RowGateRule<OddModel, User> | undefined'.`,
    ],
    'a gate of no field': [
      posts(`canSee: { titel: yes }`),
      `8:58  Object literal may only specify known properties, but 'titel' does not exist in type 'Gate<User, "owner" | "comments" | "notes" | "tags" | "image" | "images"> & RowGate<PostModel, User>'. Did you mean to write 'title'?`,
    ],
    'a computed entry without an answer': [
      `const hooks: HooksFor<CompanyModel> = { computed: { summary: () => 1 } }`,
      `8:41  Property 'ranking' is missing in type '{ summary: () => number; }' but required in type 'ComputedHooks<CompanyModel, HookContext<User>>'.`,
    ],
    'a page that is not answered with a list': [
      `const hooks: HooksFor<CompanyModel> = { computed: { summary: () => 1, ranking: () => 1 } }`,
      `8:71  Type '() => number' is not assignable to type 'Invokable<(context: HookContext<User>, rows: readonly Company[]) => Later<readonly (string | null)[]>>'.
  Type '() => number' is not assignable to type '(context: HookContext<User>, rows: readonly Company[]) => Later<readonly (string | null)[]>'.
    Type 'number' is not assignable to type 'Later<readonly (string | null)[]>'.`,
    ],
    'a page that is answered with something else than the manifest says': [
      `const hooks: HooksFor<CompanyModel> = { computed: { summary: () => 1, ranking: (_, rows) => rows.map(({ id }) => ({ id })) } }`,
      `8:71  Type '(_: HookContext<User>, rows: readonly Company[]) => { id: number; }[]' is not assignable to type 'Invokable<(context: HookContext<User>, rows: readonly Company[]) => Later<readonly (string | null)[]>>'.
  Type '(_: HookContext<User>, rows: readonly Company[]) => { id: number; }[]' is not assignable to type '(context: HookContext<User>, rows: readonly Company[]) => Later<readonly (string | null)[]>'.
    Type '{ id: number; }[]' is not assignable to type 'Later<readonly (string | null)[]>'.
      Type '{ id: number; }[]' is not assignable to type 'readonly (string | null)[]'.
        Type '{ id: number; }' is not assignable to type 'string'.`,
    ],
    'no such column to fill': [
      `const hooks: HooksFor<PostModel> = { fill: { titel: () => 'x' } }`,
      `8:46  Object literal may only specify known properties, but 'titel' does not exist in type 'Fill<PostModel, HookContext<User>>'. Did you mean to write 'title'?`,
    ],
  }

export const rightPolicies = `
const posts: PolicyFor<PostModel> = {
  show: (user) => any({ published_at: { isNull: false } }, { owner_id: user?.id }, sql\`length(\${self('title')}) > 3\`),
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
const company: PolicyFor<CompanyModel> = {
  show: (user) => ({ users: { some: { id: user?.id, pivot: { is_admin: true } } } }),
  store: yes,
  update: () => sql\`1 = \${1}\`,
  delete: (user) => ({ name: user?.name, users: { none: true, every: any({ id: 1 }) }, tags: { some: { pivot: { tag_id: 'x' } } } }),
  attachUsers: (user, _, member) => member.id !== user?.id,
  detachUsers: yes,
  syncUsers: (_, __, ids) => ids.includes(1),
  attachTags: yes,
  detachTags: yes,
  syncTags: yes,
}
const hooks: HooksFor<CompanyModel> = {
  computed: { summary: (_, company) => company.name, ranking: (_, rows) => rows.map(({ name }) => name) },
  beforeStore: (_, values) => ({ name: values.name ?? 'x' }),
}
const isNamed = (member: Member | null) => member?.nick === 'Ada'
const published: Condition<NoteModel> = { due_at: { isNull: false } }
interface Shot { row: { id: number }; relations: { of: import('../../../runtime/features/morphs/morph-to.js').OneOf<{ posts: PostModel; notes: NoteModel }> }; computed: {} }
const shots: Policy<Shot, Member>['show'] = (user) => ({ of: { is: { notes: { post_id: user?.post_id }, posts: true } } })
const own: Policy<NoteModel, Member>['show'] = (user) => any({ post_id: user?.post_id }, published)
const ofMembers: Policy<NoteModel, Member> & PivotPolicy<NoteModel, Member> = {
  show: (user) => ({ post_id: user?.post_id, text: { not: user?.nick }, parent: { isNot: true } }),
  store: (user) => user !== null && user.nick !== null && user.nick.startsWith('A'),
  update: (user) => all({ children: { none: { post_id: user?.post_id } } }, not({ text: user?.nick }), sql\`\${self('text')} = \${user?.nick}\`),
  updateTo: own,
  delete: async (user) => {
    if (user === null || user.post_id === null || isNamed(user)) return published
    const rank: number = user.post_id + (user.nick?.length ?? 0)
    return { rank: { in: [...user.roles.map((role) => role.rank), rank] }, post_id: user.post_id }
  },
  attachTags: yes,
  detachTags: yes,
  syncTags: yes,
}
const odd: PolicyFor<OddModel> = {
  show: (user) => any({ id: user?.id }, { constructor: 'x' }, { valueOf: { none: { id: 1 } } }),
  store: yes,
  update: () => ({ toString: { isNull: false } }),
  delete: () => not({ id: 1, toString: { isNull: true } }),
  canSee: { id: yes, valueOf: (user) => user !== null },
  canStore: { toString: (user) => user?.is_admin === true },
}
const oddHooks: HooksFor<OddModel> = {
  fill: { toString: (context, values) => context.user?.name ?? String(values.id) },
  beforeStore: (_, values) => ({ ...values, constructor: 'x' }),
  beforeUpdate: () => ({ id: 1 }),
}
export { ofMembers, posts, company, hooks, companies, open, odd, oddHooks }
export type { Condition, NoteModel, Ranked, UserModel }
export const column = self

`
