import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { eventually, testApp, type TestApp } from '#server/testing/test-app.ts'
import { type CountedGateway, startCountedGateway } from '#server/testing/servers/counted-gateway.ts'
import { jsonbText } from '#server/testing/database/jsonb-text.ts'
import { spread } from '#server/testing/nightly.ts'

// Every body that a real gateway was seen to post, through the real webhook, a few minutes after the last was
// recorded.

const folder = join(import.meta.dirname, '../../../simulator/payloads')
const names = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .toSorted()
const recordedAt = Date.parse('2026-11-20T20:01:00Z')
let t: TestApp
let secret: string

beforeAll(async () => {
  const offset = Math.round((recordedAt - Date.now()) / 1000)
  t = await testApp({}, { clockOffset: `${offset} seconds` })
  const config = await findConfigByName(t.database, 'loja1')
  secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
})
afterAll(() => t.close())

async function post(name: string): Promise<void> {
  const body = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as object
  const { status } = await t.request(
    'POST',
    '/api/webhook/evolution',
    { ...body, instance: 'loja1' },
    {
      authorization: `Bearer ${secret}`,
    },
  )
  expect(status, name).toBe(200)
}

/**
 * Until all that came is worked off, and each file of it was asked for; nothing may have been put aside as
 * hopeless.
 */
const workedOff = () =>
  eventually(
    () =>
      t.sql<{ left: number; dead: number }>`select (count(*) filter (where processed_at is null)
                      + (select count(*) from media_fetches where last_error is null))::int as left,
                   count(*) filter (where dead_reason is not null)::int as dead from webhook_inbox`,
    ([state]) => state?.left === 0 || state?.dead !== 0,
    30_000,
  ).then(([state]) => expect(state).toEqual({ left: 0, dead: 0 }))

async function forget(): Promise<void> {
  for (const table of ['webhook_inbox', 'pending_updates', 'conversations', 'contacts', 'events'])
    await t.sql`delete from ${sql.identifier(table)}`
  await t.sql`update evolution_api_config set status = 'disconnected' where id = ${t.instanceId}`
}

/** What is stored, one line a thing, without ids and without 'now'. */
async function stored(): Promise<string[]> {
  const found = await t.sql<{ line: string }>`(select 'contact ' || coalesce(name, '') || ' ' || (
              select string_agg(kind || ' ' || jid, ', ' order by kind)
                from contact_identities i where i.contact_id = c.id) as line
          from contacts c where deleted_at is null order by name, phone)
        union all
        (select 'conversation ' || status || ' ' || sub_status || ', ' || waiting_for
               || case when is_history then ', kept' else '' end || ', of ' || message_count
               || ', ends with ' || (select left(content, 30) from messages m where m.id = v.last_message_id)
          from conversations v order by started_at)
        union all
        (select sender_type || coalesce(' by ' || (metadata ->> 'origin'), '') || ' ' || message_type
               || ': ' || left(content, 60) || coalesce(' [' || file_name || ']', '')
               || case when quoted_content is null then '' else ' > ' || quoted_content end
               || case when metadata - 'origin' - 'recovered' = '{}' then ''
                       else ' ' || (metadata - 'origin' - 'recovered')::text end
               || coalesce(' ' || delivery_status, '')
               || case when edited_at is null then '' else ' edited' end
               || case when deleted_at is null then '' else ' deleted' end
               || coalesce((select string_agg(' ' || r.sender || ' ' || r.emoji, '' order by r.sender)
                              from message_reactions r where r.message_id = m.id), '')
          from messages m order by sort_at, whatsapp_message_id)
        union all
        (select 'aside ' || kind || ' of ' || whatsapp_message_id || coalesce(' ' || (data ->> 'status'), '')
                || coalesce(' ' || (data ->> 'content'), '') || coalesce(' ' || (data ->> 'emoji'), '')
          from pending_updates order by 1)`
  return found.map((row) => row.line)
}

const connection = async () => {
  const [config] = await t.sql<{ status: string }>`
    select status from evolution_api_config where id = ${t.instanceId}`
  return config?.status
}

// What is stored of shared contacts and places, with its keys in the order of jsonb.
const pedro = { name: 'Pedro', phones: [{ waId: '5511977776666', number: '+55 11 97777-6666' }] }
const ana = { name: 'Ana', phones: [{ waId: '5511966665555', number: '+55 11 96666-5555' }] }
const pedroSilva = {
  url: 'https://x.com',
  name: 'Pedro Silva',
  email: 'p@x.com',
  phones: pedro.phones,
  organization: 'Loja',
}
const locationOf = (name: string) => ({
  location: { name, address: 'Av. Paulista, 1578', latitude: -23.5614, longitude: -46.6559 },
})

const maria = 'contact Maria Souza phone 5511987654321@s.whatsapp.net'
const nameless = 'contact (11) 98765-4321 phone 5511987654321@s.whatsapp.net'
const waiting = (ends: string) => [`conversation waiting FILA, operator, of 1, ends with ${ends}`]
/** A contact's message alone: a conversation that waits in the queue. */
const opens = (line: string, ends: string, contact = maria) => [contact, ...waiting(ends), `contact ${line}`]
/** Ours, and nobody has written: kept. */
const keeps = (line: string, ends: string) => [
  nameless,
  `conversation completed OPERADOR, client, kept, of 1, ends with ${ends}`,
  `user by ${line}`,
]
const nothing: string[] = []

/** What each body alone leaves behind. */
const expected: Record<string, string[]> = {
  'call.offer': opens(
    'call: Chamada de voz {"call": {"isVideo": false, "outcome": "ringing"}}',
    'Chamada de voz',
    nameless,
  ),
  'call.terminate': opens(
    'call: Chamada de voz perdida {"call": {"isVideo": false, "outcome": "missed"}}',
    'Chamada de voz perdida',
    nameless,
  ),
  'call.timeout': opens(
    'call: Chamada de voz perdida {"call": {"isVideo": false, "outcome": "missed"}}',
    'Chamada de voz perdida',
    nameless,
  ),
  'chats.delete': nothing,
  'chats.set': nothing,
  'chats.update': nothing,
  'chats.upsert.after-status': nothing,
  'chats.upsert.new': nothing,
  'connection.update.close': nothing,
  'connection.update.connecting': nothing,
  'connection.update.open': nothing,
  'contacts.update.object': nothing,
  'contacts.upsert.array': nothing,
  'contacts.upsert.object': nothing,
  'group-participants.update.add': nothing,
  'groups.upsert': nothing,
  'instance.create': nothing,
  'instance.delete': nothing,
  'labels.association': nothing,
  'labels.edit': nothing,
  'logout.instance': nothing,
  'messages.delete.by-contact': ['aside delete of AC000000000000000000000000000046'],
  'messages.edited.by-contact': ['aside edit of AC000000000000000000000000000042 Quero 2 unidades'],
  'messages.edited.revoke': nothing,
  'messages.set': [
    'contact Antigo phone 5511944443333@s.whatsapp.net',
    'conversation completed OPERADOR, client, kept, of 1, ends with mensagem antiga',
    'contact text: mensagem antiga',
  ],
  'messages.update.DELIVERY_ACK': ['aside delivery of 3EB0674065136C43DF81C3 delivered'],
  'messages.update.ERROR': ['aside delivery of 3EB0E62A5AFDBE4C45A2FF failed'],
  'messages.update.PLAYED': ['aside delivery of 3EB0674065136C43DF81C3 played'],
  'messages.update.READ': ['aside delivery of 3EB0674065136C43DF81C3 read'],
  'messages.upsert.audio.file': opens('audio:  {"isVoice": false, "seconds": 2}', ''),
  'messages.upsert.audio.ptt': opens('audio:  {"isVoice": true, "seconds": 3}', ''),
  'messages.upsert.buttonsResponse': opens('text: Sim > ?', 'Sim'),
  'messages.upsert.contact': opens(`contact: Pedro ${jsonbText({ contacts: [pedro] })}`, 'Pedro'),
  'messages.upsert.contactsArray': opens(
    `contact: Pedro, Ana ${jsonbText({ contacts: [pedro, ana] })}`,
    'Pedro, Ana',
  ),
  'messages.upsert.conversation.lid': opens(
    'text: Mensagem endereçada por LID',
    'Mensagem endereçada por LID',
  ),
  'messages.upsert.conversation.pn': opens(
    'text: Bom dia, vocês entregam no Butantã?',
    'Bom dia, vocês entregam no But',
  ),
  'messages.upsert.conversation.pn-with-lid': opens(
    'text: Segunda mensagem',
    'Segunda mensagem',
    'contact Maria Souza lid 182736455463728@lid, phone 5511987654321@s.whatsapp.net',
  ),
  'messages.upsert.document': opens('document:  [boleto.pdf] {"pages": 1}', ''),
  'messages.upsert.documentWithCaption': opens(
    'document: Segue o comprovante [comprovante.pdf]',
    'Segue o comprovante',
  ),
  'messages.upsert.emoji-only': opens('text: 👍🏽', '👍🏽'),
  'messages.upsert.ephemeral.text': opens('text: Mensagem temporária', 'Mensagem temporária'),
  'messages.upsert.extendedText.link': opens(
    'text: Veja https://loja.example.com/p/1',
    'Veja https://loja.example.com/',
  ),
  'messages.upsert.extendedText.quoted': opens(
    'text: Sobre isso mesmo > Bom dia, vocês entregam no Butantã?',
    'Sobre isso mesmo',
  ),
  'messages.upsert.fromMe.phone.pn': keeps('phone text: Respondi pelo celular sent', 'Respondi pelo celular'),
  'messages.upsert.group.text': nothing,
  'messages.upsert.image': opens('image: Olha a foto {"width": 320, "height": 240}', 'Olha a foto'),
  'messages.upsert.image.base64': opens('image: com base64', 'com base64'),
  'messages.upsert.location': opens(
    `location: MASP\nAv. Paulista, 1578 ${jsonbText(locationOf('MASP'))}`,
    'MASP\nAv. Paulista, 1578',
  ),
  'messages.upsert.long-multiline': opens(
    'text: linha 1\nlinha 2\n*negrito* _itálico_ ~riscado~ ```mono```',
    'linha 1\nlinha 2\n*negrito* _itá',
  ),
  'messages.upsert.reaction': ['aside reaction of 3EB0674065136C43DF81C3 ❤️'],
  'messages.upsert.sticker': opens('sticker:  {"width": 128, "height": 128}', ''),
  'messages.upsert.video': opens('video: vídeo {"width": 160, "height": 120, "seconds": 2}', 'vídeo'),
  'messages.upsert.viewOnce.placeholder': opens(
    'unsupported: Mensagem não suportada {"gatewayType": "unknown"}',
    'Mensagem não suportada',
  ),
  'presence.update.available': nothing,
  'presence.update.composing': nothing,
  'presence.update.unavailable': nothing,
  'qrcode.updated': nothing,
  'qrcode.updated.pairing': nothing,
  'remove.instance': nothing,
  'send.message.audio': keeps('api audio:  {"isVoice": true, "seconds": 2} sent', ''),
  'send.message.contact': keeps(
    `api contact: Pedro Silva ${jsonbText({ contacts: [pedroSilva] })} sent`,
    'Pedro Silva',
  ),
  'send.message.document': keeps('api document: Seu boleto [boleto.pdf] sent', 'Seu boleto'),
  'send.message.group': nothing,
  'send.message.image': keeps('api image: foto sent', 'foto'),
  'send.message.location': keeps(
    `api location: Loja\nAv. Paulista, 1578 ${jsonbText(locationOf('Loja'))} sent`,
    'Loja\nAv. Paulista, 1578',
  ),
  'send.message.poll': keeps(
    'api poll: Horário? {"poll": {"options": ["9h", "14h"], "selectable": 1}} sent',
    'Horário?',
  ),
  'send.message.reaction': ['aside reaction of AC000000000000000000000000000001 👍'],
  'send.message.sticker': keeps('api sticker:  sent', ''),
  'send.message.text': keeps('api text: Entregamos sim! 😊 sent', 'Entregamos sim! 😊'),
  'send.message.text.quoted': keeps(
    'api text: respondendo > Bom dia, vocês entregam no Butantã? sent',
    'respondendo',
  ),
  'send.message.update': ['aside edit of 3EB05BB1F77E8155788389 Olá, *Maria Souza*!'],
  'send.message.video': keeps('api video:  sent', ''),
  'status.instance': nothing,
}

test.each(names)('the recorded body %s, received alone, is stored', async (name) => {
  await forget()
  await post(name)
  await workedOff()
  const lines = await stored()
  expect(lines).toEqual(expected[name])
  // Twice the same has no further effect.
  const reported = () =>
    // News of the gateway come at any time.
    t.sql`select max(seq) as seq, count(*) as n from events where type <> 'gateway_state'`
  const before = await reported()
  await post(name)
  await workedOff()
  expect(await stored()).toEqual(lines)
  expect(await reported()).toEqual(before)
})

describe('each body about the connection', () => {
  let silent: CountedGateway
  beforeAll(async () => {
    // Asked about the connection meanwhile, the simulator would say what is true.
    silent = await startCountedGateway(() => undefined)
    await moveTo(silent.url)
  })
  afterAll(async () => {
    await moveTo(t.simulator.url)
    await silent.close()
  })
  const moveTo = (baseUrl: string) =>
    t.sql`update evolution_api_config set base_url = ${baseUrl} where id = ${t.instanceId}`

  test.each([
    ['connection.update.open', 'open'],
    ['connection.update.connecting', 'connecting'],
    ['connection.update.close', 'close'],
    ['logout.instance', 'close'],
    ['status.instance', 'close'],
    ['remove.instance', 'close'],
    ['qrcode.updated', 'disconnected'],
  ])('%s leaves the number as %s', async (name, state) => {
    await forget()
    await post(name)
    await workedOff()
    expect(await connection()).toBe(state)
  })
})

/** Seeded, so that a failing order can be seen again. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  return items
    .map((item) => ({ item, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

test('all of them in shuffled orders, each twice, end in the same', async () => {
  let first: string[] | undefined
  for (const seed of spread(seeds, 2)) {
    await forget()
    const order = shuffled([...names, ...names], seed)
    await Promise.all(order.map(post))
    await workedOff()
    const lines = await stored()
    first ??= lines
    expect(lines, `seed ${seed}`).toEqual(first)
  }
  expect(first).toEqual([
    'contact Antigo phone 5511944443333@s.whatsapp.net',
    'contact Maria Souza lid 182736455463728@lid, phone 5511987654321@s.whatsapp.net',
    'conversation completed OPERADOR, client, kept, of 1, ends with mensagem antiga',
    'conversation waiting FILA, operator, of 33, ends with com base64',
    'contact text: mensagem antiga',
    'contact text: Bom dia, vocês entregam no Butantã? user 👍',
    'contact text: Segunda mensagem',
    'contact text: Mensagem endereçada por LID',
    'contact text: Veja https://loja.example.com/p/1',
    'contact text: Sobre isso mesmo > Bom dia, vocês entregam no Butantã?',
    'contact image: Olha a foto {"width": 320, "height": 240}',
    'contact video: vídeo {"width": 160, "height": 120, "seconds": 2}',
    'contact audio:  {"isVoice": true, "seconds": 3}',
    'contact audio:  {"isVoice": false, "seconds": 2}',
    'contact document:  [boleto.pdf] {"pages": 1}',
    'contact document: Segue o comprovante [comprovante.pdf]',
    'contact sticker:  {"width": 128, "height": 128}',
    'contact text: Mensagem temporária',
    `contact contact: Pedro ${jsonbText({ contacts: [pedro] })}`,
    `contact contact: Pedro, Ana ${jsonbText({ contacts: [pedro, ana] })}`,
    `contact location: MASP\nAv. Paulista, 1578 ${jsonbText(locationOf('MASP'))}`,
    'user by api text: Entregamos sim! 😊 played contact ❤️',
    'contact text: Sim > ?',
    'contact unsupported: Mensagem não suportada {"gatewayType": "unknown"}',
    'contact text: 👍🏽',
    'contact text: linha 1\nlinha 2\n*negrito* _itálico_ ~riscado~ ```mono```',
    'user by phone text: Respondi pelo celular sent',
    'contact call: Chamada de voz perdida {"call": {"isVideo": false, "outcome": "missed"}}',
    'user by api text: respondendo > Bom dia, vocês entregam no Butantã? sent',
    'user by api image: foto sent',
    'user by api document: Seu boleto [boleto.pdf] sent',
    'user by api video:  sent',
    'user by api audio:  {"isVoice": true, "seconds": 2} sent',
    `user by api contact: Pedro Silva ${jsonbText({ contacts: [pedroSilva] })} sent`,
    `user by api location: Loja\nAv. Paulista, 1578 ${jsonbText(locationOf('Loja'))} sent`,
    'user by api sticker:  sent',
    'user by api poll: Horário? {"poll": {"options": ["9h", "14h"], "selectable": 1}} sent',
    'contact image: com base64',
    'aside delete of AC000000000000000000000000000046',
    'aside delivery of 3EB0E62A5AFDBE4C45A2FF failed',
    'aside edit of 3EB05BB1F77E8155788389 Olá, *Maria Souza*!',
    'aside edit of AC000000000000000000000000000042 Quero 2 unidades',
  ])
}, 180_000)
