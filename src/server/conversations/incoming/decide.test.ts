import { expect, test } from 'vitest'
import { defaultSettings } from '#server/settings/default-texts.ts'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import { saying } from '#server/testing/test-person.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { noNeighbours } from '#server/testing/inputs/neighbours.ts'
import { type ContactFacts, decideContact, decideOwn, decideStored, type OwnFacts } from './decide.ts'
import { isPlain } from './batch.ts'
import type { StoredMessage } from './stored-message.ts'

/** A Tuesday, ten in the morning in São Paulo: within the working hours. */
const now = new Date('2027-03-09T10:00:00-03:00')
const closed = new Date('2027-03-09T20:00:00-03:00')
const [second, minute, hour] = [1000, 60_000, 3_600_000]
const ago = (ms: number, from = now) => new Date(from.getTime() - ms)

const message = (more: Partial<IncomingMessage> = {}): IncomingMessage => ({
  kind: 'message',
  waId: 'ID',
  peer: { phone: '5511987654321', lid: undefined, jid: '5511987654321@s.whatsapp.net' },
  origin: 'contact',
  name: 'Maria',
  sentAt: now,
  content: saying('oi'),
  quoted: undefined,
  isHistory: false,
  ...more,
})

const open = {
  startedAt: ago(hour),
  preAttendanceStage: null,
  subStatus: 'FILA',
  waitingSince: ago(hour),
  assignedUserId: null,
  initiatedBy: 'contact',
  inactivityWarnedAt: null,
  snoozedUntil: null,
} as const
/** Opened by a choice and not answered yet. */
const chosen = { ...open, preAttendanceStage: 'attended' } as const

const stored: StoredMessage = {
  id: 1,
  conversationId: 2,
  contactId: 3,
  isHistory: false,
  isErased: false,
  content: 'oi',
  sentAt: now,
  phone: '5511987654321',
  lid: undefined,
}
const inHistory = { ...stored, isHistory: true }

const settings = { ...defaultSettings, ...quietSettings }
const withChoice = { ...settings, preAttendanceEnabled: true }

const ofContact = (more: Partial<ContactFacts> = {}): ContactFacts => ({
  event: message(),
  now,
  settings,
  ofNumber: more.settings ?? settings,
  stored: undefined,
  isDeleted: false,
  hasPendingChanges: false,
  open: undefined,
  ...noNeighbours,
  isAnsweredByPhone: false,
  hasLaterPhoneMessages: false,
  askedRating: undefined,
  operatorNames: [],
  ended: undefined,
  isChoosing: false,
  hasClosing: false,
  newSectorId: null,
  hasLaterChoice: false,
  isAsking: true,
  ...more,
})
const inOpen = (more: Partial<ContactFacts> = {}) => ofContact({ open, newest: ago(minute), ...more })
const sent = (ms: number, more: Partial<IncomingMessage> = {}) => message({ sentAt: ago(ms), ...more })
const image = message({ content: saying('', { messageType: 'image', mimeType: 'image/jpeg' }) })
const sheet = message({
  content: saying('', { messageType: 'document', mimeType: 'application/vnd.ms-excel', fileName: 'a.xls' }),
})
const program = message({ content: saying('', { messageType: 'document', fileName: 'a.exe' }) })
const answeredCall = message({
  content: saying('', { messageType: 'call', metadata: { call: { isVideo: false, outcome: 'answered' } } }),
})

/** An appended message that needs nothing else. */
const plain = {
  kind: 'append',
  opens: false,
  isRecovered: false,
  replaces: undefined,
  endsRatingRequest: false,
  adoptsPhoneMessages: false,
  movesStart: false,
  needsWaiting: false,
  mayBeGreeted: false,
} as const
const opening = { ...plain, opens: true }

test.each<[string, ContactFacts, object]>([
  ['without a conversation opens one', ofContact(), opening],
  ['goes into the open conversation', inOpen(), plain],
  ['without a time is of now', inOpen({ event: message({ sentAt: undefined }) }), plain],
  ['that is stored is none', inOpen({ stored }), { kind: 'repeat', learnsAddress: false }],
  ['that was deleted here is none', inOpen({ isDeleted: true }), { kind: 'ignore' }],
  ['of the history sync is history', ofContact({ event: message({ isHistory: true }) }), { kind: 'history' }],
  ['older than a day is history', inOpen({ event: sent(24 * hour + 1) }), { kind: 'history' }],
  ['of a day ago is recovered', ofContact({ event: sent(24 * hour) }), { ...opening, isRecovered: true }],
  ['of two minutes ago is not recovered', ofContact({ event: sent(2 * minute) }), opening],
  ['after two minutes is recovered', ofContact({ event: sent(2 * minute + 1) }), { isRecovered: true }],
  [
    'takes the place of what the sync brought',
    inOpen({ stored: inHistory }),
    { ...plain, replaces: inHistory },
  ],
  [
    'that the sync brings again is none',
    inOpen({ stored: inHistory, event: message({ isHistory: true }) }),
    { kind: 'repeat', learnsAddress: false },
  ],
])('the verdict on a message of a contact: %s', (_title, facts, verdict) => {
  expect(decideContact(facts)).toMatchObject(verdict)
})

test.each<[string, ContactFacts, object]>([
  ['within a minute is placed at its end', inOpen({ event: sent(minute) }), { sortAt: now, isNewest: true }],
  ['later keeps its time', inOpen({ event: sent(minute + 1) }), { sortAt: ago(minute + 1), isNewest: false }],
  [
    'never comes before what is there already',
    inOpen({ newest: ago(-second) }),
    { sortAt: ago(-second), isNewest: true },
  ],
  ['from the future is of now', inOpen({ event: sent(-hour) }), { sentAt: now, sortAt: now }],
  [
    'of a minute ahead keeps its time',
    inOpen({ event: sent(-minute) }),
    { sentAt: ago(-minute), sortAt: now },
  ],
])('a message is placed in a conversation %s', (_title, facts, place) => {
  expect(decideContact(facts)).toMatchObject({ kind: 'append', place })
})

test.each<[string, ContactFacts, object]>([
  ['before others', inOpen({ event: sent(2 * minute) }), { needsWaiting: true }],
  ['before an answer on the phone', inOpen({ isAnsweredByPhone: true }), { needsWaiting: true }],
  [
    'before an answer on the phone that counts for nothing',
    inOpen({ isAnsweredByPhone: true, settings: { ...settings, phoneAnswersCount: false } }),
    plain,
  ],
  ['a call that was answered', inOpen({ event: answeredCall }), { needsWaiting: true }],
  [
    'the first, after messages on the phone',
    ofContact({ hasLaterPhoneMessages: true }),
    { adoptsPhoneMessages: true, needsWaiting: true },
  ],
  [
    'before the conversation began',
    inOpen({ event: sent(2 * hour), hasLaterPhoneMessages: true }),
    { movesStart: true, adoptsPhoneMessages: true, needsWaiting: true },
  ],
  [
    'before a conversation that was chosen later',
    inOpen({ open: chosen, event: sent(2 * hour) }),
    { movesStart: false },
  ],
  [
    'in the middle of a conversation, with messages on the phone in history',
    inOpen({ hasLaterPhoneMessages: true }),
    { adoptsPhoneMessages: false },
  ],
])('a message of a contact changes who waits: %s', (_title, facts, verdict) => {
  expect(decideContact(facts)).toMatchObject({ kind: 'append', ...verdict })
})

test.each<[string, boolean, ContactFacts]>([
  ['no text is set', false, ofContact()],
  ['the first one is welcomed', true, ofContact({ settings: { ...settings, queueWelcomeMessage: 'olá' } })],
  ['the first one has a place', true, ofContact({ settings: { ...settings, queueMessage: 'fila' } })],
  ['the second one is not welcomed', false, inOpen({ settings: { ...settings, queueMessage: 'fila' } })],
  ['nobody answers now', true, inOpen({ now: closed, event: sent(0), settings: defaultSettings })],
  ['nobody answers now, and nothing says so', false, inOpen({ now: closed })],
  ['a file is not kept', true, inOpen({ event: program, settings: defaultSettings })],
  ['a file of any kind is kept', false, inOpen({ event: sheet, settings: defaultSettings })],
  ['a file is taken', false, inOpen({ event: image, settings: defaultSettings })],
  ['it came late', false, ofContact({ event: sent(3 * minute), settings: defaultSettings })],
])('a message of a contact may be greeted: %s, %s', (_title, mayBeGreeted, facts) => {
  const event = facts.now === closed ? message({ sentAt: closed }) : facts.event
  expect(decideContact({ ...facts, event })).toMatchObject({ kind: 'append', mayBeGreeted })
})

const asked = (content: string, sentAt: Date | undefined = ago(hour), more: Partial<ContactFacts> = {}) =>
  ofContact({
    event: message({ content: saying(content) }),
    askedRating: { sentAt, isFollowed: false },
    ...more,
  })

const endedAgo = (ms: number, content = 'pois não', isAfterEnd = false) => ({
  at: ago(ms),
  saidLast: { content, isAfterEnd },
})
const afterEnd = (content: string, saidLast?: string, isAfterEnd?: boolean) =>
  ofContact({
    event: message({ content: saying(content) }),
    ended: endedAgo(minute, saidLast, isAfterEnd),
  })

test.each<[string, string, ContactFacts]>([
  ['thanks, and are put into it', 'thank', afterEnd('obrigado!')],
  ['acknowledges, and is put into it', 'thank', afterEnd('ok')],
  ['thanks after a question that was left open', 'thank', afterEnd('obrigado!', 'Quantas caixas?')],
  ['acknowledges after a question, and answers it', 'append', afterEnd('ok', 'Fica para as 15h? 😊')],
  ['is a thumb after a question, and answers it', 'append', afterEnd('👍', 'Fica para as 15h?')],
  ['praises after a question, and answers it', 'append', afterEnd('Perfeito, obrigado!', 'Às 15h?')],
  ['thanks for what the shop wrote after it', 'thank', afterEnd('obrigado!', 'Saiu para entrega', true)],
  ['acknowledges what the shop wrote after it', 'append', afterEnd('ok', 'Saiu para entrega', true)],
  ['thanks after what the shop asked after it', 'append', afterEnd('obrigado!', 'Entrego hoje?', true)],
  [
    'thanks while it is a part of a request',
    'choose',
    ofContact({ ...afterEnd('ok obrigado'), settings: withChoice, isChoosing: true }),
  ],
  ['thanks an hour later', 'append', ofContact({ ...afterEnd('obrigado'), ended: endedAgo(hour + second) })],
  [
    'thanks where that reopens',
    'append',
    {
      ...afterEnd('obrigado'),
      settings: { ...settings, thanksStayClosed: false },
    },
  ],
])('the verdict on what follows the end of a conversation: it %s: %s', (_title, kind, facts) => {
  expect(decideContact(facts)).toMatchObject({ kind })
})

const captioned = message({ content: saying('5', { messageType: 'image', mimeType: 'image/jpeg' }) })
const ordered = message({ content: saying('5', { metadata: { gatewayType: 'orderMessage' } }) })
const notRated = { ...opening, endsRatingRequest: true }

test.each<[string, ContactFacts, object]>([
  ['is stored', asked('5'), { kind: 'rate', rating: { rating: 5, feedback: null }, endsRatingRequest: true }],
  ['of another matter is none', asked('oi'), notRated],
  ['after a day is none', asked('5', ago(24 * hour + second)), notRated],
  ['a second after the question counts', asked('5', ago(second)), { kind: 'rate' }],
  ['in the second of the question is none', asked('5', now), notRated],
  [
    'to something that was said since is none',
    asked('5', ago(hour), { askedRating: { sentAt: ago(hour), isFollowed: true } }),
    notRated,
  ],
  [
    'before the question was sent is none',
    asked('5', ago(hour), { askedRating: { sentAt: undefined, isFollowed: false } }),
    notRated,
  ],
  [
    'that only thanks leaves the question open',
    asked('obrigada!', ago(hour), { ended: endedAgo(hour) }),
    { kind: 'thank', endsRatingRequest: false },
  ],
  ['in an open conversation is a message', asked('5', ago(hour), { open, newest: null }), plain],
  ['that is a caption is none', asked('5', ago(hour), { event: captioned }), notRated],
  ['that describes an order is none', asked('5', ago(hour), { event: ordered }), notRated],
  [
    'of who is choosing in a newer conversation is none',
    asked('5', ago(hour), { settings: withChoice, isChoosing: true }),
    { kind: 'choose', endsRatingRequest: true },
  ],
])('the verdict on an answer to the rating question: %s', (_title, facts, verdict) => {
  expect(decideContact(facts)).toMatchObject(verdict)
})

test.each<[string, string, ContactFacts]>([
  ['is offered within the working hours', 'choose', ofContact({ settings: withChoice })],
  ['is not offered', 'append', ofContact()],
  ['is not offered while nobody is asked', 'append', ofContact({ settings: withChoice, isAsking: false })],
  ['is not offered to who came late', 'append', ofContact({ settings: withChoice, event: sent(3 * minute) })],
  ['is waited for', 'choose', ofContact({ isChoosing: true, event: sent(3 * minute) })],
  [
    'was made by a later message',
    'choose',
    ofContact({ settings: withChoice, hasLaterChoice: true, event: sent(3 * minute) }),
  ],
  ['was made later, and is switched off', 'append', ofContact({ hasLaterChoice: true })],
  ['is not offered in an open conversation', 'append', inOpen({ settings: withChoice, isChoosing: true })],
  [
    'may become another one by what was written before it',
    'choose',
    inOpen({ settings: withChoice, open: chosen, event: sent(2 * hour) }),
  ],
  [
    'stands once somebody has taken the conversation',
    'append',
    inOpen({ settings: withChoice, open: { ...chosen, assignedUserId: 7 }, event: sent(2 * hour) }),
  ],
  ['stands for what is written after it', 'append', inOpen({ settings: withChoice, open: chosen })],
])('after a choice, a message that %s: %s', (_title, kind, facts) => {
  expect(decideContact(facts)).toMatchObject({ kind })
})

test.each<[boolean, string, ContactFacts]>([
  [true, 'appended', inOpen()],
  [true, 'the first', ofContact()],
  [true, 'late and at the end', inOpen({ event: sent(3 * minute), newest: ago(hour) })],
  [false, 'with changes that came before it', inOpen({ hasPendingChanges: true })],
  [false, 'that replaces history', inOpen({ stored: inHistory })],
  [false, 'that ends a request for a rating', asked('oi')],
  [false, 'with messages on the phone to adopt', ofContact({ hasLaterPhoneMessages: true })],
  [false, 'before the conversation began', inOpen({ event: sent(2 * hour), newest: ago(3 * hour) })],
  [false, 'out of order', inOpen({ event: sent(2 * minute) })],
  [false, 'that may be greeted', ofContact({ settings: { ...settings, queueMessage: 'fila' } })],
  [false, 'before a goodbye has left', ofContact({ hasClosing: true })],
  [false, 'after a warning', inOpen({ open: { ...open, inactivityWarnedAt: ago(minute) } })],
  [false, 'that is history', ofContact({ event: message({ isHistory: true }) })],
])('plain is %s for a message %s', (expected, _title, facts) => {
  expect(isPlain(decideContact(facts), facts)).toBe(expected)
})

const own = (more: Partial<OwnFacts> = {}): OwnFacts => ({
  event: message({ origin: 'phone' }),
  now,
  stored: undefined,
  isDeleted: false,
  hasPendingChanges: false,
  open: undefined,
  ...noNeighbours,
  firstSentAt: undefined,
  inFlightId: undefined,
  copiedId: undefined,
  deletedInFlightId: undefined,
  ...more,
})
const first = ago(hour)
const written = (ms: number) => message({ origin: 'phone', sentAt: ago(ms) })

test.each<[string, OwnFacts, object]>([
  ['is history without a conversation', own(), { kind: 'history' }],
  ['belongs to the open one', own({ open, firstSentAt: first }), { kind: 'append-own' }],
  ['proves that ours was sent', own({ inFlightId: 5, copiedId: 6, open }), { kind: 'confirm', messageId: 5 }],
  ['is a copy of ours', own({ copiedId: 6, deletedInFlightId: 7 }), { kind: 'duplicate', messageId: 6 }],
  ['is ours, deleted here', own({ deletedInFlightId: 7, open }), { kind: 'confirm-deleted', messageId: 7 }],
  ['is stored', own({ stored, inFlightId: 5 }), { kind: 'repeat', learnsAddress: false }],
  ['in history stays there', own({ stored: inHistory }), { kind: 'repeat', learnsAddress: false }],
  ['was deleted here', own({ isDeleted: true, inFlightId: 5 }), { kind: 'ignore' }],
  [
    'is of the moment in which the contact wrote',
    own({ open, firstSentAt: first, event: written(hour) }),
    { kind: 'append-own' },
  ],
  [
    'is older than the conversation',
    own({ open, firstSentAt: first, event: written(hour + 1) }),
    { kind: 'history' },
  ],
  [
    'has a minute of slack where an operator wrote first',
    own({ open: { ...open, initiatedBy: 'operator' }, firstSentAt: first, event: written(hour + minute) }),
    { kind: 'append-own' },
  ],
  [
    'without a time belongs to the open one',
    own({ open, firstSentAt: first, event: message({ origin: 'phone', sentAt: undefined }) }),
    { kind: 'append-own' },
  ],
])('the verdict on a message from the connected number: %s', (_title, facts, verdict) => {
  expect(decideOwn(facts)).toMatchObject(verdict)
})

const lid = { phone: undefined, lid: '999', jid: '999@lid' }
const phone = { phone: '5511987654321', lid: undefined, jid: '5511987654321@s.whatsapp.net' }
const ofLid = { ...stored, phone: undefined, lid: '999' }

test.each<[string, boolean, IncomingMessage, StoredMessage]>([
  ['under the same address', false, message(), stored],
  ['under a LID', true, message({ peer: lid }), stored],
  ['under a number', true, message({ peer: phone }), ofLid],
  ['under a LID, of a contact with another one', false, message({ peer: lid }), { ...stored, lid: '8' }],
  ['under both', true, message({ peer: { ...phone, lid: '999' } }), stored],
  ['under both, of a contact with the LID', true, message({ peer: { ...phone, lid: '999' } }), ofLid],
  [
    'under both, of a contact with another number',
    false,
    message({ peer: { ...phone, phone: '5511900000000', lid: '999' } }),
    stored,
  ],
  [
    'under both, of a contact with another LID',
    false,
    message({ peer: { ...phone, lid: '999' } }),
    { ...stored, lid: '8' },
  ],
  ['with other words', false, message({ peer: lid, content: saying('olá') }), stored],
  ['of another second', false, message({ peer: lid, sentAt: ago(second) }), stored],
  ['without a time', false, message({ peer: lid, sentAt: undefined }), stored],
])('%s teaches an address: %s', (_title, learnsAddress, event, before) => {
  expect(decideStored(event, before, now)).toMatchObject({ learnsAddress })
})

test.each<[string, boolean, IncomingMessage, StoredMessage]>([
  ['brought by the sync', true, message(), inHistory],
  ['that arrived itself', false, message(), stored],
  ['brought by the sync twice', false, message({ isHistory: true }), inHistory],
  ['that is of yesterday', false, sent(24 * hour + 1), inHistory],
  ['of our own', false, message({ origin: 'phone' }), inHistory],
])('%s arrives for the first time: %s', (_title, isFirstLive, event, before) => {
  expect(decideStored(event, before, now)).toMatchObject({ isFirstLive })
})
