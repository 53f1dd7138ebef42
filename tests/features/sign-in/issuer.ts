import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { AuthProject } from './project.js'

interface Claims {
  readonly issuer: string
  readonly audience: string
  readonly expires: string
  readonly foreign: boolean
}

/** An issuer on this machine: its keys, and tokens of its own or forged ones. */
export async function openIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const rare = await generateKeyPair('ES512')
  const rareJwk = { ...(await exportJWK(rare.publicKey)), kid: 'rare', use: 'sig' }
  const server = await listen((_, answer) => {
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ keys: [jwk, rareJwk] }))
  })
  const sign = (claims: Record<string, unknown>, more: Partial<Claims> = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(more.issuer ?? 'https://issuer.test')
      .setAudience(more.audience ?? 'blog')
      .setExpirationTime(more.expires ?? '5m')
      .sign(more.foreign === true ? other.privateKey : privateKey)
  const signForEver = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer('https://issuer.test')
      .setAudience('blog')
      .sign(privateKey)
  const signRarely = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES512', kid: 'rare' })
      .setIssuer('https://issuer.test')
      .setAudience('blog')
      .setExpirationTime('5m')
      .sign(rare.privateKey)
  return { ...server, sign, signForEver, signRarely }
}

export async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

/** A config that takes its tokens. */
export const configured = (url: string, claim: string, column: string) => (text: string) =>
  text.replace(
    'jwt: null',
    `jwt: { issuer: 'https://issuer.test', audience: 'blog', jwks_url: '${url}', claim: '${claim}', column: '${column}' }`,
  )

export const profile = async (project: AuthProject, token: string) =>
  (await project.as(token, 'GET', '/api/svc/profile')).status
