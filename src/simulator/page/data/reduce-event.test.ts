import { expect, test } from 'vitest'
import type { ChatMessage, LogLine, SimulatorEvent } from '#simulator/control-views.ts'
import { isNewFromCompany, reduceChat, reduceLog } from './reduce-event.ts'

function message(id: string, minute: number, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id,
    phoneId: 'cel-1',
    instance: 'loja',
    from: 'phone',
    via: null,
    kind: 'text',
    text: id,
    at: new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString(),
    ack: 'sent',
    quoted: null,
    media: null,
    location: null,
    reactions: [],
    edited: false,
    deleted: false,
    ...more,
  }
}
function messageEvent(of: ChatMessage): SimulatorEvent {
  return { type: 'message', message: of }
}
function ids(chat: ChatMessage[]) {
  return chat.map(({ id }) => id)
}

test('a message that is known is replaced where it stands', () => {
  const chat = [message('a', 1), message('b', 2)]
  const next = reduceChat(chat, messageEvent(message('a', 1, { ack: 'delivered' })))
  expect(ids(next)).toEqual(['a', 'b'])
  expect(next[0]?.ack).toBe('delivered')
})

test('a message that was written earlier is put in its place', () => {
  const chat = [message('a', 1), message('c', 3)]
  expect(ids(reduceChat(chat, messageEvent(message('b', 2))))).toEqual(['a', 'b', 'c'])
})

test('an unknown message of the company is left to the simulator, which knows where it arrived', () => {
  const chat = [message('a', 1)]
  const event = messageEvent(message('b', 2, { from: 'company', via: 'console' }))
  expect(isNewFromCompany(chat, event)).toBe(true)
  expect(reduceChat(chat, event)).toBe(chat)
})

test('a change to a message from before what is shown adds nothing', () => {
  const chat = Array.from({ length: 200 }, (_, index) => message(`m${index}`, 10 + index))
  expect(reduceChat(chat, messageEvent(message('old', 1)))).toBe(chat)
})

test('a line of the register that was fetched already is not shown twice', () => {
  const line = (n: number): LogLine => ({ n, at: '', kind: 'webhook', name: '', detail: '', result: '' })
  expect(reduceLog([line(1), line(2)], { type: 'log', line: line(2) })).toHaveLength(2)
  expect(reduceLog([line(1)], { type: 'log', line: line(2) })).toHaveLength(2)
  expect(reduceLog([line(1)], { type: 'log_cleared' })).toEqual([])
})
