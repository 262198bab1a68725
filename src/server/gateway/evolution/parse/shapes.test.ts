import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GatewayEvent } from './gateway-events.ts'
import { parseWebhook } from './webhook.ts'

/** How a version of the gateway encodes values that JSON has no type for. */
interface Encoding {
  int64: (value: number) => unknown
  bytes: unknown
  enumeration: (name: string, number: number) => unknown
}
const long = (value: number) => ({
  low: (value % 4_294_967_296) | 0,
  high: Math.floor(value / 4_294_967_296),
  unsigned: true,
})
const encodings: Record<string, Encoding> = {
  '2.2': { int64: String, bytes: 'S2V5', enumeration: (name) => name },
  '2.3.4': { int64: (value) => value, bytes: { '0': 75 }, enumeration: (_name, number) => number },
  '2.3.7': { int64: long, bytes: { '0': 75 }, enumeration: (_name, number) => number },
}

const phone = '5511987654321'
const jid = `${phone}@s.whatsapp.net`
const lid = '182736455463728@lid'
const own = '5511955554444@s.whatsapp.net'
const sentMs = 1_795_204_493_000
const senderMs = 1_760_000_000_123

const parse = (event: string, data: unknown, more: object = {}) =>
  parseWebhook({ event, instance: 'loja1', sender: own, data, ...more })

const upsert = (message: unknown, more: { key?: object } & Record<string, unknown> = {}) => {
  const { key, ...rest } = more
  return parse('messages.upsert', {
    key: { remoteJid: jid, fromMe: false, id: 'ID', participant: '', ...key },
    pushName: 'Maria',
    message,
    messageTimestamp: sentMs / 1000,
    ...rest,
  }).events[0]
}
const contentIn = (event: GatewayEvent | undefined) => {
  if (event?.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(event)}`)
  return event.content
}

const poll = {
  name: 'Horário?',
  selectableOptionsCount: 1,
  options: [{ optionName: '9h' }, { optionName: '14h' }],
}
/**
 * Messages that no recorded body contains, a line each: a name, the message, and the content that it has, or
 * the event that it is. Values that JSON has no type for are marked: `$int64`, `$enum` and `$bytes`.
 */
const shapes = readFileSync(join(import.meta.dirname, 'shapes.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, unknown, object])

/** The message as a version of the gateway writes it. */
function written(value: unknown, encoding: Encoding): unknown {
  if (value === '$bytes') return encoding.bytes
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => written(item, encoding))
  if ('$int64' in value) return encoding.int64(value.$int64 as number)
  if ('$enum' in value) return encoding.enumeration(...(value.$enum as [string, number]))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner, encoding)]))
}

describe.each(Object.entries(encodings))('content as %s writes it', (_version, encoding) => {
  test.each(shapes)('the message of %s is read', (_name, message, wanted) => {
    const event = upsert(written(message, encoding))
    if ('kind' in wanted) expect({ ...event, reason: undefined }).toEqual(wanted)
    else expect(contentIn(event)).toEqual({ content: '', ...wanted })
  })

  test('the moment of a message is read', () => {
    const event = upsert({ conversation: 'oi' }, { messageTimestamp: encoding.int64(sentMs / 1000) })
    expect(event).toMatchObject({ sentAt: new Date(sentMs) })
  })
})

describe('what the frame says', () => {
  const said = { conversation: 'oi' }
  const quote = { stanzaId: 'OLD', participant: jid, quotedMessage: { imageMessage: { caption: 'antes' } } }
  const extended = { extendedTextMessage: { text: 'oi', contextInfo: quote } }

  test.each<[string, unknown, object]>([
    ['beside the content', said, { contextInfo: quote }],
    ['inside the content', extended, {}],
    ['inside, where it is null beside', extended, { contextInfo: null }],
    ['inside, where it says something else beside', extended, { contextInfo: { isForwarded: false } }],
    ['inside wrapped content', { ephemeralMessage: { message: extended } }, {}],
    [
      'beside what a poll is sealed with',
      { pollCreationMessage: poll, messageContextInfo: { contextInfo: quote } },
      {},
    ],
  ])('the parser finds a quote %s', (_name, message, more) => {
    expect(upsert(message, { ...more })).toMatchObject({ quoted: { waId: 'OLD', content: 'antes' } })
  })

  test('the quote of what the console cannot show is known by its id', () => {
    const unknownQuote = { stanzaId: 'OLD', quotedMessage: { holographMessage: {} } }
    expect(upsert(said, { contextInfo: unknownQuote })).toMatchObject({
      quoted: { waId: 'OLD', content: '' },
    })
  })

  test('an advertisement, with no address that a browser would run', () => {
    const externalAdReply = {
      title: 'Promoção',
      body: 'Só hoje',
      sourceId: '120',
      sourceUrl: 'https://fb.me/x',
      ctwaClid: 'y',
      thumbnail: {},
    }
    const ad = { title: 'Promoção', body: 'Só hoje', url: 'https://fb.me/x', sourceId: '120' }
    expect(contentIn(upsert(said, { contextInfo: { externalAdReply } })).metadata).toEqual({ ad })
    const inside = { extendedTextMessage: { text: 'oi', contextInfo: { externalAdReply } } }
    expect(contentIn(upsert({ ephemeralMessage: { message: inside } })).metadata).toEqual({ ad })
    const evil = { externalAdReply: { title: 'x', sourceUrl: 'javascript:alert(1)' } }
    expect(contentIn(upsert(said, { contextInfo: evil })).metadata).toEqual({ ad: { title: 'x' } })
    expect(contentIn(upsert(said, { contextInfo: { externalAdReply: {} } })).metadata).toEqual({})
  })

  test('a placeholder for what may be seen once', () => {
    const placeholder = upsert(
      { messageContextInfo: {} },
      { key: { isViewOnce: true }, messageType: 'unknown' },
    )
    expect(contentIn(placeholder)).toMatchObject({
      messageType: 'unsupported',
      metadata: { gatewayType: 'unknown', isViewOnce: true },
    })
    expect(contentIn(upsert({ messageContextInfo: {} })).metadata).toEqual({ gatewayType: 'unknown' })
  })
})

describe('wrappers in wrappers', () => {
  const wrapped = (times: number) => {
    let message: unknown = { conversation: 'lá dentro' }
    for (let n = 0; n < times; n++)
      message = { [n % 2 === 0 ? 'ephemeralMessage' : 'novoMessage']: { message } }
    return contentIn(upsert(message)).messageType
  }

  test('wrappers in wrappers are opened as deep as a body is kept, and no deeper', () => {
    expect([1, 2, 30, 64].map(wrapped)).toEqual(['text', 'text', 'text', 'text'])
    expect([65, 1000].map(wrapped)).toEqual(['unsupported', 'unsupported'])
  })
})

describe('votes', () => {
  const vote = (pollUpdates: unknown, key: object = {}) =>
    upsert(
      {
        pollUpdateMessage: {
          pollCreationMessageKey: { id: 'POLL' },
          vote: { encPayload: {} },
          senderTimestampMs: senderMs,
        },
      },
      { key, pollUpdates },
    )
  const options = (...voters: string[][]) => voters.map((one, index) => ({ name: `op${index}`, voters: one }))

  test.each<[string, unknown, object, object]>([
    ['of the contact', options([jid], []), {}, { options: ['op0'], from: 'contact' }],
    [
      'of the contact, by their LID',
      options([lid], [jid]),
      { remoteJidAlt: lid },
      { options: ['op0', 'op1'], from: 'contact' },
    ],
    [
      'of the contact, from a linked device',
      options([], [`${phone}:3@s.whatsapp.net`]),
      {},
      { options: ['op1'], from: 'contact' },
    ],
    [
      'of the contact, by an address that nobody knows',
      options(['999@lid'], []),
      {},
      { options: ['op0'], from: 'contact' },
    ],
    ['of the contact, among ours', options(['me'], [jid]), {}, { options: ['op1'], from: 'contact' }],
    [
      'of the contact, taken back while ours stays',
      options(['me'], []),
      {},
      { options: [], from: 'contact' },
    ],
    ['that is taken back', options([], []), {}, { options: [], from: 'contact' }],
    ['of ours', options([own], [jid]), { fromMe: true }, { options: ['op0'], from: 'user' }],
    ['of ours, as me', options([jid], ['me']), { fromMe: true }, { options: ['op1'], from: 'user' }],
  ])('the parser reads a vote %s', (_name, pollUpdates, key, wanted) => {
    expect(vote(pollUpdates, key)).toEqual({ kind: 'vote', waId: 'POLL', sentAtMs: senderMs, ...wanted })
  })

  test('a vote that is taken back while ours stands is not taken for ours', () => {
    const message = {
      pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' }, senderTimestampMs: senderMs },
    }
    const data = {
      key: { remoteJid: jid, fromMe: false, id: 'ID' },
      message,
      pollUpdates: options([own], []),
    }
    const { events } = parseWebhook({ event: 'messages.upsert', instance: 'loja1', data, sender: own })
    expect(events).toEqual([{ kind: 'vote', waId: 'POLL', options: [], from: 'contact', sentAtMs: senderMs }])
  })

  test.each([[undefined], [null], [[]], [{}], ['x'], [[{ voters: [jid] }]]])(
    'the parser ignores a vote with the updates %j',
    (pollUpdates) => {
      expect(vote(pollUpdates)).toMatchObject({ kind: 'ignored' })
    },
  )

  test('votes with news of the poll belong to whoever voted', () => {
    const pollUpdates = options([jid], [own, jid], [])
    const data = { keyId: 'POLL', remoteJid: jid, fromMe: true, status: 'READ', pollUpdates }
    expect(parse('messages.update', data).events).toEqual([
      { kind: 'vote', waId: 'POLL', options: ['op0', 'op1'], from: 'contact', sentAtMs: 0 },
      { kind: 'vote', waId: 'POLL', options: ['op1'], from: 'user', sentAtMs: 0 },
      { kind: 'delivery', waId: 'POLL', status: 'read', peer: { phone, lid: undefined, jid } },
    ])
    const nobody = { ...data, status: undefined, pollUpdates: options([], []) }
    expect(parse('messages.update', nobody).events).toMatchObject([{ kind: 'ignored' }])
  })

  test('votes and pins are kept under a hash, since the same one may come again and say more', () => {
    const message = { pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' } } }
    const data = { key: { remoteJid: jid, id: 'ID' }, message }
    const sealed = parse('messages.upsert', data)
    const open = parse('messages.upsert', { ...data, pollUpdates: options([jid]) })
    expect(sealed.dedupeKey).toBe('upsert:ID')
    expect(open.dedupeKey).toMatch(/^body:/)
    expect(open.lane).toBe('loja1:message:POLL')
    const pin = { pinInChatMessage: { key: { id: 'OLD' }, type: 1 } }
    expect(parse('messages.upsert', { ...data, message: pin }).dedupeKey).toMatch(/^body:/)
  })
})

describe('calls', () => {
  const call = (more: object, envelope: object = {}) =>
    parse(
      'call',
      {
        chatId: jid,
        from: jid,
        id: 'CALL',
        date: '2026-11-20T19:56:04.370Z',
        offline: false,
        status: 'offer',
        ...more,
      },
      envelope,
    )
  const at = new Date('2026-11-20T19:56:04.370Z')

  test.each([
    ['offer', 'ringing'],
    ['ringing', 'ringing'],
    ['accept', 'answered'],
    ['reject', 'missed'],
    ['timeout', 'missed'],
    ['terminate', 'missed'],
  ])('a call with the status %s is %s', (status, outcome) => {
    const parsed = call({ status, isVideo: true })
    expect(parsed.events).toEqual([
      { kind: 'call', callId: 'CALL', peer: { phone, lid: undefined, jid }, outcome, isVideo: true, at },
    ])
    expect(parsed.dedupeKey).toBe(`call:CALL:${outcome}`)
    expect(parsed.lane).toBe(`loja1:${phone}`)
  })

  test.each<[string, object, object]>([
    ['by a LID', { from: lid, chatId: lid }, { phone: undefined, lid: '182736455463728', jid: lid }],
    ['by both', { from: lid }, { phone, lid: '182736455463728', jid: lid }],
    ['from a device', { from: `${phone}:7@s.whatsapp.net` }, { phone, jid }],
    ['without a caller', { from: undefined }, { phone, jid }],
    ['that we take on another device', { from: own }, { phone, jid }],
    ['reported from our own chat', { chatId: own }, { phone, lid: undefined, jid }],
  ])('the parser reads a call %s', (_name, more, peer) => {
    expect(call(more).events).toMatchObject([{ kind: 'call', peer }])
  })

  test('the caller of a call alone counts where nobody knows our own address', () => {
    expect(call({ from: lid, chatId: own }, { sender: undefined }).events).toMatchObject([
      { peer: { phone: undefined, jid: lid } },
    ])
  })

  test.each<[string, object]>([
    ['in a group', { isGroup: true }],
    ['in a group, by its chat', { chatId: '120363041234567890@g.us' }],
    ['without an id', { id: '' }],
    ['in a state that nobody knows', { status: 'transport' }],
    ['in the state constructor', { status: 'constructor' }],
    ['by nobody', { from: '', chatId: '' }],
  ])('the parser ignores a call %s', (_name, more) => {
    expect(call(more).events).toMatchObject([{ kind: 'ignored' }])
  })

  test.each<[unknown, Date | undefined]>([
    [at.getTime(), at],
    [Math.floor(at.getTime() / 1000), new Date('2026-11-20T19:56:04.000Z')],
    [long(at.getTime()), at],
    ['2026-11-20T16:56:04.370-03:00', at],
    ['ontem', undefined],
    ['2026-99-99T99:99:99Z', undefined],
    [null, undefined],
    [{}, undefined],
  ])('the parser reads the time of a call from %j', (date, wanted) => {
    expect(call({ date }).events).toMatchObject([{ at: wanted }])
  })
})

test.each(['contacts.update', 'contacts.upsert'])(
  '%s: one or several, never empty, never of a group',
  (event) => {
    const contact = (remoteJid: string, pushName: unknown) => ({ remoteJid, pushName, profilePicUrl: null })
    const maria = { kind: 'profile', name: 'Maria', peer: { phone, lid: undefined, jid } }
    expect(parse(event, contact(jid, ' Maria ')).events).toEqual([maria])
    expect(parse(event, contact(jid, 'Maria')).lane).toBe(`loja1:${phone}`)
    const several = [
      contact(jid, 'Maria'),
      contact(jid, ''),
      contact(jid, '  '),
      contact(jid, null),
      contact('120363041234567890@g.us', 'Grupo'),
      contact(lid, 'Ana'),
      null,
    ]
    const kinds = parse(event, several).events.map((one) => (one.kind === 'profile' ? one.name : one.kind))
    expect(kinds).toEqual(['Maria', 'ignored', 'ignored', 'ignored', 'ignored', 'Ana', 'ignored'])
  },
)

describe('who is the other side of our own messages', () => {
  const peer = (key: object) => {
    const event = upsert({ conversation: 'oi' }, { key: { fromMe: true, ...key } })
    return event?.kind === 'message' ? event.peer : undefined
  }

  test.each<[string, object, object]>([
    [
      'what names the sender names us',
      { senderPn: own, senderLid: '111@lid' },
      { phone, lid: undefined, jid },
    ],
    [
      'our address in place of the LID of the other side (2.3.1)',
      { remoteJid: own, previousRemoteJid: lid },
      { phone: undefined, lid: '182736455463728', jid: lid },
    ],
    [
      'our address beside it',
      { remoteJid: lid, remoteJidAlt: own },
      { phone: undefined, lid: '182736455463728', jid: lid },
    ],
    [
      'a chat with ourselves stays one',
      { remoteJid: own },
      { phone: '5511955554444', lid: undefined, jid: own },
    ],
  ])('the other side of a message from the connected number: %s', (_name, key, wanted) => {
    expect(peer(key)).toEqual(wanted)
  })

  test('the other identity of the author is the contact’s', () => {
    const event = upsert({ conversation: 'oi' }, { key: { remoteJid: lid, participantAlt: jid } })
    expect(event).toMatchObject({ peer: { phone, lid: '182736455463728', jid: lid } })
  })
})

test.each(['connection.update', 'CONNECTION_UPDATE'])(
  'a webhook %s may contain one state or several',
  (event) => {
    const parsed = parse(event, [{ state: 'connecting' }, { state: 'refused' }])
    expect(parsed.events).toMatchObject([{ state: 'connecting' }, { state: 'close' }])
  },
)

test.each([[null], [[]], [{}], ['x'], [undefined]])('a logout with %j is one', (data) => {
  expect(parse('logout.instance', data).events).toMatchObject([{ kind: 'connection', state: 'close' }])
})

test.each([
  'qrcode.updated',
  'chats.set',
  'groups.update',
  'labels.edit',
  'instance.create',
  'messaging-history.set',
  '',
])('%s is ignored, with its name', (event) => {
  expect(parse(event, [{}]).events).toEqual([{ kind: 'ignored', reason: event || 'unknown' }])
})
