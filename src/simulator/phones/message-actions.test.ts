import { describe, expect, it } from 'vitest'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { benchForEachTest, maria } from '#simulator/test-receiver.ts'

/** Actions on existing messages, and events outside the chat. */

const jid = `${maria.number}@s.whatsapp.net`
const bytes = 'QUJDRA=='

const { control, receiver, post, sendText, posted } = benchForEachTest()

async function upserts() {
  await control.idle()
  return posted('messages.upsert')
}
describe('acts', () => {
  const poll: PhoneMessage = { kind: 'poll', id: 'POLL', name: 'Hora?', options: ['9h', '14h'] }

  it('a poll is voted on, and again, and keeps both sides apart', async () => {
    control.sendAsOwner('maria', poll)
    control.voteInPoll('maria', { messageId: 'POLL', options: ['9h'], id: 'V1' })
    control.voteInPoll('maria', { messageId: 'POLL', options: ['9h'], id: 'V1' })
    control.voteInPoll('maria', { messageId: 'POLL', options: ['9h'], by: 'owner' })
    const { votes } = control.voteInPoll('maria', { messageId: 'POLL', options: ['14h'] })
    expect(votes).toEqual({ phone: ['14h'], company: ['9h'] })
    const found = (await upserts()).filter((data) => data['messageType'] === 'pollUpdateMessage')
    expect(found).toHaveLength(3)
    expect(found.at(-1)?.['pollUpdates']).toEqual([
      // Only the vote of this message, whatever the other side has chosen.
      { name: '9h', voters: [] },
      { name: '14h', voters: [jid] },
    ])
    const key = { pollCreationMessageKey: { id: 'POLL', fromMe: true } }
    expect(found[0]?.['message']).toMatchObject({ pollUpdateMessage: key })
    expect(control.chat('maria')).toHaveLength(1)
    expect(control.oracle().changes.map(({ kind }) => kind)).toEqual(['vote', 'vote', 'vote'])
  })

  it('a phone refuses votes that no phone could cast', () => {
    control.send('maria', poll)
    const cast = (options: string[]) => () => control.voteInPoll('maria', { messageId: 'POLL', options })
    expect(cast(['10h'])).toThrow('A enquete não tem esta opção')
    expect(cast(['9h', '14h'])).toThrow('A enquete não permite tantas opções')
    control.sendText('maria', 'oi', 'AC1')
    expect(() => control.voteInPoll('maria', { messageId: 'AC1', options: [] })).toThrow('não é uma enquete')
  })

  it('a phone pins and unpins a message', async () => {
    control.sendText('maria', 'endereço', 'AC1')
    control.pin('maria', { messageId: 'AC1', pinned: true })
    expect(control.chat('maria')).toMatchObject([{ pinned: true }])
    expect(control.pin('maria', { messageId: 'AC1', pinned: false, by: 'owner' }).pinned).toBeUndefined()
    const found = (await upserts()).filter((data) => data['messageType'] === 'pinInChatMessage')
    expect(found.map((data) => data['message'])).toMatchObject([
      { pinInChatMessage: { key: { id: 'AC1' }, type: 1 } },
      { pinInChatMessage: { key: { id: 'AC1' }, type: 2 } },
    ])
  })

  it('the company phone reacts, edits and deletes, too, also what the console sent', async () => {
    const { body } = await sendText('Olá')
    const messageId: string = body.key.id
    control.sendText('maria', 'oi', 'AC1')
    control.react('maria', { messageId: 'AC1', emoji: '👍', by: 'owner' })
    expect(() => control.edit('maria', messageId, 'x')).toThrow('Só a própria mensagem')
    expect(() => control.edit('maria', 'AC1', 'x', 'owner')).toThrow('Só a própria mensagem')
    control.edit('maria', messageId, 'Olá!', 'owner')
    const [edited] = await receiver.until('messages.edited')
    expect(edited?.body.data['key']).toEqual({ remoteJid: jid, fromMe: true, id: messageId })
    const changed = () => posted('messages.update').filter((data) => 'message' in data)
    await expect.poll(() => changed().length).toBe(1)
    expect(changed()[0]).toMatchObject({ keyId: messageId, fromMe: true, status: 'SERVER_ACK' })
    control.remove('maria', messageId, 'owner')
    const [deleted] = await receiver.until('messages.delete')
    expect(deleted?.body.data).toMatchObject({ id: messageId, fromMe: true, status: 'DELETED' })
    const [bubble] = control.chat('maria').filter(({ id }) => id === 'AC1')
    expect(bubble?.reactions).toEqual([{ emoji: '👍', from: 'company' }])
    expect(control.oracle().changes.map(({ direction, kind }) => [direction, kind])).toEqual([
      ['received', 'edit'],
      ['received', 'delete'],
    ])
  })

  it('a phone edits only messages of text', () => {
    control.send('maria', poll)
    control.send('maria', { kind: 'audio', base64: bytes, id: 'VOZ' })
    for (const id of ['POLL', 'VOZ'])
      expect(() => control.edit('maria', id, 'x')).toThrow('Esta mensagem não pode ser editada')
  })
})

describe('beside the chat', () => {
  it('a call rings once and ends once', async () => {
    const call = { id: 'C1', video: true }
    control.call('maria', { ...call, outcome: 'ringing' })
    control.call('maria', { ...call, outcome: 'ringing' })
    control.call('maria', { ...call, outcome: 'rejected' })
    expect(control.call('maria', { ...call, outcome: 'answered' }).outcome).toBe('rejected')
    await control.idle()
    const calls = posted('call')
    expect(calls.map(({ status }) => status)).toEqual(['offer', 'ringing', 'reject'])
    expect(calls[0]).toMatchObject({ from: jid, isVideo: true, offline: false })
  })

  it('a phone writes elsewhere without entering the chat, the counts or the oracle', async () => {
    for (const where of ['group', 'status', 'newsletter'] as const)
      control.sendElsewhere('maria', { where, text: 'oi', id: `E-${where}` })
    control.sendElsewhere('maria', { where: 'group', text: 'oi', id: 'E-group' })
    const found = await upserts()
    const jids = found.map((data) => (data['key'] as { remoteJid: string }).remoteJid)
    expect(jids).toEqual([
      expect.stringMatching(/@g\.us$/),
      'status@broadcast',
      expect.stringMatching(/@newsletter$/),
    ])
    expect(found[0]).toMatchObject({ pushName: maria.name })
    expect(control.chat('maria')).toEqual([])
    expect(control.oracle().written).toEqual([])
    expect(control.state().counters.written).toBe(0)
    const { body } = await post('chat/findMessages', { where: {} })
    expect(body.messages.total).toBe(3)
  })

  it('a phone hands the whole chat over as a past, without sending anything again', async () => {
    control.sendText('maria', 'oi', 'AC1')
    control.sendAsOwner('maria', { kind: 'text', text: 'olá' })
    control.syncHistory('maria', { isLatest: false, progress: 40 })
    const [set] = await receiver.until('messages.set')
    expect(set?.body).toMatchObject({ isLatest: false, progress: 40 })
    const ids = ((set?.body.data ?? []) as unknown as { key: { fromMe: boolean } }[]).map(
      ({ key }) => key.fromMe,
    )
    expect(ids).toEqual([false, true])
    expect(await upserts()).toHaveLength(2)
  })

  it('a phone hands an address book over without names', async () => {
    control.syncContacts({ phones: ['maria'], names: false })
    const [book] = await receiver.until('contacts.upsert')
    expect(book?.body.data).toEqual([expect.not.objectContaining({ pushName: maria.name })])
  })
})

it('a phone keeps words in Portuguese in the register', async () => {
  control.send('maria', { kind: 'viewOncePlaceholder' })
  control.call('maria', { outcome: 'missed' })
  await control.idle()
  const words = control.log().map(({ detail }) => detail)
  expect(words).toContain('Maria Souza: mensagem de visualização única')
  expect(words).toContain('Maria Souza: chamada de voz (timeout)')
})
