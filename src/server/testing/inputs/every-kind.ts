import type { Simulator } from '#simulator/simulator.ts'

/** A picture of one pixel, with a text behind its end. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const withText = (base64: string, text: string) =>
  Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from(text)]).toString('base64')
const pdf = (text: string) =>
  Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n% ${text}\n%%EOF\n`).toString('base64')

/**
 * A client's phone sends a message of every kind and does all that can be done to messages.
 * @param mark is in every text, name and file
 * @returns the WhatsApp ids of its messages, by kind
 */
export function sendEveryKind(
  { control }: Pick<Simulator, 'control'>,
  phoneId: string,
  mark: string,
): Record<'text' | 'edited' | 'deleted' | 'poll' | 'image' | 'document', string> {
  const text = control.sendText(phoneId, `texto ${mark}`).id
  const edited = control.sendText(phoneId, `antes ${mark}`).id
  control.edit(phoneId, edited, `depois ${mark}`)
  const deleted = control.sendText(phoneId, `apagada ${mark}`).id
  control.remove(phoneId, deleted)
  control.send(phoneId, { kind: 'text', text: `resposta ${mark}`, quotedId: text })
  const image = control.send(phoneId, {
    kind: 'image',
    base64: withText(pixel, mark),
    caption: `foto ${mark}`,
  }).id
  const document = control.send(phoneId, {
    kind: 'document',
    base64: pdf(mark),
    fileName: `nota ${mark}.pdf`,
    caption: `documento ${mark}`,
  }).id
  control.send(phoneId, { kind: 'location', latitude: -23.5, longitude: -46.6, name: mark, address: mark })
  control.send(phoneId, { kind: 'liveLocation', latitude: -23.5, longitude: -46.6, caption: mark })
  control.send(phoneId, {
    kind: 'contact',
    contacts: [{ name: mark, phones: [{ number: '+55 11 91111-2222' }], organization: mark }],
  })
  const poll = control.send(phoneId, {
    kind: 'poll',
    name: `enquete ${mark}`,
    options: [`a ${mark}`, 'b'],
  }).id
  control.voteInPoll(phoneId, { messageId: poll, options: [`a ${mark}`] })
  control.send(phoneId, { kind: 'buttonReply', text: mark, buttonId: 'a' })
  control.send(phoneId, { kind: 'order', title: mark, itemCount: 1, amount: 100, message: mark })
  control.send(phoneId, {
    kind: 'product',
    title: mark,
    description: mark,
    amount: 100,
    url: `https://a.example/${mark}`,
  })
  control.send(phoneId, { kind: 'groupInvite', groupName: mark, code: 'abc', caption: mark })
  control.send(phoneId, { kind: 'unknown', messageType: 'strangeMessage', raw: { text: mark } })
  control.call(phoneId, { outcome: 'missed' })
  control.react(phoneId, { messageId: text, emoji: '👍' })
  control.sendAsOwner(phoneId, { kind: 'text', text: `do celular ${mark}` })
  return { text, edited, deleted, poll, image, document }
}
