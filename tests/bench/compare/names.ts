import type { WorkItem } from './work.js'

export const shownItems = ['show', 'index', 'include', 'store', 'graphql'] as const

export const workTitles: Readonly<Record<WorkItem, string>> = {
  show: 'show',
  index: 'index with total',
  include: 'include 15 × 15 × 15',
  store: 'store',
  graphql: 'GraphQL',
}
