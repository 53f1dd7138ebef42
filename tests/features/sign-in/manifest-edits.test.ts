import { expect, test } from 'vitest'
import { addSignInFields, addUsers } from '../../../generator/features/sign-in/edit-manifest.js'

const index = (imports: string, list: string) => `import { defineManifest } from 'svckit'
${imports}
export default defineManifest({ database: 'sqlite', repositories: ${list} })
`

test.each([
  ['{ posts }', '{ posts, users }'],
  ['{ posts, }', '{ posts, users, }'],
  ['{}', '{ users }'],
  ['{\n  posts\n}', '{\n  posts,\n  users,\n}'],
  ['{\n  posts, // what people write\n}', '{\n  posts, // what people write\n  users,\n}'],
  [
    '{\n    notes: posts,\n    ...more,\n  }',
    '{\n    notes: posts,\n    ...more,\n    users,\n  }',
  ],
])('users join the repositories as the others are written: %j', (before, after) => {
  const imports = "import { posts } from './posts.js'\n"
  const users = "import { users } from './users.js'\n"
  expect(addUsers(index(imports, before))).toBe(index(imports + users, after))
})

test('quotes and semicolons are those of the file', () => {
  const before =
    'import { defineManifest } from "svckit";\n\nexport default defineManifest({ repositories: {} });\n'
  expect(addUsers(before)).toBe(
    'import { defineManifest } from "svckit";\nimport { users } from "./users.js";\n\nexport default defineManifest({ repositories: { users } });\n',
  )
})

const users = (fields: string, more = '') => `import { repository, text${more} } from 'svckit'

export const users = repository({ fields: ${fields} })
`

test.each([
  ['{ name: text() }', '{ name: text(), email: email().unique(), password: password() }'],
  [
    '{\n    name: text() // as written\n  }',
    '{\n    name: text(), // as written\n    email: email().unique(),\n    password: password(),\n  }',
  ],
])('fields of signing in join the others: %j', (before, after) => {
  const wanted = users(after, ', email, password')
  expect(addSignInFields(users(before), ['email', 'password'])).toBe(wanted)
})
