import { expect, test } from 'vitest'
import { alertFor, noAlerts, type AlertChange, type AlertState } from './alerts.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'

const queued = (id: number) => conversationRow({ id })
const mine = (id: number) =>
  conversationRow({ id, status: 'active', subStatus: 'OPERADOR', waitingFor: 'client' })
const answered = (id: number) => conversationRow({ id, status: 'active', subStatus: 'OPERADOR' })
const list = (...rows: ReturnType<typeof queued>[]): AlertChange => ({ kind: 'list', rows, isSilent: false })
const pushed = (
  row: ReturnType<typeof queued>,
  sound: 'pushed' | 'none' | 'ordinary' | 'silent' = 'ordinary',
): AlertChange => ({
  kind: 'row',
  row,
  sound,
})

const me = 7
const inView = 99
/** A conversation of mine whose client waits for an answer. */
const asked = (id: number, contactMessageCount: number, assignedUserId = me) =>
  conversationRow({ ...answered(id), contactMessageCount, assignedUserId })

/** Applies the changes at the given interval. @returns the tones */
function played(changes: AlertChange[], apartMs = 10_000, isOnList = true): (string | undefined)[] {
  let state: AlertState = noAlerts
  return changes.map((each, index) => {
    const result = alertFor(state, each, index * apartMs, { userId: me, isOnList, viewedId: inView })
    state = result.state
    return result.ring && `${result.ring.tone} ${result.ring.volume}`
  })
}

test('the first load of the list never rings', () => {
  expect(played([list(queued(1), queued(2))])).toEqual([undefined])
})

test('a new id in the list rings once, however often the list is fetched', () => {
  const changes = [list(queued(1)), list(queued(1), queued(2)), list(queued(1), queued(2)), list(queued(2))]
  expect(played(changes)).toEqual([undefined, 'newConversation 1', undefined, undefined])
})

test('a conversation that comes back into the list does not ring as new', () => {
  expect(played([list(queued(1)), list(), list(queued(1))])).toEqual([undefined, undefined, undefined])
})

test('a pushed new conversation rings at 0.9, and the fetch that follows stays quiet', () => {
  const changes = [list(), pushed(queued(7), 'pushed'), list(queued(7))]
  expect(played(changes)).toEqual([undefined, 'newConversation 0.9', undefined])
})

test('away from the list a new conversation rings with three notes', () => {
  expect(played([list(), pushed(queued(7), 'pushed')], 10_000, false)).toEqual([undefined, 'threeNotes 0.9'])
})

test('late messages ring for no turn and no further message, the next one does', () => {
  const changes = [
    list(mine(1), asked(2, 3)),
    pushed(answered(1), 'silent'),
    pushed(asked(2, 4), 'silent'),
    list(answered(1), asked(2, 4)),
    pushed(asked(2, 5)),
  ]
  expect(played(changes)).toEqual([undefined, undefined, undefined, undefined, 'followUp 1'])
})

test('a new conversation without sound stays quiet, then and later', () => {
  expect(played([list(), pushed(queued(7), 'none'), list(queued(7))])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('no sound is played for what was missed before a resync', () => {
  const changes: AlertChange[] = [
    list(mine(1)),
    { kind: 'list', rows: [answered(1), queued(2)], isSilent: true },
  ]
  expect(played([...changes, list(answered(1), queued(2))])).toEqual([undefined, undefined, undefined])
})

test.each([
  ['waiting becomes active', queued(1), answered(1), 'statusChange 1'],
  ['the client answers', mine(1), answered(1), 'statusChange 1'],
  ['we answer', answered(1), mine(1), undefined],
  ['nothing turns', answered(1), answered(1), undefined],
])('the sound of a change of turn: %s', (_name, before, after, ring) => {
  expect(played([list(before), pushed(after)])).toEqual([undefined, ring])
  expect(played([list(before), list(after)])).toEqual([undefined, ring])
})

test('status changes ring at most every 3 s', () => {
  const changes = [
    list(mine(1)),
    pushed(answered(1)),
    pushed(mine(1)),
    pushed(answered(1)),
    pushed(mine(1)),
    pushed(answered(1)),
  ]
  expect(played(changes, 1000)).toEqual([
    undefined,
    'statusChange 1',
    undefined,
    undefined,
    undefined,
    'statusChange 1',
  ])
})

test('no two sounds overlap within 600 ms', () => {
  const changes = [
    list(),
    pushed(queued(1), 'pushed'),
    pushed(queued(2), 'pushed'),
    pushed(queued(3), 'pushed'),
  ]
  expect(played(changes, 400)).toEqual([undefined, 'newConversation 0.9', undefined, 'newConversation 0.9'])
})

test('an event before the first load is silent and does not make the load ring', () => {
  expect(played([pushed(queued(1), 'pushed'), list(queued(1), queued(2))])).toEqual([undefined, undefined])
})

test('a late tick of a conversation that had ended rings nothing', () => {
  const ended = conversationRow({ id: 7, status: 'completed' })
  expect(played([list(), pushed(ended), pushed(ended)])).toEqual([undefined, undefined, undefined])
})

test('a further message of a client of mine has a tone of its own, pushed or fetched', () => {
  expect(played([list(asked(1, 1)), pushed(asked(1, 2))])).toEqual([undefined, 'followUp 1'])
  expect(played([list(asked(1, 1)), list(asked(1, 2))])).toEqual([undefined, 'followUp 1'])
})

test.each([
  ['of a client of somebody else', asked(1, 1, 8), asked(1, 2, 8)],
  ['that came while it was given to me', asked(1, 1, 8), asked(1, 2)],
  ['of mine, without another message of the client', asked(1, 2), asked(1, 2)],
  ['in the chat in front of me', asked(inView, 1), asked(inView, 2)],
])('no sound is played for a message %s', (_name, before, after) => {
  expect(played([list(before), pushed(after)])).toEqual([undefined, undefined])
})

test('further messages ring at most every 3 s, and a change of turn between them is heard', () => {
  const changes = [list(asked(1, 1), mine(2)), ...[2, 3, 4].map((count) => pushed(asked(1, count)))]
  expect(played(changes, 1600)).toEqual([undefined, 'followUp 1', undefined, 'followUp 1'])
  expect(played([...changes.slice(0, 2), pushed(answered(2))], 1600)).toEqual([
    undefined,
    'followUp 1',
    'statusChange 1',
  ])
})
