import type {
  Blueprint,
  Column,
  Database,
  Entity,
  FieldKind,
  Pivot,
  PivotSide,
  Relation,
} from '../../../generator/blueprint/types.js'
import { signInTables } from '../../../generator/features/sign-in/check.js'

/** Small blueprints written by hand, so that these tests are about Prisma only. */
export function blueprint(entities: readonly Entity[], more: Partial<Blueprint> = {}): Blueprint {
  const users = entities.find(({ key }) => key === more.auth)
  const tables = users === undefined ? [] : signInTables(users)
  return { database: 'sqlite', auth: null, entities, pivots: [], features: {}, tables, ...more }
}

export const on = (database: Database, of: Blueprint): Blueprint => ({ ...of, database })

interface EntityParts {
  readonly key: string
  readonly name: string
  readonly table?: string
  readonly id?: 'integer' | 'uuid'
  readonly columns?: readonly Column[]
  readonly relations?: readonly Relation[]
}

export function entity({ key, name, table = key, id = 'integer', ...parts }: EntityParts): Entity {
  const variable = name.charAt(0).toLowerCase() + name.slice(1)
  return {
    key,
    name,
    variable,
    singular: name.toLowerCase(),
    plural: key,
    table,
    source: `manifest/${key}.ts`,
    id,
    title: null,
    isPublic: false,
    columns: [
      column('id', id, { role: 'id', readonly: true }),
      ...(parts.columns ?? []),
      column('created_at', 'dateTime', { role: 'timestamp', readonly: true }),
      column('updated_at', 'dateTime', { role: 'timestamp', readonly: true }),
    ],
    relations: parts.relations ?? [],
    computed: [],
    members: [],
    searchable: [],
    match: [],
    sort: [],
    perPage: 15,
    relatablePerPage: 15,
    hasHooks: false,
  }
}

export function column(name: string, kind: FieldKind, more: Partial<Column> = {}): Column {
  const plain = { nullable: false, unique: false, indexed: false, hidden: false, readonly: false }
  return { name, role: 'field', kind, ...plain, ...more }
}

export function foreign(name: string, target: string, more: Partial<Column> = {}): Column {
  const onDelete = more.nullable === true ? 'setNull' : 'restrict'
  const references = { entity: target, onDelete } as const
  return column(name, 'integer', { role: 'foreign', indexed: true, references, ...more })
}

export function relation(
  name: string,
  kind: Relation['kind'],
  target: string,
  foreignKey: string,
  more: Partial<Relation> = {},
): Relation {
  return {
    key: name,
    name,
    kind,
    target,
    foreignKey,
    morphType: null,
    pivot: null,
    filledBy: null,
    searchable: [],
    sortable: [],
    ...more,
  }
}

export function side(
  column: string,
  entity: string | null,
  more: Partial<PivotSide> = {},
): PivotSide {
  return { column, kind: 'integer', entity, morphType: null, ...more }
}

export function pivot(
  table: string,
  name: string,
  sides: readonly [PivotSide, PivotSide],
  fields: readonly Column[] = [],
): Pivot {
  return { table, name, sides, fields }
}

const isAdmin = column('is_admin', 'boolean', { default: false })
const morphs = (name: string) => [
  column(`${name}_type`, 'text', { role: 'morphType', nullable: true, indexed: true }),
  column(`${name}_id`, 'integer', { role: 'morphId', nullable: true, indexed: true }),
]
const through = (table: string, relatedKey: string) => ({ pivot: { table, relatedKey } })

/** The demo, as `fixtures/blog/manifest` describes it. */
export const blog: Blueprint = blueprint(
  [
    entity({
      key: 'users',
      name: 'User',
      columns: [
        column('name', 'text', { indexed: true }),
        column('email', 'email', { unique: true }),
        column('password', 'password', { hidden: true }),
        column('is_admin', 'boolean', { default: false, readonly: true }),
      ],
      relations: [
        relation('posts', 'hasMany', 'posts', 'owner_id'),
        relation('phone', 'hasOne', 'phones', 'user_id'),
        relation('roles', 'belongsToMany', 'roles', 'user_id', through('role_user', 'role_id')),
        relation(
          'companies',
          'belongsToMany',
          'companies',
          'user_id',
          through('company_user', 'company_id'),
        ),
      ],
    }),
    entity({
      key: 'companies',
      name: 'Company',
      columns: [column('name', 'text', { indexed: true })],
      relations: [
        relation(
          'users',
          'belongsToMany',
          'users',
          'company_id',
          through('company_user', 'user_id'),
        ),
        relation('tags', 'morphToMany', 'tags', 'taggable_id', {
          morphType: 'taggable_type',
          ...through('taggables', 'tag_id'),
        }),
      ],
    }),
    entity({
      key: 'posts',
      name: 'Post',
      columns: [
        column('title', 'text', { indexed: true }),
        column('description', 'textarea', { nullable: true }),
        column('published_at', 'dateTime', { nullable: true, indexed: true }),
        foreign('owner_id', 'users'),
      ],
      relations: [
        relation('owner', 'belongsTo', 'users', 'owner_id', { filledBy: 'user' }),
        relation('comments', 'hasMany', 'comments', 'post_id'),
        relation('tags', 'morphToMany', 'tags', 'taggable_id', {
          morphType: 'taggable_type',
          ...through('taggables', 'tag_id'),
        }),
        relation('image', 'morphOne', 'images', 'imageable_id', { morphType: 'imageable_type' }),
      ],
    }),
    entity({
      key: 'comments',
      name: 'Comment',
      columns: [
        column('body', 'textarea'),
        foreign('post_id', 'posts'),
        foreign('user_id', 'users'),
      ],
      relations: [
        relation('post', 'belongsTo', 'posts', 'post_id'),
        relation('user', 'belongsTo', 'users', 'user_id', { filledBy: 'user' }),
      ],
    }),
    entity({
      key: 'roles',
      name: 'Role',
      columns: [column('name', 'text', { unique: true })],
      relations: [
        relation('users', 'belongsToMany', 'users', 'role_id', through('role_user', 'user_id')),
      ],
    }),
    entity({
      key: 'phones',
      name: 'Phone',
      columns: [column('number', 'text'), foreign('user_id', 'users', { unique: true })],
      relations: [relation('user', 'belongsTo', 'users', 'user_id')],
    }),
    entity({ key: 'tags', name: 'Tag', columns: [column('name', 'text', { unique: true })] }),
    entity({
      key: 'images',
      name: 'Image',
      columns: [column('url', 'text'), ...morphs('imageable')],
    }),
  ],
  {
    auth: 'users',
    pivots: [
      pivot(
        'company_user',
        'CompanyUser',
        [side('company_id', 'companies'), side('user_id', 'users')],
        [isAdmin],
      ),
      pivot('role_user', 'RoleUser', [side('role_id', 'roles'), side('user_id', 'users')]),
      pivot('taggables', 'Taggable', [
        side('taggable_id', null, { morphType: 'taggable_type' }),
        side('tag_id', 'tags'),
      ]),
    ],
  },
)
