import { describe, expect, it } from 'vitest'
import { recorded, shapeOf } from './recorded-bodies.ts'
import { benchForAllTests, benchForEachTest } from '#simulator/test-receiver.ts'

/** The bodies this gateway posts have the same keys and types as those of the real 2.3.7. */

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const to = '5511987654321'

describe('webhook bodies', () => {
  const { control, receiver, call, post, next } = benchForAllTests({}, { base64: false })

  const expectShape = (body: unknown, name: string) => expect(shapeOf(body)).toEqual(shapeOf(recorded(name)))

  it('the simulator tells the first message of a contact with its contact and chat events', async () => {
    const body = await next('messages.upsert', () => control.sendText('maria', 'Bom dia', 'AC01'))
    expectShape(body, 'messages.upsert.conversation.pn')
    expect(Object.keys(body ?? {})).toEqual(Object.keys(recorded('messages.upsert.conversation.pn')))
    const [contact] = await receiver.until('contacts.upsert')
    const [chat] = await receiver.until('chats.upsert')
    expect(contact?.body.data).toMatchObject({ remoteJid: `${to}@s.whatsapp.net`, pushName: 'Maria Souza' })
    expectShape(chat?.body, 'chats.upsert.new')
    expectShape(await next('chats.update', () => control.sendText('maria', 'De novo')), 'chats.update')
  })

  it.each([
    ['pn', 'messages.upsert.conversation.pn'],
    ['pn-with-lid', 'messages.upsert.conversation.pn-with-lid'],
    ['lid', 'messages.upsert.conversation.lid'],
  ] as const)('the simulator addresses a phone in mode %s as recorded', async (identity, name) => {
    control.changePhone('maria', { identity })
    const body = await next('messages.upsert', () => control.sendText('maria', `modo ${identity}`))
    expectShape(body, name)
    control.changePhone('maria', { identity: 'pn' })
  })

  it('the simulator knows a LID-only phone by nothing but its LID', async () => {
    control.setFaults({ lidOnly: { on: true } })
    const body = await next('messages.upsert', () => control.sendText('maria', 'só LID'))
    control.setFaults({ lidOnly: { on: false } })
    const key = body?.data['key'] as Record<string, unknown>
    expect(key['remoteJid']).toMatch(/^\d+@lid$/)
    expect(JSON.stringify(body)).not.toContain(to)
  })

  it.each([
    ['image', { kind: 'image', base64: png, caption: 'Olha a foto' }, 'messages.upsert.image'],
    ['voice', { kind: 'audio', base64: 'T2dnUw==', seconds: 3 }, 'messages.upsert.audio.ptt'],
    ['document', { kind: 'document', base64: png, fileName: 'boleto.pdf' }, 'messages.upsert.document'],
    ['video', { kind: 'video', base64: png, seconds: 2, caption: 'vídeo' }, 'messages.upsert.video'],
    [
      'location',
      { kind: 'location', latitude: -23.5, longitude: -46.6, name: 'MASP', address: 'Av.' },
      'messages.upsert.location',
    ],
    ['reply', { kind: 'text', text: 'Sobre isso', quotedId: 'AC01' }, 'messages.upsert.extendedText.quoted'],
  ] as const)('the simulator reports a %s as recorded', async (_kind, message, name) => {
    const body = await next('messages.upsert', () => control.send('maria', message))
    expectShape(body, name)
  })

  it('the simulator reports what was written on the company phone as a message from us', async () => {
    const act = () => control.sendAsOwner('maria', { kind: 'text', text: 'Pelo celular' })
    const body = await next('messages.upsert', act)
    expectShape(body, 'messages.upsert.fromMe.phone.pn')
    expect(body?.data).toMatchObject({ pushName: 'Loja Teste', status: 'SERVER_ACK', key: { fromMe: true } })
  })

  it('the simulator reports edits in the sender view and deletions twice', async () => {
    const edited = await next('messages.edited', () => control.edit('maria', 'AC01', 'Bom dia!'))
    expectShape(edited, 'messages.edited.by-contact')
    expect(edited?.data['key']).toMatchObject({
      remoteJid: '5511955554444@s.whatsapp.net',
      fromMe: true,
      id: 'AC01',
    })
    const deleted = await next('messages.delete', () => control.remove('maria', 'AC01'))
    expectShape(deleted, 'messages.delete.by-contact')
    const edits = await receiver.until('messages.edited', 2)
    expectShape(edits[1]?.body, 'messages.edited.revoke')
  })

  it('a webhook reports who is typing', async () => {
    const body = await next('presence.update', () => control.typing('maria', 'composing'))
    expectShape(body, 'presence.update.composing')
  })

  it('the simulator echoes each kind of send and answers the same object', async () => {
    const sends = [
      ['sendText', { number: to, text: 'Olá' }, 'send.message.text'],
      [
        'sendMedia',
        { number: to, mediatype: 'image', media: png, fileName: 'a.png', caption: 'foto' },
        'send.message.image',
      ],
      [
        'sendMedia',
        { number: to, mediatype: 'document', media: png, fileName: 'a.pdf', caption: 'doc' },
        'send.message.document',
      ],
      ['sendWhatsAppAudio', { number: to, audio: png }, 'send.message.audio'],
    ] as const
    for (const [action, request, name] of sends) {
      let answer: unknown
      const body = await next('send.message', async () => {
        answer = (await post(`message/${action}`, request)).body
      })
      expectShape(body, name)
      expect(answer).toEqual(body?.data)
    }
  })

  it('the simulator echoes a quoted text and a reaction as recorded', async () => {
    const { id } = control.sendText('maria', 'Entregam?', 'AC77')
    const quoted = await next('send.message', () =>
      post('message/sendText', { number: to, text: 'Sim', quoted: { key: { id } } }),
    )
    expectShape(quoted, 'send.message.text.quoted')
    const key = { remoteJid: `${to}@s.whatsapp.net`, fromMe: false, id }
    const reacted = await next('send.message', () => post('message/sendReaction', { key, reaction: '👍' }))
    expectShape(reacted, 'send.message.reaction')
  })

  it('the simulator acknowledges step by step, each with its chats.upsert', async () => {
    await control.idle()
    const { body } = await post('message/sendText', { number: to, text: 'Ticks' })
    const own = () =>
      receiver.got.filter((one) => one.event === 'messages.update' && one.body.data['keyId'] === body.key.id)
    await expect.poll(() => own().length).toBe(2)
    control.open('maria')
    await expect.poll(() => own().length).toBe(3)
    expect(own().map((one) => one.body.data['status'])).toEqual(['SERVER_ACK', 'DELIVERY_ACK', 'READ'])
    expectShape(own()[1]?.body, 'messages.update.DELIVERY_ACK')
    const chats = receiver.got.filter((one) => one.event === 'chats.upsert')
    expectShape(chats.at(-1)?.body, 'chats.upsert.after-status')
  })

  it('the simulator reacts from the phone with our key normalised', async () => {
    const { body } = await post('message/sendText', { number: to, text: 'Pronto' })
    const messageId = body.key.id
    const reacted = await next('messages.upsert', () => control.react('maria', { messageId, emoji: '❤️' }))
    expectShape(reacted, 'messages.upsert.reaction')
    expect(reacted?.data['message']).toMatchObject({
      reactionMessage: { key: { fromMe: true, id: messageId }, text: '❤️' },
    })
  })

  it('a webhook reports edits made through the gateway', async () => {
    const { body: sent } = await post('message/sendText', { number: to, text: 'Erado' })
    const edit = { number: sent.key.remoteJid, key: sent.key, text: 'Errado' }
    const body = await next('send.message.update', () => post('chat/updateMessage', edit))
    expectShape(body, 'send.message.update')
  })

  it('the simulator reports an unlinked number, a QR code and a connection', async () => {
    const closed = await next('connection.update', () => control.setFaults({ disconnect: { on: true } }))
    expectShape(closed, 'connection.update.close')
    expectShape((await receiver.until('status.instance'))[0]?.body, 'status.instance')
    expectShape((await receiver.until('logout.instance'))[0]?.body, 'logout.instance')
    const qr = await next('qrcode.updated', () => call('GET', '/instance/connect/loja1'))
    expect(shapeOf(qr)).toEqual([...shapeOf(recorded('qrcode.updated')), 'sender:string'].toSorted())
    control.setFaults({ disconnect: { on: false } })
    const found = await receiver.until('connection.update', 3)
    const open = found.find((one) => one.body.data['state'] === 'open')
    expectShape(open?.body, 'connection.update.open')
  })
})

describe('media in webhooks', () => {
  const { control, receiver, call } = benchForEachTest({}, { base64: true })
  it('the simulator carries base64 only after the socket opened again', async () => {
    control.send('maria', { kind: 'image', base64: png })
    const [without] = await receiver.until('messages.upsert')
    expect(without?.body.data['message']).not.toHaveProperty('base64')
    await call('POST', '/instance/restart/loja1')
    await expect.poll(() => control.state().gateway.state).toBe('open')
    control.send('maria', { kind: 'image', base64: png, caption: 'com base64' })
    const found = await receiver.until('messages.upsert', 2)
    expect(shapeOf(found[1]?.body)).toEqual(shapeOf(recorded('messages.upsert.image.base64')))
  })
})
