import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Encoding, encodings, type IdentityMode, type PhoneMessage } from '#simulator/control-api.ts'
import { connectGateway } from '#server/gateway/gateway.ts'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { jsonbText } from '#server/testing/database/jsonb-text.ts'
import { spread } from '#server/testing/nightly.ts'

// What people send, by the simulator's real wire, in the words of every release of the gateway: the console
// keeps the same.

const t = forAllTests(testApp)

/** Gives the gateway a release, and asks for the events that this one has. */
async function useRelease(encoding: Encoding): Promise<void> {
  t.simulator.control.setVersion(encoding)
  const config = await findConfigByName(t.database, 'loja1')
  if (config) await t.app.gateway.client.refreshWebhook({ ...config, apiKey: t.simulator.apiKey })
}

const base64 = Buffer.from('a picture, as far as this test goes').toString('base64')
/** A picture of one dot. What is none is offered as a download. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const pedro = { name: 'Pedro', phones: [{ number: '+55 11 97777-6666', waid: '5511977776666' }] }
const ana = {
  name: 'Ana',
  phones: [{ number: '+55 11 96666-5555' }],
  organization: 'Loja',
  email: 'ana@loja.example',
}
// The same as they are stored, with the keys in the order of jsonb.
const pedroStored = { name: 'Pedro', phones: [{ waId: '5511977776666', number: '+55 11 97777-6666' }] }
const anaStored = {
  name: 'Ana',
  email: 'ana@loja.example',
  phones: [{ number: '+55 11 96666-5555' }],
  organization: 'Loja',
}
const masp = { name: 'MASP', address: 'Av. Paulista, 1578', latitude: -23.5614, longitude: -46.6559 }

const said: [PhoneMessage, string][] = [
  [{ kind: 'text', text: 'Bom dia 👋' }, 'text: Bom dia 👋'],
  [{ kind: 'text', text: 'some', wrap: 'ephemeral' }, 'text: some'],
  [
    { kind: 'text', text: 'fundo', wrap: ['deviceSent', 'ephemeral', 'viewOnceV2', 'edited'] },
    'text: fundo {"isViewOnce": true}',
  ],
  [{ kind: 'text', text: 'repassada', forwarded: true }, 'text: repassada {"isForwarded": true}'],
  [
    { kind: 'image', base64: dot, caption: 'a foto', width: 320, height: 240 },
    'image: a foto {"width": 320, "height": 240}',
  ],
  [{ kind: 'image', base64: dot, wrap: 'viewOnceV2' }, 'image:  {"isViewOnce": true}'],
  [{ kind: 'image', base64: dot, caption: 'do álbum', wrap: 'albumChild' }, 'image: do álbum'],
  [{ kind: 'video', base64, seconds: 7, caption: 'o vídeo' }, 'video: o vídeo {"seconds": 7}'],
  [{ kind: 'video', base64, seconds: 5, round: true }, 'video:  {"isRound": true, "seconds": 5}'],
  [{ kind: 'video', base64, seconds: 2, gif: true }, 'video:  {"isGif": true, "seconds": 2}'],
  [{ kind: 'audio', base64, seconds: 3 }, 'audio:  {"isVoice": true, "seconds": 3}'],
  [{ kind: 'audio', base64, seconds: 9, voice: false }, 'audio:  {"isVoice": false, "seconds": 9}'],
  [
    { kind: 'document', base64, fileName: 'boleto.pdf', caption: 'o boleto' },
    'document: o boleto [boleto.pdf 35] {"pages": 1}',
  ],
  [{ kind: 'sticker', base64: dot }, 'sticker: '],
  [{ kind: 'contact', contacts: [pedro] }, `contact: Pedro ${jsonbText({ contacts: [pedroStored] })}`],
  [
    { kind: 'contact', contacts: [pedro, ana] },
    `contact: Pedro, Ana ${jsonbText({ contacts: [pedroStored, anaStored] })}`,
  ],
  [{ kind: 'location', ...masp }, `location: MASP Av. Paulista, 1578 ${jsonbText({ location: masp })}`],
  [
    { kind: 'liveLocation', latitude: -23.5, longitude: -46.6, caption: 'chegando' },
    'location: chegando {"location": {"isLive": true, "latitude": -23.5, "longitude": -46.6}}',
  ],
  [
    { kind: 'poll', name: 'Horário?', options: ['9h', '14h'] },
    'poll: Horário? {"poll": {"options": ["9h", "14h"], "selectable": 1}}',
  ],
  [{ kind: 'listReply', title: 'Entrega', rowId: 'r1' }, 'text: Entrega'],
  [{ kind: 'buttonReply', text: 'Sim', buttonId: 'b1' }, 'text: Sim'],
  [{ kind: 'templateReply', text: 'Quero', buttonId: 'b1' }, 'text: Quero'],
  [{ kind: 'interactiveReply', text: 'Combinado', name: 'flow' }, 'text: Combinado'],
  [{ kind: 'viewOncePlaceholder' }, 'unsupported: Mensagem não suportada {"gatewayType": "unknown"}'],
  [
    { kind: 'unknown', messageType: 'novidadeMessage', raw: { novidadeMessage: { title: 'Nova', algo: 1 } } },
    'text: Nova {"gatewayType": "novidadeMessage"}',
  ],
]

/**
 * How an address that is no plain number can come in each release; a LID alone stays alone, whatever comes.
 */
const identities: IdentityMode[] = ['pn', 'pn-with-lid', 'lid', 'lid-2.3.6', 'lid-only']

const linesOf = async (waIds: string[]) =>
  (
    await t.sql<{ line: string }>`select message_type || ': ' || replace(content, chr(10), ' ')
                 || coalesce(' [' || file_name || ' ' || file_size || ']', '')
                 || case when metadata - 'recovered' - 'origin' - 'postedMs' = '{}' then ''
                         else ' ' || (metadata - 'recovered' - 'origin' - 'postedMs')::text end as line
            from messages where whatsapp_message_id = any(${sql.param(waIds)}::text[])
           order by array_position(${sql.param(waIds)}::text[], whatsapp_message_id)`
  ).map((row) => row.line)

const arrived = (waIds: string[]) => eventually(() => linesOf(waIds), { length: waIds.length }, 20_000)

const ended = () =>
  eventually(
    () =>
      t.sql<{ left: number; dead: number }>`select count(*) filter (where processed_at is null)::int as left,
                   count(*) filter (where dead_reason is not null)::int as dead from webhook_inbox`,
    { 0: { left: 0 } },
  ).then(([state]) => expect(state?.dead).toBe(0))

describe.each(spread(encodings, 1))('the gateway %s', (encoding: Encoding) => {
  const name = encoding.replaceAll('.', '')

  test.each(['a contact', 'the company’s phone'])(
    'the gateway reports what %s writes, in every kind',
    async (author) => {
      const phone = t.simulator.control.createPhone({ name: `Maria ${name}` })
      const send = author === 'a contact' ? t.simulator.control.send : t.simulator.control.sendAsOwner
      const waIds = said.map(([message]) => send(phone.id, { ...message, encoding }).id)
      expect(await arrived(waIds)).toEqual(said.map(([, line]) => line))
      const owners = await t.sql<{ sender: string; origin: string | null }>`
        select distinct sender_type as sender, metadata ->> 'origin' as origin from messages
           where whatsapp_message_id = any(${sql.param(waIds)}::text[])`
      expect(owners).toEqual([
        author === 'a contact' ? { sender: 'contact', origin: null } : { sender: 'user', origin: 'phone' },
      ])
    },
  )

  test.each(identities)('the gateway names a person (%s) so that one contact has all', async (identity) => {
    const phone = t.simulator.control.createPhone({ name: `Ida ${name} ${identity}`, identity })
    const first = t.simulator.control.send(phone.id, { kind: 'text', text: 'um', encoding })
    const second = t.simulator.control.send(phone.id, { kind: 'text', text: 'dois', encoding })
    await arrived([first.id, second.id])
    const found = await t.sql<{ name: string; phone: string | null; texts: string[] }>`
      select c.name, c.phone, array_agg(m.content order by m.sort_at, m.id) as texts from contacts c
            join conversations v on v.contact_id = c.id join messages m on m.conversation_id = v.id
           where m.whatsapp_message_id in (${first.id}, ${second.id}) and c.deleted_at is null group by c.id`
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ name: `Ida ${name} ${identity}`, texts: ['um', 'dois'] })
  })

  test('reports edits, reactions and deletions of either side', async () => {
    await useRelease(encoding)
    const { control } = t.simulator
    const phone = control.createPhone({ name: `Muda ${name}`, identity: 'lid-2.3.6' })
    const sent = control.send(phone.id, { kind: 'text', text: 'antes' })
    const gone = control.send(phone.id, { kind: 'text', text: 'apago' })
    const ours = control.sendAsOwner(phone.id, { kind: 'text', text: 'nossa' })
    await arrived([sent.id, gone.id, ours.id])
    control.edit(phone.id, sent.id, 'depois')
    control.react(phone.id, { messageId: ours.id, emoji: '👍' })
    control.react(phone.id, { messageId: sent.id, emoji: '❤️', by: 'owner' })
    control.pin(phone.id, { messageId: sent.id, pinned: true })
    control.remove(phone.id, gone.id)
    const state = () =>
      t.sql<{ state: string }>`
        select string_agg(content || case when edited_at is null then '' else ' edited' end
                   || case when deleted_at is null then '' else ' deleted' end
                   || case when is_pinned then ' pinned' else '' end
                   || coalesce((select string_agg(' ' || sender || ' ' || emoji, '') from message_reactions r
                                 where r.message_id = m.id), ''), ', ' order by id) as state
              from messages m where whatsapp_message_id in (${sent.id}, ${gone.id}, ${ours.id})`
    const wanted = 'depois edited pinned user ❤️, apago deleted, nossa contact 👍'
    await eventually(state, ([row]) => row?.state === wanted)
    await ended()
    // No edit, reaction or deletion was taken for a message.
    const [count] = await t.sql<{ n: number }>`select message_count as n from conversations
           where id = (select conversation_id from messages where whatsapp_message_id = ${sent.id})`
    expect(count?.n).toBe(3)
    t.simulator.control.setVersion('2.3.7')
  })
})

// 1.8 has another form of that call.
test.each(encodings.filter((encoding) => encoding !== '1.8'))(
  'the gateway %s is set up to tell of calls and of the past',
  async (encoding) => {
    const { control } = t.simulator
    control.setVersion(encoding)
    const config = await findConfigByName(t.database, 'loja1')
    if (!config) throw new Error('no number')
    const url = `${t.app.url}/api/webhook/evolution`
    await connectGateway(t.database, t.app.gateway.client, t.app.secrets, config, url)
    const phone = control.createPhone({ name: `Liga ${encoding}` })
    const past = {
      id: `PAST${phone.id}`,
      from: 'phone' as const,
      text: 'faz tempo',
      at: '2026-01-02T12:00:00.000Z',
    }
    control.syncHistory(phone.id, { messages: [past] })
    const { id } = control.call(phone.id, { outcome: 'missed', video: true })
    const wanted = [
      'text: faz tempo',
      'call: Chamada de vídeo perdida {"call": {"isVideo": true, "outcome": "missed"}}',
    ]
    // It rings first.
    await eventually(
      () => linesOf([past.id, `call:${id}`]),
      (lines) => lines.join() === wanted.join(),
    )
    control.setVersion('2.3.7')
  },
)

test('release 2.3.7, which waits for the event of edits, is not asked for it, others are', async () => {
  const events = async () => {
    const answer = await fetch(`${t.simulator.url}/webhook/find/loja1`, {
      headers: { apikey: t.simulator.apiKey },
    })
    return ((await answer.json()) as { events: string[] }).events
  }
  await useRelease('2.3.7')
  const before = await events()
  expect(before).toContain('MESSAGES_UPDATE')
  for (const [encoding, isAsked] of [
    ['2.3.7', false],
    ['2.3.6', true],
    ['2.3.7', false],
    ['2.2', true],
    ['2.4', false],
    ['2.3.7', false],
  ] as const) {
    await useRelease(encoding)
    expect((await events()).includes('MESSAGES_EDITED'), encoding).toBe(isAsked)
  }
  expect(await events()).toEqual(before)
})

test('votes in a poll, where the gateway opens them', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Vota' })
  const poll = control.sendAsOwner(phone.id, { kind: 'poll', name: 'Horário?', options: ['9h', '14h'] })
  await arrived([poll.id])
  const votes = () =>
    t.sql<{ sender: string; options: string[] }>`
      select v.sender, v.options from message_votes v join messages m on m.id = v.message_id
           where m.whatsapp_message_id = ${poll.id} order by v.sender`
  control.voteInPoll(phone.id, { messageId: poll.id, options: ['9h'] })
  await eventually(votes, ([vote]) => vote?.options[0] === '9h')
  control.voteInPoll(phone.id, { messageId: poll.id, options: ['14h'] })
  await eventually(votes, ([vote]) => vote?.options[0] === '14h')
  control.voteInPoll(phone.id, { messageId: poll.id, options: [] })
  await eventually(votes, ([vote]) => vote?.options.length === 0)
})

test('messages of groups, stories and newsletters are ignored', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Grupos' })
  for (const where of ['group', 'status', 'newsletter'] as const)
    control.sendElsewhere(phone.id, { where, text: `em ${where}` })
  await t.settled()
  await ended()
  const found = await t.sql`select 1 from messages where content like 'em %'`
  expect(found).toEqual([])
})

test('of two edits that release 2.3.7 reports in the wrong order, the later one is the text', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Rosa' })
  const { id } = control.sendText(phone.id, 'quero 10')
  await t.settled()
  const config = await findConfigByName(t.database, 'loja1')
  const secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  /** @param at by the gateway's clock, which is three hours behind and says it is not */
  const tell = async (text: string, at: number) => {
    const message = { editedMessage: { message: { conversation: text } } }
    const answer = await t.request(
      'POST',
      '/api/webhook/evolution',
      {
        event: 'messages.update',
        instance: 'loja1',
        data: { keyId: id, remoteJid: 'x@lid', fromMe: false, status: 'SERVER_ACK', message },
        date_time: new Date(at - 3 * 3_600_000).toISOString(),
      },
      { authorization: `Bearer ${secret}` },
    )
    expect(answer.status).toBe(200)
    await t.settled()
  }
  const now = Date.now()
  await tell('quero 12', now - 4000)
  // The first attempt failed, and the gateway waited before the next.
  await tell('quero 11', now - 9000)
  const [stored] = await t.sql<{ content: string; versions: string[]; ago: number }>`
    select m.content, extract(epoch from now() - m.edited_at)::float8 as ago,
               array(select v.content from message_versions v where v.message_id = m.id
                      order by v.said_at nulls first) as versions
          from messages m where m.whatsapp_message_id = ${id}`
  expect(stored).toMatchObject({ content: 'quero 12', versions: ['quero 10', 'quero 11'] })
  expect(stored?.ago).toBeLessThan(60)
})
