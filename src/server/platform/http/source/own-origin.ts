import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { mayBeOurScheme } from '#shared/http/page-origin.ts'
import type { Config } from '#server/platform/config.ts'
import { bearerOf } from '../bearer.ts'

/**
 * Protects against cross-site requests: one that changes something and has no bearer token must come from our
 * own origin.
 */
export function refuseForeignOrigin(request: FastifyRequest, config: Config): void {
  // The route and not the path: '/%61pi/…' leads to the same handler.
  const route = request.routeOptions.url ?? ''
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || !route.startsWith('/api/')) return
  // A malformed token does not count: the request would be identified by its cookie.
  if (bearerOf(request.headers) !== undefined || route.startsWith('/api/webhook/')) return
  const { origin } = request.headers
  if (origin ? isOwnOrigin(origin, request.headers, config) : !request.headers.cookie) return
  throw new AppError('request.cross_origin')
}

/** The address at which people reach us: PUBLIC_URL, or the one that the browser of this request uses. */
export function ownAddress(
  request: Pick<FastifyRequest, 'protocol' | 'headers'>,
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
): string {
  return publicUrl ?? `${request.protocol}://${request.headers.host ?? `127.0.0.1:${port}`}`
}

/** Whether an origin is ours: PUBLIC_URL, or else the host that the browser uses; by `mayBeOurScheme`. */
export function isOwnOrigin(origin: string, headers: IncomingHttpHeaders, config: Config): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  if (!mayBeOurScheme(url.protocol, headers)) return false
  const { host } = headers
  if (config.publicUrl) return url.origin === new URL(config.publicUrl).origin || isLoopbackTwin(url, host)
  return url.host === host
}

/** A browser on the server itself, beside a PUBLIC_URL. */
function isLoopbackTwin(url: URL, host: string | undefined): boolean {
  return url.host === host && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}
