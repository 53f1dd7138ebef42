const declaration = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm

/** `app/Models.ts: Post` for each export that is named nowhere but where it is declared. */
export function unusedExports(texts: ReadonlyMap<string, string>): readonly string[] {
  const counts = countWords([...texts.values()])
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(declaration)]
      .map(([, name = '']) => name)
      .filter((name) => (counts.get(name) ?? 0) < 2)
      .map((name) => `${path}: ${name}`),
  )
}

/** How often a word stands in code; what comments say does not count. */
function countWords(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    for (const [word] of code.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
