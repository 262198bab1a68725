import { Phones, sampleMessages } from './phones.ts'

export const everyKindName = 'Manda de Tudo'

const signs =
  'Oi! *Preciso* de _ajuda_ com o ~pedido~ `48213`:\n- caixa rasgada\n- *falta* um item\n' +
  '> Entrega até sexta\nLigue (11) 98765-4321 ou ana@exemplo.com.br\n```total = 129,90```'

/** Creates a chat with a message of every kind from the client, and then from the company's phone. */
export async function writeEveryKind(url: string): Promise<void> {
  const phones = new Phones(url)
  const { id } = await phones.create(everyKindName)
  await phones.write(id, signs)
  await phones.send(id, { kind: 'image', base64: 'AAAA', caption: 'não abre' })
  for (const message of Object.values(sampleMessages)) await phones.send(id, message)
  for (const message of Object.values(sampleMessages)) {
    const sent = await phones.sendAsOwner(id, message)
    if (message.kind !== 'poll') continue
    await phones.vote(id, sent.id, ['tarde'])
    await phones.pin(id, sent.id, true)
  }
  await phones.call(id, { outcome: 'missed' })
}
