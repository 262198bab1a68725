import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod'
import { config as configureZod, type z } from 'zod'
import { conditionOf } from '#shared/acts.ts'
import type { Endpoint, Row, Schema } from '#shared/endpoint.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import { validationText } from '#shared/text/validation-text.ts'
import {
  beginJudgement,
  confirmRights,
  isJudgedLongAgo,
  isPermitted,
  permit,
  requireConfirmed,
  requireConfirmedFor,
  type Refresh,
  type Who,
} from './access.ts'
import { createCallLimit } from './call-limit.ts'
import { closeUnread, parseShallowJson, refuseUnknownEarly } from './bodies/body-limits.ts'
import { areChecked, BuiltAnswer, serializerOf } from '#server/platform/http/answers/built-answer.ts'
import { checkStatus, successStatusOf } from '#server/platform/http/answers/success-status.ts'
import type { OpenAPIV3 } from 'openapi-types'
import { type FindOwn, hideAnswer } from '#server/platform/phones/hide-answer.ts'
import type { Config } from '#server/platform/config.ts'
import {
  answerBadAddress,
  answerBadConnection,
  answerError,
  answerUnknownExpectation,
  errorBodyOf,
} from './http-errors.ts'
import { registerHeaders } from './headers.ts'
import type { Log } from '#server/platform/log.ts'
import { freeRefused } from './bodies/free-refused.ts'
import { type BodyTimes, limitSlowBodies, longestRequestMs, usualBodyTimes } from './bodies/slow-bodies.ts'
import { sendEtagResponse, EtagResponse } from '#server/platform/http/answers/etag-response.ts'
import { describeApi } from './api-description.ts'
import { logRequests, requestIdOf } from './request-log.ts'
import { validatorCompiler } from './validation.ts'
import { refuseForeignOrigin } from './source/own-origin.ts'

/** Authenticates a request; implemented by the users' room. */
export type Authenticate = (request: FastifyRequest) => Promise<Who | undefined>

type In<T> = z.output<NonNullable<T> & Schema>

type RowId<E extends Endpoint> = keyof E['rows'] & string

/** The arguments of a handler: validated input, and the person unless the call is public. */
export interface Call<E extends Endpoint> {
  params: In<E['params']>
  query: In<E['query']>
  body: In<E['body']>
  who: Who
  request: FastifyRequest
  reply: FastifyReply
}

/** The same of a call with several rows, of which the handler asks for the one that applies. */
export interface CallByRow<E extends Endpoint> extends Call<E> {
  /** @throws AppError 403 unless the row admits the person */
  permit(id: RowId<E>): void
  isPermitted(id: RowId<E>): boolean
}

type Out<E extends Endpoint> = z.input<NonNullable<E['reply']>>

/** Sends an answer of bytes instead of JSON, after all checks are done. */
export type SendBytes = () => FastifyReply

type Answer<E extends Endpoint> = Promise<Out<E> | BuiltAnswer<Out<E>> | EtagResponse | SendBytes>

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
type OfOneRow<E extends Endpoint> =
  IsUnion<RowId<E>> extends false ? unknown : 'A call with several rows is served by routeByRow'

/** Who may make a call, as the page of the API shows it. */
const permissionShown = (row: Row) => ({
  row: row.id,
  ...(row.isPublic ? { isPublic: true } : conditionOf(row)),
})

/** The console's HTTP server, whose calls are registered with `route` and `routeByRow`. */
export interface Http {
  app: FastifyInstance
  /** Serves a call to whomever its declaration admits. */
  route<E extends Endpoint>(call: E & OfOneRow<E>, handler: (call: Call<E>) => Answer<E>): void
  /** Serves a call with several rows: its handler asks `permit` or `isPermitted` of the one that applies. */
  routeByRow<E extends Endpoint>(call: E, handler: (call: CallByRow<E>) => Answer<E>): void
}

/** Of a person's calls. */
const bodyLimitBytes = 1_048_576
/** Of a call that anybody may make, and of one that takes no body. */
const shortBodyLimitBytes = 16_384

/** Answers to whoever may make a call once something else is done: no refusal. */
const notYet: ReadonlySet<ErrorCode> = new Set(['auth.reauthenticate', 'auth.entry_pending'])

/** Otherwise Fastify loads its compilers of schemas, which the built server does not have. */
const notUsed = () => {
  throw new Error('The compilers of zod are those of every route')
}

// Fields without a text of their own are refused in the language of the product.
configureZod({ localeError: validationText })

export async function createHttp(options: {
  config: Config
  log: Log
  authenticate: Authenticate
  /** Records that a call was refused to a signed-in person, before the answer. */
  onRefused(refusal: { who: Who; call: string; reason: ErrorCode }): Promise<void>
  refresh: Refresh
  /** For people from whom telephone numbers are hidden; without it every number in a talk is. */
  findOwn?: FindOwn
  /** Shorter in tests. */
  bodyTimes?: BodyTimes
}): Promise<Http> {
  const { config, log, authenticate, refresh, findOwn } = options
  const countCall = createCallLimit(config.callsPerMinute)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: bodyLimitBytes,
    genReqId: requestIdOf,
    // For headers and files; other bodies have a shorter limit.
    requestTimeout: longestRequestMs,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadConnection,
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: { buildValidator: notUsed, buildSerializer: notUsed } },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  })
  app.server.on('checkExpectation', answerUnknownExpectation)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.removeContentTypeParser('text/plain')
  parseShallowJson(app)
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await noteRefusal(error, request)
    answerError(error, request, reply, log)
    return reply
  })
  app.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send(errorBodyOf(new AppError('request.not_found')))
  })
  await app.register(cookie)
  // Responses only: no known client compresses requests, and a small one could expand to something huge.
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], globalDecompression: false })
  await registerHeaders(app, config)
  await app.register(swagger, {
    openapi: { info: { title: 'Balcão', version: '1' } },
    transform: jsonSchemaTransform,
  })
  const calls: Endpoint[] = []
  let description: OpenAPIV3.Document | undefined
  app.get('/api/docs', { schema: { hide: true } }, async (request) => {
    if (!(await authenticate(request))) throw new AppError('auth.required')
    return (description ??= describeApi(app.swagger() as OpenAPIV3.Document, calls))
  })
  /** What cannot be recorded is refused all the same. */
  async function noteRefusal(error: FastifyError, { who, permissionRow: call }: FastifyRequest) {
    if (!(error instanceof AppError) || error.status !== 403 || !who || call === undefined) return
    if (notYet.has(error.code)) return
    await options.onRefused({ who, call, reason: error.code }).catch((failure: unknown) => {
      log.error({ err: failure, call }, 'refusal not recorded')
    })
  }
  logRequests(app, log, config.isAccessLogged)
  closeUnread(app)
  freeRefused(app)
  refuseUnknownEarly(app)
  limitSlowBodies(app, options.bodyTimes ?? usualBodyTimes)
  app.addHook('onRequest', async (request) => refuseForeignOrigin(request, config))

  // Forms are parsed only where a file is expected.
  let taking: FastifyInstance = app
  await app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false })
    taking = scope
  })

  function serve<E extends Endpoint>(call: E, handler: (call: CallByRow<E>) => Answer<E>) {
    calls.push(call)
    const rows: Readonly<Record<string, Row>> = call.rows
    const [first, ...others] = Object.values(rows)
    if (!first) throw new Error(`${call.method} ${call.path} has no row`)
    const isPublic = first.isPublic === true
    const success = successStatusOf(call)
    const schema = {
      summary: call.summary,
      'x-permission': Object.values(rows).map(permissionShown),
      ...(call.params && { params: call.params }),
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
      ...(call.reply && { response: { [success]: call.reply } }),
    }
    const serializeBuilt = serializerOf(call)
    const judge = async (request: FastifyRequest) => {
      if (isPublic) return
      const who = await authenticate(request)
      if (!who) throw new AppError('auth.required')
      request.who = who
      request.permissionRow = first.id
      if (who.pending && !call.isEntry) throw new AppError('auth.entry_pending')
      beginJudgement(who, refresh)
      if (others.length === 0) permit(who, first)
      // Of several rows the handler asks for the one that applies; who has none of them needs no answer
      // to it.
      else if (!Object.values(rows).some((row) => isPermitted(who, row))) throw new AppError('auth.forbidden')
      if (call.isSensitive === true) requireConfirmed(who)
    }
    const server = call.takesFile ? taking : app
    server.route({
      method: call.method,
      url: call.path,
      schema,
      config: { takesFile: call.takesFile === true },
      bodyLimit: isPublic || !call.body ? shortBodyLimitBytes : bodyLimitBytes,
      // Before the body is read, so that a stranger's costs nothing.
      onRequest: async (request) => {
        await judge(request)
        if (request.who && !call.isUncounted) countCall(request.who.id)
      },
      preValidation: async (request) => {
        if (request.who && isJudgedLongAgo(request.who)) await judge(request)
      },
      preHandler: async ({ who, body }) => {
        if (who) requireConfirmedFor(call, who, body)
      },
      onSend: areChecked ? [async (_request, reply) => checkStatus(call, reply)] : [],
      handler: async (request, reply) => {
        let isJudged = others.length === 0
        const handle = () =>
          handler({
            params: request.params as never,
            query: request.query as never,
            body: request.body as never,
            who: request.who as Who,
            request,
            reply,
            permit(id) {
              isJudged = true
              request.permissionRow = id
              permit(request.who as Who, rows[id] as Row)
            },
            isPermitted(id) {
              isJudged = true
              return isPermitted(request.who as Who, rows[id] as Row)
            },
          })
        let result = await handle()
        // A slow answer shows what the person may see by now. Acts ask in their transactions.
        if (call.method === 'GET' && request.who && (await confirmRights(request.who)))
          result = await handle()
        // The linter finds such handlers beforehand; this catches those that it cannot analyse.
        if (!isJudged) throw new Error(`${call.method} ${call.path}: none of its rows was asked for`)
        if (reply.sent) return reply
        if (typeof result === 'function') return (result as SendBytes)()
        if (request.who?.hidesPhones) result = (await hideAnswer(call, request, result, findOwn)) as never
        if (result instanceof EtagResponse) return sendEtagResponse(request, reply, result)
        void reply.code(success)
        if (!call.reply) return reply.send()
        if (!(result instanceof BuiltAnswer)) return reply.send(result)
        return reply.type('application/json; charset=utf-8').serializer(serializeBuilt).send(result.value)
      },
    })
  }
  return { app, route: (call, handler) => serve(call, handler), routeByRow: serve }
}

declare module 'fastify' {
  interface FastifyRequest {
    who?: Who
    /** The row of the permission table that was asked for last. */
    permissionRow?: string | undefined
  }
}
