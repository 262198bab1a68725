import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freeRefused } from './free-refused.ts'

const mebibyte = 1_048_576

/** A server whose only call answers with the status in its address, over one connection. */
async function server() {
  const collect = vi.fn<() => void>()
  const app = fastify({ bodyLimit: 8 * mebibyte })
  freeRefused(app, collect)
  app.post<{ Params: { status: string } }>('/:status', async ({ params }, reply) =>
    reply.code(Number(params.status)).send({}),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    agent.destroy()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const post = (status: number, bytes: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const call = request({ port, host: '127.0.0.1', agent, method: 'POST', path: `/${status}`, headers })
      call.on('error', reject)
      call.on('response', (answer) => answer.resume().on('end', resolve))
      call.end(JSON.stringify('x'.repeat(bytes)))
    })
  return { collect, post }
}

test('what was read of refused bodies is freed, in parts of 4 MiB', async () => {
  const { collect, post } = await server()
  for (let n = 0; n < 3; n++) await post(401, mebibyte)
  expect(collect).not.toHaveBeenCalled()
  await post(503, 2 * mebibyte)
  await expect.poll(() => collect.mock.calls.length).toBe(1)
  // Not what was counted already, though it came by the same connection.
  for (let n = 0; n < 3; n++) await post(401, mebibyte)
  await post(200, 10)
  expect(collect).toHaveBeenCalledTimes(1)
})

test('memory is not freed again within the pause, but then', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const { collect, post } = await server()
  await post(401, 5 * mebibyte)
  await expect.poll(() => collect.mock.calls.length).toBe(1)
  await post(401, 5 * mebibyte)
  await post(200, 10)
  expect(collect).toHaveBeenCalledTimes(1)
  clock.mockReturnValue(1060)
  await post(401, 10)
  await expect.poll(() => collect.mock.calls.length).toBe(2)
  vi.restoreAllMocks()
})

test('an accepted body costs no collection, however large', async () => {
  const { collect, post } = await server()
  for (let n = 0; n < 2; n++) await post(200, 6 * mebibyte)
  await post(401, 10)
  await post(200, 10)
  expect(collect).not.toHaveBeenCalled()
})
