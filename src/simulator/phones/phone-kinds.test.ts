import { beforeEach, describe, expect, it } from 'vitest'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { benchForEachTest } from '#simulator/test-receiver.ts'

/** The kinds of messages phones send, and their wrappers. */

const bytes = 'QUJDRA=='

const { control, call, posted } = benchForEachTest({}, { base64: true })
beforeEach(async () => {
  // Only a socket opened after the webhook was set includes the bytes.
  await call('POST', '/instance/restart/loja1')
  await expect.poll(() => control.state().gateway.state).toBe('open')
})

async function send(message: PhoneMessage) {
  control.send('maria', message)
  await control.idle()
  return posted('messages.upsert').at(-1) ?? {}
}

describe('kinds', () => {
  const kinds: [PhoneMessage, string, object][] = [
    [
      { kind: 'listReply', title: 'Segunda via', rowId: 'boleto', description: 'do boleto' },
      'listResponseMessage',
      { title: 'Segunda via', singleSelectReply: { selectedRowId: 'boleto' } },
    ],
    [
      { kind: 'templateReply', text: 'Sim', buttonId: 's' },
      'templateButtonReplyMessage',
      { selectedId: 's', selectedDisplayText: 'Sim' },
    ],
    [
      { kind: 'interactiveReply', text: 'Enviado', name: 'flow', params: { cep: '05508' } },
      'interactiveResponseMessage',
      {
        body: { text: 'Enviado' },
        nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"cep":"05508"}' },
      },
    ],
    [
      { kind: 'poll', name: 'Hora?', options: ['9h', '14h'], version: 2, selectableCount: 0 },
      'pollCreationMessageV2',
      { name: 'Hora?', selectableOptionsCount: 0, options: [{ optionName: '9h' }, { optionName: '14h' }] },
    ],
    [
      { kind: 'poll', name: 'Hora?', options: ['9h', '14h'], version: 1 },
      'pollCreationMessage',
      { selectableOptionsCount: 1 },
    ],
    [
      { kind: 'liveLocation', latitude: -23.5, longitude: -46.6, caption: 'Chegando' },
      'liveLocationMessage',
      { degreesLatitude: -23.5, degreesLongitude: -46.6, caption: 'Chegando' },
    ],
    [
      { kind: 'order', title: 'Pedido', itemCount: 2, amount: 4990 },
      'orderMessage',
      { itemCount: 2, orderTitle: 'Pedido', totalAmount1000: { low: 49_900, high: 0, unsigned: false } },
    ],
    [
      { kind: 'product', title: 'Caixa', amount: 1250 },
      'productMessage',
      { product: { title: 'Caixa', currencyCode: 'BRL' } },
    ],
    [
      { kind: 'groupInvite', groupName: 'Equipe', code: 'AbC' },
      'groupInviteMessage',
      { groupName: 'Equipe', inviteCode: 'AbC' },
    ],
    [
      { kind: 'video', base64: bytes, round: true, seconds: 3 },
      'ptvMessage',
      { seconds: 3, mimetype: 'video/mp4' },
    ],
    [{ kind: 'video', base64: bytes, gif: true }, 'videoMessage', { gifPlayback: true }],
    [{ kind: 'audio', base64: bytes }, 'audioMessage', { ptt: true }],
    [{ kind: 'audio', base64: bytes, voice: false }, 'audioMessage', { ptt: false }],
  ]
  it.each(kinds)('a phone sends a message of the form %j', async (message, type, content) => {
    const data = await send(message)
    expect(data['messageType']).toBe(type)
    expect(data['message']).toMatchObject({ [type]: content })
    const [bubble] = control.chat('maria')
    expect(control.oracle().written).toMatchObject([{ kind: message.kind, text: bubble?.text }])
  })

  it('a phone shows the page what was sent, beside a plain stand-in', () => {
    const card = { name: 'Pedro', phones: [{ number: '+55 11 97777-6666' }] }
    control.send('maria', { kind: 'contact', contacts: [card], forwarded: true })
    control.send('maria', { kind: 'video', base64: bytes, round: true, wrap: 'viewOnce' })
    expect(control.chat('maria')).toMatchObject([
      { kind: 'text', text: 'Pedro', rich: { kind: 'contact', contacts: [card] }, forwarded: true },
      { kind: 'video', round: true, wrap: ['viewOnce'] },
    ])
  })

  it('a phone sends any content as it stands', async () => {
    const raw = { newsletterAdminInviteMessage: { newsletterName: 'x' }, messageContextInfo: {} }
    const data = await send({ kind: 'unknown', messageType: 'newsletterAdminInviteMessage', raw })
    expect(data).toMatchObject({ messageType: 'newsletterAdminInviteMessage', message: raw })
  })

  it('a phone says that it was forwarded, and what an ad said', async () => {
    const forwarded = await send({ kind: 'text', text: 'veja', forwarded: true })
    expect(forwarded['contextInfo']).toMatchObject({ isForwarded: true, forwardingScore: 1 })
    const context = { externalAdReply: { title: 'Promoção', sourceId: '1' }, conversionSource: 'FB_Ads' }
    const clicked = await send({ kind: 'image', base64: bytes, context })
    expect(clicked['contextInfo']).toMatchObject(context)
    expect(clicked['message']).toMatchObject({ imageMessage: { contextInfo: context } })
  })
})

describe('wraps', () => {
  it.each([
    ['ephemeral', 'ephemeralMessage'],
    ['viewOnce', 'viewOnceMessage'],
    ['viewOnceV2', 'viewOnceMessageV2'],
    ['viewOnceV2Extension', 'viewOnceMessageV2Extension'],
    ['edited', 'editedMessage'],
    ['albumChild', 'associatedChildMessage'],
    ['deviceSent', 'deviceSentMessage'],
  ] as const)('a phone holds the message in %s, without bytes', async (wrap, holder) => {
    const data = await send({ kind: 'image', base64: bytes, caption: 'foto', wrap })
    expect(data['messageType']).toBe(holder)
    expect(data['message']).toMatchObject({ [holder]: { message: { imageMessage: { caption: 'foto' } } } })
    expect(data['message']).not.toHaveProperty('base64')
  })

  it('a phone nests them in the order they are named', async () => {
    const data = await send({
      kind: 'document',
      base64: bytes,
      fileName: 'a.pdf',
      caption: 'segue',
      wrap: ['ephemeral', 'documentWithCaption'],
    })
    const inner = { documentWithCaptionMessage: { message: { documentMessage: { caption: 'segue' } } } }
    expect(data['message']).toMatchObject({ ephemeralMessage: { message: inner } })
  })

  it('a phone takes a lone document wrap off, and then carries its bytes', async () => {
    const data = await send({
      kind: 'document',
      base64: bytes,
      fileName: 'a.pdf',
      wrap: 'documentWithCaption',
    })
    expect(data).toMatchObject({ messageType: 'documentMessage', message: { base64: bytes } })
  })

  it('a phone keeps the quote of a disappearing text inside', async () => {
    control.sendText('maria', 'oi', 'AC1')
    const data = await send({ kind: 'text', text: 'some', wrap: 'ephemeral', quotedId: 'AC1' })
    expect(data).not.toHaveProperty('contextInfo')
    const contextInfo = { stanzaId: 'AC1', expiration: 86_400 }
    expect(data['message']).toMatchObject({
      ephemeralMessage: { message: { extendedTextMessage: { text: 'some', contextInfo } } },
    })
  })
})
