import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { EntitySlots } from '../../plan/render/slots.js'
import { literal } from '../../source/literal.js'
import { hashing } from '../passwords/feature.js'

/** Returns what reading and writing users needs besides. */
export function usersRepository(entity: Entity, { auth }: Surroundings): Partial<EntitySlots> {
  if (entity.key !== auth?.key) return {}
  const verifiedAt = verifiedAtOf(entity)
  const options = [
    `table: ${literal(entity.table)}`,
    ...(verifiedAt === null ? [] : [`verifiedAt: ${literal(verifiedAt)}`]),
    'throttles',
  ]
  return {
    imports: {
      'app/Repositories/NameRepository.ts': [
        { from: '#runtime/features/sign-in/credentials.js', names: ['credentialsOf'] },
        hashing.import,
        { from: '#app/settings.js', names: ['throttles'] },
      ],
    },
    repository_extensions: [hashing.extension, `credentialsOf({ ${options.join(', ')} })`],
  }
}

function verifiedAtOf({ columns }: Entity): string | null {
  const column = columns.find(({ name }) => name === 'email_verified_at')
  return column?.kind === 'dateTime' && column.nullable ? column.name : null
}
