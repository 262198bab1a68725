import { describe, expect, it } from 'vitest'
import { benchForEachTest, maria, refusal } from '#simulator/test-receiver.ts'

/** Calls about existing messages and chats, and their errors while the socket is closed. */

const { control, receiver, call, post, sendText } = benchForEachTest()

const jid = `${maria.number}@s.whatsapp.net`

describe('a closed socket', () => {
  it('a closed socket fails sends in three shapes, and receipts in a fourth', async () => {
    control.createPhone({ id: 'ana', name: 'Ana', number: '5511966665555' })
    control.sendText('maria', 'oi')
    control.setFaults({ disconnect: { on: true } })
    const known = await sendText('a')
    expect(known).toEqual(refusal(400, 'Bad Request', ['Error: Connection Closed']))
    const unknown = await post('message/sendText', {
      number: '5511966665555',
      text: 'a',
    })
    expect(unknown).toEqual(refusal(500, 'Internal Server Error', 'Connection Closed'))
    // A file is uploaded first.
    const file = { mediatype: 'document', media: Buffer.from('%PDF').toString('base64'), fileName: 'a.pdf' }
    for (const number of [maria.number, '5511966665555'])
      expect(await post('message/sendMedia', { number, ...file })).toEqual(
        refusal(500, 'Internal Server Error', ['Error: Connection Closed']),
      )
    const read = await post('chat/markMessageAsRead', {
      readMessages: [{ remoteJid: jid, fromMe: false, id: 'a' }],
    })
    expect(read).toEqual(
      refusal(500, 'Internal Server Error', ['Read messages fail', 'Error: Connection Closed']),
    )
    expect(control.oracle().received).toHaveLength(0)
  })

  it('a closed socket refuses changes with 500 and a reaction with 400', async () => {
    control.sendText('maria', 'oi', 'AC1')
    const text = { number: maria.number, text: 'ops' }
    const { key } = (await post('message/sendText', text)).body
    control.setFaults({ disconnect: { on: true } })
    const edit = { number: key.remoteJid, key, text: 'opa' }
    expect(await post('chat/updateMessage', edit)).toEqual(
      refusal(500, 'Internal Server Error', 'Connection Closed'),
    )
    // What is wrong with the message itself is found first.
    const unknown = { ...edit, key: { ...key, id: 'NADA' } }
    expect((await post('chat/updateMessage', unknown)).status).toBe(400)
    expect((await call('DELETE', '/chat/deleteMessageForEveryone/loja1', key)).status).toBe(500)
    const reaction = { key: { remoteJid: jid, fromMe: false, id: 'AC1' }, reaction: '👍' }
    expect((await post('message/sendReaction', reaction)).status).toBe(400)
    expect((await post('message/sendText', text)).status).toBe(400)
    const { body } = await post('chat/findMessages', { where: {} })
    const recorded = body.messages.records.map((record: { key: { id: string } }) => record.key.id)
    expect(new Set(recorded)).toEqual(new Set(['AC1', key.id]))
  })

  it('the gateway keeps what phones write until the socket opens again', async () => {
    control.setFaults({ disconnect: { on: true, state: 'connecting' } })
    control.sendText('maria', 'primeira', 'AC1')
    control.sendText('maria', 'segunda', 'AC2')
    control.edit('maria', 'AC2', 'segunda!')
    expect(control.chat('maria').map(({ ack }) => ack)).toEqual(['pending', 'pending'])
    control.setFaults({ disconnect: { on: false } })
    const found = await receiver.until('messages.upsert', 2)
    expect(found.map((one) => (one.body.data['key'] as { id: string }).id)).toEqual(['AC1', 'AC2'])
    await receiver.until('messages.edited')
  })
})

describe('messages that are there', () => {
  const png = Buffer.from('not really a png').toString('base64').padEnd(24, 'A')
  const ask = (id: string) => post('chat/getBase64FromMediaMessage', { message: { key: { id } } })

  it('the gateway hands media out by id, and refuses what has none', async () => {
    control.send('maria', { kind: 'image', id: 'IMG1', base64: png, caption: 'foto' })
    control.sendText('maria', 'texto', 'TXT1')
    const { status, body } = await ask('IMG1')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      mediaType: 'imageMessage',
      fileName: 'IMG1.jpg',
      caption: 'foto',
      base64: png,
      buffer: null,
    })
    control.send('maria', { kind: 'image', id: 'CHILD1', base64: png, wrap: 'albumChild' })
    expect(await ask('CHILD1')).toEqual(refusal(400, 'Bad Request', ['The message is not of the media type']))
    expect((await ask('NADA')).body.response.message).toEqual(['Message not found'])
    expect((await ask('TXT1')).body.response.message).toEqual(['The message is not of the media type'])
    control.setFaults({ failMedia: { on: true, oneIn: 1 } })
    expect((await ask('IMG1')).status).toBe(400)
  })

  it('the gateway refuses media that is neither base64 nor a URL', async () => {
    const send = (body: object) => post('message/sendMedia', { number: maria.number, ...body })
    const owned = ['Owned media must be a url or base64']
    expect(
      (await send({ mediatype: 'image', media: `data:image/png;base64,${png}` })).body.response.message,
    ).toEqual(owned)
    expect(
      (await send({ mediatype: 'image', media: 'http://console:3000/x' })).body.response.message,
    ).toEqual(owned)
    expect((await send({ mediatype: 'document', media: png })).body.response.message).toEqual([
      'For base64 the file name must be informed.',
    ])
    expect((await send({ mediatype: 'image', media: 'http://files.test/x.png' })).status).toBe(500)
    const named = await send({ mediatype: 'document', media: png, fileName: 'a.PDF', mimetype: 'text/plain' })
    expect(named.body.message.documentMessage.mimetype).toBe('application/pdf')
    const odd = await send({ mediatype: 'document', media: png, fileName: 'a' })
    expect(odd.body.message.documentMessage.mimetype).toBe('false')
    expect(control.chat('maria').at(-1)?.media).toMatchObject({ fileName: 'a' })
  })

  it('the gateway takes one emoji or none as a reaction', async () => {
    control.sendText('maria', 'oi', 'AC1')
    const react = (reaction: string) =>
      post('message/sendReaction', {
        key: { remoteJid: jid, fromMe: false, id: 'AC1' },
        reaction,
      })
    expect((await react('abc')).body.response.message).toEqual(['"reaction" must be an emoji'])
    expect((await react('👍🏽')).status).toBe(201)
    expect(control.chat('maria')[0]?.reactions).toEqual([{ emoji: '👍🏽', from: 'company' }])
    expect((await react('')).status).toBe(201)
    expect(control.chat('maria')[0]?.reactions).toEqual([])
  })

  it('the gateway shows blue ticks for phone keys and drops LID keys silently', async () => {
    control.sendText('maria', 'a', 'AC1')
    control.sendText('maria', 'b', 'AC2')
    await control.idle()
    const readMessages = [
      { remoteJid: jid, fromMe: false, id: 'AC1' },
      { remoteJid: '123@lid', fromMe: false, id: 'AC2' },
    ]
    const answer = await post('chat/markMessageAsRead', { readMessages })
    expect(answer).toEqual({ status: 201, body: { message: 'Read messages', read: 'success' } })
    expect(control.chat('maria').map(({ ack }) => ack)).toEqual(['read', 'delivered'])
    const alone = { readMessages: [{ remoteJid: '123@lid', fromMe: false, id: 'AC2' }] }
    expect((await post('chat/markMessageAsRead', alone)).status).toBe(201)
    expect(control.chat('maria').map(({ ack }) => ack)).toEqual(['read', 'delivered'])
  })

  it('the gateway deletes for everyone with a body in a DELETE, an unknown id too', async () => {
    const { body: sent } = await sendText('ops')
    const answer = await call('DELETE', '/chat/deleteMessageForEveryone/loja1', sent.key)
    expect(answer.status).toBe(201)
    expect(answer.body.message.protocolMessage.type).toBe('REVOKE')
    expect(typeof answer.body.messageTimestamp).toBe('string')
    const [posted] = await receiver.until('messages.delete')
    expect(posted?.body.data).toMatchObject({ status: 'DELETED', key: { id: sent.key.id, deleted: true } })
    expect(posted?.body.data['id']).toMatch(/^cm/)
    expect(control.chat('maria')[0]).toMatchObject({ deleted: true, text: '' })
    expect(
      (await call('DELETE', '/chat/deleteMessageForEveryone/loja1', { ...sent.key, id: 'NADA' })).status,
    ).toBe(201)
  })

  it('the gateway edits only when the number makes the stored jid', async () => {
    control.createPhone({ id: 'bh', name: 'BH', number: '5531988887777' })
    const { body: sent } = await post('message/sendText', {
      number: '5531988887777',
      text: 'a',
    })
    const edit = (number: string) => post('chat/updateMessage', { number, key: sent.key, text: 'b' })
    expect((await edit('5531988887777')).status).toBe(400)
    expect((await edit(sent.key.remoteJid)).status).toBe(200)
    expect(control.chat('bh')[0]).toMatchObject({ text: 'b', edited: true })
    expect(control.oracle().changes).toMatchObject([{ kind: 'edit', text: 'b', waId: sent.key.id }])
  })

  it('the gateway requires all three fields of a presence', async () => {
    const bad = await post('chat/sendPresence', {
      number: maria.number,
      presence: 'dancing',
    })
    expect(bad.body.response.message).toEqual([
      [
        'presence is not one of enum values: unavailable,available,composing,recording,paused',
        'instance requires property "delay"',
      ],
    ])
    const good = await post('chat/sendPresence', {
      number: maria.number,
      presence: 'composing',
      delay: 1,
    })
    expect(good).toEqual({ status: 201, body: { presence: 'composing' } })
  })
})
