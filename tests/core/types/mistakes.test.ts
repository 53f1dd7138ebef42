import { describe, expect, test } from 'vitest'
import { compile, completions } from './compile.js'
import { policyMistakes, policyVocabulary, rightPolicies } from './policy-mistakes.js'

const vocabulary = `import { belongsTo, boolean, computed, date, dateTime, decimal, defineManifest, field, filter, float, fullText, hasMany, hasOne, integer,
  json, matcher, member, multiSelect, password, repository, select, sorter, text, uuid } from 'svckit'
`

/** A mistake in a repository, and the one sentence the compiler says about it. Line 3 is the first of each text. */
const mistakes: Readonly<Record<string, readonly [text: string, ...said: string[]]>> = {
  'an unknown column in title': [
    `repository({ title: 'titel', fields: { title: text() } })`,
    `3:14  Type '"titel"' is not assignable to type '"'titel' in title is not a column of this repository"'.`,
  ],
  'an unknown column in searchable': [
    `repository({ searchable: ['title', 'body'], fields: { title: text() } })`,
    `3:36  Type '"body"' is not assignable to type '"'body' in searchable is not a column of this repository"'.`,
  ],
  'an unknown column in full text': [
    `repository({ searchable: fullText(['title', 'body']), fields: { title: text() } })`,
    `3:14  Type 'FullText<readonly ["title", "body"]>' is not assignable to type 'readonly ["title", "'body' in searchable is not a column of this repository"] | FullText<readonly ["title", "'body' in searchable is not a column of this repository"]>'.\n  Type 'FullText<readonly ["title", "body"]>' is not assignable to type 'FullText<readonly ["title", "'body' in searchable is not a column of this repository"]>'.\n    Type 'readonly ["title", "body"]' is not assignable to type 'readonly ["title", "'body' in searchable is not a column of this repository"]'.\n      Type at position 1 in source is not compatible with type at position 1 in target.\n        Type '"body"' is not assignable to type '"'body' in searchable is not a column of this repository"'.`,
  ],
  'full text of what is no text': [
    `repository({ searchable: fullText(['title', 'price'], { language: 'english' }), fields: { title: text(), price: decimal(10, 2) } })`,
    `3:14  Type 'FullText<readonly ["title", "price"]>' is not assignable to type 'readonly ["title", "'price' in searchable is not text, and search looks into text"] | FullText<readonly ["title", "'price' in searchable is not text, and search looks into text"]>'.\n  Type 'FullText<readonly ["title", "price"]>' is not assignable to type 'FullText<readonly ["title", "'price' in searchable is not text, and search looks into text"]>'.\n    Type 'readonly ["title", "price"]' is not assignable to type 'readonly ["title", "'price' in searchable is not text, and search looks into text"]'.\n      Type at position 1 in source is not compatible with type at position 1 in target.\n        Type '"price"' is not assignable to type '"'price' in searchable is not text, and search looks into text"'.`,
  ],
  'a language that no database knows': [
    `fullText(['title'], { language: 'englsh' })`,
    `3:23  Type '"englsh"' is not assignable to type '"simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | ... 13 more ... | undefined'. Did you mean '"english"'?`,
  ],
  'an unknown column in sort': [
    `repository({ sort: ['id', 'created_at', 'owner'], fields: { title: text() }, related: { owner: belongsTo('users') } })`,
    `3:41  Type '"owner"' is not assignable to type '"'owner' in sort is not a column of this repository"'.`,
  ],
  'an unknown column among those that are unique together': [
    `repository({ unique: [['owner_id', 'skuu']], fields: { sku: text() }, related: { owner: belongsTo('users') } })`,
    `3:36  Type '"skuu"' is not assignable to type 'ColumnOf<{ sku: TextField; }, { owner: BelongsTo<"users", never, never>; }>'. Did you mean '"sku"'?`,
  ],
  'a column alone among those that are unique together': [
    `repository({ unique: [['sku']], fields: { sku: text() } })`,
    `3:23  Type '["sku"]' is not assignable to type 'readonly [ColumnOf<{ sku: TextField; }, Record<never, never>>, ColumnOf<{ sku: TextField; }, Record<never, never>>, ...ColumnOf<{ sku: TextField; }, Record<...>>[]]'.\n  Source has 1 element(s) but target requires 2.`,
  ],
  'an index of what is not compared': [
    `repository({ indexes: [['sku', 'settings']], fields: { sku: text(), settings: json() } })`,
    `3:32  Type '"settings"' is not assignable to type '"id" | "created_at" | "updated_at" | "sku"'.`,
  ],
  'an unknown column in match': [
    `repository({ match: { title: 'text', owner_id: 'integer' }, fields: { title: text() } })`,
    `3:38  Type '"integer"' is not assignable to type '"'owner_id' in match is not a column of this repository"'.`,
  ],
  'a filter through what is no relation': [
    `repository({ match: { 'ownr.name': 'text' }, fields: { title: text() }, related: { owner: belongsTo('users') } })`,
    `3:23  Type '"text"' is not assignable to type '"'ownr.name' in match is not a column of this repository"'.`,
  ],
  'a filter through a relation by what there is not': [
    `repository({ match: { 'owner.name': 'txt', owner: 'text' }, fields: { title: text() }, related: { owner: belongsTo('users') } })`,
    `3:23  Type '"txt"' is not assignable to type 'RelatedMatch'. Did you mean '"text"'?`,
    `3:44  Type '"text"' is not assignable to type '"exists"'.`,
  ],
  'an unknown type in match': [
    `repository({ match: { title: 'txt' }, fields: { title: text() } })`,
    `3:23  Type '"txt"' is not assignable to type '"text" | "array" | "partial"'. Did you mean '"text"'?`,
  ],
  'a match type that the field has not': [
    `repository({ match: { title: 'boolean', at: 'text' }, fields: { title: text(), at: dateTime() } })`,
    `3:23  Type '"boolean"' is not assignable to type '"text" | "array" | "partial"'.`,
    `3:41  Type '"text"' is not assignable to type '"between" | "datetime"'.`,
  ],
  'a match type that a column without a field has not': [
    `repository({ match: { owner_id: 'partial', created_at: 'text' }, fields: { a: text() }, related: { owner: belongsTo() } })`,
    `3:23  Type '"partial"' is not assignable to type '"number" | "text" | "integer" | "between" | "array"'.`,
    `3:44  Type '"text"' is not assignable to type '"between" | "datetime"'.`,
  ],
  'a match of what cannot be matched': [
    `repository({ match: { settings: 'text', secret: 'text' }, fields: { settings: json(), secret: text().hidden().max(4) } })`,
    `3:23  Type '"text"' is not assignable to type '"'settings' in match has a kind that nothing is compared with"'.`,
    `3:41  Type '"text"' is not assignable to type '"'secret' in match is hidden"'.`,
  ],
  'a matcher for a column': [
    `repository({ match: { title: matcher('text') }, fields: { title: text() } })`,
    `3:23  Type 'Matcher' is not assignable to type '"text" | "array" | "partial"'.`,
  ],
  'a filter in place of a matcher': [
    `repository({ match: { popular: filter('boolean') }, fields: { title: text() } })`,
    `3:23  Type 'Filter' is not assignable to type '"'popular' in match is not a column of this repository"'.`,
  ],
  'a filter of one of some words, without the words': [
    `filter('select')`,
    `3:1  Expected 2 arguments, but got 1.`,
  ],
  'a filter of no kind': [
    `filter('bool')`,
    `3:8  Argument of type '"bool"' is not assignable to parameter of type 'FilterKind'.`,
  ],
  'a sorter without a name': [
    `repository({ sort: [sorter()], fields: { title: text() } })`,
    `3:21  Expected 1-2 arguments, but got 0.`,
  ],
  'a search that does not look into text': [
    `repository({ searchable: ['views', 'word'], fields: { views: integer(), word: password() } })`,
    `3:27  Type '"views"' is not assignable to type '"'views' in searchable is not text, and search looks into text"'.`,
    `3:36  Type '"word"' is not assignable to type '"'word' in searchable is hidden"'.`,
  ],
  'a column of a related record in sort': [
    `repository({ sort: ['owner.name'], fields: { title: text() }, related: { owner: belongsTo('users') } })`,
    `3:21  Type '"owner.name"' is not assignable to type '"'owner.name' in sort is not a column of this repository: add sortable: ['name'] to 'owner'"'.`,
  ],
  'a sort that has no order, and a title that is no name': [
    `repository({ title: 'days', sort: ['settings', 'secret'], fields: { days: multiSelect(['a']), settings: json(), secret: text().hidden() } })`,
    `3:14  Type '"days"' is not assignable to type '"'days' in title does not read as a name"'.`,
    `3:36  Type '"settings"' is not assignable to type '"'settings' in sort has no order that a list could have"'.`,
    `3:48  Type '"secret"' is not assignable to type '"'secret' in sort is hidden"'.`,
  ],
  'a column twice in a list': [
    `repository({ searchable: ['title', 'body', 'title'], fields: { title: text(), body: text() } })`,
    `3:27  Type '"title"' is not assignable to type '"'title' appears twice in searchable"'.`,
    `3:44  Type '"title"' is not assignable to type '"'title' appears twice in searchable"'.`,
  ],
  'a field with the column of a relation': [
    `repository({ fields: { owner_id: integer() }, related: { owner: belongsTo('users') } })`,
    `3:58  Type 'BelongsTo<"users", never, never>' is not assignable to type '"'owner' makes the column 'owner_id', which is among the fields already"'.`,
  ],
  'a field with the column that a relation names': [
    `repository({ fields: { ref: integer() }, related: { owner: belongsTo({ foreignKey: 'ref' }).nullable() } })`,
    `3:53  Type 'BelongsTo<string, "ref", never>' is not assignable to type '"'owner' makes the column 'ref', which is among the fields already"'.`,
  ],
  'a required relation that would be emptied': [
    `repository({ fields: {}, related: { owner: belongsTo('users', { onDelete: 'setNull' }) } })`,
    `3:37  Type 'Emptied<"users", never, never>' is not assignable to type '"'owner' is required, and onDelete: 'setNull' would empty it: add .nullable()"'.`,
  ],
  'an unknown word for deleting': [
    `belongsTo('users', { onDelete: 'setNul' })`,
    `3:22  Type '"setNul"' is not assignable to type '"setNull" | "restrict" | "cascade" | undefined'. Did you mean '"setNull"'?`,
  ],
  'a field among the relations': [
    `repository({ fields: {}, related: { body: text() } })`,
    `3:37  Type 'TextField' is not assignable to type '"'body' is a field: it belongs in fields"'.`,
  ],
  'a repository that is not wrapped': [
    `defineManifest({ database: 'sqlite', repositories: { posts: { fields: {} } } })`,
    `3:54  Type '{ fields: {}; }' is not assignable to type '"'posts' is not a repository: wrap it in repository()"'.`,
  ],
  'a select without options': [
    `select([])`,
    `3:8  Argument of type 'never[]' is not assignable to parameter of type '"a list of one option at least"'.`,
  ],
  'several without options': [
    `multiSelect([])`,
    `3:13  Argument of type 'never[]' is not assignable to parameter of type '"a list of one option at least"'.`,
  ],
  'a field that every table has': [
    `repository({ fields: { created_at: dateTime() } })`,
    `3:24  Type 'DateField' is not assignable to type '"every table has a column 'created_at' already"'.`,
  ],
  'a field with a name that is kept': [
    `repository({ fields: { pivot: text() } })`,
    `3:24  Type 'TextField' is not assignable to type '"'pivot' cannot be the name of a field"'.`,
  ],
  'a relation that is called like a field': [
    `repository({ fields: { comments: text() }, related: { comments: hasMany() } })`,
    `3:55  Type 'HasMany<never, never>' is not assignable to type '"'comments' is a column of this repository and cannot be a relation too"'.`,
  ],
  'another relation than hasMany among the fields': [
    `repository({ fields: { owner: belongsTo('users'), phone: hasOne(), posts: hasMany() } })`,
    `3:24  Type 'BelongsTo<"users", never, never>' is not assignable to type '"'owner' is a relation: it belongs in related"'.`,
    `3:51  Type 'OtherRelation<never, never>' is not assignable to type '"'phone' is a relation: it belongs in related"'.`,
  ],
  'a column that a relation among the fields does not have': [
    `repository({ sort: ['posts'], fields: { title: text(), posts: hasMany() } })`,
    `3:21  Type '"posts"' is not assignable to type '"'posts' in sort is not a column of this repository"'.`,
  ],
  'a wrong target of a relation among the fields': [
    `defineManifest({ database: 'sqlite', repositories: { posts: repository({ fields: { replies: hasMany('reply') } }) } })`,
    `3:54  Type 'Repository<"reply", never>' is not assignable to type '"'posts' relates to 'reply', and there is no such repository"'.`,
  ],
  'a computed entry that is called like a column': [
    `repository({ fields: { title: text() }, related: { owner: belongsTo('users'), owner_id: computed() } })`,
    `3:79  Type 'Computed<unknown>' is not assignable to type '"'owner_id' is a column of this repository and cannot be a relation too"'.`,
  ],
  'a member that is not there': [
    `repository({ fields: { title: text() }, related: { titel: member() } })`,
    `3:52  Type 'Member' is not assignable to type '"'titel' is neither a field nor a relation of this repository"'.`,
  ],
  'a reserved URI key': [
    `repository({ uriKey: 'search', fields: {} })`,
    `3:14  Type '"search"' is not assignable to type '"the URI key 'search' would shadow a route of the server"'.`,
  ],
  'a reserved key': [
    `defineManifest({ database: 'sqlite', repositories: { profile: repository({ fields: {} }) } })`,
    `3:54  Type 'Repository<never, never>' is not assignable to type '"the URI key 'profile' would shadow a route of the server"'.`,
  ],
  'a wrong target': [
    `defineManifest({ database: 'sqlite', repositories: { posts: repository({ fields: {}, related: { owner: belongsTo('user') } }) } })`,
    `3:54  Type 'Repository<"user", never>' is not assignable to type '"'posts' relates to 'user', and there is no such repository"'.`,
  ],
  'an unknown database': [
    `defineManifest({ database: 'mysql', repositories: {} })`,
    `3:18  Type '"mysql"' is not assignable to type '"sqlite" | "postgresql"'.`,
  ],
  'an unknown option of the manifest': [
    `defineManifest({ database: 'sqlite', metric: true, repositories: {} })`,
    `3:38  Object literal may only specify known properties, but 'metric' does not exist in type 'ManifestOptions<Readonly<Record<string, unknown>>>'. Did you mean to write 'metrics'?`,
  ],
  'an option of a feature with another value': [
    `defineManifest({ database: 'sqlite', metrics: 'yes', repositories: {} })`,
    `3:38  Type 'string' is not assignable to type 'boolean'.`,
  ],
  'a repository twice': [
    `defineManifest({ database: 'sqlite', repositories: { a: repository({ fields: {} }), a: repository({ fields: {} }) } })`,
    `3:85  An object literal cannot have multiple properties with the same name.`,
  ],
  'an unknown option of a relation': [
    `belongsTo('users', { serchable: ['name'] })`,
    `3:22  Object literal may only specify known properties, but 'serchable' does not exist in type 'BelongsToOptions<never, never, never>'. Did you mean to write 'searchable'?`,
  ],
  'an option of another relation': [
    `hasMany('users', { pivot: {} })`,
    `3:20  Object literal may only specify known properties, and 'pivot' does not exist in type 'HasOptions<never>'.`,
  ],
  'an unknown option of a repository': [
    `repository({ fields: {}, paranoid: true })`,
    `3:26  Object literal may only specify known properties, and 'paranoid' does not exist in type 'Written<Readonly<Record<string, Relation<string> | Field>>, Record<never, never>, string, readonly string[], Record<never, never>, readonly string[], never, string>'.`,
  ],
  'a bound on a boolean': [
    `boolean().min(1)`,
    `3:11  Property 'min' does not exist on type 'BooleanField'.`,
  ],
  'a password with a default': [
    `password().default('secret')`,
    `3:12  Property 'default' does not exist on type 'PasswordField'.`,
  ],
  'a default of another type': [
    `integer().default('1')`,
    `3:19  Argument of type 'string' is not assignable to parameter of type 'number'.`,
  ],
  'a default beside the options': [
    `select(['draft', 'live']).default('gone')`,
    `3:35  Argument of type '"gone"' is not assignable to parameter of type '"draft" | "live"'.`,
  ],
  'a default that is not JSON': [
    `json().default(() => 1)`,
    `3:16  Argument of type '() => number' is not assignable to parameter of type 'JsonValue'.`,
  ],
  'a decimal without digits': [`decimal()`, `3:1  Expected 2 arguments, but got 0.`],
  'a relation that cannot be empty': [
    `hasMany().nullable()`,
    `3:11  Property 'nullable' does not exist on type 'HasMany<never, never>'.`,
  ],
}

describe('the compiler speaks first, in one sentence', () => {
  const all = [
    ...Object.entries(mistakes).map((mistake) => [vocabulary, ...mistake] as const),
    ...Object.entries(policyMistakes).map((mistake) => [policyVocabulary, ...mistake] as const),
  ].map(([imports, name, [text, ...expected]], index) => {
    return { name, expected, file: `mistake-${index}`, text: `${imports}${text}\nexport {}\n` }
  })
  const said = compile({
    ...Object.fromEntries(all.map(({ file, text }) => [file, text])),
    right: `${policyVocabulary}${rightPolicies}`,
  })

  test.each(all)('$name', ({ file, expected }) => {
    expect(said[file]).toEqual(expected)
  })

  test('and says nothing of policies and hooks that are right', () => {
    expect(said['right']).toEqual([])
  })
})

const right = `${vocabulary}
const users = repository({
  title: 'name',
  searchable: ['name'],
  match: { owner_id: 'integer', chief_id: 'integer', boss_ref: 'integer', id: 'integer',
    popular: matcher('boolean', { label: 'Liked' }), kinds: matcher('multiSelect', { options: ['a', 'b'] }) },
  sort: ['id', 'updated_at', sorter('rank'), 'owner_id', sorter('luck', { label: 'Luck' })],
  filters: { ready: filter('boolean'), kind: filter('select', { options: ['a'], placeholder: 'a' }) },
  fields: {
    name: text().nullable().max(5).unique(),
    constructor: field(),
    toString: uuid().nullable(),
    days: multiSelect(['mon', 'tue']).default(['mon']),
    price: decimal(10, 2).default('1.00').min(0),
    settings: json().default({ a: [1, null] }),
  },
  related: {
    owner: belongsTo('users', { searchable: ['anything'] }).nullable(),
    leader: belongsTo('users', { relation: 'chief' }).nullable(),
    boss: belongsTo({ foreignKey: 'boss_ref' }).nullable(),
    chief: member(),
    name: member(),
    parts: hasMany('parts'),
    anything: hasMany({ inverse: 'x' }),
    score: computed<number>({ batch: true }),
  },
})
const parts = repository({ uriKey: 'spare-parts', fields: {} })
const phrases = repository({ title: 'name', searchable: fullText(['name', 'note'], { language: 'english' }),
  fields: { name: text(), note: text().nullable() } })
const dynamic = () => ({ name: text() }) as Record<string, ReturnType<typeof text>>
const made = repository({ sort: ['name'], fields: dynamic(), related: { parts: hasMany(), name: member() } })
const search = repository({ uriKey: 'findings', fields: {} })
const words = ['a', 'b'] as readonly string[]
const columns = ['id', 'word'] as ('id' | 'word')[]
const when = 'cascade' as 'cascade' | 'setNull'
const matched = repository({
  title: 'price',
  searchable: ['word', 'pick'],
  match: {
    word: 'partial', pick: 'array', code: 'text', count: 'between', ratio: 'number', price: 'between',
    open: 'boolean', day: 'datetime', created_at: 'between', id: 'text', owner_id: 'array',
    'owner.name': 'partial', 'owner.parts.pivot.is_main': 'boolean', reader: 'exists',
  },
  sort: ['id', ...columns],
  fields: {
    word: text().folded(), pick: select(words), code: uuid(), count: integer(), ratio: float(),
    price: decimal(4, 2), open: boolean(), day: date(), owner_name: text(),
  },
  related: {
    owner: belongsTo('users', { onDelete: 'setNull', filledBy: 'user' }).nullable(),
    editor: belongsTo('users', { onDelete: 'cascade' }),
    reader: belongsTo('users', { onDelete: when }),
  },
})
const named = (word: string) => repository({ sort: ['name', word], fields: dynamic() })
export default defineManifest({ database: 'postgresql', id: 'uuid', repositories: { users, parts, made, search, matched, named: named('x') } })
`

test('what is right compiles', () => {
  expect(compile({ right })).toEqual({ right: [] })
})

test('an editor offers the columns', () => {
  const offered = completions(`${vocabulary}
repository({
  sort: ['‸'],
  fields: { title: text(), body: text() },
  related: { owner: belongsTo('users') },
})
`)
  expect(offered).toEqual(['body', 'created_at', 'id', 'owner_id', 'title', 'updated_at'])
})
