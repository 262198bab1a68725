import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createDepthCheck } from '#shared/http/json-depth.ts'
import { controlError } from './control-errors.ts'

const mebibyte = 1_048_576

/** The routes whose bodies contain files or whole webhooks have this; all others take 1 MiB. */
export interface LargeBodies {
  /** Of a message with its file in base64. */
  file: { bodyLimit: number }
  webhook: { bodyLimit: number }
}

/**
 * The largest bodies. Whoever works on this machine may send what a phone may, 100 MB. A visitor of a public
 * demonstration may send a file of 16 MiB, and has no page that posts webhooks.
 */
export const largeBodies = (isPublic: boolean): LargeBodies => ({
  file: { bodyLimit: (isPublic ? 22 : 136) * mebibyte },
  webhook: { bodyLimit: (isPublic ? 1 : 136) * mebibyte },
})

/** A body above this counts as one of the few that are read at once. */
const smallBytes = 65_536
const mostMs = 30_000

/** Reads the JSON of a control API: few large bodies at once, none that nests too deep. */
export function readControlBodies(app: FastifyInstance, isPublic: boolean): void {
  const mostAtOnce = isPublic ? 2 : 8
  let atOnce = 0
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { headers } = request
    const isLarge =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes
    if (!isLarge) return
    if (atOnce >= mostAtOnce)
      throw controlError(503, 'simulator.busy', 'Há muitos envios ao mesmo tempo. Tente de novo.')
    atOnce++
    const slow = setTimeout(() => request.raw.destroy(), mostMs)
    request.raw.once('end', () => clearTimeout(slow))
    reply.raw.once('close', () => {
      clearTimeout(slow)
      atOnce--
    })
  })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (createDepthCheck()(body))
      return done(controlError(400, 'simulator.invalid', 'O conteúdo tem níveis demais'))
    try {
      done(null, JSON.parse(body.toString('utf8')))
    } catch {
      done(controlError(400, 'simulator.invalid', 'O conteúdo não é JSON'))
    }
  })
}
