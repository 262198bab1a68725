import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { expect, test, vi } from 'vitest'
import type { LiveFrame } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { EventType } from '#server/schema/platform/live.ts'
import type { EventRow } from '#server/platform/database/events.ts'
import { readConfig } from '#server/platform/config.ts'
import { type ShownEvent, withoutRepeats } from './live-delivery.ts'
import { LiveSocket } from './live-socket.ts'
import { acceptUpgrades } from './live-upgrade.ts'

/** A socket that records everything sent to it. */
function keptSocket() {
  const sent: string[] = []
  const said = { pings: 0, terminated: 0 }
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string) => sent.push(text),
    ping: () => void said.pings++,
    close: (code: number) => sent.push(`closed ${code}`),
    terminate: () => void said.terminated++,
  })
  const duplex = Object.assign(new PassThrough(), { bytesRead: 0 })
  const who = { id: 7 } as Who
  const socket = new LiveSocket({ ws: ws as unknown as WebSocket, duplex, who, epoch: 'e', id: 'i' })
  const frames = () =>
    sent.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as LiveFrame)
  const reported = () =>
    frames().map(({ type, data, cursor }) =>
      type === 'conversation_removed' ? `${data.conversationId}@${cursor}` : `${type}@${cursor}`,
    )
  return { ws, duplex, socket, sent, said, frames, reported }
}

const event = (seq: number, readers: number[] = [7]): ShownEvent => ({
  seq: String(seq),
  deliveries: [
    {
      delivery: {
        event: { type: 'conversation_removed', data: { conversationId: seq } },
        mayRead: ({ id }) => readers.includes(id),
      },
      json: '',
    },
  ],
})
const hello = { type: 'settings_changed', data: {} } as const

test('what happens while a tab catches up comes after what it has missed, and nothing comes twice', () => {
  const { socket, reported, frames } = keptSocket()
  socket.hold()
  socket.sendEvents([event(3)], 'c2')
  socket.greet(hello, 'c3')
  socket.sendEvents([event(4), event(5)], 'c3')
  socket.sendEvents([event(6)], 'c5')
  socket.catchUp([event(1), event(2), event(3), event(4)], { before: 'c0', after: 'c4' })
  socket.sendEvents([event(7)], 'c6')
  expect(reported()).toEqual([
    'settings_changed@c3',
    '1@c0',
    '2@c0',
    '3@c0',
    '4@c0',
    'resumed@c4',
    '5@c3',
    '6@c5',
    '7@c6',
  ])
  expect(frames().map((frame) => frame.n)).toEqual(frames().map((_, index) => index + 1))
})

test('waiting events are delivered after the replay to whoever may read them then', () => {
  const { socket, reported } = keptSocket()
  socket.hold()
  socket.greet(hello, 'c1')
  socket.sendEvents([event(1), event(2, [8])], 'c1')
  socket.who = { id: 8 } as Who
  socket.release()
  expect(reported()).toEqual(['settings_changed@c1', '2@c1'])
})

test('a socket is closed for frames that it never took, not for five hundred at once', () => {
  const { ws, socket, sent, frames } = keptSocket()
  ws.send = (text: string) => {
    ws.bufferedAmount += text.length + 3000
    return sent.push(text)
  }
  socket.greet(hello, 'c1')
  socket.catchUp(
    Array.from({ length: 500 }, (_, n) => event(n)),
    { before: 'c0', after: 'c1' },
  )
  expect(frames()).toHaveLength(501)
  socket.sendEvents([event(501)], 'c1')
  expect(sent.at(-1)).toBe('closed 4408')
})

test('who answers two pings no more is gone, and who answers stays', () => {
  const { ws, duplex, socket, said } = keptSocket()
  for (let n = 0; n < 5; n++) {
    socket.ping()
    duplex.bytesRead += 6
    ws.emit('pong', Buffer.alloc(0))
  }
  expect(said).toEqual({ pings: 5, terminated: 0 })
  for (let n = 0; n < 3; n++) socket.ping()
  expect(said).toEqual({ pings: 7, terminated: 1 })
})

test('a reader does not deliver again what a replay has delivered', () => {
  const { socket, reported } = keptSocket()
  socket.greet(hello, 'c0')
  socket.hold()
  socket.catchUp([event(1), event(2)], { before: 'c0', after: 'c1' })
  socket.sendEvents([event(2), event(3)], 'c1')
  socket.sendEvents([event(4)], 'c3')
  expect(reported().slice(1)).toEqual(['1@c0', '2@c0', 'resumed@c1', '3@c1', '4@c3'])
})

const row = (seq: number, type: EventType, more: Partial<EventRow> = {}): EventRow => ({
  seq: String(seq),
  tx: '1',
  type,
  userId: null,
  conversationId: 1,
  messageId: null,
  data: null,
  ...more,
})
const reported = (rows: EventRow[]) => withoutRepeats(rows).map(({ seq, type }) => `${seq} ${type}`)

test('news of one thing is reported once, in the place of the first and with the number of the last', () => {
  expect(
    reported([
      row(1, 'new_message', { messageId: 5 }),
      row(2, 'new_message', { messageId: 6 }),
      row(3, 'new_message', { messageId: 5 }),
      row(4, 'conversation_updated'),
      row(5, 'new_message', { messageId: 5 }),
    ]),
  ).toEqual(['5 new_message', '2 new_message', '4 conversation_updated'])
})

test('news of another kind, thing or person, or with words of its own, is other news', () => {
  const different = [
    row(1, 'new_message', { messageId: 5 }),
    row(2, 'message_received', { messageId: 5 }),
    row(3, 'new_message', { messageId: 6 }),
    row(4, 'new_message', { messageId: 5, conversationId: 2 }),
    row(5, 'new_message', { messageId: 5, userId: 7 }),
    row(6, 'new_message', { messageId: 5, data: { why: 'a' } }),
    row(7, 'new_message', { messageId: 5, data: { why: 'a' } }),
  ]
  expect(withoutRepeats(different)).toEqual(different)
})

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
