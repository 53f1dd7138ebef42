/** A server on a port of its own, as a client in another process would find it. */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { CountedResponse } from '../../../runtime/http/counted-response.js'

export interface Served {
  readonly baseUrl: string
  close(): Promise<void>
}

export async function served(
  fetch: (request: Request, bindings: unknown) => Response | Promise<Response>,
): Promise<Served> {
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const made = serve(
      {
        ...{ fetch, port: 0, hostname: '127.0.0.1' },
        serverOptions: { ServerResponse: CountedResponse },
      },
      () => resolve(made),
    )
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
