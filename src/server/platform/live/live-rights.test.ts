import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { anyEvent } from '#server/testing/inputs/any-event.ts'
import { tabsOfTests } from '#server/testing/live-client.ts'
import { someone } from '#server/testing/plain-who.ts'
import { eventually, forAllTests, including, testDatabase } from '#server/testing/test-app.ts'
import { startLive } from './live.ts'
import type { Delivery } from './live-delivery.ts'

// Sockets whose person loses a number at the moment at which their rights are read.

const t = forAllTests(() => testDatabase())
const openTab = tabsOfTests()

const withAll = { ...someone, numberIds: null }
const withNone = { ...someone, numberIds: [] }
/** What is stored of the person. */
let now: typeof withAll | typeof withNone
/** Until when an answer about the person's rights, once read, is on its way. */
let answers: Promise<unknown>[]
let asked: number
beforeEach(() => {
  now = withAll
  answers = []
  asked = 0
})

async function read() {
  const seen = now
  asked += 1
  await answers.shift()
  return seen
}

/** What is shown of events: one to who has the numbers, one to everybody. */
const shown: Record<string, Delivery[]> = {
  ofNumber: [
    {
      event: { type: 'settings_changed', data: {} },
      mayRead: ({ numberIds }) => numberIds === null,
    },
  ],
  ofAll: [{ event: { type: 'sectors_changed', data: {} }, mayRead: () => true }],
}

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ending.splice(0)) await end()
})

async function start() {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const live = await startLive({
    server,
    database: t.database,
    config: readConfig({}, false),
    log: createLog('silent'),
    epoch: 'e',
    sources: {
      identify: read,
      refresh: async (ids) => {
        const person = await read()
        return new Map(ids.map((id) => [id, person]))
      },
      render: async (found) => found.map(({ type }) => shown[type] ?? []),
      greeting: async () => () => ({
        gatewayConnected: true,
        away: [],
        numbersVersion: '',
        waiting: 0,
        recovered: null,
        serverTime: '',
      }),
      stats: async () => undefined,
      noteOtherUser: async () => undefined,
      mayView: async () => false,
      findFacts: async () => new Map(),
      onTyping: () => undefined,
    },
  })
  ending.push(async () => {
    await live.stop()
    await new Promise((resolve) => void server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const emit = (type: string) =>
  inTransaction(t.database, async (db) => db.emit(anyEvent(type, { userId: someone.id })))
const tab = (app: { url: string }) => openTab(app, { token: 'a', userId: someone.id })

/**
 * Whether an event of a number is shown in the tab from now on. While a transaction is open somewhere, a
 * server that starts may show events of an earlier test first.
 */
async function isShownNumber({ frames }: Awaited<ReturnType<typeof tab>>): Promise<boolean> {
  const before = frames.length
  const types = () => frames.slice(before).map(({ type }) => type)
  await emit('ofNumber')
  await emit('ofAll')
  await eventually(types, including('sectors_changed'))
  return types().includes('settings_changed')
}

test('an event of a number is shown to who has it', async () => {
  expect(await isShownNumber(await tab(await start()))).toBe(true)
})

test('a socket whose person lost a number while it was being opened shows nothing of it', async () => {
  const app = await start()
  const other = await tab(app)
  const before = asked
  const opened = Promise.withResolvers<void>()
  answers = [opened.promise]
  const opening = tab(app)
  await vi.waitFor(() => expect(asked).toBe(before + 1), 5000)
  now = withNone
  await emit('permissions_changed')
  // The sockets that are there have learned of it.
  expect(await isShownNumber(other)).toBe(false)
  opened.resolve()
  expect(await isShownNumber(await opening)).toBe(false)
})

test('an answer about rights that a newer one has overtaken changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const app = await start()
  const client = await tab(app)
  const before = asked
  const answered = Promise.withResolvers<void>()
  answers = [answered.promise]
  await vi.advanceTimersByTimeAsync(30_000)
  await vi.waitFor(() => expect(asked).toBe(before + 1), 5000)
  now = withNone
  await emit('permissions_changed')
  // For as long as another question about them may take that does not wait for the first.
  await sleep(500)
  answered.resolve()
  expect(await isShownNumber(client)).toBe(false)
})
