import { isInBlueprint } from '../../plan/feature.js'
import type { Project } from '../../plan/project.js'

export interface MetricsView {
  readonly hasReplicas: boolean
}

export const metricsView = ({ blueprint }: Project): MetricsView => ({
  hasReplicas: isInBlueprint('readReplicas', blueprint),
})
