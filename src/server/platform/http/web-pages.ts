import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** @param webDir the built web, with index.html and, in a demo, simulador.html */
export interface WebPagesOptions {
  webDir: string
  isDemo: boolean
  isHttps: boolean
  hasSimulator: boolean
}

/**
 * Serves the console: any address that is neither a call nor a file gets its page, since it does its own
 * routing.
 */
export async function registerWebPages(app: FastifyInstance, options: WebPagesOptions): Promise<void> {
  await app.register(fastifyStatic, {
    root: options.webDir,
    wildcard: false,
    index: false,
    serve: true,
    // The names of built files contain a hash of their content.
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  const page = async (name: string, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    const html = await readFile(join(options.webDir, name), 'utf8')
    const metas =
      `<meta name="csp-nonce" content="${nonce}">` +
      (options.isDemo ? '<meta name="balcao-demo" content="on">' : '')
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce, options.isHttps))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replace('<head>', `<head>${metas}`))
  }
  if (options.hasSimulator)
    app.get('/simulador', { schema: { hide: true } }, (_request, reply) => page('simulador.html', reply))
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    if (
      /^\/(api|ws|simulador|metrics|healthz|readyz)(\/|$)|\.[a-z0-9]{2,5}$/i.test(
        new URL(request.url, 'http://host').pathname,
      )
    )
      return reply.callNotFound()
    return page('index.html', reply)
  })
}

function contentSecurityPolicy(nonce: string, isHttps: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob: data:",
    // Older browsers do not count a socket of the same host as 'self'.
    `connect-src 'self' ${isHttps ? 'wss:' : 'ws:'}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
