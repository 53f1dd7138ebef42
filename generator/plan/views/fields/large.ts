import type { Project } from '../../project.js'

/** At a hundred, Hono's own router takes four times as long to find a route as one that groups them. */
export const isLarge = ({ entities }: Pick<Project, 'entities'>): boolean => entities.length >= 100
