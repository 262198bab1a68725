import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayError, isGatewayError, licenceRequired, refuse } from './gateway-errors.ts'
import { acceptForms } from './multipart.ts'
import type { Instance } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** A call: its instance (undefined where the path has none), body and query. */
export interface Call {
  instance: Instance
  body: unknown
  query: Record<string, string>
  key: string | undefined
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export interface Answer {
  status: number
  /** A string is sent verbatim, anything else as JSON. */
  body: unknown
  detail?: string
  /** Closes the connection before the answer, or within its body. */
  cut?: 'before' | 'within'
}
export type Handler = (call: Call) => Answer | Promise<Answer>

const megabyte = 1024 * 1024

function keyOf(request: FastifyRequest) {
  const { apikey } = request.headers
  return typeof apikey === 'string' ? apikey : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Otherwise Fastify loads its compilers of schemas, which the built server does not have. */
const noSchemas = () => {
  throw new Error('The routes of the gateway have no schemas')
}

/** The gateway's HTTP server, with the JSON and error handling of Express and Evolution. */
export function createGatewayServer(): FastifyInstance {
  const app = fastify({
    bodyLimit: 136 * megabyte,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    if (text.length === 0) return done(null, {})
    try {
      done(null, JSON.parse(text.toString()))
    } catch (error) {
      const message = error instanceof Error ? error.message : 'malformed'
      done(gatewayError(400, message, 'Internal Server Error'))
    }
  })
  acceptForms(app)
  app.setErrorHandler((error, _request, reply) => {
    if (isGatewayError(error)) return reply.code(error.status).send(error.body)
    const message = error instanceof Error ? error.message : String(error)
    return reply.code(500).send(gatewayError(500, message).body)
  })
  app.setNotFoundHandler((request, reply) => {
    const { body, status } = refuse(404, `Cannot ${request.method} ${request.url.split('?')[0]}`)
    return reply.code(status).send(body)
  })
  return app
}

/** Announces the full length, then closes the connection before or within the body. */
function cutOff(reply: FastifyReply, status: number, where: 'before' | 'within', text: string) {
  reply.hijack()
  if (where === 'before') return void reply.raw.destroy()
  reply.raw.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy())
}

// 'sendText', but 'webhook/set': 'set' alone would be unclear in the log.
function nameOf(path: string) {
  return path.replace(/^\/((message|chat)\/)?/, '') || '/'
}

/** Registers calls as Evolution does: checks that the instance exists, then the key; every call is logged. */
export function createRoutes(app: FastifyInstance, world: World) {
  function findInstance(name: string): Instance {
    const instance = world.state.instances.get(name)
    if (!instance) throw refuse(404, `The "${name}" instance does not exist`)
    return instance
  }

  async function run(name: string, isLogged: boolean, handler: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now()
    function logCall(status: number, detail: string) {
      if (isLogged || status >= 400)
        world.feed.line(
          'chamada',
          name,
          detail,
          `${status} em ${Math.round(performance.now() - startedAt)} ms`,
        )
    }
    try {
      const answer = await handler()
      logCall(answer.status, answer.detail ?? '')
      return answer
    } catch (error) {
      if (isGatewayError(error)) logCall(error.status, JSON.stringify(error.body).slice(0, 120))
      throw error
    }
  }

  const register = (
    method: Method,
    url: string,
    name: string,
    prepare: (request: FastifyRequest) => {
      call: Omit<Call, 'instance'> & { instance?: Instance }
      handler: Handler
    },
  ) =>
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const answer = await run(name, method !== 'GET', async () => {
          const { version, licensed } = world.state
          if (version === '2.4' && !licensed && url !== '/') throw licenceRequired(world.serverUrl())
          const { call, handler } = prepare(request)
          return handler(call as Call)
        })
        const type = typeof answer.body === 'string' ? 'text/html' : 'application/json; charset=utf-8'
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
        if (answer.cut) return cutOff(reply, answer.status, answer.cut, text)
        return reply.code(answer.status).header('content-type', type).send(text)
      },
    })

  const partsOf = (request: FastifyRequest) => ({
    body: isObject(request.body) ? request.body : {},
    query: (request.query ?? {}) as Record<string, string>,
    key: keyOf(request),
  })

  return {
    /** A call on one instance: `/message/sendText` becomes `/message/sendText/:instanceName`. */
    onInstance: (method: Method, path: string, handler: Handler) =>
      register(method, `${path}/:instanceName`, nameOf(path), (request) => {
        const { instanceName } = request.params as { instanceName: string }
        const parts = partsOf(request)
        const instance = findInstance(instanceName)
        if (parts.key === undefined || (parts.key !== world.apiKey && parts.key !== instance.token))
          throw gatewayError(401, 'Unauthorized')
        return { call: { ...parts, instance }, handler }
      }),
    /** A call without an instance in its path; checks the key itself. */
    onServer: (
      method: 'GET' | 'POST',
      path: string,
      handler: (call: Omit<Call, 'instance'>) => Answer | Promise<Answer>,
    ) =>
      register(method, path, nameOf(path), (request) => ({
        call: partsOf(request),
        handler,
      })),
  }
}
export type Routes = ReturnType<typeof createRoutes>
