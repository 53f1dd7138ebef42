import type { Row } from '../tested.js'
import type { Relation } from './decided.js'
import type { Pairing } from './pair.js'
import type { Project } from './project.js'
import type { Rows } from './roles.js'
import { rowNamed, type Scene } from './scene.js'
import { stored } from './stored.js'

/** Rows that belong to users, with their users; none: it is no relation between the two. */
export async function ofOwners(
  scene: Scene,
  of: string,
  relation: Relation,
  target: string,
  { parents, children }: { readonly parents: Rows; readonly children: Rows },
): Promise<readonly Pairing[]> {
  const { type, is, column } = relation
  const { signsIn } = scene.project.decided
  if (type === undefined && is === 'pointer' && target === signsIn) {
    const names = await pointing(scene, of, parents, column)
    return names.map((name) => withOwner(name, of, column, target))
  }
  if (type === undefined && is === 'pointedAt' && of === signsIn) {
    const names = await pointing(scene, target, children, column)
    return names.map((name) => belowOwner(name, column, target))
  }
  return []
}

/** Names of the rows that belong to some user. */
async function pointing(
  { project }: Scene,
  key: string,
  rows: Rows,
  column: string,
): Promise<readonly string[]> {
  const names: string[] = []
  for (const [name, row] of Object.entries(rows)) {
    if ((await ownerOf(project, key, row, column)) !== null) names.push(name)
  }
  return names
}

/** A row, and whom it belongs to. */
const withOwner = (name: string, of: string, column: string, target: string): Pairing => ({
  row: [name],
  make: async (stage) => {
    const scene = await stage.scene()
    const parent = rowNamed(await scene.rows(of), name)
    const related = await ownerOf(scene.project, of, parent, column)
    return { scene, parent, related: related ?? parent, target }
  },
})

/** Pairs the records from the other side. */
const belowOwner = (name: string, column: string, target: string): Pairing => ({
  row: [name],
  make: async (stage) => {
    const scene = await stage.scene()
    const related = rowNamed(await scene.rows(target, 'related'), name)
    const parent = await ownerOf(scene.project, target, related, column)
    return { scene, parent: parent ?? related, related, target }
  },
})

async function ownerOf(
  project: Project,
  key: string,
  row: Row,
  column: string,
): Promise<Row | null> {
  const { [column]: id } = await stored(project, key, row)
  return typeof id === 'number' || typeof id === 'string' ? { id } : null
}
