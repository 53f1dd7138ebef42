import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { openProject, type Edits, type Project } from '../../support/project.js'

export interface Pages {
  readonly origin: string
  readonly blog: Project
  close(): Promise<void>
}

/** The blog, or another fixture, in development and on a port, as a browser reaches it. */
export const servePages = async (edits: Edits = {}, fixture = 'blog'): Promise<Pages> =>
  serveProject(await openProject(fixture, 'sqlite', edits, 'development'))

export async function serveProject(blog: Project): Promise<Pages> {
  const server = createServer(
    getRequestListener((request, bindings) => blog.fetch(request, bindings)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a TCP server.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    blog,
    close: async () => {
      server.close()
      await blog.close()
    },
  }
}
