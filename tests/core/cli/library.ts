/** A project of somebody's own: required fields, an owner, roles, a pivot table and a morph, and no rows of tests but the usual ones. */
export const library: Readonly<Record<string, string>> = {
  'manifest/index.ts': `import { defineManifest } from 'svckit'
import { authors } from './authors.js'
import { books } from './books.js'
import { branches } from './branches.js'
import { loans } from './loans.js'
import { pictures } from './pictures.js'
import { users } from './users.js'

export default defineManifest({
  database: 'sqlite',
  newPolicies: 'owner',
  repositories: { users, branches, books, authors, pictures, loans },
})
`,
  'manifest/users.ts': `import { belongsTo, email, hasMany, password, repository, select, text } from 'svckit'

export const users = repository({
  title: 'name',
  sort: ['id', 'name'],
  fields: {
    name: text().max(120).nullable(),
    email: email().unique(),
    role: select(['reader', 'librarian', 'auditor']).default('reader').readonly(),
    password: password(),
  },
  related: {
    branch: belongsTo('branches').nullable(),
    loans: hasMany({ inverse: 'borrower' }),
  },
})
`,
  'manifest/branches.ts': `import { hasMany, repository, text } from 'svckit'

export const branches = repository({
  title: 'name',
  sort: ['id', 'name'],
  fields: { name: text().max(80).unique(), city: text().max(80) },
  related: { books: hasMany(), users: hasMany() },
})
`,
  'manifest/books.ts': `import { belongsTo, belongsToMany, boolean, date, decimal, hasMany, integer, morphMany, repository, select, text } from 'svckit'

export const books = repository({
  title: 'title',
  sort: ['id', 'title'],
  match: { shelf: 'integer' },
  fields: {
    title: text().max(160),
    isbn: text().max(40).unique(),
    shelf: integer(),
    bought_on: date(),
    price: decimal(8, 2),
    condition: select(['new', 'worn', 'lost']),
    is_listed: boolean().default(true),
  },
  related: {
    branch: belongsTo(),
    loans: hasMany(),
    authors: belongsToMany({ pivot: { role: select(['writer', 'editor']).default('writer') } }),
    pictures: morphMany({ name: 'pictured' }),
  },
})
`,
  'manifest/authors.ts': `import { belongsToMany, repository, text } from 'svckit'

export const authors = repository({
  title: 'name',
  sort: ['id'],
  fields: { name: text().max(80), language: text().max(10) },
  related: { books: belongsToMany() },
})
`,
  'manifest/pictures.ts': `import { morphTo, repository, text } from 'svckit'

export const pictures = repository({
  title: 'url',
  sort: ['id'],
  fields: { url: text().max(200), licence: text().max(20) },
  related: { pictured: morphTo() },
})
`,
  'manifest/loans.ts': `import { belongsTo, date, decimal, repository, select, text } from 'svckit'

export const loans = repository({
  title: 'due_on',
  sort: ['id'],
  fields: {
    due_on: date(),
    returned_on: date().nullable(),
    state: select(['asked', 'out', 'back']).default('asked'),
    note: text().max(200).nullable(),
    fee: decimal(8, 2).default('0.00'),
  },
  related: {
    book: belongsTo(),
    borrower: belongsTo('users', { filledBy: 'user' }),
  },
})
`,
  'app/roles.ts': `import type { CurrentUser } from './Models.js'

export const isLibrarian = (user: CurrentUser | null) => user?.role === 'librarian'
`,
  'app/Policies/UserPolicy.ts': `import type { PolicyFor, UserModel } from '#app/Models.js'

export const UserPolicy: PolicyFor<UserModel> = {
  show: () => true,
  store: () => false,
  update: () => false,
  delete: () => false,
}
`,
  'app/Policies/BranchPolicy.ts': `import type { BranchModel, PolicyFor } from '#app/Models.js'

export const BranchPolicy: PolicyFor<BranchModel> = {
  show: () => true,
  store: () => false,
  update: () => false,
  delete: () => false,
}
`,
  'app/Policies/BookPolicy.ts': `import type { BookModel, PolicyFor } from '#app/Models.js'
import { isLibrarian } from '#app/roles.js'
import { any } from '#runtime/policy/condition.js'

export const BookPolicy: PolicyFor<BookModel> = {
  show: (user) => {
    if (isLibrarian(user)) return true
    return any(
      { is_listed: true, pictures: { some: { licence: 'free' } } },
      { authors: { some: { pivot: { role: 'writer' } } } },
    )
  },
  store: (user) => isLibrarian(user) && { branch_id: user?.branch_id ?? undefined },
  update: isLibrarian,
  delete: (user) => isLibrarian(user) && { loans: { none: { state: 'out' } } },
  canSee: { price: isLibrarian },
  canUpdate: { isbn: () => false },
  attachAuthors: isLibrarian,
  detachAuthors: () => false,
  syncAuthors: () => false,
}
`,
  'app/Policies/AuthorPolicy.ts': `import type { AuthorModel, PolicyFor } from '#app/Models.js'

export const AuthorPolicy: PolicyFor<AuthorModel> = {
  show: () => true,
  store: () => false,
  update: () => false,
  delete: () => false,
  attachBooks: () => false,
  detachBooks: () => false,
  syncBooks: () => false,
}
`,
  'app/Policies/PicturePolicy.ts': `import type { PictureModel, PolicyFor } from '#app/Models.js'
import { isLibrarian } from '#app/roles.js'

export const PicturePolicy: PolicyFor<PictureModel> = {
  show: () => true,
  store: () => false,
  update: isLibrarian,
  updateTo: () => ({ licence: { not: 'stolen' } }),
  delete: () => false,
}
`,
  'app/Policies/LoanPolicy.ts': `import type { LoanModel, PolicyFor } from '#app/Models.js'
import { isLibrarian } from '#app/roles.js'

export const LoanPolicy: PolicyFor<LoanModel> = {
  show: (user) => ({ borrower_id: user?.id }),
  store: (user) => user !== null && { state: 'asked', book: { is: { is_listed: true } } },
  update: (user) => ({ borrower_id: user?.id, state: { not: 'back' } }),
  delete: () => false,
  canStore: { fee: isLibrarian },
}
`,
  'tests/roles.ts': `// Yours: who sends the requests, and for which rows. authorization.md lists what they may do.

import { makeBranch, makeUser } from './factories.js'
import type { Bodies, Own, Roles, World } from './repositories.js'

export const roles: Roles = {
  guest: () => null,
  reader: () => makeUser(),
  librarian: async () => makeUser({ role: 'librarian', branch_id: (await makeBranch()).id }),
  'external auditor': () => makeUser({ role: 'auditor' }),
}

export const world: World = {}
export const bodies: Bodies = {}
export const own: Own = {}
`,
}
