import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { isLocalName } from '#shared/http/local-name.ts'
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
import type {
  ContactSync,
  Elsewhere,
  FaultsPatch,
  HistorySync,
  Injection,
  NewPhone,
  PhoneCall,
  PhoneMessage,
  PhonePatch,
  Pin,
  Reaction,
  Vote,
} from '#simulator/control-api.ts'
import type { SimulatorEvent } from '#simulator/control-views.ts'

const idSchema = z.object({ id: z.string(), messageId: z._default(z.string(), '') })
function idsOf(request: FastifyRequest) {
  return idSchema.parse(request.params)
}
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

function phoneRoutes(app: FastifyInstance, control: Control, { file }: LargeBodies) {
  app.get('/phones', () => control.phones())
  app.post('/phones', (request, reply) => reply.code(201).send(control.createPhone(request.body as NewPhone)))
  app.patch('/phones/:id', (request) => control.changePhone(idsOf(request).id, request.body as PhonePatch))
  app.get('/phones/:id/chat', (request) => control.chat(idsOf(request).id, numberIn(request, 'limit')))
  app.post('/phones/:id/messages', file, (request, reply) =>
    reply.code(201).send(control.send(idsOf(request).id, request.body as PhoneMessage)),
  )
  app.post('/phones/:id/owner-messages', file, (request, reply) =>
    reply.code(201).send(control.sendAsOwner(idsOf(request).id, request.body as PhoneMessage)),
  )
  app.post('/phones/:id/reactions', (request, reply) =>
    reply.code(201).send(control.react(idsOf(request).id, request.body as Reaction)),
  )
  app.patch('/phones/:id/messages/:messageId', (request) => {
    const { id, messageId } = idsOf(request)
    const { text, by } = editSchema.parse(request.body)
    return control.edit(id, messageId, text, by)
  })
  app.delete('/phones/:id/messages/:messageId', (request) => {
    const { id, messageId } = idsOf(request)
    return control.remove(id, messageId, bySchema.parse(request.query).by)
  })
  app.post('/phones/:id/messages/:messageId/played', (request, reply) => {
    const { id, messageId } = idsOf(request)
    control.played(id, messageId)
    return reply.code(204).send()
  })
  app.post('/phones/:id/typing', (request, reply) => {
    control.typing(idsOf(request).id, typingSchema.parse(request.body).state)
    return reply.code(204).send()
  })
  app.post('/phones/:id/open', (request, reply) => {
    control.open(idsOf(request).id)
    return reply.code(204).send()
  })
}

/** Votes, pins, calls, and events outside the chat. */
function phoneEventRoutes(app: FastifyInstance, control: Control) {
  app.post('/phones/:id/votes', (request, reply) =>
    reply.code(201).send(control.voteInPoll(idsOf(request).id, request.body as Vote)),
  )
  app.post('/phones/:id/pins', (request, reply) =>
    reply.code(201).send(control.pin(idsOf(request).id, request.body as Pin)),
  )
  app.post('/phones/:id/calls', (request, reply) =>
    reply.code(201).send(control.call(idsOf(request).id, request.body as PhoneCall)),
  )
  app.post('/phones/:id/elsewhere', (request, reply) => {
    control.sendElsewhere(idsOf(request).id, request.body as Elsewhere)
    return reply.code(204).send()
  })
  app.post('/phones/:id/history-sync', (request, reply) => {
    control.syncHistory(idsOf(request).id, (request.body ?? {}) as HistorySync)
    return reply.code(204).send()
  })
  app.post('/contact-sync', (request, reply) => {
    control.syncContacts((request.body ?? {}) as ContactSync)
    return reply.code(204).send()
  })
}

function gatewayRoutes(app: FastifyInstance, control: Control, { webhook }: LargeBodies) {
  app.get('/state', () => control.state())
  app.get('/faults', () => control.faults())
  app.patch('/faults', (request) => control.setFaults(request.body as FaultsPatch))
  app.get('/version', () => ({ version: control.version() }))
  app.put('/version', (request) => {
    const { version, licensed } = versionSchema.parse(request.body)
    return { version: control.setVersion(version, licensed) }
  })
  app.get('/oracle', (request) => control.oracle(numberIn(request, 'since')))
  app.get('/log', () => control.log())
  app.delete('/log', (_request, reply) => {
    control.clearLog()
    return reply.code(204).send()
  })
  app.post('/send-answers', (request, reply) => {
    control.nextSendAnswers(sendAnswersSchema.parse(request.body).answers)
    return reply.code(204).send()
  })
  app.delete('/send-answers', (_request, reply) => {
    control.clearSendAnswers()
    return reply.code(204).send()
  })
  app.post('/webhooks', webhook, async (request, reply) => {
    await control.inject(request.body as Injection)
    return reply.code(204).send()
  })
  app.get('/media/:id', (request, reply) => {
    const media = control.media(idsOf(request).id)
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
 * @param isPublic whether it may be called by any name, and not only by those of this machine
 */
export function createControlPlugin(
  control: Control,
  { isPublic }: { isPublic: boolean },
): FastifyPluginAsync {
  return async (app) => {
    const open = new Set<() => void>()
    // The API has no key, so pages of other origins in the same browser must be rejected.
    app.addHook('onRequest', async (request) => {
      if (isForeign(request) || !(isPublic || isLocalName(request.headers.host)))
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
    const large = largeBodies(isPublic)
    phoneRoutes(app, control, large)
    phoneEventRoutes(app, control)
    gatewayRoutes(app, control, large)
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
