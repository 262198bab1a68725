import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deliveryStatuses } from '#shared/messages/delivery.ts'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import { parseWebhook } from './webhook.ts'
import type { ParsedWebhook } from './gateway-events.ts'
import { storable } from '#server/gateway/inbox/payload.ts'
import { atNight } from '#server/testing/nightly.ts'

type Bag = Record<string, unknown>

const folder = join(import.meta.dirname, '../../../../simulator/payloads')
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
const recorded = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Bag
const isNode = (value: unknown): value is Bag => typeof value === 'object' && value !== null
const maria = '5511987654321@s.whatsapp.net'

/** Reorders the keys of an object, as a database may. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (!isNode(value)) return value
  const keys = Object.keys(value).toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1))
  return JSON.parse(
    `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(reordered(value[key]))}`).join(',')}}`,
  )
}

/** What a body means, without keys that are a hash of the whole body. */
const meaning = ({ dedupeKey, lane, ...rest }: ParsedWebhook) => {
  const isHash = dedupeKey.startsWith('body:')
  return {
    ...rest,
    dedupeKey: isHash ? 'body' : dedupeKey,
    lane: isHash ? lane.replace(dedupeKey, 'body') : lane,
  }
}

/** Every name in the recorded bodies, and some that only the protocol has. */
const known = [
  ...new Set(names.flatMap((name) => namesIn(recorded(name)))),
  ...`ephemeralMessage viewOnceMessageV2 editedMessage deviceSentMessage lottieStickerMessage ptvMessage
    protocolMessage pinInChatMessage pollUpdateMessage pollUpdates pollCreationMessageKey voters
    externalAdReply isForwarded message listMessage sections rows buttonsMessage templateMessage
    hydratedTemplate hydratedButtons interactiveMessage body orderMessage productMessage eventMessage
    albumMessage listResponseMessage interactiveResponseMessage paramsJson messageStubType
    __proto__ constructor prototype toString hasOwnProperty`.split(/\s+/),
]

function namesIn(value: unknown): string[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    /^\d+$/.test(name) ? namesIn(inner) : [name, ...namesIn(inner)],
  )
}

const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(null, true, false, 0, -0, 1, 2, 14, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63),
  fc.constantFrom(
    '',
    '\0',
    '\ud83d',
    '\udc00a',
    '😀',
    '$&',
    maria,
    '1@lid',
    '1@g.us',
    '9'.repeat(400),
    '{"title":1}',
  ),
  fc.constantFrom(
    'MESSAGE_EDIT',
    'REVOKE',
    'READ',
    'offer',
    'me',
    'BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:=\nTEL;waid=1:',
  ),
)
const anyJson = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 7, depthIdentifier: 'node' },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...known), tie('node')), { maxLength: 6 })
      .map(
        (entries) =>
          JSON.parse(
            `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
})).node
const anyEvent = fc.constantFrom(...new Set(names.map((name) => recorded(name)['event'])))
const anyMessage = anyJson.map((message) => ({ key: { remoteJid: maria, id: 'ID', fromMe: false }, message }))
/** Recorded bodies of which some places have another value. */
const anyDamaged = fc.constantFrom(...names).chain((name) => {
  const changes = fc.tuple(fc.constantFrom(...placesIn(recorded(name))), fc.jsonValue({ maxDepth: 3 }))
  return fc
    .array(changes, { minLength: 1, maxLength: 4 })
    .map((all) => all.reduce<unknown>((body, [place, value]) => replaced(body, place, value), recorded(name)))
})
const anyBody = fc.oneof(
  anyDamaged,
  anyJson,
  fc.tuple(anyEvent, anyJson).map(([event, data]) => ({ event, instance: 'loja1', data })),
  anyMessage.map((data) => ({ event: 'messages.upsert', instance: 'loja1', sender: maria, data })),
)

/** What the lanes of the inbox rely on, for any body. */
function expectSound({ event: name, dedupeKey, lane, events }: ParsedWebhook): void {
  expect(name.length).toBeLessThanOrEqual(64)
  expect(dedupeKey.length).toBeLessThanOrEqual(400)
  expect(dedupeKey).toMatch(/^(upsert|send|update|edit|delete|call|body):./s)
  expect(lane.length).toBeLessThanOrEqual(400)
  for (const event of events) {
    // The event is stored as jsonb until its message arrives.
    if (event.kind !== 'ignored') expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
    if ('waId' in event) expect(event.waId.length).toBeGreaterThan(0)
    if (event.kind === 'delivery') expect(deliveryStatuses).toContain(event.status)
    if (event.kind === 'edit') expect(Number.isNaN(new Date(event.editedAtMs).getTime())).toBe(false)
    if (event.kind !== 'message') continue
    expect(messageTypes).toContain(event.content.messageType)
    expect(event.peer.phone ?? event.peer.lid).toMatch(/^\d{1,32}$/)
    if (event.peer.phone) expect(event.peer.phone).toMatch(/^\d{8,15}$/)
    if (event.sentAt) expect(event.sentAt.toISOString()).toMatch(/^\d{4}-/)
    if (event.content.sizeBytes !== undefined)
      expect(Number.isSafeInteger(event.content.sizeBytes)).toBe(true)
  }
}

test('any body is parsed without an error and without a trace, into events that can be kept', () => {
  const anything = fc.anything({ maxDepth: 4, withNullPrototype: true, withDate: true, withMap: true })
  fc.assert(
    fc.property(fc.oneof(anything, { arbitrary: anyBody, weight: 3 }), (body) => {
      const parsed = parseWebhook(body)
      expect(parsed.events.length).toBeLessThan(20)
      expect(({} as Bag)['polluted']).toBeUndefined()
      expectSound(parseWebhook(storable(body)))
    }),
    { seed: 1, numRuns: atNight(6000, 3000) },
  )
})

test('any body means the same after it was stored, however often and in whatever order', () => {
  const isSame = (body: unknown) => {
    const once = storable(body)
    const parsed = meaning(parseWebhook(once))
    expect(storable(once)).toEqual(once)
    // -0, NaN and Infinity are not JSON.
    const again: unknown = JSON.parse(JSON.stringify(storable(once)))
    expect(meaning(parseWebhook(again))).toEqual(parsed)
    expect(meaning(parseWebhook(reordered(again)))).toEqual(parsed)
  }
  names.map(recorded).forEach(isSame)
  fc.assert(fc.property(anyBody, isSame), { seed: 2, numRuns: atNight(2000, 700) })
})

test('any body is parsed into the same twice, and is left as it was', () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      const before = JSON.stringify(body)
      expect(parseWebhook(body)).toEqual(parseWebhook(body))
      expect(JSON.stringify(body)).toBe(before)
    }),
    { seed: 3, numRuns: atNight(1000, 350) },
  )
})

test('what is kept of a body is bounded, however long its texts and numbers are', () => {
  const long = '😀'.repeat(100_000)
  for (const name of [
    'messages.upsert.reaction',
    'messages.upsert.conversation.pn',
    'messages.edited.by-contact',
  ]) {
    const body = recorded(name)
    const text = JSON.stringify(body)
    for (const longer of [
      JSON.parse(text.replaceAll(/:"[^"]+"/g, `:"a${long}"`)) as unknown,
      JSON.parse(text.replaceAll(/:(\d+)/g, ':1e300')) as unknown,
      { ...body, event: long, instance: long },
      { ...body, data: { key: { remoteJid: maria, id: 'ID' }, message: { [`a${long}`]: {} } } },
    ])
      expectSound(parseWebhook(storable(longer)))
  }
})

describe('a body without bounds', () => {
  const isBounded = (data: unknown, most = 200_000, event = 'messages.upsert') => {
    const before = process.threadCpuUsage()
    const parsed = parseWebhook({ event, instance: 'x', data })
    // CPU time of this thread alone: other programs of the machine do not count.
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000)
    expect(JSON.stringify(parsed.events).length).toBeLessThan(most)
    return parsed.events
  }
  const inside = (message: unknown, more: object = {}) => ({
    key: { remoteJid: maria, id: 'ID' },
    message,
    ...more,
  })
  const many = <T>(item: T) => Array.from({ length: 100_000 }, () => item)
  const deep = (wrap: (inner: unknown) => unknown) => {
    let value: unknown = { conversation: 'fundo' }
    for (let depth = 0; depth < 10_000; depth++) value = wrap(value)
    return value
  }

  test.each<[string, (inner: unknown) => unknown]>([
    ['a wrapper', (message) => ({ ephemeralMessage: { message } })],
    ['a wrapper that nobody knows', (message) => ({ x: { message } })],
    [
      'a quote',
      (quotedMessage) => ({
        extendedTextMessage: { text: 'a', contextInfo: { stanzaId: 'b', quotedMessage } },
      }),
    ],
    ['an edit', (editedMessage) => ({ protocolMessage: { key: { id: 'a' }, type: 14, editedMessage } })],
    ['a list', (item) => [item]],
    ['a card of a carousel', (card) => ({ interactiveMessage: { carouselMessage: { cards: [card] } } })],
  ])('reading %s, nested ten thousand deep, takes a bounded time', (_name, wrap) => {
    isBounded(inside(deep(wrap)))
    isBounded(deep(wrap))
    isBounded(inside({ conversation: 'a' }, { contextInfo: { stanzaId: 'b', quotedMessage: deep(wrap) } }))
  })

  test.each<[string, object]>([
    ['cards', { contactsArrayMessage: { contacts: many({ displayName: 'Ana', vcard: 'TEL:1' }) } }],
    ['options', { pollCreationMessage: { name: 'x', options: many({ optionName: 'sim' }) } }],
    ['sections', { listMessage: { sections: many({ title: 'x', rows: [{ title: 'y' }] }) } }],
    ['rows', { listMessage: { sections: [{ rows: many({ title: 'y' }) }] } }],
    ['buttons', { buttonsMessage: { buttons: many({ buttonText: { displayText: 'x' } }) } }],
    [
      'cards of a carousel',
      { interactiveMessage: { carouselMessage: { cards: many({ body: { text: 'x' } }) } } },
    ],
  ])(
    'reading a hundred thousand %s takes a bounded time',
    (_name, message) => void isBounded(inside(message)),
  )

  test('a hundred thousand votes and voters', () => {
    const message = { pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' } } }
    isBounded(inside(message, { pollUpdates: many({ name: 'x', voters: [maria] }) }))
    isBounded(inside(message, { pollUpdates: [{ name: 'x', voters: many('y') }] }))
  })

  test('a hundred thousand items of an event are so many events and no more', () => {
    const contacts = isBounded(many({ remoteJid: maria, pushName: 'x' }), 20_000_000, 'contacts.update')
    expect(contacts).toHaveLength(100_000)
    isBounded(many(null), 20_000_000)
  })

  test('reading a hundred thousand keys takes a bounded time', () => {
    const message = Object.fromEntries(many(0).map((_zero, n) => [`k${n}`, { x: n }]))
    isBounded(inside(message))
    isBounded(inside({ ...message, conversation: 'oi' }))
  })

  test('a text of ten million letters, wherever a text may be', () => {
    const long = 'ã'.repeat(10_000_000)
    const kinds = [
      { conversation: long },
      { imageMessage: { caption: long, mimetype: long } },
      { contactMessage: { displayName: long, vcard: long } },
      { contactMessage: { vcard: `FN:${long}` } },
      { locationMessage: { degreesLatitude: 1, degreesLongitude: 1, name: long, address: long } },
      { pollCreationMessage: { name: long, options: [{ optionName: long }] } },
      { reactionMessage: { key: { id: 'x' }, text: long } },
      { interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: long } } },
      { productMessage: { product: { title: long } } },
      { [long]: {} },
    ]
    for (const message of kinds)
      isBounded(
        inside(message, { pushName: long, contextInfo: { stanzaId: 'x', quotedMessage: message } }),
        600_000,
      )
  }, 60_000)
})

/** The paths that may change the meaning of a body, by event. Paths omit the indexes of lists. */
const everywhere = ['event', 'instance', 'data']
const ofContent =
  'conversation|(extendedTextMessage|imageMessage|videoMessage|audioMessage|documentMessage|stickerMessage|contactMessage|contactsArrayMessage|locationMessage|reactionMessage|buttonsResponseMessage|pollCreationMessageV3)(\\.(text|caption|mimetype|fileName|fileLength(\\.(low|high))?|seconds|ptt|width|height|gifPlayback|pageCount|displayName|vcard|contacts(\\.(displayName|vcard))?|degreesLatitude|degreesLongitude|name|address|key(\\.id)?|senderTimestampMs(\\.(low|high))?|selectedDisplayText|selectableOptionsCount|options(\\.optionName)?))?'
const ofFrame = '(\\.(stanzaId|participant|remoteJid|quotedMessage(\\.conversation)?))?'
const ofMessage = [
  // The milliseconds within WhatsApp's second.
  'date_time',
  'data\\.key(\\.(id|remoteJid|remoteJidAlt|fromMe))?',
  'data\\.(pushName|messageTimestamp)',
  'data\\.message(\\.ephemeralMessage(\\.message)?)?',
  `data\\.message\\.(ephemeralMessage\\.message\\.)?(${ofContent})`,
  `data\\.contextInfo${ofFrame}`,
  // The positions of a contextInfo, and those of its fields that matter.
  `data\\.message\\.(\\w+\\.)*contextInfo${ofFrame}`,
  'data\\.message\\.messageContextInfo',
]
const ofChange = [
  'data\\.key(\\.id)?',
  'data\\.(type|timestampMs|editedMessage)',
  `data\\.editedMessage\\.(${ofContent})`,
]
const needed: Record<string, string[]> = {
  'messages.upsert': ofMessage,
  'send.message': ofMessage,
  'messages.set': ofMessage,
  'messages.edited': ofChange,
  'send.message.update': ofChange,
  'messages.update': ['data\\.(keyId|remoteJid|fromMe|status)'],
  'messages.delete': ['data\\.id'],
  call: ['data\\.(id|from|chatId|status|isGroup|isVideo|date)'],
  'presence.update': ['data\\.(id|presences(\\..+)?)'],
  'contacts.upsert': ['data\\.(remoteJid|pushName)'],
  'contacts.update': ['data\\.(remoteJid|pushName)'],
  'connection.update': ['data\\.(state|statusReason|wuid|profileName)'],
  'status.instance': ['data\\.disconnectionReasonCode'],
}

const pathIn = (steps: string[]) => steps.filter((step) => !/^\d+$/.test(step)).join('.')

/** One location for each path of the body; lists and bytes count once. */
function placesIn(body: Bag): string[][] {
  const found = new Map<string, string[]>()
  const visit = (value: unknown, steps: string[]) => {
    if (steps.length > 0 && !found.has(pathIn(steps))) found.set(pathIn(steps), steps)
    if (isNode(value)) for (const [name, inner] of Object.entries(value)) visit(inner, [...steps, name])
  }
  visit(body, [])
  return [...found.values()]
}

const freePlaces = (body: Bag) => {
  const patterns = [...everywhere, ...(needed[String(body['event'])] ?? [])]
  const isNeeded = new RegExp(`^(${patterns.join('|')})$`)
  return placesIn(body).filter((steps) => !isNeeded.test(pathIn(steps)))
}

const gone = Symbol('gone')

function replaced(value: unknown, [step, ...rest]: string[], instead: unknown): unknown {
  if (step === undefined) return instead
  if (!isNode(value)) return value
  const inner = replaced(value[step], rest, instead)
  if (Array.isArray(value)) return value.map((item: unknown, at) => (String(at) === step ? inner : item))
  const { [step]: _old, ...others } = value
  return inner === gone ? others : { ...others, [step]: inner }
}

const surprises: unknown[] = [
  gone,
  null,
  true,
  -1,
  1e308,
  '',
  maria,
  '999888777@lid',
  'DELETED',
  [],
  [[]],
  {},
  { message: { conversation: 'outro' } },
  { conversation: 'outro', key: { id: 'OUTRO' }, status: 'DELETED' },
]

/** The paths that change the meaning of a body but should not. */
function dependences(parse: (body: unknown) => ParsedWebhook): string[] {
  const found = new Set<string>()
  for (const name of names) {
    const body = recorded(name)
    const before = JSON.stringify(meaning(parse(body)))
    for (const steps of freePlaces(body))
      for (const instead of surprises)
        if (JSON.stringify(meaning(parse(replaced(body, steps, instead)))) !== before)
          found.add(`${name}: ${pathIn(steps)}`)
  }
  return [...found]
}

test('the meaning of a body hangs on nothing but the fields that say it', () => {
  expect(dependences(parseWebhook)).toEqual([])
  const places = names.map((name) => freePlaces(recorded(name)).length)
  // Most of a body does not matter: a list of paths that matched everything would prove nothing.
  expect(places.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(600)
})

test('the meaning of a body would be seen to hang on more', () => {
  const spoiled = (body: unknown) => {
    const parsed = parseWebhook(body)
    const data = isNode(body) && isNode(body['data']) ? body['data'] : {}
    return data['source'] === 'android' ? { ...parsed, lane: 'android' } : parsed
  }
  expect(dependences(spoiled)).toContain('messages.upsert.video: data.source')
})

test('what a body means stays, whatever stands in and beside fields that nobody reads', () => {
  const anyPlace = fc.constantFrom(...names).chain((name) => {
    const body = recorded(name)
    return fc.tuple(fc.constant(name), fc.constantFrom(...freePlaces(body)))
  })
  fc.assert(
    fc.property(anyPlace, fc.jsonValue({ maxDepth: 4 }), ([name, steps], value) => {
      const body = recorded(name)
      const before = meaning(parseWebhook(body))
      expect(meaning(parseWebhook(replaced(body, steps, value)))).toEqual(before)
    }),
    { seed: 4, numRuns: atNight(2000, 700) },
  )
})

test('the meaning of a body stays when anything new stands beside what is known', () => {
  for (const name of names.filter((one) => !one.includes('placeholder'))) {
    const body = recorded(name)
    const before = meaning(parseWebhook(body))
    const nodes = [[], ...placesIn(body)].filter((steps) => {
      const value = steps.reduce<unknown>((inner, step) => (inner as Bag)[step], body)
      return isNode(value) && !Array.isArray(value) && !('0' in value)
    })
    for (const steps of nodes)
      for (const key of ['aaaNovo', 'zzzNovo', '__proto__'])
        for (const instead of surprises.slice(1)) {
          const changed = structuredClone(body)
          const node = steps.reduce<unknown>((inner, step) => (inner as Bag)[step], changed) as Bag
          Object.defineProperty(node, key, { value: instead, enumerable: true })
          expect(meaning(parseWebhook(changed)), `${name} ${pathIn(steps)}.${key}`).toEqual(before)
        }
  }
})
