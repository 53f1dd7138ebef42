import type { Entity } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import type { Feature } from '../feature.js'

/** Fields that hold passwords are stored as hashes; those of users are what signing in looks at. */
export const passwords: Feature = {
  name: 'passwords',
  isOn: ({ entities }) => entities.some(hasPassword),
  packages: () => ({ dependencies: ['@node-rs/argon2'] }),
  preloaded: ['@node-rs/argon2'],
  // Users say it themselves, before what they say of signing in.
  entitySlots: (entity, { auth }) =>
    entity.key === auth?.key || !hasPassword(entity)
      ? {}
      : { repository_imports: [hashing.from], repository_extensions: [hashing.extension] },
}

/** How a repository hashes what it stores. */
export const hashing = {
  from: "import { hashedPasswords } from '#runtime/features/sign-in/password.js'",
  extension: 'hashedPasswords',
}

const hasPassword = ({ columns }: Entity) => columns.some((column) => storedAs(column).isSecret)
