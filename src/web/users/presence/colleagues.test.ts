// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import type { Operator } from '#shared/users/users.ts'
import { forgetPresence, notePresence, withPresence } from './colleagues.ts'

beforeEach(forgetPresence)

/** As an answer has them: somebody who reloads is between two connections. */
const answered = (...presence: Operator['presence'][]): Operator[] =>
  presence.map((each, index) => ({
    id: index + 1,
    name: `Operador ${index + 1}`,
    role: 'operator',
    pictureUrl: null,
    presence: each,
    isOnline: each !== 'offline',
    since: null,
    activeConversations: 0,
    capacity: 5,
    numberIds: null,
  }))
const shown = (...presence: Operator['presence'][]) =>
  withPresence(answered(...presence)).map((one) => one.presence)

test('pushed presence replaces a fetched one', () => {
  notePresence({ isWhole: true, people: [{ id: 1, state: 'online' }] })
  expect(shown('offline', 'online')).toEqual(['online', 'offline'])
  notePresence({ isWhole: false, people: [{ id: 2, state: 'away' }] })
  notePresence({ isWhole: false, people: [{ id: 1, state: 'offline' }] })
  expect(shown('online', 'online')).toEqual(['offline', 'away'])
})

test('who has come or gone is counted by what was pushed, too', () => {
  notePresence({ isWhole: true, people: [{ id: 1, state: 'away' }] })
  expect(withPresence(answered('offline', 'online')).map(({ isOnline }) => isOnline)).toEqual([true, false])
})

test('fetched presence counts until a snapshot is pushed', () => {
  notePresence({ isWhole: false, people: [{ id: 1, state: 'away' }] })
  expect(shown('offline', 'online')).toEqual(['offline', 'online'])
})
