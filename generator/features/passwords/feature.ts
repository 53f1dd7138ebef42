import type { Entity } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import type { Feature } from '../../write/feature.js'

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
      : {
          imports: { 'app/Repositories/NameRepository.ts': [hashing.import] },
          repository_extensions: [hashing.extension],
        },
}

/** The hashing of a repository's passwords. */
export const hashing = {
  import: { from: '#runtime/features/sign-in/password.js', names: ['hashedPasswords'] },
  extension: 'hashedPasswords',
}

const hasPassword = ({ columns }: Entity) => columns.some((column) => storedAs(column).isSecret)
