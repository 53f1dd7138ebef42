/** The models of the blog the kernel is tested with, as `app/Models.ts` would have them. */
import type { PivotHooks, PivotPolicy } from '../../../runtime/features/pivots/pivot-types.js'
import type { Many, ManyToMany, One } from '../../../runtime/features/relations/relation-types.js'
import type { Hooks, PerPage, PerRecord } from '../../../runtime/operations/hook-types.js'
import type { AnyModel, Policy } from '../../../runtime/policy/policy-types.js'

interface Stamps {
  created_at: string
  updated_at: string
}

export interface User extends Stamps {
  id: number
  name: string
  email: string
  password: string
  is_admin: boolean
}

export interface UserModel {
  row: User
  relations: {
    posts: Many<PostModel>
    phone: One<PhoneModel>
    companies: ManyToMany<CompanyModel, CompanyUser>
  }
  computed: {}
}

export interface Company extends Stamps {
  id: number
  name: string
}

export interface CompanyModel {
  row: Company
  relations: { users: ManyToMany<UserModel, CompanyUser>; tags: ManyToMany<TagModel, Taggable> }
  computed: { summary: PerRecord<unknown>; ranking: PerPage<string> }
}

export interface CompanyUser {
  company_id: number
  user_id: number
  is_admin: boolean
  since: string | null
}

export interface Post extends Stamps {
  id: number
  title: string
  description: string | null
  published_at: string | null
  owner_id: number
}

export interface PostModel {
  row: Post
  relations: {
    owner: One<UserModel>
    comments: Many<CommentModel>
    notes: Many<NoteModel>
    tags: ManyToMany<TagModel, Taggable>
    image: One<ImageModel>
    images: Many<ImageModel>
  }
  computed: {}
}

/** Columns and relations that are called like what every object has. */
export interface OddModel {
  row: { id: number; constructor: string; toString: string | null }
  relations: { valueOf: Many<PostModel> }
  computed: {}
}

export interface Comment extends Stamps {
  id: number
  body: string
  post_id: number
  user_id: number
}

export interface CommentModel {
  row: Comment
  relations: { post: One<PostModel>; user: One<UserModel> }
  computed: {}
}

export interface Phone extends Stamps {
  id: number
  number: string
  user_id: number
}

export interface PhoneModel {
  row: Phone
  relations: { user: One<UserModel> }
  computed: {}
}

export interface Note extends Stamps {
  id: string
  text: string
  price: string | null
  ratio: number | null
  day: string | null
  data: unknown
  labels: ('red' | 'green')[] | null
  rank: number | null
  is_open: boolean | null
  due_at: string | null
  parent_id: string | null
  post_id: number | null
}

export interface NoteModel {
  row: Note
  relations: {
    parent: One<NoteModel>
    children: Many<NoteModel>
    image: One<ImageModel>
    tags: ManyToMany<TagModel, Taggable>
  }
  computed: {}
}

export interface Tag extends Stamps {
  id: string
  name: string
}

export interface TagModel {
  row: Tag
  relations: {}
  computed: {}
}

export interface Taggable {
  taggable_type: string
  taggable_id: string
  tag_id: string
}

export interface Image extends Stamps {
  id: number
  url: string
  imageable_type: string | null
  imageable_id: string | null
}

export interface ImageModel {
  row: Image
  relations: {}
  computed: {}
}

export type PolicyFor<Model extends AnyModel> = Policy<Model, User> & PivotPolicy<Model, User>
export type HooksFor<Model extends AnyModel> = Hooks<Model, User> & PivotHooks<Model, User>
