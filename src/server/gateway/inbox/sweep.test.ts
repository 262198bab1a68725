import { beforeEach, describe, expect, test } from 'vitest'
import { above, eventually, forAllTests, requestTo, testApp } from '#server/testing/test-app.ts'
import { sweepsOf } from '#server/testing/servers/sweeps.ts'

// The clock is an hour ahead of the gateway's, so whatever is written now was written while we were down.
const t = forAllTests(() => testApp({}, { clockOffset: '1 hour', sweepEveryMs: 'never' }))
const { instance, runSweep, begin, drop } = sweepsOf(t)
beforeEach(() => begin('2 hours'))

const storedOf = (name: string) =>
  t.sql<{ content: string; metadata: object; status: string | null }>`
    select m.content, m.metadata, m.delivery_status as status
          from messages m join conversations c on c.id = m.conversation_id
          join contacts k on k.id = c.contact_id where k.name = ${name} order by m.sort_at, m.id`
/** The conversation of a contact, once it is there. */
const conversationOf = async (name: string) => {
  const find = () =>
    t.sql<{ id: number }>`
      select c.id from conversations c join contacts k on k.id = c.contact_id where k.name = ${name}`
  return (await eventually(find, { length: 1 }))[0]?.id
}
const markOf = async () =>
  (await t.sql<{ mark: string }>`select swept_until::text as mark from evolution_api_config`)[0]?.mark

test('one sweep brings all that clients wrote while we were down, in order and without a sound', async () => {
  drop()
  const { control } = t.simulator
  const phones = ['Ana', 'Bia', 'Caio'].map((name) => control.createPhone({ name }))
  for (let n = 0; n < 60; n++) for (const phone of phones) control.sendText(phone.id, `${n}`)
  expect(await runSweep()).toEqual({ messages: 180, updates: 0, changes: 0 })
  const expected = Array.from({ length: 60 }, (_, n) => String(n))
  for (const name of ['Ana', 'Bia', 'Caio']) {
    const stored = await eventually(() => storedOf(name), { length: 60 })
    expect(stored.map((row) => row.content)).toEqual(expected)
    expect(stored.every((row) => 'recovered' in row.metadata)).toBe(true)
  }
  const sounds = await t.sql`select 1 from events where type = 'new_conversation_with_sound'`
  expect(sounds).toEqual([])
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
})

test('a message that the gateway dropped in the middle stands between its neighbours', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Dora' })
  control.sendText(phone.id, 'um')
  await eventually(() => storedOf('Dora'), { length: 1 })
  drop('messages.upsert')
  control.sendText(phone.id, 'dois')
  t.simulator.control.setFaults({ dropWebhook: { on: false } })
  // The gateway's clock counts whole seconds.
  const second = Math.floor(Date.now() / 1000)
  await eventually(() => Math.floor(Date.now() / 1000), above(second))
  control.sendText(phone.id, 'três')
  await eventually(() => storedOf('Dora'), { length: 2 })
  expect((await runSweep()).messages).toBe(1)
  const all = await eventually(() => storedOf('Dora'), { length: 3 })
  expect(all.map((row) => row.content)).toEqual(['um', 'dois', 'três'])
})

test('ticks that nobody reported are read off the record', async () => {
  const ana = await t.signIn('operator')
  const phone = t.simulator.control.createPhone({ name: 'Eva' })
  t.simulator.control.sendText(phone.id, 'oi')
  const id = await conversationOf('Eva')
  drop('messages.update')
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'olá' })
  const onPhone = () => t.simulator.control.chat(phone.id).find((message) => message.text === 'olá')
  await eventually(onPhone, (message) => message !== undefined)
  t.simulator.control.open(phone.id)
  await eventually(onPhone, { ack: 'read' })
  const status = async () => (await storedOf('Eva')).find((row) => row.content === 'olá')?.status
  await eventually(status, 'sent')
  expect((await runSweep()).updates).toBeGreaterThan(0)
  await eventually(status, 'read')
})

test('of two instances that look at once one does, and the mark moves', async () => {
  drop()
  const phone = t.simulator.control.createPhone({ name: 'Fábio' })
  t.simulator.control.sendText(phone.id, 'alguém aí?')
  const before = await markOf()
  const [one, other] = await Promise.all([runSweep(), runSweep()])
  expect((one?.messages ?? 0) + (other?.messages ?? 0)).toBe(1)
  expect(await markOf()).not.toBe(before)
})

test('who starts while a dead one still holds the number looks as soon as it is free', async () => {
  await t.sql`update evolution_api_config set sweep_lease_until = now() + interval '1 second'`
  const before = await markOf()
  const sweep = instance({ againAfterMs: 100 })
  await eventually(markOf, (mark) => mark !== before)
  await sweep.stop()
})

test('a look that breaks off leaves the mark where it was, and the next one sees everything', async () => {
  drop()
  const phone = t.simulator.control.createPhone({ name: 'Gil' })
  t.simulator.control.sendText(phone.id, 'e agora?')
  const before = await markOf()
  await expect(runSweep({ listRecorded: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone')
  expect(await markOf()).toBe(before)
  expect((await runSweep()).messages).toBe(1)
})

test('a change that a webhook reported is recognized in the record, in any form', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Hugo' })
  const { id } = control.sendText(phone.id, 'o endereço')
  control.pin(phone.id, { messageId: id, pinned: true })
  control.react(phone.id, { messageId: id, emoji: '👍', by: 'owner' })
  control.edit(phone.id, id, 'o endereço novo')
  const reported = () =>
    t.sql<{ all: number; left: number }>`
      select count(*)::int as all, count(*) filter (where processed_at is null)::int as left
            from webhook_inbox where payload::text like ${`%${id}%`}`
  const [before] = await eventually(reported, ([row]) => row?.all === 4 && row.left === 0)
  // The ticks of the reaction may be read before their webhook comes.
  expect(await runSweep()).toMatchObject({ messages: 0, changes: 0 })
  expect(await reported()).toEqual([before])
})

test('an edit and a deletion that no webhook reported are read off the record, once', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Iara' })
  const edited = control.sendText(phone.id, 'quero 10')
  const deleted = control.sendText(phone.id, 'para outra pessoa')
  await eventually(() => storedOf('Iara'), { length: 2 })
  drop('messages.edited', 'messages.update', 'messages.delete')
  control.edit(phone.id, edited.id, 'quero 12')
  control.remove(phone.id, deleted.id)
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 2 })
  const now = () =>
    t.sql<{ content: string; isDeleted: boolean; versions: string[] | null }>`
      select m.content, m.deleted_at is not null as "isDeleted",
                 (select json_agg(v.content) from message_versions v where v.message_id = m.id) as versions
            from messages m where m.whatsapp_message_id in (${edited.id}, ${deleted.id}) order by m.id`
  const changed = [
    { content: 'quero 12', isDeleted: false, versions: ['quero 10'] },
    { content: 'para outra pessoa', isDeleted: true, versions: null },
  ]
  expect(await eventually(now, (all) => all.every((one) => one.isDeleted || one.versions !== null))).toEqual(
    changed,
  )
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
})

test('of a message that nothing reported, an edit before the one of the record is not its text', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Olga' })
  drop('messages.upsert', 'messages.update', 'messages.edited')
  const { id } = control.sendText(phone.id, 'quero 10')
  control.edit(phone.id, id, 'quero 11')
  control.edit(phone.id, id, 'quero 12')
  expect(await runSweep()).toEqual({ messages: 1, updates: 0, changes: 1 })
  const now = () =>
    t.sql<{ content: string; edited: boolean; versions: string[] }>`
      select m.content, m.edited_at is not null as edited,
                 array(select v.content from message_versions v where v.message_id = m.id) as versions
            from messages m where m.whatsapp_message_id = ${id}`
  expect(await eventually(now, ([one]) => one?.edited === true)).toEqual([
    { content: 'quero 12', edited: true, versions: [] },
  ])
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
})

test('a reaction that was made here is not missing', async () => {
  const ana = await t.signIn('operator')
  const phone = t.simulator.control.createPhone({ name: 'Jonas' })
  t.simulator.control.sendText(phone.id, 'gostei')
  const [message] = await eventually(
    () =>
      t.sql<{ id: number; conversationId: number }>`
        select m.id, m.conversation_id as "conversationId" from messages m where m.content = 'gostei'`,
    { length: 1 },
  )
  const path = `/api/conversations/${message?.conversationId}/messages/${message?.id}/reaction`
  expect((await ana.request('PUT', path, { emoji: '👍' })).status).toBeLessThan(300)
  // The ticks of the reaction may be read before their webhook comes.
  expect(await runSweep()).toMatchObject({ messages: 0, changes: 0 })
})

/** Writes to the contact, and waits until the message is at WhatsApp. @returns its WhatsApp id */
async function written(name: string, content: string): Promise<string> {
  const ana = await t.signIn('operator')
  const phone = t.simulator.control.createPhone({ name })
  t.simulator.control.sendText(phone.id, 'oi')
  const id = await conversationOf(name)
  await ana.request('POST', `/api/conversations/${id}/messages`, { content })
  const [message] = await eventually(
    () =>
      t.sql<{ waId: string }>`select whatsapp_message_id as "waId" from messages
             where content = ${content} and delivery_status = 'delivered'`,
    { length: 1 },
  )
  return message?.waId ?? ''
}

/** The text of a message, and its earlier ones. */
const textsOf = async (waId: string) =>
  (
    await t.sql<{ texts: string[] }>`select array[m.content] || array(select v.content from message_versions v
                                            where v.message_id = m.id order by v.id) as texts
            from messages m where m.whatsapp_message_id = ${waId}`
  )[0]?.texts

test.each([
  {
    how: 'made on the connected phone',
    change: (waId: string, text: string) => {
      const { control } = t.simulator
      const { phone } = control.oracle().received.find((one) => one.waId === waId) ?? {}
      control.edit(phone ?? '', waId, text, 'owner')
      return Promise.resolve()
    },
  },
  {
    how: 'made here, whose answer was lost',
    change: async (waId: string, text: string) => {
      const { url, apiKey: apikey, instanceName, control } = t.simulator
      const { phone } = control.oracle().received.find((one) => one.waId === waId) ?? {}
      const number = `${control.phones().find(({ id }) => id === phone)?.number}@s.whatsapp.net`
      const answer = await requestTo(
        url,
        'POST',
        `/chat/updateMessage/${instanceName}`,
        { number, key: { id: waId, remoteJid: number, fromMe: true }, text },
        { apikey },
      )
      expect(answer.status).toBe(200)
    },
  },
])('an edit of our own message $how is read off the record, once', async ({ how, change }) => {
  const waId = await written(how, `${how}: às 10h`)
  drop('messages.edited', 'messages.update', 'send.message.update')
  await change(waId, `${how}: às 11h`)
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 1 })
  const both = [`${how}: às 11h`, `${how}: às 10h`]
  await eventually(
    () => textsOf(waId),
    (texts) => JSON.stringify(texts) === JSON.stringify(both),
  )
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
  // The next edit is known here before the record has it.
  await t.sql`with edited as (update messages set content = 'às 12h'
                         where whatsapp_message_id = ${waId} returning id)
        insert into message_versions (message_id, content) select id, ${both[0]} from edited`
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
})

describe('of what happened to older messages', () => {
  /** When the last sweep was complete. The messages of these tests are an hour old, and it has seen them. */
  const sweptAgo = (minutes: number) =>
    t.sql`update evolution_api_config set swept_until = app_now() - ${minutes} * interval '1 minute'`
  async function countedSweep() {
    const periods: { from: Date; to: Date }[] = []
    const { listRecorded } = t.app.gateway.client
    const found = await runSweep({
      listRecorded(instance, query) {
        periods.push(query)
        return listRecorded(instance, query)
      },
    })
    const from = Math.min(...periods.map((one) => one.from.getTime()))
    return { found, hours: (Date.now() + 3_600_000 - from) / 3_600_000 }
  }

  test('edits, deletions and ticks are read after an outage, and no message that had no place', async () => {
    const { control } = t.simulator
    const ours = await written('Lia', 'combinado?')
    const phone = control.phones().find(({ name }) => name === 'Lia')?.id ?? ''
    const edited = control.sendText(phone, 'às 10h')
    const deleted = control.sendText(phone, 'engano')
    await eventually(
      () => storedOf('Lia'),
      (all) => ['às 10h', 'engano'].every((text) => all.some(({ content }) => content === text)),
    )
    drop()
    control.edit(phone, edited.id, 'às 11h')
    control.remove(phone, deleted.id)
    control.open(phone)
    await eventually(() => control.chat(phone).find(({ text }) => text === 'combinado?')?.ack, 'read')
    control.sendText(phone, 'de alguém que ninguém quer')
    // The gateway itself repeats what came in a short one.
    await sweptAgo(15)
    const short = await countedSweep()
    expect(short.found).toEqual({ messages: 0, updates: 0, changes: 0 })
    expect(short.hours).toBeLessThan(1)
    await sweptAgo(30)
    const long = await countedSweep()
    expect(long.found).toEqual({ messages: 0, updates: 1, changes: 2 })
    expect(long.hours).toBeCloseTo(60, 0)
    await eventually(
      async () => (await storedOf('Lia')).find(({ content }) => content === 'combinado?')?.status,
      'read',
    )
    await eventually(() => textsOf(edited.id), { 0: 'às 11h' })
    expect(await textsOf(ours)).toEqual(['combinado?'])
    await sweptAgo(30)
    expect((await countedSweep()).found).toEqual({ messages: 0, updates: 0, changes: 0 })
  })

  test('an edit of the record is newer than one that was reported, however old the message is', async () => {
    const { control } = t.simulator
    const phone = control.createPhone({ name: 'Malu' })
    const at = new Date(Date.now() - 3 * 3_600_000).toISOString()
    const { id } = control.send(phone.id, { kind: 'text', text: 'um', at })
    control.edit(phone.id, id, 'dois')
    await eventually(() => textsOf(id), { 0: 'dois' })
    await t.sql`update messages set edited_at = app_now() - interval '10 minutes'
           where whatsapp_message_id = ${id}`
    drop()
    control.edit(phone.id, id, 'três')
    await sweptAgo(50)
    expect((await countedSweep()).found.changes).toBe(1)
    await eventually(() => textsOf(id), { length: 3 })
    expect(await textsOf(id)).toEqual(['três', 'um', 'dois'])
  })

  test('a look back that breaks off is taken again', async () => {
    await sweptAgo(30)
    const before = await markOf()
    const { listRecorded } = t.app.gateway.client
    const breaksOff: typeof listRecorded = (instance, query) => {
      const isLookBack = Date.now() + 3_600_000 - query.from.getTime() > 2 * 3_600_000
      return isLookBack ? Promise.reject(new Error('gone')) : listRecorded(instance, query)
    }
    await expect(runSweep({ listRecorded: breaksOff })).rejects.toThrow('gone')
    expect(await markOf()).toBe(before)
    await runSweep()
    expect(await markOf()).not.toBe(before)
  })
})

test('a LID and a number that wrote apart are one contact once the record has both', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Zulmira', identity: 'lid-only' })
  control.sendText(phone.id, 'pelo LID')
  await eventually(() => storedOf('Zulmira'), { length: 1 })
  // As 2.3.7 reports it: the webhook has the number alone, the record both.
  control.changePhone(phone.id, { identity: 'lid' })
  control.sendText(phone.id, 'pelo número')
  await eventually(() => storedOf('Zulmira'), { length: 2 })
  const contacts = () =>
    t.sql<{ phone: string | null; open: number }>`
      select k.phone, (select count(*)::int from conversations c
                        where c.contact_id = k.id and c.status <> 'completed') as open
        from contacts k where k.name = 'Zulmira' and k.deleted_at is null`
  expect(await contacts()).toHaveLength(2)
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
  await eventually(contacts, { length: 1 })
  expect(await contacts()).toMatchObject([{ phone: phone.number, open: 1 }])
  expect((await storedOf('Zulmira')).map(({ content }) => content)).toEqual(['pelo LID', 'pelo número'])
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
})
