import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Who } from '#server/platform/http/access.ts'
import { readConfig } from '#server/platform/config.ts'
import { acceptUpgrades } from './live-upgrade.ts'

test('of more than five hundred upgrades at once the rest is asked to retry', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let welcomed = 0
  const upgrades = acceptUpgrades({
    server,
    config: readConfig({}, false),
    identify: async () => ({ id: 1 }) as Who,
    welcome: ({ ws }) => {
      welcomed++
      ws.close(4000)
    },
    complain: () => undefined,
  })
  // Within one second of the clock, however slow the machine is.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5000)
  const ends = await Promise.all(
    Array.from({ length: 900 }, async () => {
      const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', 'x'])
      const [code, reason] = (await once(ws, 'close')) as [number, Buffer]
      return { code, waitMs: Number(reason.toString('utf8')) }
    }),
  )
  clock.mockRestore()
  const waits = ends.filter(({ code }) => code === 1013).map(({ waitMs }) => waitMs)
  expect(welcomed).toBe(500)
  expect(waits.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, n) => 1002 + 2 * n))
  upgrades.stop()
  server.close()
})
