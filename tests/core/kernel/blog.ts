/** The repositories of the blog, written as templates emit them; a test replaces the policies it is about. */
import type { Database } from '../../../runtime/database/types.js'
import {
  changePivots,
  type PivotOutcome,
  type PivotWrite,
} from '../../../runtime/features/pivots/pivots.js'
import {
  belongsTo,
  belongsToMany,
  computed,
  hasMany,
  hasOne,
  member,
  morphMany,
  morphOne,
  morphToMany,
  related,
} from '../../../runtime/features/relations/relations.js'
import { multiSelect } from '../../../runtime/input/choice-rules.js'
import { decimal } from '../../../runtime/input/decimal-rule.js'
import { reference } from '../../../runtime/input/id-rules.js'
import { json } from '../../../runtime/input/json-rule.js'
import {
  boolean,
  email,
  float,
  integer,
  password,
  text,
  textarea,
} from '../../../runtime/input/rules.js'
import { date, dateTime } from '../../../runtime/input/time-rules.js'
import type { Definition, Extension, Settings } from '../../../runtime/model/entity.js'
import {
  defineRepository,
  type Input,
  type Repository,
} from '../../../runtime/operations/repository.js'
import { matching } from '../../../runtime/query/match.js'
import type * as models from './models.js'

export interface Policies {
  users: models.PolicyFor<models.UserModel>
  companies: models.PolicyFor<models.CompanyModel>
  posts: models.PolicyFor<models.PostModel>
  comments: models.PolicyFor<models.CommentModel>
  phones: models.PolicyFor<models.PhoneModel>
  notes: models.PolicyFor<models.NoteModel>
  tags: models.PolicyFor<models.TagModel>
  images: models.PolicyFor<models.ImageModel>
}

const companyHooks: models.HooksFor<models.CompanyModel> = {
  computed: {
    summary: (_, company) => ({ text: `${company.name} ${company.created_at.slice(0, 4)}` }),
    ranking: { __invoke: async (_, rows) => rows.map((row, at) => `${row.name}:${at}`) },
  },
}

export interface AllHooks {
  posts?: models.HooksFor<models.PostModel>
  companies?: models.HooksFor<models.CompanyModel>
  comments?: models.HooksFor<models.CommentModel>
}

export interface Blog {
  readonly users: WithPivots<models.User>
  readonly companies: WithPivots<models.Company>
  readonly posts: WithPivots<models.Post>
  readonly comments: Repository<models.Comment>
  readonly phones: Repository<models.Phone>
  readonly notes: WithPivots<models.Note>
  readonly tags: Repository<models.Tag>
  readonly images: Repository<models.Image>
}

type ChangePivots = (
  user: unknown,
  id: string,
  relation: string,
  input: Input,
) => Promise<PivotOutcome>

/** A repository, and what the routes of its pivots do. */
interface WithPivots<Row> extends Repository<Row> {
  readonly attach: ChangePivots
  readonly sync: ChangePivots
  readonly detach: ChangePivots
}

function withPivots<Row>(repository: Repository<Row>): WithPivots<Row> {
  const changing =
    (operation: PivotWrite['operation']): ChangePivots =>
    async (user, id, key, body) =>
      changePivots(repository, user, { operation, id, key, body })
  return {
    ...repository,
    attach: changing('attach'),
    sync: changing('sync'),
    detach: changing('detach'),
  }
}

export const yes = () => true
const open = { show: yes, store: yes, update: yes, delete: yes }

const openPolicies: Policies = {
  users: { ...open, attachCompanies: yes, detachCompanies: yes, syncCompanies: yes },
  companies: {
    ...open,
    attachUsers: yes,
    detachUsers: yes,
    syncUsers: yes,
    attachTags: yes,
    detachTags: yes,
    syncTags: yes,
  },
  posts: { ...open, attachTags: yes, detachTags: yes, syncTags: yes },
  comments: open,
  phones: open,
  notes: { ...open, attachTags: yes, detachTags: yes, syncTags: yes },
  tags: open,
  images: open,
}

export interface BlogOptions {
  readonly policies?: { [Key in keyof Policies]?: Partial<Policies[Key]> }
  readonly hooks?: AllHooks
  readonly settings?: Partial<Settings>
  /** Said instead, of the repository of that name. */
  readonly definitions?: { readonly [Key in keyof Policies]?: Partial<Definition> }
}

export const defaultSettings: Settings = {
  maxPerPage: 100,
  maxIncludeDepth: 8,
  maxRelated: 10_000,
  maxResponse: 16_777_216,
  strict: null,
  strictBodies: null,
  relatedMetaOnIndex: false,
  requiresToken: false,
}

const stamps = { created_at: 'dateTime', updated_at: 'dateTime' } as const

export const postColumns = {
  id: 'integer',
  title: 'text',
  description: 'text?',
  published_at: 'dateTime?',
  owner_id: 'integer',
  ...stamps,
} as const

/** Stores what `stored` makes of a password. */
export const storing = (stored: (plain: string) => string): Extension => ({
  says: { stores: { password: (plain) => stored(String(plain)) } },
})

export function createBlog(database: Database, options: BlogOptions = {}): Blog {
  const settings: Settings = { ...defaultSettings, ...options.settings }
  const policyOf = <Key extends keyof Policies>(key: Key): Policies[Key] => ({
    ...openPolicies[key],
    ...options.policies?.[key],
  })
  const common = { database, settings }
  // The types of a definition are those of its model, which a test does not say.
  const definitionOf = (key: keyof Policies) => options.definitions?.[key] as object

  const users: Repository<models.User> = defineRepository<models.UserModel>({
    ...common,
    key: 'users',
    name: 'User',
    table: 'users',
    policy: policyOf('users'),
    extensions: [storing((plain) => `hashed:${plain}`)],
    columns: {
      id: 'integer',
      name: 'text',
      email: 'text',
      password: 'password',
      is_admin: 'boolean',
      ...stamps,
    },
    attributes: ['name', 'email', 'is_admin', 'created_at', 'updated_at'],
    rules: { name: text().max(120), email: email(), password: password() },
    defaults: { is_admin: false },
    searchable: ['name', 'email'],
    match: matching({ name: 'text', is_admin: 'boolean' }),
    sort: ['id', 'name', 'created_at'],
    ...definitionOf('users'),
    relations: related({
      posts: hasMany(() => posts, { foreignKey: 'owner_id' }),
      phone: hasOne(() => phones, { foreignKey: 'user_id' }),
      companies: belongsToMany(() => companies, {
        pivot: {
          table: 'company_user',
          foreignKey: 'user_id',
          relatedKey: 'company_id',
          columns: { is_admin: 'boolean', since: 'date?' },
          rules: { is_admin: boolean().optional() },
          defaults: { is_admin: false },
        },
      }),
    }),
  })

  const companies: Repository<models.Company> = defineRepository<models.CompanyModel>({
    ...common,
    key: 'companies',
    name: 'Company',
    table: 'companies',
    policy: policyOf('companies'),
    hooks: options.hooks?.companies ?? companyHooks,
    columns: { id: 'integer', name: 'text', ...stamps },
    attributes: ['name', 'created_at', 'updated_at'],
    rules: { name: text().max(120) },
    searchable: ['name'],
    match: matching({ name: 'partial' }),
    sort: ['id', 'name'],
    relations: related({
      staff: belongsToMany(() => users, {
        pivot: {
          table: 'company_user',
          foreignKey: 'company_id',
          relatedKey: 'user_id',
          columns: { is_admin: 'boolean', since: 'date?' },
          hidden: ['since'],
        },
      }),
      users: belongsToMany(() => users, {
        pivot: {
          table: 'company_user',
          foreignKey: 'company_id',
          relatedKey: 'user_id',
          columns: { is_admin: 'boolean', since: 'date?' },
          rules: { is_admin: boolean().optional(), since: date().nullish() },
          defaults: { is_admin: false },
        },
      }),
      tags: taggedBy(() => tags),
      summary: computed(),
      ranking: computed({ batch: true }),
      name: member('field'),
      employees: member('relation', 'users'),
    }),
    ...definitionOf('companies'),
  })

  const posts: Repository<models.Post> = defineRepository<models.PostModel>({
    ...common,
    key: 'posts',
    name: 'Post',
    table: 'posts',
    policy: policyOf('posts'),
    ...(options.hooks?.posts === undefined ? {} : { hooks: options.hooks.posts }),
    columns: postColumns,
    attributes: ['title', 'description', 'published_at', 'owner_id', 'created_at', 'updated_at'],
    rules: {
      title: text().max(160),
      description: textarea().nullish(),
      published_at: dateTime().nullish(),
    },
    searchable: ['title', 'description'],
    match: matching({ title: 'text', published_at: 'datetime', owner_id: 'integer' }),
    sort: ['id', 'title', 'published_at', 'description'],
    relations: related({
      owner: belongsTo(() => users, {
        foreignKey: 'owner_id',
        filledBy: 'user',
        searchable: ['name'],
        sortable: ['name'],
      }),
      comments: hasMany(() => comments, { foreignKey: 'post_id' }),
      notes: hasMany(() => notes, { foreignKey: 'post_id' }),
      tags: taggedBy(() => tags),
      image: morphOne(() => images, { foreignKey: 'imageable_id', morphType: 'imageable_type' }),
      images: morphMany(() => images, { foreignKey: 'imageable_id', morphType: 'imageable_type' }),
    }),
    ...definitionOf('posts'),
  })

  const comments: Repository<models.Comment> = defineRepository<models.CommentModel>({
    ...common,
    key: 'comments',
    name: 'Comment',
    table: 'comments',
    policy: policyOf('comments'),
    ...(options.hooks?.comments === undefined ? {} : { hooks: options.hooks.comments }),
    columns: { id: 'integer', body: 'text', post_id: 'integer', user_id: 'integer', ...stamps },
    attributes: ['body', 'post_id', 'user_id', 'created_at', 'updated_at'],
    rules: { body: textarea().max(5000), post_id: reference('integer') },
    searchable: ['body'],
    match: matching({ post_id: 'integer' }),
    sort: ['id', 'created_at'],
    relatablePerPage: 100,
    relations: related({
      post: belongsTo(() => posts, { foreignKey: 'post_id' }),
      user: belongsTo(() => users, { foreignKey: 'user_id', filledBy: 'user' }),
    }),
    ...definitionOf('comments'),
  })

  const phones: Repository<models.Phone> = defineRepository<models.PhoneModel>({
    ...common,
    key: 'phones',
    name: 'Phone',
    table: 'phones',
    policy: policyOf('phones'),
    columns: { id: 'integer', number: 'text', user_id: 'integer', ...stamps },
    attributes: ['number', 'user_id', 'created_at', 'updated_at'],
    rules: { number: text().max(30), user_id: reference('integer') },
    relations: related({ user: belongsTo(() => users, { foreignKey: 'user_id' }) }),
  })

  const notes: Repository<models.Note> = defineRepository<models.NoteModel>({
    ...common,
    key: 'notes',
    name: 'Note',
    table: 'notes',
    policy: policyOf('notes'),
    columns: {
      id: 'uuid',
      text: 'text',
      price: 'decimal(10,2)?',
      ratio: 'float?',
      day: 'date?',
      data: 'json?',
      labels: 'json?',
      rank: 'integer?',
      is_open: 'boolean?',
      due_at: 'dateTime?',
      parent_id: 'uuid?',
      post_id: 'integer?',
      ...stamps,
    },
    attributes: [
      'text',
      'price',
      'ratio',
      'day',
      'data',
      'labels',
      'rank',
      'is_open',
      'due_at',
      'parent_id',
      'post_id',
      'created_at',
      'updated_at',
    ],
    rules: {
      text: text(),
      price: decimal(10, 2).nullish(),
      ratio: float().nullish(),
      day: date().nullish(),
      data: json().nullish(),
      labels: multiSelect(['red', 'green']).nullish(),
      rank: integer().nullish(),
      is_open: boolean().nullish(),
      due_at: dateTime().nullish(),
      parent_id: reference('uuid').nullish(),
      post_id: reference('integer').nullish(),
    },
    searchable: ['text', 'id', 'rank', 'price'],
    match: matching({
      text: 'partial',
      price: 'between',
      rank: 'integer',
      ratio: 'number',
      is_open: 'boolean',
      due_at: 'datetime',
      day: 'datetime',
      parent_id: 'array',
      data: 'text',
    }),
    sort: ['id', 'price', 'rank', 'due_at', 'text'],
    relations: related(
      {
        parent: belongsTo(() => notes, { foreignKey: 'parent_id', sortable: ['text'] }),
        children: hasMany(() => notes, { foreignKey: 'parent_id' }),
        image: morphOne(() => images, { foreignKey: 'imageable_id', morphType: 'imageable_type' }),
        tags: taggedBy(() => tags),
      },
      { post_id: () => posts },
    ),
    ...definitionOf('notes'),
  })

  const tags: Repository<models.Tag> = defineRepository<models.TagModel>({
    ...common,
    key: 'tags',
    name: 'Tag',
    table: 'tags',
    policy: policyOf('tags'),
    columns: { id: 'uuid', name: 'text', ...stamps },
    attributes: ['name', 'created_at', 'updated_at'],
    rules: { name: text().max(60) },
  })

  const images: Repository<models.Image> = defineRepository<models.ImageModel>({
    ...common,
    key: 'images',
    name: 'Image',
    table: 'images',
    policy: policyOf('images'),
    columns: {
      id: 'integer',
      url: 'text',
      imageable_type: 'text?',
      imageable_id: 'text?',
      ...stamps,
    },
    attributes: ['url', 'imageable_type', 'imageable_id', 'created_at', 'updated_at'],
    rules: { url: text().max(500) },
    relations: related({}, { imageable_id: null }),
  })

  return {
    users: withPivots(users),
    companies: withPivots(companies),
    posts: withPivots(posts),
    notes: withPivots(notes),
    ...{ comments, phones, tags, images },
  }
}

function taggedBy(tags: () => Repository<models.Tag>) {
  return morphToMany(tags, {
    pivot: {
      table: 'taggables',
      foreignKey: 'taggable_id',
      morphType: 'taggable_type',
      relatedKey: 'tag_id',
      foreignKind: 'text',
      columns: {},
    },
  })
}
