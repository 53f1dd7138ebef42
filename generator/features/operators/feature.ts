import type { Feature } from '../feature.js'
import { hasRead, isReadIn } from '../reads/feature.js'

const folder = '#runtime/features/operators'

export const operators: Feature = {
  name: 'operators',
  isOn: (project) => isReadIn(project, 'operators'),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'operators') && entity.match.length > 0
      ? {
          repository_imports: [`import { operators } from '${folder}/operators.js'`],
          repository_extensions: ['operators'],
        }
      : {},
}
