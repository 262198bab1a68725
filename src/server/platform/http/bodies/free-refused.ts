import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { collectGarbage } from '#server/platform/memory.ts'

/** What has been read of refused requests before it is freed. */
const mostReadBytes = 4 * 1_048_576
/** The pause after a collection, which itself takes about as long. */
const pauseMs = 50

/**
 * Frees what was read of refused requests. It is in buffers outside the heap of V8, which on its own collects
 * them only when they have grown by 64 MiB.
 */
export function freeRefused(app: FastifyInstance, collect: () => void = collectGarbage): void {
  const counted = new WeakMap<Socket, number>()
  let readBytes = 0
  let collectedAtMs = -Infinity
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    reply.raw.once('close', () => {
      const newBytes = socket.bytesRead - (counted.get(socket) ?? 0)
      counted.set(socket, socket.bytesRead)
      if (request.raw.complete && reply.raw.statusCode < 400) return
      readBytes += newBytes
      if (readBytes < mostReadBytes || performance.now() - collectedAtMs < pauseMs) return
      collect()
      readBytes = 0
      collectedAtMs = performance.now()
    })
    done()
  })
}
