import { kindOf } from './document.js'
import { add, h, layout, link, svg } from './dom.js'

/** With more repositories than these, one and those around it are shown. */
const mostInCircle = 16

/** Shows how repositories belong together, as a picture and in words. */
export function showRelations(place, { model, route }) {
  const current = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'relations', current)
  const edges = edgesOf(model)
  const all = model.resources.map(({ key }) => key)
  const isWhole = all.length <= mostInCircle
  const shown = isWhole ? all : around(current?.key ?? all[0], edges)
  add(
    content,
    h('h1', 'Relations'),
    h('p.quiet', isWhole ? 'Choose one to see what it leads to.' : `What is around ${shown[0]}.`),
    picture(shown, edges, current?.key ?? null),
    words(current ? [current] : shown.map((key) => model.byKey.get(key)), edges),
  )
}

function edgesOf({ resources }) {
  return resources.flatMap(({ key, relations }) =>
    relations.flatMap((relation) =>
      relation.targets.map((target) => ({ from: key, to: target, relation })),
    ),
  )
}

const around = (key, edges) => [
  ...new Set([
    key,
    ...edges.flatMap(({ from, to }) => (from === key ? [to] : to === key ? [from] : [])),
  ]),
]

/** On a circle, in the order of the manifest; lines end where a box begins. */
function picture(keys, edges, current) {
  const isNarrow = innerWidth < 600
  const [width, height] = isNarrow ? [360, 420] : [860, 520]
  const box = {
    width: Math.min(150, Math.max(84, 7.6 * Math.max(...keys.map((key) => key.length)) + 20)),
    height: 32,
  }
  const places = new Map(keys.map((key, at) => [key, placeOf(at, keys.length, width, height, box)]))
  const pairs = new Map()
  for (const { from, to } of edges) {
    if (places.has(from) && places.has(to)) pairs.set([from, to].toSorted().join(' '), [from, to])
  }
  const isNear = (one, other) => current === null || one === current || other === current
  const lines = [...pairs.values()].map(([from, to]) =>
    line(places.get(from), places.get(to), isNear(from, to) && current !== null, from === to, box),
  )
  const near = new Set([...pairs.values()].flatMap((pair) => (pair.includes(current) ? pair : [])))
  const nodes = keys.map((key) =>
    node(
      key,
      places.get(key),
      box,
      key === current ? 'current' : near.has(key) ? 'near' : current === null ? '' : 'far',
    ),
  )
  const about = { role: 'group', 'aria-label': 'Repositories and their relations' }
  const viewBox = `0 0 ${width} ${height}`
  return h('div.picture', svg('svg', { viewBox, ...about }, lines, nodes))
}

function placeOf(at, count, width, height, box) {
  if (count === 1) return { x: width / 2, y: height / 2 }
  const turn = (at / count) * 2 * Math.PI - Math.PI / 2
  const [across, down] = [(width - box.width) / 2 - 8, (height - box.height) / 2 - 24]
  return { x: width / 2 + Math.cos(turn) * across, y: height / 2 + Math.sin(turn) * down }
}

function line(from, to, isNear, isOwn, box) {
  const kind = isNear ? 'edge near' : 'edge'
  if (!isOwn) return svg('line', { class: kind, x1: from.x, y1: from.y, x2: to.x, y2: to.y })
  const top = from.y - box.height / 2
  return svg('path', {
    class: kind,
    d: `M${from.x - 14} ${top} C${from.x - 30} ${top - 34} ${from.x + 30} ${top - 34} ${from.x + 14} ${top}`,
  })
}

function node(key, { x, y }, box, kind) {
  const label = svg(
    'text',
    { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' },
    key.length > 18 ? `${key.slice(0, 17)}…` : key,
  )
  const frame = svg('rect', { x: x - box.width / 2, y: y - box.height / 2, ...box, rx: 7 })
  const current = { 'aria-current': kind === 'current' ? 'true' : null }
  const about = { class: `node ${kind}`, href: `#/relations/${key}`, ...current }
  return svg('a', about, frame, label)
}

function words(resources, edges) {
  const sections = resources.map((resource) => {
    const relations = resource.relations.filter(({ targets }) => targets.length > 0)
    const from = edges.filter(({ from, to }) => to === resource.key && from !== to)
    const rows = relations.map((relation) =>
      h(
        'li',
        h('code', relation.name),
        ` → `,
        relation.targets.map((to, at) => [at > 0 && ' or ', link(`#/relations/${to}`, to)]),
        h('span.quiet', ` ${kindOf(relation)}`),
      ),
    )
    const back = from.map(({ from, relation }) =>
      h('li.quiet', '← ', link(`#/relations/${from}`, from), ' by its ', h('code', relation.name)),
    )
    return h(
      'section',
      h('h2', link(`#/resources/${resource.key}`, resource.key)),
      h(
        'ul.words',
        rows,
        resources.length === 1 && back,
        rows.length + back.length === 0 && h('li.quiet', 'leads nowhere'),
      ),
    )
  })
  return h('div.wordlist', sections)
}
