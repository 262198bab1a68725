import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isFromThisMachine } from '#shared/http/local-name.ts'
import type { DemoSignIn } from '#shared/users/users.ts'

/** @param webDir the built web, with index.html and, in a demo, simulador.html */
export interface WebPagesOptions {
  webDir: string
  isDemo: boolean
  publicUrl: string | undefined
  hasSimulator: boolean
  /** The people that a demo offers at its sign-in; undefined where strangers could reach it. */
  demoSignIn?: (() => DemoSignIn | undefined) | undefined
}

const isBuiltName = /^\w[\w.-]*$/
const isCompressed = /\.(br|gz)$/

/**
 * Serves the console: any address that is neither a call nor a file gets its page, since it does its own
 * routing.
 */
export async function registerWebPages(app: FastifyInstance, options: WebPagesOptions): Promise<void> {
  await registerFiles(app, options.webDir)
  const page = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const { headers, socket } = request
    const { host } = headers
    const nonce = randomBytes(16).toString('base64')
    const html = await readFile(join(options.webDir, name), 'utf8')
    const isFromHere = isFromThisMachine({ headers, remoteAddress: socket.remoteAddress })
    const offer = isFromHere ? options.demoSignIn?.() : undefined
    const metas = [
      metaOf('csp-nonce', nonce),
      options.isDemo && metaOf('balcao-demo', 'on'),
      offer && metaOf('balcao-demo-sign-in', JSON.stringify(offer)),
    ]
      .filter(Boolean)
      .join('')
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce, socketsOf(host, options.publicUrl)))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replace('<head>', () => `<head>${metas}`))
  }
  if (options.hasSimulator)
    app.get('/simulador', { schema: { hide: true } }, (request, reply) =>
      page('simulador.html', request, reply),
    )
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    // Not with URL, which throws for some addresses.
    const [path = '/'] = request.url.split('?', 1)
    if (/^\/(api|ws|simulador|metrics|healthz|readyz)(\/|$)|\.[a-z0-9]{2,5}$/i.test(path))
      return reply.callNotFound()
    return page('index.html', request, reply)
  })
}

/**
 * Serves the built files, and those of the build before, which pages that are open since then load when they
 * need them.
 */
async function registerFiles(app: FastifyInstance, webDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: [webDir, `${webDir}-before`],
    // There is a build before only from the second one on.
    suppressWarning: true,
    serve: false,
    index: false,
    // The build has compressed them.
    preCompressed: true,
    // The names of built files contain a hash of their content.
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  const hidden = { schema: { hide: true } }
  // A route for each of some hundred files would be 2 MB, and would not have those of a later build.
  app.get<{ Params: { name: string } }>('/assets/:name', hidden, ({ params: { name } }, reply) =>
    isBuiltName.test(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound(),
  )
  for (const entry of readdirSync(webDir, { withFileTypes: true }))
    if (entry.isFile() && !isCompressed.test(entry.name))
      app.get(`/${entry.name}`, hidden, (_request, reply) => reply.sendFile(entry.name))
}

function metaOf(name: string, content: string): string {
  return `<meta name="${name}" content="${content.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
}

/**
 * The address of our own sockets for the policy, since older browsers do not count them as 'self'; '' for a
 * Host that is none.
 */
function socketsOf(host: string | undefined, publicUrl: string | undefined): string {
  if (publicUrl) return new URL(publicUrl).origin.replace(/^http/, 'ws')
  return host !== undefined && /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)
    ? `ws://${host} wss://${host}`
    : ''
}

function contentSecurityPolicy(nonce: string, sockets: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob: data:",
    `connect-src 'self' ${sockets}`.trimEnd(),
    "font-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
