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
  ])('is %s', (_name, participant, key, from) => {
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
  ])('%s is ignored', (_name, message) => {
    expect(parse(message)).toMatchObject({ kind: 'ignored' })
  })
})
