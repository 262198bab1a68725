import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { isFromThisMachine } from '#shared/http/local-name.ts'
import { mayBeOurScheme } from '#shared/http/page-origin.ts'
import type { Control } from './control.ts'
import { largeBodies, type LargeBodies, readControlBodies } from './control-bodies.ts'
import { controlError, isControlError } from './control-errors.ts'
import {
  bySchema,
  editSchema,
  sendAnswersSchema,
  typingSchema,
  versionSchema,
} from '#simulator/control-api.ts'
import type { SimulatorEvent } from '#simulator/control-views.ts'

const idSchema = z.object({ id: z._default(z.string(), ''), messageId: z._default(z.string(), '') })
function numberIn(request: FastifyRequest, name: string): number | undefined {
  return z
    .object({ [name]: z.optional(z.coerce.number().check(z.int(), z.minimum(0))) })
    .parse(request.query)[name]
}

const heartbeatMs = 15_000

/** Streams every event to one page as server-sent events, beginning with the whole state. */
function stream(control: Control, request: FastifyRequest, reply: FastifyReply): () => void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  const sendEvent = (event: SimulatorEvent) => raw.write(`data: ${JSON.stringify(event)}\n\n`)
  sendEvent({ type: 'state', state: control.state() })
  const unwatch = control.watch(sendEvent)
  const heartbeat = setInterval(() => raw.write(': \n\n'), heartbeatMs)
  function end() {
    clearInterval(heartbeat)
    unwatch()
    raw.end()
  }
  request.raw.on('close', end)
  return end
}

/** What a call names: by its path, its query and its body, which the control checks. */
interface Call {
  id: string
  messageId: string
  /** A number of the query. */
  number(name: string): number | undefined
  query: unknown
  body: never
}
type Act = (control: Control, call: Call) => unknown

/** A call with a result is answered with 200 or, where it makes something, with 201; all others with 204. */
const reads: Record<string, Act> = {
  '/phones': (control) => control.phones(),
  '/phones/:id/chat': (control, { id, number }) => control.chat(id, number('limit')),
  '/state': (control) => control.state(),
  '/faults': (control) => control.faults(),
  '/version': (control) => ({ version: control.version() }),
  '/oracle': (control, { number }) => control.oracle(number('since')),
  '/log': (control) => control.log(),
}
const posts: Record<string, Act> = {
  '/phones': (control, { body }) => control.createPhone(body),
  '/phones/:id/messages': (control, { id, body }) => control.send(id, body),
  '/phones/:id/owner-messages': (control, { id, body }) => control.sendAsOwner(id, body),
  '/phones/:id/reactions': (control, { id, body }) => control.react(id, body),
  '/phones/:id/messages/:messageId/played': (control, { id, messageId }) => control.played(id, messageId),
  '/phones/:id/typing': (control, { id, body }) => control.typing(id, typingSchema.parse(body).state),
  '/phones/:id/open': (control, { id }) => control.open(id),
  // Votes, pins, calls, and events outside the chat.
  '/phones/:id/votes': (control, { id, body }) => control.voteInPoll(id, body),
  '/phones/:id/pins': (control, { id, body }) => control.pin(id, body),
  '/phones/:id/calls': (control, { id, body }) => control.call(id, body),
  '/phones/:id/elsewhere': (control, { id, body }) => control.sendElsewhere(id, body),
  '/phones/:id/history-sync': (control, { id, body }) => control.syncHistory(id, body),
  '/contact-sync': (control, { body }) => control.syncContacts(body),
  '/send-answers': (control, { body }) => control.nextSendAnswers(sendAnswersSchema.parse(body).answers),
  '/webhooks': (control, { body }) => control.inject(body),
}
const changes: Record<string, Act> = {
  '/phones/:id': (control, { id, body }) => control.changePhone(id, body),
  '/phones/:id/messages/:messageId': (control, { id, messageId, body }) => {
    const { text, by } = editSchema.parse(body)
    return control.edit(id, messageId, text, by)
  },
  '/faults': (control, { body }) => control.setFaults(body),
}
const removals: Record<string, Act> = {
  '/phones/:id/messages/:messageId': (control, { id, messageId, query }) =>
    control.remove(id, messageId, bySchema.parse(query).by),
  '/log': (control) => control.clearLog(),
  '/send-answers': (control) => control.clearSendAnswers(),
}
const puts: Record<string, Act> = {
  '/version': (control, { body }) => {
    const { version, licensed } = versionSchema.parse(body)
    return { version: control.setVersion(version, licensed) }
  },
}
const methods = { GET: reads, POST: posts, PATCH: changes, DELETE: removals, PUT: puts }

function callRoutes(app: FastifyInstance, control: Control, { file, webhook }: LargeBodies) {
  const large: Record<string, { bodyLimit: number }> = {
    '/phones/:id/messages': file,
    '/phones/:id/owner-messages': file,
    '/webhooks': webhook,
  }
  for (const [method, acts] of Object.entries(methods))
    for (const [url, act] of Object.entries(acts))
      app.route({
        method,
        url,
        ...(method === 'POST' && large[url]),
        handler: async (request, reply) => {
          const { id, messageId } = idSchema.parse(request.params)
          const number = (name: string) => numberIn(request, name)
          const { query, body } = request
          const result = await act(control, {
            id,
            messageId,
            number,
            query,
            body: (body ?? undefined) as never,
          })
          if (result === undefined) return reply.code(204).send()
          return reply.code(method === 'POST' ? 201 : 200).send(result)
        },
      })
}

function mediaRoute(app: FastifyInstance, control: Control) {
  app.get('/media/:id', (request, reply) => {
    const media = control.media(idSchema.parse(request.params).id)
    if (!media)
      return reply.code(404).send({ code: 'simulator.media_not_found', message: 'Mídia não encontrada' })
    // A phone may send any type of file: it is shown, never executed.
    reply
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
    return reply.type(media.mimetype).send(Buffer.from(media.base64, 'base64'))
  })
}

/** Whether a page of another origin made the call. Older browsers name only the origin of what is sent. */
function isForeign({ headers }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const page = new URL(origin)
  return page.host !== host || !mayBeOurScheme(page.protocol, headers)
}

/**
 * The control API over HTTP: the methods of `Control`; errors are `{ code, message }`. Mountable under any
 * prefix.
 * @param isPublic whether it may be called from anywhere, and not only from this machine
 */
export function createControlPlugin(
  control: Control,
  { isPublic }: { isPublic: boolean },
): FastifyPluginAsync {
  return async (app) => {
    const open = new Set<() => void>()
    // The API has no key, so pages of other origins in the same browser must be rejected.
    app.addHook('onRequest', async (request) => {
      const { headers, socket } = request
      const isFromHere = isFromThisMachine({ headers, remoteAddress: socket.remoteAddress })
      if (isForeign(request) || !(isPublic || isFromHere))
        throw controlError(403, 'simulator.foreign_page', 'Chamada de outra página')
    })
    readControlBodies(app, isPublic)
    app.setErrorHandler((error: FastifyError, request, reply) => {
      // What is left of a refused body is not read.
      if (!request.raw.complete) void reply.header('connection', 'close')
      if (isControlError(error) && error.code.startsWith('simulator.'))
        return reply.code(error.status).send({ code: error.code, message: error.message })
      if (error instanceof z.core.$ZodError)
        return reply.code(400).send({ code: 'simulator.invalid', message: z.prettifyError(error) })
      if (error.statusCode === 413)
        return reply.code(413).send({ code: 'simulator.too_large', message: 'O arquivo é grande demais' })
      const message = error instanceof Error ? error.message : String(error)
      return reply.code(500).send({ code: 'simulator.failed', message })
    })
    callRoutes(app, control, largeBodies(isPublic))
    mediaRoute(app, control)
    app.get('/events', (request, reply) => {
      const end = stream(control, request, reply)
      open.add(end)
      request.raw.on('close', () => open.delete(end))
    })
    // Streams never end by themselves and would keep the server from closing.
    app.addHook('preClose', async () => {
      for (const end of open) end()
    })
  }
}
