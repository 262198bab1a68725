import { beforeAll, describe, expect, it } from 'vitest'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { recorded, shapeOf } from './recorded-bodies.ts'
import { benchForAllTests } from '#simulator/test-receiver.ts'

/** For every recorded kind, this gateway's body has the same keys and types. */

const to = '5511987654321'
const bytes = 'QUJDRA=='

const { control, receiver, call, post, next } = benchForAllTests({}, { base64: false })
beforeAll(async () => {
  control.sendText('maria', 'Bom dia', 'AC01')
  await receiver.until('messages.upsert')
})

function expectShape(body: unknown, name: string) {
  return expect(shapeOf(body)).toEqual(shapeOf(recorded(name)))
}

const pedro = { name: 'Pedro', phones: [{ number: '+55 11 97777-6666', waid: '5511977776666' }] }
const sent: [string, PhoneMessage, string][] = [
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
  ['a sticker', { kind: 'sticker', base64: bytes }, 'messages.upsert.sticker'],
  [
    'an audio file',
    { kind: 'audio', base64: bytes, voice: false, mimetype: 'audio/mpeg', seconds: 2 },
    'messages.upsert.audio.file',
  ],
  ['one emoji', { kind: 'text', text: '👍🏽' }, 'messages.upsert.emoji-only'],
  ['several lines', { kind: 'text', text: 'linha 1\n*negrito*' }, 'messages.upsert.long-multiline'],
]

describe('what a phone sends', () => {
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
      base64: bytes,
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

  it.each(['available', 'unavailable'] as const)(
    'the webhook of a presence that is %s has the recorded shape',
    async (state) => {
      const body = await next('presence.update', () => control.typing('maria', state))
      const own = shapeOf(body).filter((line) => !line.endsWith('.lastSeen:number'))
      expect(own).toEqual(shapeOf(recorded(`presence.update.${state}`)))
    },
  )
})

it('the echo of a video that the console sends has the recorded shape', async () => {
  let answer: unknown
  const body = await next('send.message', async () => {
    const request = { number: to, mediatype: 'video', media: bytes, fileName: 'a.mp4' }
    answer = (await post('message/sendMedia', request)).body
  })
  expectShape(body, 'send.message.video')
  expect(answer).toEqual(body?.data)
  expect(body?.data['messageType']).toBe(recorded('send.message.video').data.messageType)
})

describe('what is no message', () => {
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

  it('the simulator reports that an instance is made and gone', async () => {
    const webhook = { url: receiver.url, events: [] }
    const instance = { instanceName: 'loja2', integration: 'WHATSAPP-BAILEYS', number: '5511933332222' }
    const made = () => call('POST', '/instance/create', { ...instance, qrcode: true, webhook })
    expectShape(await next('instance.create', made), 'instance.create')
    const [qr] = await receiver.until('qrcode.updated')
    const withoutOwner = (name: string) => shapeOf(recorded(name)).filter((line) => line !== 'sender:string')
    expect(shapeOf(qr?.body)).toEqual(withoutOwner('qrcode.updated.pairing'))
    const gone = await next('remove.instance', () => call('DELETE', '/instance/delete/loja2'))
    expect(shapeOf(gone)).toEqual(withoutOwner('remove.instance'))
    const [deleted] = await receiver.until('instance.delete')
    expect(shapeOf(deleted?.body)).toEqual(withoutOwner('instance.delete'))
  })
})
