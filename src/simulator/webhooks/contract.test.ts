import { describe, expect, it } from 'vitest'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { recorded, shapeOf } from './recorded-bodies.ts'
import { benchForAllTests, benchForEachTest } from '#simulator/test-receiver.ts'

/** The bodies this gateway posts have the same keys and types as those of the real 2.3.7. */

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const to = '5511987654321'

const pedro = { name: 'Pedro', phones: [{ number: '+55 11 97777-6666', waid: '5511977776666' }] }
/** A message of a phone, and the recorded body of its webhook. */
const sent: [string, PhoneMessage, string][] = [
  ['a picture', { kind: 'image', base64: png, caption: 'Olha a foto' }, 'messages.upsert.image'],
  ['a voice', { kind: 'audio', base64: 'T2dnUw==', seconds: 3 }, 'messages.upsert.audio.ptt'],
  ['a document', { kind: 'document', base64: png, fileName: 'boleto.pdf' }, 'messages.upsert.document'],
  ['a video', { kind: 'video', base64: png, seconds: 2, caption: 'vídeo' }, 'messages.upsert.video'],
  [
    'a location',
    { kind: 'location', latitude: -23.5, longitude: -46.6, name: 'MASP', address: 'Av.' },
    'messages.upsert.location',
  ],
  ['a reply', { kind: 'text', text: 'Sobre isso', quotedId: 'AC01' }, 'messages.upsert.extendedText.quoted'],
  ['a card', { kind: 'contact', contacts: [pedro] }, 'messages.upsert.contact'],
  [
    'several cards',
    { kind: 'contact', contacts: [pedro, { ...pedro, name: 'Ana' }] },
    'messages.upsert.contactsArray',
  ],
  [
    'the answer to a button',
    { kind: 'buttonReply', text: 'Sim', buttonId: 'btn-1', quotedId: 'AC01' },
    'messages.upsert.buttonsResponse',
  ],
  [
    'a disappearing text',
    { kind: 'text', text: 'some', wrap: 'ephemeral' },
    'messages.upsert.ephemeral.text',
  ],
  ['what may be seen once', { kind: 'viewOncePlaceholder' }, 'messages.upsert.viewOnce.placeholder'],
  ['a sticker', { kind: 'sticker', base64: png }, 'messages.upsert.sticker'],
  [
    'an audio file',
    { kind: 'audio', base64: png, voice: false, mimetype: 'audio/mpeg', seconds: 2 },
    'messages.upsert.audio.file',
  ],
  ['one emoji', { kind: 'text', text: '👍🏽' }, 'messages.upsert.emoji-only'],
  ['several lines', { kind: 'text', text: 'linha 1\n*negrito*' }, 'messages.upsert.long-multiline'],
]

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

  it.each(sent)('the webhook of %s from a phone has the recorded shape', async (_what, message, name) => {
    const body = await next('messages.upsert', () => control.send('maria', message))
    expectShape(body, name)
    expect(body?.data['messageType']).toBe(recorded(name).data.messageType)
  })

  it('the simulator writes the card of a contact as a phone does', async () => {
    const act = () => control.send('maria', { kind: 'contact', contacts: [pedro] })
    const body = await next('messages.upsert', act)
    expect(body?.data['message']).toEqual(recorded('messages.upsert.contact').data.message)
  })

  it('the simulator rewrites a document with a caption, and knows no context of it', async () => {
    const message: PhoneMessage = {
      kind: 'document',
      base64: png,
      fileName: 'comprovante.pdf',
      caption: 'Segue',
      wrap: 'documentWithCaption',
    }
    const body = await next('messages.upsert', () => control.send('maria', message))
    const real = shapeOf(recorded('messages.upsert.documentWithCaption'))
    expect(shapeOf(body)).toEqual([...real, 'data.message.documentMessage.pageCount:number'].toSorted())
  })

  it('the simulator reports a group with the author by LID', async () => {
    const act = () => control.sendElsewhere('maria', { where: 'group', text: 'Oi grupo' })
    expectShape(await next('messages.upsert', act), 'messages.upsert.group.text')
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

  it.each(['composing', 'available', 'unavailable'] as const)(
    'the webhook of a presence that is %s has the recorded shape',
    async (state) => {
      const body = await next('presence.update', () => control.typing('maria', state))
      const own = shapeOf(body).filter((line) => !line.endsWith('.lastSeen:number'))
      expect(own).toEqual(shapeOf(recorded(`presence.update.${state}`)))
    },
  )

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
      ['sendMedia', { number: to, mediatype: 'video', media: png, fileName: 'a.mp4' }, 'send.message.video'],
      ['sendWhatsAppAudio', { number: to, audio: png }, 'send.message.audio'],
    ] as const
    for (const [action, request, name] of sends) {
      let answer: unknown
      const body = await next('send.message', async () => {
        answer = (await post(`message/${action}`, request)).body
      })
      expectShape(body, name)
      expect(answer).toEqual(body?.data)
      expect(body?.data['messageType']).toBe(recorded(name).data.messageType)
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

  it('the simulator reports a call as recorded', async () => {
    await control.idle()
    control.call('maria', { outcome: 'answered', id: 'CALL1' })
    control.call('maria', { outcome: 'missed', id: 'CALL2' })
    const calls = await receiver.until('call', 7)
    const posted = calls.map(({ body }) => [body.data['id'], body.data['status']])
    expect(posted).toEqual([
      ['CALL1', 'offer'],
      ['CALL1', 'ringing'],
      ['CALL1', 'accept'],
      ['CALL1', 'terminate'],
      ['CALL2', 'offer'],
      ['CALL2', 'ringing'],
      ['CALL2', 'timeout'],
    ])
    expectShape(calls[0]?.body, 'call.offer')
    expectShape(calls[3]?.body, 'call.terminate')
    expectShape(calls[6]?.body, 'call.timeout')
  })

  it('the simulator hands a past over as recorded, progress beside the data', async () => {
    const messages = [{ from: 'phone' as const, text: 'mensagem antiga', at: '2025-06-15T12:00:00.000Z' }]
    const body = await next('messages.set', () => control.syncHistory('maria', { messages }))
    const own = shapeOf(body).filter((line) => !/\.(participant|addressingMode):/.test(line))
    expect(own).toEqual(shapeOf(recorded('messages.set')))
    expect(body).toMatchObject({ isLatest: true, progress: 100 })
    expect(control.oracle().written.map(({ text }) => text)).not.toContain('mensagem antiga')
  })

  it('the simulator hands the address book over as a list', async () => {
    const body = await next('contacts.upsert', () => control.syncContacts())
    const real = shapeOf(recorded('contacts.upsert.array'))
    expect(shapeOf(body)).toEqual(
      real.map((line) => line.replace('profilePicUrl:null', 'profilePicUrl:string')),
    )
  })

  it('the simulator reports a contact with a picture as recorded', async () => {
    control.createPhone({ id: 'ana', name: 'Ana', number: '5511966665555' })
    const first = await next('contacts.upsert', () => control.sendText('ana', 'oi'))
    expectShape(first, 'contacts.upsert.object')
    const again = await next('contacts.update', () => control.sendText('ana', 'de novo'))
    expectShape(again, 'contacts.update.object')
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

  it('the simulator reports that an instance is made and gone', async () => {
    const webhook = { url: receiver.url, events: [] }
    const instance = { instanceName: 'loja2', integration: 'WHATSAPP-BAILEYS', number: '5511933332222' }
    const made = () => call('POST', '/instance/create', { ...instance, qrcode: true, webhook })
    expectShape(await next('instance.create', made), 'instance.create')
    const qr = (await receiver.until('qrcode.updated', 2)).at(-1)
    const withoutOwner = (name: string) => shapeOf(recorded(name)).filter((line) => line !== 'sender:string')
    expect(shapeOf(qr?.body)).toEqual(withoutOwner('qrcode.updated.pairing'))
    const gone = await next('remove.instance', () => call('DELETE', '/instance/delete/loja2'))
    expect(shapeOf(gone)).toEqual(withoutOwner('remove.instance'))
    const [deleted] = await receiver.until('instance.delete')
    expect(shapeOf(deleted?.body)).toEqual(withoutOwner('instance.delete'))
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
