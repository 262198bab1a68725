import { describe, expect, it } from 'vitest'
import type { Encoding } from '#simulator/control-api.ts'
import { benchForEachTest, maria } from '#simulator/test-receiver.ts'

const pn = '5511987654321@s.whatsapp.net'
const lid = '182736455463728@lid'

describe('a gateway of another release', () => {
  const { control, receiver, call, post, restart } = benchForEachTest()
  async function start(version: Encoding, phone: object = {}) {
    await restart({ version: '2.3.7', seedPhones: [{ ...maria, lid: '182736455463728', ...phone }] })
    control.setVersion(version)
  }
  async function events(...names: string[]) {
    await control.idle()
    return receiver.got
      .filter(({ event }) => names.includes(event))
      .map(({ event, body }) => ({ event, body, data: body.data }))
  }

  it.each([
    ['1.8', ['messages.upsert', 'messages.upsert']],
    ['2.2', ['messages.upsert', 'messages.edited']],
    ['2.3.1', ['messages.upsert', 'messages.edited']],
    ['2.3.6', ['messages.upsert', 'messages.edited']],
    ['2.3.7', ['messages.upsert', 'messages.edited', 'messages.update']],
    ['2.4', ['messages.upsert', 'messages.edited', 'messages.update']],
  ] as const)('%s reports an edit by %j', async (version, expected) => {
    await start(version)
    control.sendText('maria', 'oi', 'AC1')
    control.edit('maria', 'AC1', 'olá')
    const found = await events('messages.upsert', 'messages.edited', 'messages.update')
    expect(found.map(({ event }) => event)).toEqual(expected)
    expect(JSON.stringify(found[1]?.data)).toContain('olá')
  })

  it('release 1.8 puts an edit in an editedMessage with its own id', async () => {
    await start('1.8')
    control.sendText('maria', 'oi', 'AC1')
    control.edit('maria', 'AC1', 'olá')
    const [, edit] = await events('messages.upsert')
    expect(edit?.data).toMatchObject({ messageType: 'editedMessage', pushName: maria.name })
    const inner = edit?.data['message'] as { editedMessage: { message: { protocolMessage: unknown } } }
    expect(inner.editedMessage.message.protocolMessage).toMatchObject({
      key: { id: 'AC1' },
      editedMessage: { conversation: 'olá' },
    })
    expect(edit?.data['key']).not.toMatchObject({ id: 'AC1' })
  })

  it.each([
    ['1.8', [['messages.delete', undefined]]],
    [
      '2.2',
      [
        ['messages.edited', undefined],
        ['messages.delete', undefined],
      ],
    ],
    [
      '2.3.3',
      [
        ['messages.edited', undefined],
        ['messages.update', 'DELETED'],
      ],
    ],
    [
      '2.3.6',
      [
        ['messages.edited', undefined],
        ['messages.delete', undefined],
      ],
    ],
    [
      '2.3.7',
      [
        ['messages.edited', undefined],
        ['messages.delete', 'DELETED'],
      ],
    ],
  ] as const)('%s reports a deletion as %j', async (version, expected) => {
    await start(version)
    control.sendText('maria', 'oi', 'AC1')
    control.remove('maria', 'AC1')
    const found = await events('messages.edited', 'messages.delete', 'messages.update')
    expect(found.map(({ event, data }) => [event, data['status']])).toEqual(expected)
    expect(JSON.stringify(found.at(-1)?.data)).toContain('AC1')
  })

  it('a gateway before 2.3.7 drops votes', async () => {
    await start('2.3.6')
    control.send('maria', { kind: 'poll', id: 'POLL', name: 'Hora?', options: ['9h', '14h'] })
    control.voteInPoll('maria', { messageId: 'POLL', options: ['9h'] })
    control.setVersion('2.3.7')
    control.voteInPoll('maria', { messageId: 'POLL', options: ['14h'] })
    const found = await events('messages.upsert')
    expect(found.map(({ data }) => data['messageType'])).toEqual([
      'pollCreationMessageV3',
      'pollUpdateMessage',
    ])
    expect(found[1]?.data['pollUpdates']).toEqual([
      { name: '9h', voters: [] },
      { name: '14h', voters: [pn] },
    ])
  })

  it('a gateway of another release reports one message in another form than the rest', async () => {
    await start('2.3.7', { identity: 'lid' })
    control.send('maria', { kind: 'text', text: 'a', encoding: '2.2' })
    control.sendText('maria', 'b')
    const found = await events('messages.upsert')
    expect(found.map(({ data }) => (data['key'] as { remoteJid: string }).remoteJid)).toEqual([lid, pn])
    const chats = await events('chats.upsert')
    expect(JSON.stringify(chats[0]?.data)).toContain(lid)
  })

  it('a gateway of another release says no progress of a past before 2.3.7', async () => {
    await start('2.3.6')
    control.syncHistory('maria', {
      messages: [{ from: 'phone', text: 'antiga', at: '2026-01-01T12:00:00.000Z' }],
    })
    const [set] = await events('messages.set')
    expect(set?.body).not.toHaveProperty('progress')
    expect(set?.body.data).toHaveLength(1)
  })

  it('a gateway of another release answers a send in the same form as its echo', async () => {
    await start('2.2')
    const png = Buffer.from('picture').toString('base64')
    const request = { number: maria.number, mediatype: 'image', media: png, fileName: 'a.png' }
    const { body } = await post('message/sendMedia', request)
    expect(body.message.imageMessage.fileLength).toBe('7')
    const [echo] = await receiver.until('send.message')
    expect(echo?.body.data).toEqual(body)
  })

  it('a gateway of another release does nothing in 2.4 until it is licensed, but say so', async () => {
    await start('2.4')
    control.setVersion('2.4', false)
    const refused = await call('GET', '/instance/connectionState/loja1', undefined, null)
    expect(refused).toMatchObject({ status: 503, body: { code: 'LICENSE_REQUIRED' } })
    expect((await call('GET', '/')).status).toBe(200)
    control.setVersion('2.4')
    expect((await call('GET', '/instance/connectionState/loja1')).status).toBe(200)
  })

  it.each(['sendText', 'sendMedia'])(
    'a gateway of 2.4 sends by %s under the id it is given',
    async (action) => {
      await start('2.4')
      const png = Buffer.from('picture').toString('base64')
      const file = { mediatype: 'image', media: png, fileName: 'a.png' }
      const request = { number: maria.number, text: 'oi', ...file, messageId: '3EB0AAAAAAAAAAAAAAAAAA' }
      const { body } = await post(`message/${action}`, request)
      expect(body.key.id).toBe(request.messageId)
      expect((await receiver.until('send.message'))[0]?.body.data).toMatchObject({ key: { id: body.key.id } })
      const found = await post('chat/findMessages', { where: { key: { id: request.messageId } } })
      expect(found.body.messages.records).toHaveLength(1)
      control.setVersion('2.3.7')
      const other = await post(`message/${action}`, { ...request, messageId: '3EB0BBBBBBBBBBBBBBBBBB' })
      expect(other.status).toBe(201)
      expect(other.body.key.id).not.toBe('3EB0BBBBBBBBBBBBBBBBBB')
    },
  )

  it('a gateway of 2.4 gives a voice message an id of its own all the same', async () => {
    await start('2.4')
    const audio = Buffer.from('voice').toString('base64')
    const request = { number: maria.number, audio, messageId: '3EB0AAAAAAAAAAAAAAAAAA' }
    const { body } = await post('message/sendWhatsAppAudio', request)
    expect(body.key.id).not.toBe(request.messageId)
  })

  it('a gateway of 2.4 has a message once that was sent again under its id', async () => {
    await start('2.4')
    const request = { number: maria.number, text: 'oi', messageId: '3EB0AAAAAAAAAAAAAAAAAA' }
    control.nextSendAnswers([{ cut: 'before', delivered: true, stored: true }])
    await post('message/sendText', request).catch(() => undefined)
    expect((await post('message/sendText', request)).status).toBe(201)
    expect(control.chat('maria')).toHaveLength(1)
    // That the phone got it twice is not forgotten.
    expect(control.oracle().received).toMatchObject([{ waId: request.messageId, times: 2 }])
  })

  it.each([
    ['2.3.7', 'open', null],
    ['2.4', 'close', 408],
  ] as const)('a gateway of %s is %s after a connection that timed out', async (version, state, code) => {
    await start(version)
    control.endSession(408)
    await receiver.until('connection.update', version === '2.4' ? 1 : 2)
    await expect
      .poll(async () => (await call('GET', '/instance/connectionState/loja1')).body.instance.state)
      .toBe(state)
    const { body } = await call('GET', '/instance/fetchInstances')
    expect(body).toMatchObject([{ connectionStatus: state, disconnectionReasonCode: code }])
  })

  it('a gateway of 2.4 posts nothing of a drop, and says close until it connects again', async () => {
    await start('2.4')
    control.endSession(428)
    expect((await call('GET', '/instance/connectionState/loja1')).body.instance.state).toBe('close')
    expect((await call('GET', '/instance/fetchInstances')).body).toMatchObject([{ connectionStatus: 'open' }])
    const updates = await receiver.until('connection.update', 2)
    expect(updates.map(({ body }) => body.data['state'])).toEqual(['connecting', 'open'])
  })

  it('a gateway of another release repeats webhooks that were refused for good, in 2.2', async () => {
    await start('2.2')
    receiver.answers.push(404)
    control.sendText('maria', 'oi', 'AC1')
    const found = await receiver.until('messages.upsert', 2)
    expect(found[1]?.body).toEqual(found[0]?.body)
  })

  it('a gateway of another release says its release, and asks for the events it knows', async () => {
    await start('2.2')
    expect((await call('GET', '/')).body.version).toBe('2.2.3')
    const set = (events_: string[]) =>
      post('webhook/set', {
        webhook: { enabled: true, url: receiver.url, events: events_ },
      })
    expect((await set(['SEND_MESSAGE_UPDATE'])).status).toBe(400)
    expect((await set(['MESSAGING_HISTORY_SET'])).status).toBe(400)
    control.setVersion('2.4')
    expect((await set(['SEND_MESSAGE_UPDATE', 'MESSAGING_HISTORY_SET'])).status).toBe(201)
  })
})
