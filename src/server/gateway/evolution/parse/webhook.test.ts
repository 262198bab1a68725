import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWebhook } from './webhook.ts'
import { errorWords, integer, timeMs } from './values.ts'
import type { GatewayEvent } from './gateway-events.ts'
import { parseVcard, safeUrl } from './vcard.ts'

const folder = join(import.meta.dirname, '../../../../simulator/payloads')
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Record<string, unknown>

const phone = '5511987654321'
const jid = `${phone}@s.whatsapp.net`
const lid = '182736455463728@lid'
const own = '5511955554444@s.whatsapp.net'
const sentMs = 1_795_204_493_000
const senderMs = 1_760_000_000_123

const ignored = { kind: 'ignored' }

/** Of each recorded body its name, its dedupe key ('body': a hash of the whole body), and its event. */
const expected = readFileSync(join(import.meta.dirname, 'recorded-events.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, string, object])

test('the recorded bodies all stand in the table', () => {
  expect(expected.map(([name]) => name)).toEqual(names.toSorted())
})

test.each(expected)('the recorded body %s is parsed as expected', (name, key, event) => {
  const { events, instance, dedupeKey } = parseWebhook(recorded(name))
  expect(JSON.parse(JSON.stringify(events))).toEqual([event])
  expect(instance).toBe('loja1')
  expect(dedupeKey).toMatch(key === 'body' ? /^body:[\w-]{43}$/ : new RegExp(`^${key}$`))
})

test('no two recorded bodies have the same key, and none has the lane of another person', () => {
  // A call that was not taken is missed, however it ended.
  const others = names.filter((name) => name !== 'call.timeout')
  const parsed = others.map((name) => parseWebhook(recorded(name)))
  expect(new Set(parsed.map((one) => one.dedupeKey)).size).toBe(others.length)
  for (const one of parsed)
    if (one.events[0]?.kind === 'message' && one.events[0].peer.phone === phone)
      expect(one.lane).toBe('loja1:5511987654321')
})

const parseBody = (event: string, data: unknown, more: object = {}) =>
  parseWebhook({ event, instance: 'loja1', sender: own, data, ...more })

const upsert = (message: unknown, more: { key?: object } & Record<string, unknown> = {}) => {
  const { key, ...rest } = more
  return parseBody('messages.upsert', {
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
const text = { conversation: 'oi' }
const peerOf = (key: object) => {
  const event = upsert(text, { key })
  return event?.kind === 'message' ? event.peer : undefined
}

describe('who it is', () => {
  const both = { phone, lid: '182736455463728' }

  test.each<[string, object, object]>([
    ['a telephone number', { remoteJid: jid }, { phone, lid: undefined, jid }],
    ['a LID alone', { remoteJid: lid }, { phone: undefined, lid: '182736455463728', jid: lid }],
    ['a number, the LID beside it', { remoteJid: jid, remoteJidAlt: lid }, { ...both, jid }],
    [
      'a LID, the number beside it (2.3.6)',
      { remoteJid: lid, remoteJidAlt: jid },
      { ...both, jid: lid, phoneJid: jid },
    ],
    [
      'a LID, beside it the number without its ninth digit',
      { remoteJid: lid, remoteJidAlt: '552188887777:3@s.whatsapp.net' },
      { phone: '5521988887777', jid: lid, phoneJid: '552188887777@s.whatsapp.net' },
    ],
    [
      'a LID swapped for its number (2.3.7)',
      { remoteJid: jid, remoteJidAlt: jid, addressingMode: 'lid' },
      { phone, lid: undefined, jid },
    ],
    [
      'a LID swapped for senderPn (2.3.1)',
      { remoteJid: jid, previousRemoteJid: lid, senderPn: jid },
      { ...both, jid },
    ],
    ['a LID with senderPn', { remoteJid: lid, senderPn: jid }, { ...both, jid: lid }],
    ['a number with senderLid', { remoteJid: jid, senderLid: lid }, { ...both, jid }],
    ['a number of a linked device', { remoteJid: '5511987654321:12@s.whatsapp.net' }, { phone, jid }],
    ['an old address', { remoteJid: '5511987654321@c.us' }, { phone }],
    [
      'a number without its ninth digit',
      { remoteJid: '552188887777@s.whatsapp.net' },
      { phone: '5521988887777', jid: '552188887777@s.whatsapp.net' },
    ],
    [
      'a number with its ninth digit',
      { remoteJid: '5521988887777@s.whatsapp.net' },
      { phone: '5521988887777', jid: '5521988887777@s.whatsapp.net' },
    ],
    ['a landline', { remoteJid: '551133334444@s.whatsapp.net' }, { phone: '551133334444' }],
    ['a number of another country', { remoteJid: '351912345678@s.whatsapp.net' }, { phone: '351912345678' }],
    [
      'a number of the United States of ten digits and one',
      { remoteJid: '12025550123@s.whatsapp.net' },
      { phone: '12025550123' },
    ],
    [
      'an empty alternative',
      { remoteJid: jid, remoteJidAlt: '', participant: '' },
      { phone, lid: undefined },
    ],
  ])('the parser finds who wrote: %s', (_name, key, wanted) => {
    expect(peerOf(key)).toMatchObject(wanted)
  })

  test.each([
    '120363041234567890@g.us',
    'status@broadcast',
    '5511987654321@broadcast',
    '120363041234567890@newsletter',
    '@s.whatsapp.net',
    'abc@s.whatsapp.net',
    '5511987654321',
    '1@s.whatsapp.net',
    `${'9'.repeat(16)}@s.whatsapp.net`,
    `${'9'.repeat(40)}@lid`,
    '5511987654321@s.whatsapp.net.evil.example',
    ' 5511987654321@s.whatsapp.net',
    '',
  ])('%j is no chat of two', (remoteJid) => {
    expect(upsert(text, { key: { remoteJid } })).toMatchObject(ignored)
  })

  test('a group stays one, also when its author has a number beside it', () => {
    const remoteJid = '120363041234567890@g.us'
    const key = { remoteJid, participant: lid, participantAlt: jid, senderPn: jid }
    expect(upsert(text, { key })).toMatchObject({
      kind: 'ignored',
    })
  })

  test.each([[''], ['   '], ['\u3164'], ['\u200b \u2800'], [null], [undefined], [42], [{}]])(
    'the push name %j is no name',
    (pushName) => {
      expect(upsert(text, { pushName })).toMatchObject({ name: undefined })
    },
  )

  test.each(['', '\u3164', '\u200b'])('a profile that is called %j gives no name', (pushName) => {
    expect(parseBody('contacts.update', { remoteJid: jid, pushName }).events).toMatchObject([ignored])
  })

  test('our own name is nobody’s', () => {
    expect(upsert(text, { key: { fromMe: true }, pushName: 'Você' })).toMatchObject({
      origin: 'phone',
      name: undefined,
    })
  })
})

test.each<[unknown, number | undefined]>([
  [1_760_000_000, 1_760_000_000],
  [1.9, 1],
  ['1760000000', 1_760_000_000],
  ['-5', -5],
  [{ low: 1_760_000_000, high: 0, unsigned: false }, 1_760_000_000],
  [{ low: -936_591_237, high: 409, unsigned: false }, 1_760_000_000_123],
  [{ low: -1, high: 0, unsigned: true }, 4_294_967_295],
  ['9007199254740993', undefined],
  [{ low: 0, high: 2_147_483_647, unsigned: true }, undefined],
  [{ low: 0, high: 1e300, unsigned: true }, undefined],
  [{ low: '1', high: 0 }, undefined],
  [1e300, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['1e3', undefined],
  ['', undefined],
  [null, undefined],
  [[5], undefined],
  [true, undefined],
])('an integer is read from %j', (value, wanted) => {
  expect(integer(value)).toBe(wanted)
})

test.each([0, -1, 1e15, 253_402_300_800_000, { low: 0, high: 1_000_000 }])(
  'no time is read from %j',
  (value) => {
    expect(timeMs(value)).toBe(0)
  },
)

test.each([[1_795_204_493], ['1795204493'], [{ low: 1_795_204_493, high: 0, unsigned: true }]])(
  'the time of a message is read from %j',
  (messageTimestamp) => {
    expect(upsert(text, { messageTimestamp })).toMatchObject({ sentAt: new Date(1_795_204_493_000) })
  },
)

test.each([[1e300], ['9999999999999999'], [-5], [null], [{ low: 1, high: 999_999_999 }]])(
  'a message with the time %j arrives without one',
  (messageTimestamp) => {
    expect(upsert(text, { messageTimestamp })).toMatchObject({
      kind: 'message',
      sentAt: undefined,
    })
  },
)

test.each([
  ['our number', { conversation: 'LINK' }, { fromMe: true }, ignored],
  [
    'our number, with a preview',
    { extendedTextMessage: { text: 'Crie sua conta: LINK' } },
    { fromMe: true },
    ignored,
  ],
  ['a client', { conversation: 'LINK' }, { fromMe: false }, { kind: 'message' }],
  [
    'our number, cut off',
    { conversation: 'https://a.example/convite#curto' },
    { fromMe: true },
    { kind: 'message' },
  ],
])(
  'the link of an invitation is ignored in a message of ours, and only there: %s',
  (_who, inner, key, event) => {
    const link = `https://a.example/convite#${'x'.repeat(43)}`
    const message = JSON.parse(JSON.stringify(inner).replace('LINK', link)) as object
    expect(upsert(message, { key })).toMatchObject(event)
  },
)

describe('what is inside', () => {
  const conversation = { conversation: 'lá dentro' }
  const wrap = (...wrappers: string[]) =>
    wrappers.reduceRight<object>((innermost, name) => ({ [name]: { message: innermost } }), conversation)

  test.each([
    ['ephemeralMessage'],
    ['viewOnceMessage'],
    ['viewOnceMessageV2'],
    ['viewOnceMessageV2Extension'],
    ['documentWithCaptionMessage'],
    ['editedMessage'],
    ['associatedChildMessage'],
    ['deviceSentMessage'],
    ['ephemeralMessage', 'viewOnceMessageV2'],
    ['deviceSentMessage', 'ephemeralMessage', 'viewOnceMessage'],
  ])('a text inside %s is read', (...wrappers) => {
    expect(upsert(wrap(...wrappers.filter(Boolean)))).toMatchObject({
      content: { messageType: 'text', content: 'lá dentro' },
    })
  })

  test('a text beside what only machines read', () => {
    const said = { messageContextInfo: {}, senderKeyDistributionMessage: {}, base64: 'AAAA', ...conversation }
    expect(upsert(said)).toMatchObject({ content: { messageType: 'text', content: 'lá dentro' } })
  })

  test('an edit in the old way (1.8) is an edit', () => {
    const protocolMessage = {
      key: { id: 'OLD' },
      type: 14,
      editedMessage: conversation,
      timestampMs: '1760000100000',
    }
    expect(upsert({ editedMessage: { message: { protocolMessage } } })).toEqual({
      kind: 'edit',
      waId: 'OLD',
      content: 'lá dentro',
      editedAtMs: 1_760_000_100_000,
    })
  })

  test.each<[string, unknown, object]>([
    [
      'a reaction that was taken back',
      { reactionMessage: { key: { id: 'OLD' } } },
      { kind: 'reaction', emoji: '' },
    ],
    ['nothing', {}, { content: { messageType: 'unsupported' } }],
    ['null', null, { content: { messageType: 'unsupported' } }],
    [
      'something new',
      { holographMessage: { url: 'x' } },
      { kind: 'unreadable', waId: 'ID', fromMe: false, gatewayType: 'holographMessage' },
    ],
  ])('the parser reads the content of %s', (_name, said, wanted) => {
    expect(upsert(said)).toMatchObject(wanted)
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'a kind called %s is an unknown one',
    (name) => {
      const said: unknown = JSON.parse(`{"${name}":{"url":"x"}}`)
      expect(upsert(said)).toMatchObject({ kind: 'unreadable', gatewayType: name })
    },
  )
})

describe('changes', () => {
  const update = (data: object) =>
    parseBody('messages.update', { keyId: 'ID', remoteJid: jid, fromMe: true, ...data }).events[0]

  test.each<[object, object]>([
    [{ status: 'SERVER_ACK' }, { kind: 'delivery', status: 'sent' }],
    [{ status: 'DELETED' }, { kind: 'delete', waId: 'ID' }],
    [{ status: 'PENDING' }, ignored],
    [{ status: 'constructor' }, ignored],
    [{ status: '__proto__' }, ignored],
    [{ status: 3 }, { kind: 'delivery', status: 'delivered' }],
    [{ status: 6 }, ignored],
    [{ status: -1 }, ignored],
    [{ status: '' }, ignored],
    [{ status: 'SERVER_ACK', fromMe: false, message: { editedMessage: {} } }, ignored],
    [
      {
        status: 'SERVER_ACK',
        fromMe: false,
        message: { editedMessage: { message: { conversation: 'quero 12' } } },
      },
      { kind: 'edit', waId: 'ID', content: 'quero 12', editedAtMs: 0 },
    ],
    [
      { status: 'READ', remoteJid: '182736455463728@lid' },
      { kind: 'delivery', status: 'read' },
    ],
    [
      { status: 'READ', keyId: undefined, key: { id: 'OTHER' } },
      { kind: 'delivery', waId: 'OTHER' },
    ],
    [{ status: 'READ', keyId: 'x'.repeat(129) }, ignored],
  ])('the parser reads the update %j', (data, wanted) => {
    expect(update(data)).toMatchObject(wanted)
  })

  test('an edit without a time has that of its first report, whatever zone the gateway thinks in', () => {
    const data = { keyId: 'ID', message: { editedMessage: { message: { conversation: 'quero 12' } } } }
    const at = Date.UTC(2026, 10, 20, 18, 59, 58, 123)
    const editedAt = (zoneHours: number, delayMs: number) => {
      const date_time = new Date(at + zoneHours * 3_600_000).toISOString()
      const [edit] = parseWebhook({ event: 'messages.update', data, date_time }, at + delayMs).events
      return edit?.kind === 'edit' && edit.editedAtMs
    }
    for (const zone of [0, -3, 9]) {
      // The gateway's clock is ahead, or it has tried for twenty minutes.
      for (const delay of [-60_000, 5, 20 * 60_000]) expect(editedAt(zone, delay)).toBe(at)
    }
    const parsed = parseWebhook({ event: 'messages.update', data, date_time: 'ontem' }, at)
    expect(parsed.events).toMatchObject([{ kind: 'edit', editedAtMs: 0 }])
  })

  test.each([0, -3, 9])(
    'a message says how long after it the gateway had it, in the zone %i',
    (zoneHours) => {
      const data = { key: { remoteJid: jid, fromMe: false, id: 'ID' }, message: text }
      const postedMs = (event: string, delayMs: number) => {
        const date_time = new Date(sentMs + delayMs + zoneHours * 3_600_000).toISOString()
        const body = { event, data: { ...data, messageTimestamp: sentMs / 1000 }, date_time }
        const [one] = parseWebhook(body).events
        return one?.kind === 'message' && one.postedMs
      }
      for (const delayMs of [-60_000, 0, 123, 20 * 60_000])
        expect(postedMs('messages.upsert', delayMs)).toBe(delayMs)
      // A sync posts what is years old.
      expect(postedMs('messages.set', 5)).toBeUndefined()
    },
  )

  test('a deletion by our own call is found by its key, not by the row of the gateway', () => {
    const data = {
      id: 'cmwpef3ln0028k87dibawu7su',
      key: { id: '3EB0', remoteJid: jid },
      status: 'DELETED',
    }
    expect(parseBody('messages.delete', data).events).toEqual([{ kind: 'delete', waId: '3EB0' }])
  })

  test.each([
    [{ type: 'MESSAGE_EDIT' }],
    [{ type: 'REVOKE', editedMessage: {} }],
    [{ type: 'EPHEMERAL_SETTING' }],
  ])('the protocol message %j edits nothing', (data) => {
    expect(parseBody('messages.edited', { key: { id: 'ID' }, ...data }).events).toMatchObject([ignored])
  })

  test('several in one body are several events, in order', () => {
    const one = (id: string) => ({ key: { remoteJid: jid, id }, message: { conversation: id } })
    const parsed = parseWebhook({
      event: 'MESSAGES_UPSERT',
      instance: 'x',
      data: [one('A'), one('B'), null, one('C')],
    })
    expect(parsed.events.map((event) => ('waId' in event ? event.waId : event.kind))).toEqual([
      'A',
      'B',
      'ignored',
      'C',
    ])
    expect(parsed.dedupeKey).toMatch(/^body:/)
  })
})

test('the same body has the same key, whatever the order of its fields', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, inner]) => [key, shuffled(inner)]),
    )
  }
  const keyOf = (body: unknown) => parseWebhook(body).dedupeKey
  for (const name of names) expect(keyOf(shuffled(recorded(name)))).toBe(keyOf(recorded(name)))
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(keyOf(JSON.parse(JSON.stringify(body)))).toBe(keyOf(body))
    }),
  )
})

test('two bodies that differ in one value have two keys', () => {
  const keyOf = (data: unknown) => parseWebhook({ event: 'presence.update', instance: 'x', data }).dedupeKey
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const sorted = (value: unknown) => keyOf(value)
      if (JSON.stringify(one).length !== JSON.stringify(other).length)
        expect(sorted(one)).not.toBe(sorted(other))
    }),
  )
})

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
  const quote = { stanzaId: 'OLD', participant: jid, quotedMessage: { imageMessage: { caption: 'antes' } } }
  const extended = { extendedTextMessage: { text: 'oi', contextInfo: quote } }

  test.each<[string, unknown, object]>([
    ['beside the content', text, { contextInfo: quote }],
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
    expect(upsert(text, { contextInfo: unknownQuote })).toMatchObject({
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
    expect(contentIn(upsert(text, { contextInfo: { externalAdReply } })).metadata).toEqual({ ad })
    const inside = { extendedTextMessage: { text: 'oi', contextInfo: { externalAdReply } } }
    expect(contentIn(upsert({ ephemeralMessage: { message: inside } })).metadata).toEqual({ ad })
    const evil = { externalAdReply: { title: 'x', sourceUrl: 'javascript:alert(1)' } }
    expect(contentIn(upsert(text, { contextInfo: evil })).metadata).toEqual({ ad: { title: 'x' } })
    expect(contentIn(upsert(text, { contextInfo: { externalAdReply: {} } })).metadata).toEqual({})
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

test('wrappers in wrappers are opened as deep as a body is kept, and no deeper', () => {
  const wrapped = (times: number) => {
    let message: unknown = { conversation: 'lá dentro' }
    for (let n = 0; n < times; n++)
      message = { [n % 2 === 0 ? 'ephemeralMessage' : 'novoMessage']: { message } }
    return contentIn(upsert(message)).messageType
  }
  expect([1, 2, 30, 64].map(wrapped)).toEqual(['text', 'text', 'text', 'text'])
  expect([65, 1001].map(wrapped)).toEqual(['unsupported', 'unsupported'])
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
      expect(vote(pollUpdates)).toMatchObject(ignored)
    },
  )

  test('votes with news of the poll belong to whoever voted', () => {
    const pollUpdates = options([jid], [own, jid], [])
    const data = { keyId: 'POLL', remoteJid: jid, fromMe: true, status: 'READ', pollUpdates }
    expect(parseBody('messages.update', data).events).toEqual([
      { kind: 'vote', waId: 'POLL', options: ['op0', 'op1'], from: 'contact', sentAtMs: 0 },
      { kind: 'vote', waId: 'POLL', options: ['op1'], from: 'user', sentAtMs: 0 },
      { kind: 'delivery', waId: 'POLL', status: 'read', peer: { phone, lid: undefined, jid } },
    ])
    const nobody = { ...data, status: undefined, pollUpdates: options([], []) }
    expect(parseBody('messages.update', nobody).events).toMatchObject([ignored])
  })

  test('votes and pins are kept under a hash, since the same one may come again and say more', () => {
    const message = { pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' } } }
    const data = { key: { remoteJid: jid, id: 'ID' }, message }
    const sealed = parseBody('messages.upsert', data)
    const open = parseBody('messages.upsert', { ...data, pollUpdates: options([jid]) })
    expect(sealed.dedupeKey).toBe('upsert:ID')
    expect(open.dedupeKey).toMatch(/^body:/)
    expect(open.lane).toBe('loja1:message:POLL')
    const pin = { pinInChatMessage: { key: { id: 'OLD' }, type: 1 } }
    expect(parseBody('messages.upsert', { ...data, message: pin }).dedupeKey).toMatch(/^body:/)
  })
})

describe('calls', () => {
  const call = (more: object, envelope: object = {}) =>
    parseBody(
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
    expect(call(more).events).toMatchObject([ignored])
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
    expect(parseBody(event, contact(jid, ' Maria ')).events).toEqual([maria])
    expect(parseBody(event, contact(jid, 'Maria')).lane).toBe(`loja1:${phone}`)
    const several = [
      contact(jid, 'Maria'),
      contact(jid, ''),
      contact(jid, '  '),
      contact(jid, null),
      contact('120363041234567890@g.us', 'Grupo'),
      contact(lid, 'Ana'),
      null,
    ]
    const kinds = parseBody(event, several).events.map((one) =>
      one.kind === 'profile' ? one.name : one.kind,
    )
    expect(kinds).toEqual(['Maria', 'ignored', 'ignored', 'ignored', 'ignored', 'Ana', 'ignored'])
  },
)

test.each<[string, object, object]>([
  ['what names the sender names us', { senderPn: own, senderLid: '111@lid' }, { phone, lid: undefined, jid }],
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
  expect(peerOf({ fromMe: true, ...key })).toEqual(wanted)
})

test('the other identity of the author is the contact’s', () => {
  const peer = { phone, lid: '182736455463728', jid: lid }
  expect(peerOf({ remoteJid: lid, participantAlt: jid })).toMatchObject(peer)
})

test.each(['connection.update', 'CONNECTION_UPDATE'])(
  'a webhook %s may contain one state or several',
  (event) => {
    const parsed = parseBody(event, [{ state: 'connecting' }, { state: 'refused' }])
    expect(parsed.events).toMatchObject([{ state: 'connecting' }, { state: 'close' }])
  },
)

test.each([[null], [[]], [{}], ['x'], [undefined]])('a logout with %j is one', (data) => {
  expect(parseBody('logout.instance', data).events).toMatchObject([{ kind: 'connection', state: 'close' }])
})

test.each(['groups.update', 'messaging-history.set', ''])('%s is ignored, with its name', (event) => {
  expect(parseBody(event, [{}]).events).toEqual([{ kind: 'ignored', reason: event || 'unknown' }])
})

const card = (...lines: string[]) =>
  parseVcard(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\r\n'))

test('a contact card with everything that the console shows', () => {
  expect(
    card(
      'N:Silva;Pedro;Luís;Dr.;Jr.',
      'FN:Dr. Pedro Silva',
      'ORG:Loja do Pedro;Vendas',
      'item1.EMAIL;type=INTERNET:pedro@loja.example',
      'item2.URL:https://loja.example',
      'TEL;type=CELL;type=VOICE;waid=5511977776666:+55 11 97777-6666',
      'item3.TEL:(11) 3333-4444',
      'item3.X-ABLabel:Loja',
      'PHOTO;BASE64:AAAA',
    ),
  ).toEqual({
    name: 'Dr. Pedro Silva',
    phones: [{ number: '+55 11 97777-6666', waId: '5511977776666' }, { number: '(11) 3333-4444' }],
    organization: 'Loja do Pedro, Vendas',
    email: 'pedro@loja.example',
    url: 'https://loja.example',
  })
})

test.each<[string, string[], object]>([
  ['a structured name alone', ['N:Silva;Pedro;;Dr.;'], { name: 'Dr. Pedro Silva' }],
  ['a structured name with a first name alone', ['N:;Pedro;;;'], { name: 'Pedro' }],
  ['a blank name before the structured one', ['FN: ', 'N:Silva;Ana;;;'], { name: 'Ana Silva' }],
  ['a blank name before a good one', ['FN:', 'FN:Ana'], { name: 'Ana' }],
  ['escaped characters', ['FN:Silva\\, Ana\\; \\\\o/\\nBairro'], { name: 'Silva, Ana; \\o/ Bairro' }],
  ['an escaped semicolon in a part', ['N:Silva\\;Souza;Ana;;;'], { name: 'Ana Silva;Souza' }],
  ['a folded line', ['FN:Ana Mar', ' ia da', '\t Silva'], { name: 'Ana Maria da Silva' }],
  [
    'quoted-printable (2.1)',
    ['FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o =C3=89'],
    { name: 'João É' },
  ],
  [
    'quoted-printable over two lines',
    ['N;ENCODING=QUOTED-PRINTABLE:Silva;Jo=C3=A3=', 'o;;;'],
    { name: 'João Silva' },
  ],
  ['the short form of 2.1', ['FN;QUOTED-PRINTABLE:Jo=C3=A3o'], { name: 'João' }],
  ['small letters', ['fn:ana', 'tel:11 98888-7777'], { name: 'ana', phones: [{ number: '11 98888-7777' }] }],
  [
    'an address of version 4',
    ['TEL;VALUE=uri:tel:+5511988887777'],
    { phones: [{ number: '+5511988887777' }] },
  ],
  [
    'a colon inside quotes',
    ['TEL;X-NOTE="a:b";waid=5511988887777:+55 11'],
    { phones: [{ number: '+55 11', waId: '5511988887777' }] },
  ],
  [
    'a broken waid, as the gateway writes it',
    ['TEL;waid=5511977776666@s.whatsapp.net:+55 11 97777-6666'],
    { phones: [{ number: '+55 11 97777-6666', waId: '5511977776666' }] },
  ],
  [
    'a waid without a number',
    ['TEL;waid=5511977776666:'],
    { phones: [{ number: '+5511977776666', waId: '5511977776666' }] },
  ],
  ['a waid that is none', ['TEL;waid=abc:123'], { phones: [{ number: '123' }] }],
  ['a number that is blank', ['TEL:  '], { phones: [] }],
  ['an e-mail as an address', ['EMAIL:mailto:a@b.example'], { email: 'a@b.example' }],
])('a contact card is read with %s', (_name, lines, wanted) => {
  expect(card(...lines)).toEqual({ phones: [], ...wanted })
})

test.each(['\n', '\r\n', '\r'])('a contact card with lines that end in %j', (end) => {
  expect(parseVcard(['BEGIN:VCARD', 'FN:Ana', 'TEL:123', 'END:VCARD'].join(end))).toEqual({
    name: 'Ana',
    phones: [{ number: '123' }],
  })
})

test('a contact card shows no address that a browser would run', () => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http:x',
  ]
  for (const url of refused) expect(card('FN:x', `URL:${url}`)).toEqual({ name: 'x', phones: [] })
  expect(safeUrl('loja.example/a:b')).toBe('loja.example/a:b')
  expect(safeUrl('loja.example:8080/x')).toBe('loja.example:8080/x')
  expect(safeUrl(undefined)).toBeUndefined()
})

test('a contact card is bounded, whatever it is', () => {
  const isSmall = (source: string) => {
    const before = process.threadCpuUsage()
    const parsed = parseVcard(source)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
    expect(JSON.stringify(parsed).length).toBeLessThan(20_000)
    expect(parsed.phones.length).toBeLessThanOrEqual(30)
  }
  isSmall('TEL:1\n'.repeat(100_000))
  isSmall(`FN:${'\\'.repeat(200_000)}`)
  isSmall(`N:${';'.repeat(200_000)}`)
  isSmall(`FN:${' '.repeat(200_000)}x`)
  isSmall(`FN;ENCODING=QUOTED-PRINTABLE:${'=\n'.repeat(100_000)}`)
  isSmall(`FN;ENCODING=QUOTED-PRINTABLE:${'='.repeat(100_000)}`)
  isSmall(`TEL;waid=${'5'.repeat(100_000)}:1`)
  isSmall(`TEL;${'"'.repeat(65_000)}:1`)
  isSmall(' x\n'.repeat(50_000))
  const piece = fc.constantFrom(
    'FN',
    'TEL',
    'N',
    'ORG',
    ':',
    ';',
    '=',
    '=3D',
    '\\',
    '\n',
    '\r\n',
    ' ',
    '"',
    'waid=55119',
    'ENCODING=QUOTED-PRINTABLE',
    '\ud83d',
    'ã',
    'item1.',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => isSmall(pieces.join(''))),
    { seed: 11, numRuns: 3000 },
  )
})

test.each<[unknown, string]>([
  [new DOMException('x', 'TimeoutError'), 'sem resposta a tempo'],
  [Object.assign(new Error('x'), { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'sem resposta a tempo'],
  [Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), 'sem resposta a tempo'],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError('x'), 'sem motivo conhecido'],
  ['x', 'sem motivo conhecido'],
])('of %s a person reads %s', (error, words) => {
  expect(errorWords(error)).toBe(words)
})
