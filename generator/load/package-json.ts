import { transform, type TransformFailure } from 'esbuild'

/** `package.json:4:3  'package.json' cannot be read: …`, or null when it can: Node only shows where it gave up. */
export async function packageProblem(text: string): Promise<string | null> {
  try {
    await transform(text, { loader: 'json', logLevel: 'silent' })
    return null
  } catch (error) {
    const [problem] = (error as TransformFailure).errors // all that esbuild throws
    const { line = 1, column = 0 } = problem?.location ?? {}
    const why = problem?.text ?? String(error)
    return `package.json:${line}:${column + 1}  'package.json' cannot be read: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
  }
}
