import { describe, expect, test } from 'vitest'
import type { Content, GatewayEvent } from './gateway-events.ts'
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
type Shape = (encoding: Encoding) => object

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

type Wanted = Partial<Content> & Pick<Content, 'messageType'>
const text = (content: string, metadata: Content['metadata'] = {}): Wanted => ({
  messageType: 'text',
  content,
  metadata,
})
const described = (gatewayType: string, ...lines: string[]) => text(lines.join('\n'), { gatewayType })
const unsupported = (gatewayType: string, metadata: Content['metadata'] = {}): Wanted => ({
  messageType: 'unsupported',
  content: 'Mensagem não suportada',
  metadata: { gatewayType, ...metadata },
})
const file = ({ int64, bytes }: Encoding, more: object) => ({
  url: 'https://mmg.whatsapp.net/x.enc',
  mimetype: 'video/mp4',
  fileLength: int64(7685),
  mediaKey: bytes,
  mediaKeyTimestamp: int64(1_795_204_507),
  ...more,
})
const video = (metadata: Content['metadata'], content = ''): Wanted => ({
  messageType: 'video',
  content,
  mimeType: 'video/mp4',
  sizeBytes: 7685,
  metadata,
})
const poll = {
  name: 'Horário?',
  selectableOptionsCount: 1,
  options: [{ optionName: '9h' }, { optionName: '14h' }],
}
const asPoll: Wanted = {
  messageType: 'poll',
  content: 'Horário?',
  metadata: { poll: { options: ['9h', '14h'], selectable: 1 } },
}
const ana = {
  displayName: 'Ana',
  vcard: 'BEGIN:VCARD\nFN:Ana\nTEL;waid=5511966665555:+55 11 96666-5555\nEND:VCARD',
}
const asAna = { name: 'Ana', phones: [{ number: '+55 11 96666-5555', waId: '5511966665555' }] }
const place = { degreesLatitude: -23.5, degreesLongitude: -46.6 }
const contextInfo = { isForwarded: true, forwardingScore: 1 }

/** Content that no recorded body contains, and its meaning. */
const shapes: [string, Shape, Wanted][] = [
  [
    'a gif',
    (e) => ({ videoMessage: file(e, { gifPlayback: true, seconds: 2 }) }),
    video({ seconds: 2, isGif: true }),
  ],
  ['a round video', (e) => ({ ptvMessage: file(e, { seconds: 5 }) }), video({ seconds: 5, isRound: true })],
  [
    'a document with pages',
    (e) => ({ documentMessage: file(e, { title: 'a.pdf', mimetype: 'application/pdf', pageCount: 3 }) }),
    {
      messageType: 'document',
      content: '',
      fileName: 'a.pdf',
      mimeType: 'application/pdf',
      sizeBytes: 7685,
      metadata: { pages: 3 },
    },
  ],
  [
    'a document in its old wrapper',
    (e) => ({
      documentWithCaptionMessage: {
        message: { documentMessage: file(e, { fileName: 'b.pdf', caption: 'segue' }) },
      },
    }),
    {
      messageType: 'document',
      content: 'segue',
      fileName: 'b.pdf',
      mimeType: 'video/mp4',
      sizeBytes: 7685,
      metadata: {},
    },
  ],
  [
    'a child of an album',
    (e) => ({
      associatedChildMessage: { message: { videoMessage: file(e, { caption: 'dois' }) } },
      messageContextInfo: {},
    }),
    video({}, 'dois'),
  ],
  [
    'a video to be seen once, in its wrapper',
    (e) => ({ viewOnceMessageV2: { message: { videoMessage: file(e, {}) } } }),
    video({ isViewOnce: true }),
  ],
  [
    'a video to be seen once, in two wrappers',
    (e) => ({
      ephemeralMessage: {
        message: { viewOnceMessageV2Extension: { message: { videoMessage: file(e, {}) } } },
      },
    }),
    video({ isViewOnce: true }),
  ],
  [
    'a view-once wrapper without content',
    () => ({ viewOnceMessageV2: { message: {} } }),
    unsupported('viewOnceMessageV2', { isViewOnce: true }),
  ],
  [
    'an animated sticker in its wrapper',
    (e) => ({
      lottieStickerMessage: { message: { stickerMessage: file(e, { mimetype: 'application/was' }) } },
    }),
    { messageType: 'sticker', content: '', mimeType: 'application/was', sizeBytes: 7685, metadata: {} },
  ],
  [
    'a wrapper that came later',
    () => ({ groupMentionedMessage: { message: { conversation: 'oi' } } }),
    text('oi'),
  ],
  [
    'a text beside what nobody knows',
    () => ({ aaa: { message: { conversation: 'não' } }, conversation: 'sim' }),
    text('sim'),
  ],
  [
    'a card',
    () => ({ contactMessage: ana }),
    { messageType: 'contact', content: 'Ana', metadata: { contacts: [asAna] } },
  ],
  [
    'cards, one of them without a name',
    () => ({
      contactsArrayMessage: { displayName: '3 contatos', contacts: [ana, { vcard: 'TEL:123' }, {}] },
    }),
    {
      messageType: 'contact',
      content: 'Ana, 123',
      metadata: { contacts: [asAna, { name: '123', phones: [{ number: '123' }] }] },
    },
  ],
  [
    'a card that says nothing',
    () => ({ contactMessage: { vcard: 'BEGIN:VCARD\nEND:VCARD' } }),
    unsupported('contactMessage'),
  ],
  [
    'a card with a name alone',
    () => ({ contactMessage: { displayName: 'Zé' } }),
    { messageType: 'contact', content: 'Zé', metadata: { contacts: [{ name: 'Zé', phones: [] }] } },
  ],
  [
    'a place without a name',
    () => ({ locationMessage: place }),
    { messageType: 'location', content: '', metadata: { location: { latitude: -23.5, longitude: -46.6 } } },
  ],
  [
    'a place that moves',
    () => ({ liveLocationMessage: { ...place, caption: 'a caminho' } }),
    {
      messageType: 'location',
      content: 'a caminho',
      metadata: { location: { latitude: -23.5, longitude: -46.6, isLive: true } },
    },
  ],
  [
    'a place where the equator meets the meridian, from below',
    () => ({ locationMessage: { degreesLatitude: -0, degreesLongitude: '-0' } }),
    { messageType: 'location', metadata: { location: { latitude: 0, longitude: 0 } } },
  ],
  [
    'a file of less than nothing',
    (e) => ({ videoMessage: file(e, { seconds: -1, width: -0, height: 1e308, fileLength: -5 }) }),
    { messageType: 'video', mimeType: 'video/mp4', metadata: { width: 0 } },
  ],
  [
    'a place beyond the pole',
    () => ({ locationMessage: { ...place, degreesLatitude: 90.1 } }),
    unsupported('locationMessage'),
  ],
  [
    'a place without a length',
    () => ({ locationMessage: { degreesLatitude: 1 } }),
    unsupported('locationMessage'),
  ],
  [
    'a place that is no number',
    () => ({ locationMessage: { ...place, degreesLongitude: 'NaN' } }),
    unsupported('locationMessage'),
  ],
  ...['', 'V2', 'V3', 'V4', 'V5'].flatMap((version): [string, Shape, Wanted][] => [
    [`a poll ${version}`, () => ({ [`pollCreationMessage${version}`]: poll }), asPoll],
    [
      `a poll ${version}, wrapped`,
      () => ({ [`pollCreationMessage${version}`]: { message: { pollCreationMessage: poll } } }),
      asPoll,
    ],
  ]),
  [
    'a poll with any number of answers',
    () => ({ pollCreationMessageV3: { ...poll, selectableOptionsCount: undefined } }),
    { ...asPoll, metadata: { poll: { options: ['9h', '14h'], selectable: 0 } } },
  ],
  [
    'a button without a text',
    () => ({ buttonsResponseMessage: { selectedButtonId: 'btn-1', type: 1 } }),
    text('btn-1'),
  ],
  [
    'a template button',
    () => ({ templateButtonReplyMessage: { selectedId: 'x', selectedDisplayText: 'Quero' } }),
    text('Quero'),
  ],
  [
    'a template button without a text',
    () => ({ templateButtonReplyMessage: { selectedId: 'x' } }),
    text('x'),
  ],
  [
    'a list answer',
    () => ({ listResponseMessage: { title: 'Segunda via', singleSelectReply: { selectedRowId: 'r2' } } }),
    text('Segunda via'),
  ],
  [
    'a list answer without a title',
    () => ({ listResponseMessage: { title: '', singleSelectReply: { selectedRowId: 'r2' } } }),
    text('r2'),
  ],
  [
    'an interactive answer',
    () => ({
      interactiveResponseMessage: {
        body: { text: 'Pix' },
        nativeFlowResponseMessage: { name: 'x', paramsJson: '{}' },
      },
    }),
    text('Pix'),
  ],
  [
    'an interactive answer by its parameters',
    () => ({
      interactiveResponseMessage: {
        nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"7","display_text":"Sim"}' },
      },
    }),
    text('Sim'),
  ],
  [
    'an interactive answer by parameters that are none',
    () => ({ interactiveResponseMessage: { nativeFlowResponseMessage: { name: 'flow', paramsJson: '{x' } } }),
    text('{x'),
  ],
  [
    'an interactive answer by its name',
    () => ({ interactiveResponseMessage: { nativeFlowResponseMessage: { name: 'flow' } } }),
    text('flow'),
  ],
  [
    'a list that was sent',
    () => ({
      listMessage: {
        title: 'Menu',
        description: 'Escolha',
        buttonText: 'Ver',
        footerText: 'Loja',
        listType: 1,
        sections: [
          {
            title: 'Contas',
            rows: [
              { title: 'Boleto', description: '2ª via', rowId: '1' },
              { title: 'Pix', rowId: '2' },
            ],
          },
        ],
      },
    }),
    described('listMessage', 'Menu', 'Escolha', 'Loja', 'Contas', '• Boleto – 2ª via', '• Pix'),
  ],
  [
    'buttons that were sent, as they come back',
    () => ({
      viewOnceMessage: {
        message: {
          buttonsMessage: {
            contentText: 'Confirma?',
            footerText: 'Loja',
            buttons: [{ buttonId: '1', buttonText: { displayText: 'Sim' } }, { buttonId: '2' }],
          },
        },
      },
    }),
    described('buttonsMessage', 'Confirma?', 'Loja', '• Sim', '• 2'),
  ],
  [
    'a template',
    () => ({
      templateMessage: {
        hydratedTemplate: {
          hydratedTitleText: 'Oi',
          hydratedContentText: 'Seu pedido saiu',
          hydratedFooterText: 'Loja',
          hydratedButtons: [
            { index: 1, urlButton: { displayText: 'Ver', url: 'https://x' } },
            { quickReplyButton: { displayText: 'Ok', id: '1' } },
            { callButton: { displayText: 'Ligar' } },
          ],
        },
      },
    }),
    described('templateMessage', 'Oi', 'Seu pedido saiu', 'Loja', '• Ver', '• Ok', '• Ligar'),
  ],
  [
    'an interactive message',
    () => ({
      viewOnceMessage: {
        message: {
          interactiveMessage: {
            header: { title: 'Pix' },
            body: { text: 'Copie' },
            footer: { text: 'Loja' },
            nativeFlowMessage: {
              buttons: [
                { name: 'cta_copy', buttonParamsJson: '{"display_text":"Copiar"}' },
                { name: 'payment_info' },
              ],
            },
          },
        },
      },
    }),
    described('interactiveMessage', 'Pix', 'Copie', 'Loja', '• Copiar', '• payment_info'),
  ],
  ['a list without words', () => ({ listMessage: { listType: 1 } }), unsupported('listMessage')],
  [
    'an order',
    ({ int64 }) => ({
      orderMessage: {
        orderId: '1',
        orderTitle: 'Loja',
        itemCount: 2,
        message: 'Pode entregar?',
        totalAmount1000: int64(125_500),
        totalCurrencyCode: 'BRL',
      },
    }),
    described('orderMessage', 'Pedido: Loja', '2 itens', 'Total: R$ 125,50', 'Pode entregar?'),
  ],
  [
    'a product',
    ({ int64 }) => ({
      productMessage: {
        product: {
          title: 'Mesa',
          description: 'De pinho',
          currencyCode: 'BRL',
          priceAmount1000: int64(1_250_000),
          url: 'https://x.example',
        },
      },
    }),
    described('productMessage', 'Produto: Mesa', 'De pinho', 'R$ 1.250,00', 'https://x.example'),
  ],
  [
    'an invitation',
    () => ({ groupInviteMessage: { groupName: 'Bairro', inviteCode: 'x', caption: 'Entra aí' } }),
    described('groupInviteMessage', 'Convite para o grupo Bairro', 'Entra aí'),
  ],
  [
    'an event',
    ({ int64 }) => ({
      eventMessage: {
        name: 'Inauguração',
        description: 'Venha',
        startTime: int64(1_795_204_800),
        location: { name: 'Loja' },
      },
    }),
    described('eventMessage', 'Evento: Inauguração', '20/11/2026, 17:00', 'Loja', 'Venha'),
  ],
  [
    'an album',
    () => ({ albumMessage: { expectedImageCount: 3, expectedVideoCount: 1 } }),
    described('albumMessage', 'Álbum: 3 fotos e 1 vídeo'),
  ],
  [
    'a call in the log',
    ({ enumeration }) => ({ callLogMessage: { isVideo: true, callOutcome: enumeration('MISSED', 1) } }),
    described('callLogMessage', 'Chamada de vídeo perdida'),
  ],
  [
    'a call in the log, as the protocol spells it',
    ({ enumeration }) => ({ callLogMesssage: { callOutcome: enumeration('CONNECTED', 0) } }),
    described('callLogMesssage', 'Chamada de voz'),
  ],
  [
    'a forwarded text in a wrapper',
    () => ({ ephemeralMessage: { message: { extendedTextMessage: { text: 'oi', contextInfo } } } }),
    text('oi', { isForwarded: true }),
  ],
  ['an empty text', () => ({ conversation: '' }), unsupported('unknown')],
  ['a text that is a number', () => ({ conversation: 5 }), unsupported('conversation')],
]

describe.each(Object.keys(encodings))('content as %s writes it', (version) => {
  const encoding = encodings[version] as Encoding

  test.each(shapes)('the content of %s is read', (_name, shape, wanted) => {
    const content = contentIn(upsert(shape(encoding)))
    expect(content).toEqual({
      fileName: undefined,
      mimeType: undefined,
      sizeBytes: undefined,
      content: '',
      ...wanted,
    })
  })

  test.each<[string, Shape, object]>([
    [
      'a reaction, ordered by the clock of whoever reacted',
      ({ int64 }) => ({
        reactionMessage: { key: { id: 'OLD' }, text: '👍', senderTimestampMs: int64(senderMs) },
      }),
      { kind: 'reaction', waId: 'OLD', emoji: '👍', from: 'contact', sentAtMs: senderMs },
    ],
    [
      'a reaction without a clock',
      () => ({ reactionMessage: { key: { id: 'OLD' }, text: '' } }),
      { kind: 'reaction', waId: 'OLD', emoji: '', from: 'contact', sentAtMs: sentMs },
    ],
    [
      'a pin',
      ({ enumeration, int64 }) => ({
        pinInChatMessage: {
          key: { id: 'OLD' },
          type: enumeration('PIN_FOR_ALL', 1),
          senderTimestampMs: int64(senderMs),
        },
      }),
      { kind: 'pin', waId: 'OLD', isPinned: true, sentAtMs: senderMs },
    ],
    [
      'a pin that is taken off',
      ({ enumeration }) => ({
        messageContextInfo: {},
        pinInChatMessage: { key: { id: 'OLD' }, type: enumeration('UNPIN_FOR_ALL', 2) },
      }),
      { kind: 'pin', waId: 'OLD', isPinned: false, sentAtMs: sentMs },
    ],
    [
      'a revocation',
      ({ enumeration }) => ({ protocolMessage: { key: { id: 'OLD' }, type: enumeration('REVOKE', 0) } }),
      { kind: 'delete', waId: 'OLD' },
    ],
    [
      'an edit of a caption, wrapped',
      ({ enumeration, int64 }) => ({
        editedMessage: {
          message: {
            protocolMessage: {
              key: { id: 'OLD', fromMe: true, remoteJid: own },
              type: enumeration('MESSAGE_EDIT', 14),
              editedMessage: { ephemeralMessage: { message: { imageMessage: { caption: 'novo' } } } },
              timestampMs: int64(senderMs),
            },
          },
        },
      }),
      { kind: 'edit', waId: 'OLD', content: 'novo', editedAtMs: senderMs },
    ],
  ])('the change of an earlier message is read: %s', (_name, shape, wanted) => {
    expect(upsert(shape(encoding))).toEqual(wanted)
  })

  test.each<[string, Shape]>([
    [
      'a change of the disappearing time',
      ({ enumeration }) => ({
        protocolMessage: { key: { id: 'OLD' }, type: enumeration('EPHEMERAL_SETTING', 3) },
      }),
    ],
    [
      'a notice of the history',
      ({ enumeration }) => ({
        protocolMessage: { key: { id: 'OLD' }, type: enumeration('HISTORY_SYNC_NOTIFICATION', 5) },
      }),
    ],
    [
      'an edit into nothing',
      ({ enumeration }) => ({
        protocolMessage: { key: { id: 'OLD' }, type: enumeration('MESSAGE_EDIT', 14), editedMessage: {} },
      }),
    ],
    ['something that is kept', () => ({ keepInChatMessage: { key: { id: 'OLD' }, keepType: 1 } })],
    [
      'a vote that nobody opened',
      () => ({ pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' }, vote: {} } }),
    ],
  ])('the parser reads no message from %s', (_name, shape) => {
    expect(upsert(shape(encoding))).toMatchObject({ kind: 'ignored' })
  })

  test('the moment of a message', () => {
    expect(upsert({ conversation: 'oi' }, { messageTimestamp: encoding.int64(sentMs / 1000) })).toMatchObject(
      { sentAt: new Date(sentMs) },
    )
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

  test('are opened as deep as a body is kept, and no deeper', () => {
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

  test('that is taken back while ours stands is not taken for ours', () => {
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

  test('with news of the poll belong to whoever voted', () => {
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

  test('and pins are kept under a hash, since the same one may come again and say more', () => {
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

  test('where nobody knows our own address, the caller alone counts', () => {
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
