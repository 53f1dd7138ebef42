import type { Project } from '../../plan/project.js'
import { isInBlueprint } from '../feature.js'

export interface MetricsView {
  readonly hasReplicas: boolean
}

export const metricsView = ({ blueprint }: Project): MetricsView => ({
  hasReplicas: isInBlueprint('readReplicas', blueprint),
})
