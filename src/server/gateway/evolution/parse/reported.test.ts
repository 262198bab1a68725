import { describe, expect, test } from 'vitest'
import type { GatewayEvent } from './gateway-events.ts'
import { parseWebhook } from './webhook.ts'

// Bodies that people reported of other systems, or of the gateway itself.

const client = '5541977710001@s.whatsapp.net'
const own = '5511955554444@s.whatsapp.net'

function parse(message: object, data: object = {}, key: object = {}): GatewayEvent | undefined {
  return parseWebhook({
    event: 'messages.upsert',
    instance: 'loja1',
    sender: own,
    data: {
      key: { remoteJid: client, fromMe: false, id: 'A1', ...key },
      message,
      messageTimestamp: 1_796_000_000,
      ...data,
    },
  }).events[0]
}

const contentOf = (message: object): string => {
  const event = parse(message)
  return event?.kind === 'message'
    ? `${event.content.messageType}: ${event.content.content}`
    : `${event?.kind}`
}

describe('the author of a quoted message that is not stored', () => {
  const quote = (context: object, key: object = {}) => {
    const contextInfo = { stanzaId: 'OLD', quotedMessage: { conversation: 'Quero cancelar' }, ...context }
    const event = parse({ conversation: 'e isso?' }, { contextInfo }, key)
    return event?.kind === 'message' ? event.quoted?.from : event?.kind
  }
  const lid = '182730012345@lid'

  test.each([
    ['the client, by their number', client, {}, 'contact'],
    ['the client, by a device of theirs', '5541977710001:7@s.whatsapp.net', {}, 'contact'],
    ['the client, by their LID', lid, { remoteJidAlt: lid }, 'contact'],
    ['the client, who is known by a LID alone', client, { remoteJid: lid }, 'contact'],
    ['the team, by its number', own, {}, 'user'],
    ['the team, by a device of its own', '5511955554444:12@s.whatsapp.net', {}, 'user'],
    ['the team, by its LID', '99@lid', { remoteJidAlt: lid }, 'user'],
    ['the team, quoted on the phone', own, { fromMe: true }, 'user'],
    ['the client, quoted on the phone', client, { fromMe: true }, 'contact'],
    ['unknown, by a LID that may be either side', '99@lid', {}, undefined],
    ['unknown without an address', undefined, {}, undefined],
    ['unknown by something else', 'x', {}, undefined],
  ])('the author of an unknown quote is %s', (_name, participant, key, from) => {
    expect(quote({ participant }, key)).toBe(from)
  })

  test('is nobody of this chat when a third person was quoted from a group', () => {
    const remoteJid = '1203630@g.us'
    expect(quote({ participant: '5511900000000@s.whatsapp.net', remoteJid })).toBeUndefined()
    expect(quote({ participant: client, remoteJid })).toBe('contact')
  })
})

describe('a number of the Cloud API that the app shares', () => {
  test.each([
    ['5541977710002@hosted', {}, { phone: '5541977710002', lid: undefined }],
    ['182730012346@hosted.lid', {}, { phone: undefined, lid: '182730012346' }],
    [
      '182730012346@hosted.lid',
      { remoteJidAlt: '5541977710002:3@hosted' },
      { phone: '5541977710002', lid: '182730012346' },
    ],
  ])('is a person under %s', (remoteJid, more, peer) => {
    expect(parse({ conversation: 'oi' }, {}, { remoteJid, ...more })).toMatchObject({ kind: 'message', peer })
  })
})

test('a number that the rules do not know, or that cannot be stored, loses no message', () => {
  const from = (digits: string) =>
    parse({ conversation: 'oi' }, {}, { remoteJid: `${digits}@s.whatsapp.net` })
  expect(from('99912345678')).toMatchObject({ kind: 'message', peer: { phone: '99912345678' } })
  expect(from('6834002')).toMatchObject({ kind: 'ignored', reason: 'unknown address' })
})

describe('what is no message of a person', () => {
  const targetMessageKey = { remoteJid: client, fromMe: false, id: 'AC01' }
  const sealed = { targetMessageKey, encPayload: 'AAAA', encIv: 'AAAA' }

  test.each(['MESSAGE_EDIT', 2])('an encrypted edit (%s) is an edit without its text', (secretEncType) => {
    const message = { secretEncryptedMessage: { ...sealed, secretEncType }, messageContextInfo: {} }
    expect(parse(message)).toEqual({
      kind: 'edit',
      waId: 'AC01',
      content: '',
      editedAtMs: 1_796_000_000_000,
      isSealed: true,
    })
  })

  test.each([
    ['an encrypted edit of an event', { secretEncryptedMessage: { ...sealed, secretEncType: 'EVENT_EDIT' } }],
    ['an encrypted reaction', { encReactionMessage: sealed }],
    ['an encrypted answer to an event', { encEventResponseMessage: sealed }],
    ['an encrypted comment', { encCommentMessage: sealed }],
    ['the question for our number', { requestPhoneNumberMessage: { contextInfo: {} } }],
    ['a note on the history', { messageHistoryNotice: { contextInfo: {} } }],
    ['a bundle of the history', { messageHistoryBundle: { mimetype: 'x' } }],
    ['a placeholder', { placeholderMessage: { type: 'MASK_LINKED_DEVICES' } }],
    ['a wrapped reaction', { ephemeralMessage: { message: { encReactionMessage: sealed } } }],
  ])('%s is no message, and is ignored', (_name, message) => {
    expect(parse(message)).toMatchObject({ kind: 'ignored' })
  })
})

describe('Pix and payments', () => {
  const setting = {
    type: 'pix_static_code',
    pix_static_code: { merchant_name: 'Rita Alves', key: '+5541988887777', key_type: 'PHONE' },
  }
  const flow = (name: string, params: object) => ({
    nativeFlowMessage: { buttons: [{ name, buttonParamsJson: JSON.stringify(params) }] },
  })
  const item = (name: string, value: number, quantity: number) => ({
    name,
    amount: { value, offset: 100 },
    quantity,
  })

  test('the card of a key names its owner and the key', () => {
    const params = {
      currency: 'BRL',
      total_amount: { value: 0, offset: 100 },
      order: { items: [item('', 0, 0)] },
      payment_settings: [setting, { type: 'cards', cards: { enabled: false } }],
    }
    expect(contentOf({ interactiveMessage: flow('payment_info', params) })).toBe(
      'text: Pix\nRita Alves\nChave (celular): +5541988887777',
    )
  })

  test('a charge has its items, its amount and its key', () => {
    const params = {
      currency: 'BRL',
      total_amount: { value: 12_990, offset: 100 },
      reference_id: 'P881',
      order: { items: [item('Caixa de café 500 g', 12_990, 1), item('Filtro', 500, 3)] },
      payment_settings: [setting],
    }
    const body = { body: { text: 'Cobrança do pedido 881' }, footer: { text: 'Pague em 1 dia' } }
    expect(contentOf({ interactiveMessage: { ...body, ...flow('review_and_pay', params) } })).toBe(
      [
        'text: Cobrança do pedido 881',
        'Pague em 1 dia',
        'Caixa de café 500 g',
        '3 × Filtro',
        'Total: R$ 129,90',
        'Pix',
        'Rita Alves',
        'Chave (celular): +5541988887777',
      ].join('\n'),
    )
  })

  const noteMessage = { extendedTextMessage: { text: 'valor do frete' } }

  test.each([
    [{ amount1000: '45900', currencyCodeIso4217: 'BRL' }],
    [{ amount: { value: '4590', offset: 100, currencyCode: 'BRL' } }],
  ])('a request has its amount (%j) and its note', (amount) => {
    expect(contentOf({ requestPaymentMessage: { noteMessage, ...amount } })).toBe(
      'text: Pedido de pagamento: R$ 45,90\nvalor do frete',
    )
  })

  test.each([
    ['text: Pagamento\nvalor do frete', { sendPaymentMessage: { noteMessage } }],
    ['text: Pedido de pagamento recusado', { declinePaymentRequestMessage: { key: { id: 'Y' } } }],
    ['text: Pedido de pagamento cancelado', { cancelPaymentRequestMessage: { key: { id: 'Y' } } }],
    ['text: Convite para pagamentos', { paymentInviteMessage: { serviceType: 3 } }],
  ])('%j is said of %j', (content, message) => {
    expect(contentOf(message)).toBe(content)
  })

  const captured = {
    key:
      '{"currency": "BRL", "total_amount": {"value": 0, "offset": 100}, "reference_id": "R1", ' +
      '"type": "physical-goods", "order": {"status": "pending", "subtotal": {"value": 0, "offset": 100}, ' +
      '"order_type": "ORDER", "items": [{"name": "", "amount": {"value": 0, "offset": 100}, "quantity": 0, ' +
      '"sale_amount": {"value": 0, "offset": 100}}]}, "payment_settings": [{"type": "pix_static_code", ' +
      '"pix_static_code": {"merchant_name": "Rita Alves", "key": "+5541988887777", "key_type": "PHONE"}}, ' +
      '{"type": "cards", "cards": {"enabled": false}}]}',
    charge:
      '{"currency": "BRL", "total_amount": {"value": 12990, "offset": 100}, "reference_id": "P881", ' +
      '"order": {"status": "payment_requested", "items": [{"name": "Caixa de caf\\u00e9 500 g", ' +
      '"amount": {"value": 12990, "offset": 100}, "quantity": 1}]}, "payment_settings": ' +
      '[{"type": "pix_static_code", "pix_static_code": {"merchant_name": "Rita Alves", ' +
      '"key": "+5541988887777", "key_type": "PHONE"}}]}',
  }
  const button = (name: string, buttonParamsJson: string) => ({ buttons: [{ name, buttonParamsJson }] })

  test.each([
    [
      'text: Pix\nRita Alves\nChave (celular): +5541988887777',
      {
        interactiveMessage: {
          nativeFlowMessage: { ...button('payment_info', captured.key), messageParamsJson: '' },
        },
      },
    ],
    [
      'text: Cobrança do pedido 881\nPague em 1 dia\nCaixa de café 500 g\nTotal: R$ 129,90\nPix\n' +
        'Rita Alves\nChave (celular): +5541988887777',
      {
        interactiveMessage: {
          body: { text: 'Cobrança do pedido 881' },
          footer: { text: 'Pague em 1 dia' },
          nativeFlowMessage: button('review_and_pay', captured.charge),
        },
      },
    ],
    [
      'text: Pedido de pagamento: R$ 45,90\nvalor do frete',
      {
        requestPaymentMessage: {
          noteMessage,
          currencyCodeIso4217: 'BRL',
          amount1000: '45900',
          requestFrom: client,
          amount: { value: '4590', offset: 100, currencyCode: 'BRL' },
        },
      },
    ],
    [
      'text: Pagamento\npaguei o boleto',
      {
        sendPaymentMessage: {
          noteMessage: { extendedTextMessage: { text: 'paguei o boleto' } },
          requestMessageKey: { remoteJid: client, id: 'Y' },
        },
      },
    ],
  ])('%j is said of what a gateway has sent', (content, message) => {
    expect(contentOf(message)).toBe(content)
  })

  test('parameters that are no payment at all leave the button as it was', () => {
    expect(contentOf({ interactiveMessage: flow('payment_info', { payment_settings: 'x' }) })).toBe(
      'text: • payment_info',
    )
  })
})

describe('the answer of a form', () => {
  const answer = (params: unknown, text = 'Sent') => ({
    interactiveResponseMessage: {
      body: { text },
      nativeFlowResponseMessage: {
        name: 'flow',
        paramsJson: typeof params === 'string' ? params : JSON.stringify(params),
      },
    },
  })

  test('is every field with its answer, without what only the form needs', () => {
    const params = {
      flow_token: 'unused',
      screen_0_Nome_0: 'Rita',
      screen_0_CPF_1: '00011122233',
      screen_1_Data_0: '2026-12-02',
      screen_1_Turno_1: '0_Manhã',
      screen_1_Itens_2: ['0_Café', '1_Chá'],
      nome_completo: 'Rita Alves',
      aceite: true,
      vazio: '',
    }
    expect(contentOf(answer(params))).toBe(
      [
        'text: Nome: Rita',
        'CPF: 00011122233',
        'Data: 2026-12-02',
        'Turno: Manhã',
        'Itens: Café, Chá',
        'nome completo: Rita Alves',
        'aceite: Sim',
      ].join('\n'),
    )
  })

  test.each([
    ['text: Sent', answer({ flow_token: 'unused' })],
    ['text: Sent', answer('{')],
    ['text: Sent', answer([1])],
  ])('stays %j when there is none: %j', (content, message) => {
    expect(contentOf(message)).toBe(content)
  })
})

describe('kinds without a form of their own that have words', () => {
  test.each([
    [
      'text: Pacote de figurinhas: Gatinhos\nPor Ana',
      { stickerPackMessage: { name: 'Gatinhos', publisher: 'Por Ana' } },
    ],
    [
      'text: Convite para o canal Ofertas\nentra lá',
      { newsletterAdminInviteMessage: { newsletterName: 'Ofertas', caption: 'entra lá' } },
    ],
    [
      'text: Convite para o canal Ofertas',
      { newsletterFollowerInviteMessageV2: { newsletterName: 'Ofertas' } },
    ],
    [
      'text: Chamada agendada: Orçamento\n28/11/2026, 15:00',
      {
        scheduledCallCreationMessage: {
          title: 'Orçamento',
          scheduledTimestampMs: '1795888800000',
          callType: 1,
        },
      },
    ],
    [
      'text: A capital é Brasília.\nFonte',
      {
        richResponseMessage: {
          submessages: [{ messageText: 'A capital é Brasília.' }, { messageText: 'Fonte' }],
        },
      },
    ],
    [
      'text: Título\nLegenda',
      { hologramMessage: { title: 'Título', caption: 'Legenda', jpegThumbnail: 'AAAA' } },
    ],
    ['unreadable', { hologramMessage: { url: 'https://x.y/z' } }],
    ['text: Direto', { hologramMessage: 'Direto' }],
    [
      'text: Pedido 12\nSaiu para entrega\nLoja',
      {
        hologramMessage: {
          header: { title: 'Pedido 12' },
          body: { text: 'Saiu para entrega' },
          footer: { text: 'Loja' },
        },
      },
    ],
  ])('%j is shown of what it carries', (content, message) => {
    expect(contentOf(message)).toBe(content)
  })
})
