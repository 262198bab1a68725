import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Mentionable } from '#shared/messages/mentions.ts'
import type { Notification, Unread } from '#shared/notifications/notifications.ts'
import { eventHandlers } from '#server/conversations/conversations.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { connectLive, tabsOfTests } from '#server/testing/live-client.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { person } from '#server/testing/test-person.ts'
import {
  type Client,
  eventually,
  forAllTests,
  formOf,
  refusal,
  some,
  testApp,
} from '#server/testing/test-app.ts'
import type { SendAnswer } from '#simulator/control-api.ts'
import { trimNotifications } from './notifications.ts'

const t = forAllTests(testApp)
const clock = forAllTests(() => movableClock(t.database))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const carla = forAllTests(() => t.signIn('operator', 'carla'))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
beforeEach(async () => {
  await t.sql`delete from notifications`
  await t.sql`update users set scope = 'all', is_blocked = false`
  await mayReadArchive(bruno, true)
})

const mayReadArchive = (who: Client, may: boolean) => {
  const flags = JSON.stringify({ canViewArchivedConversations: may })
  return t.sql`insert into user_permissions (user_id, flags) values (${who.userId}, ${flags}::jsonb)
    on conflict (user_id) do update set flags = excluded.flags`
}

const openTab = tabsOfTests()
const tabOf = (who: Client) => openTab(t.app, who)

type Tab = 'mentions' | 'updates'
type Page = { notifications: Notification[]; next: string | null; unread: Unread }
const pageOf = (who: Client, tab: Tab, before?: string | null) =>
  who.get<Page>(`/api/notifications?tab=${tab}${before ? `&before=${before}` : ''}`)
const listOf = async (who: Client, tab: Tab = 'mentions') => (await pageOf(who, tab)).notifications
const unreadOf = (who: Client) => who.get<Unread>('/api/notifications/unread')
const read = (who: Client, which: object) => who.request('POST', '/api/notifications/read', which)

const base = '/api/conversations'
const talk = () => given.conversation(t, ana)
interface Of {
  userId?: number
  sectorId?: number
}
const writeNote = (id: number, content: string, mentions?: Of[], who = ana) =>
  who.request<Message>('POST', `${base}/${id}/notes`, { content, ...(mentions && { mentions }) })
const noteIn = async (id: number, content: string, mentions?: Of[], who = ana) => {
  const { status, body } = await writeNote(id, content, mentions, who)
  expect(status).toBe(201)
  return body
}
const edit = ({ id, conversationId }: Message, content: string, mentions?: Of[], who = ana) =>
  who.request<Message>('PATCH', `${base}/${conversationId}/notes/${id}`, {
    content,
    ...(mentions && { mentions }),
  })
const remove = ({ id, conversationId }: Message, who = ana) =>
  who.request('DELETE', `${base}/${conversationId}/notes/${id}`)
const whom = ({ userId }: Client): Of => ({ userId })
const scope = (who: Client, value: string) =>
  t.sql`update users set scope = ${value} where id = ${who.userId}`
const follow = (who: Client, id: number) => who.request('PUT', `${base}/${id}/follow`)
const unfollow = (who: Client, id: number) => who.request('DELETE', `${base}/${id}/follow`)
const take = (who: Client, id: number) =>
  who.request('PATCH', `${base}/${id}/assign-operator`, { operatorId: who.userId })
const actsTold = async (who: Client) =>
  (await listOf(who, 'updates')).map(({ about, count }) => [about?.message?.act, count])

describe('mentions', () => {
  test('the bell of whoever was mentioned is quiet once the conversation is deleted', async () => {
    const { id } = await talk()
    await noteIn(id, '@Bruno veja', [whom(bruno)])
    const tab = await tabOf(bruno)
    expect((await chefe.request('DELETE', `${base}/${id}`)).status).toBe(204)
    await tab.heard('notifications_changed')
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 0 })
  })

  test('whoever a note mentions is told of it once, with its sentence, and its author is not', async () => {
    const { id, contact } = await talk()
    const content = '@Bruno e @Ana: vale 8 %? @Bruno'
    const note = await noteIn(id, content, [whom(bruno), whom(ana), whom(bruno)])
    expect(note.metadata.mentions).toEqual([
      { userId: bruno.userId, name: 'Bruno' },
      { userId: ana.userId, name: 'Ana' },
    ])
    const [told, ...others] = await listOf(bruno)
    expect(others).toEqual([])
    expect(told).toMatchObject({
      kind: 'mention',
      isRead: false,
      count: 1,
      about: {
        conversationId: id,
        isCompleted: false,
        contactName: contact.name,
        by: { id: ana.userId, name: 'Ana' },
        sectorName: null,
        message: { id: note.id, messageType: 'note', content, mentioned: ['Bruno', 'Ana'] },
      },
    })
    expect(await listOf(ana)).toEqual([])
    expect([await unreadOf(bruno), await unreadOf(ana)]).toEqual([
      { mentions: 1, updates: 0 },
      { mentions: 0, updates: 0 },
    ])
  })

  test('the text of a note with a file mentions too', async () => {
    const { id } = await talk()
    const upload = (caption: string, mentions: string) => {
      const fields = { conversationId: id, isNote: 'true', caption, mentions }
      return ana.request<{ message: Message }>('POST', '/api/media/upload', formOf(fields, 'a.txt', 'a'))
    }
    const named = JSON.stringify([{ ...whom(bruno), name: 'Bruno' }])
    const { status, body } = await upload('@Bruno veja', named)
    expect([status, body.message.metadata.mentions]).toEqual([201, [{ userId: bruno.userId, name: 'Bruno' }]])
    expect(await unreadOf(bruno)).toEqual({ mentions: 1, updates: 0 })
    expect(await upload('veja', named)).toMatchObject(refusal(422, 'notes.mention_not_written'))
    for (const wrong of ['[{', '{}', '[{}]', 'x'.repeat(5000)])
      expect(await upload('@Bruno', wrong)).toMatchObject(refusal(400, 'request.invalid'))
    expect(
      await t.sql`select id from messages where conversation_id = ${id} and message_type = 'note'`,
    ).toHaveLength(1)
  })

  test('a repeated call of the browser tells nobody twice', async () => {
    const { id } = await talk()
    const body = { content: '@Bruno', mentions: [whom(bruno)], clientMessageId: 'mencao-uma-vez' }
    await Promise.all([1, 2].map(() => ana.request('POST', `${base}/${id}/notes`, body)))
    expect(await listOf(bruno)).toHaveLength(1)
  })

  test.each<[string, () => Promise<unknown>, () => Of, string]>([
    [
      'who does not see the conversation',
      () => scope(bruno, 'own'),
      () => whom(bruno),
      'Bruno não vê esta conversa. Tire a menção para salvar a nota.',
    ],
    [
      'who was blocked',
      () => t.sql`update users set is_blocked = true where id = ${bruno.userId}`,
      () => whom(bruno),
      'Quem você mencionou não está mais aqui. Tire a menção ou escolha de novo.',
    ],
    [
      'whom the text does not name',
      () => Promise.resolve(),
      () => whom(carla),
      'O texto da nota não tem “@Carla”. Escolha a menção de novo.',
    ],
    [
      'who never was',
      () => Promise.resolve(),
      () => ({ sectorId: 999_999 }),
      'Quem você mencionou não está mais aqui. Tire a menção ou escolha de novo.',
    ],
  ])(
    'a note that mentions somebody %s is refused with words and not stored',
    async (_who, change, of, words) => {
      const { id } = await talk()
      const note = await noteIn(id, 'antes')
      await change()
      const notes = () =>
        t.sql`select content from messages where conversation_id = ${id} and message_type = 'note'`
      const refused = { status: 422, body: { message: words } }
      expect(await writeNote(id, '@Bruno, veja', [of()])).toMatchObject(refused)
      expect(await edit(note, '@Bruno, veja', [of()])).toMatchObject(refused)
      expect(await notes()).toEqual([{ content: 'antes' }])
      expect(await t.sql`select 1 from notifications`).toEqual([])
    },
  )

  test('a mention is of a person or of a sector, and of no more than fifty', async () => {
    const { id } = await talk()
    for (const mentions of [
      [{}],
      [{ userId: 1, sectorId: 1 }],
      Array.from({ length: 51 }, () => whom(bruno)),
    ])
      expect((await writeNote(id, '@Bruno', mentions)).status).toBe(400)
  })

  test("'@setor' mentions those of its people who are there and see the conversation", async () => {
    const [sector] = await t.sql<{ id: number }>`
      insert into sectors (name, color) values ('Comercial', '#0d9488') returning id`
    const sectorId = sector?.id ?? 0
    for (const { userId } of [ana, bruno, carla])
      await t.sql`insert into sector_people (sector_id, user_id) values (${sectorId}, ${userId})`
    const { id } = await talk()
    const mentionable = () => ana.get<Mentionable>(`${base}/${id}/mentionable`)
    expect((await mentionable()).sectors).toEqual([
      { id: sectorId, name: 'Comercial', color: '#0d9488', available: 0 },
    ])
    await Promise.all([ana, bruno].map(tabOf))
    await eventually(async () => (await mentionable()).sectors, some({ available: 1 }))
    const note = await noteIn(id, '@Comercial quem puder', [{ sectorId }])
    expect((await listOf(bruno))[0]?.about).toMatchObject({ sectorName: 'Comercial' })
    expect([await listOf(carla), await listOf(ana)]).toEqual([[], []])
    // Whoever comes later is not told of what was written before, whatever becomes of the note.
    await tabOf(carla)
    await eventually(async () => (await mentionable()).sectors, some({ available: 2 }))
    await edit(note, '@Comercial quem puder hoje', [{ sectorId }])
    expect([await listOf(carla), (await listOf(bruno)).length]).toEqual([[], 1])
    await edit(note, 'resolvido', [])
    expect(await listOf(bruno)).toEqual([])
    await t.sql`delete from sector_people`
    await t.sql`update sectors set deleted_at = app_now()`
  })

  test('who can be mentioned is listed by name, and whoever cannot as such', async () => {
    const { id } = await talk()
    await scope(carla, 'own')
    const { people } = await ana.get<Mentionable>(`${base}/${id}/mentionable`)
    expect(people.map(({ name, isReader }) => [name, isReader])).toEqual([
      ['Bruno', true],
      ['Carla', false],
      ['Chefe', true],
    ])
    await tabOf(bruno)
    const presenceOf = async (name: string) =>
      (await ana.get<Mentionable>(`${base}/${id}/mentionable`)).people.find((one) => one.name === name)
    await eventually(
      async () => await presenceOf('Bruno'),
      (bruno) => bruno?.presence === 'online',
    )
    expect(await presenceOf('Chefe')).toMatchObject({ presence: 'offline' })
    expect((await carla.request('GET', `${base}/${id}/mentionable`)).status).toBe(404)
  })

  test('an edited note tells those whom it mentions now, and takes back what was not read', async () => {
    const { id } = await talk()
    const note = await noteIn(id, '@Bruno e @Carla', [whom(bruno), whom(carla)])
    await read(carla, { id: (await listOf(carla))[0]?.id })
    const edited = await edit(note, '@Chefe', [whom(chefe)])
    expect(edited.body.metadata.mentions).toEqual([{ userId: chefe.userId, name: 'Chefe' }])
    expect(await listOf(bruno)).toEqual([])
    expect(await listOf(carla)).toMatchObject([{ isRead: true }])
    expect(await listOf(chefe)).toMatchObject([{ isRead: false, about: { message: { content: '@Chefe' } } }])
    // Mentioned once more, whoever has read of it is not told again.
    await edit(note, '@Carla e @Chefe', [whom(carla), whom(chefe)])
    expect(await listOf(carla)).toMatchObject([{ isRead: true }])
    // Without a word of mentions, those stay that the text still has.
    await edit(note, 'só @Carla')
    expect(await listOf(chefe)).toEqual([])
  })

  test('of two edits at once the one that comes last decides who is told', async () => {
    const { id } = await talk()
    for (let round = 0; round < 5; round++) {
      const note = await noteIn(id, 'vejam')
      await Promise.all([
        edit(note, '@Bruno', [whom(bruno)]),
        edit(note, '@Carla', [whom(carla)]),
        edit(note, '@Chefe', [whom(chefe)]),
      ])
      const [stored] = await t.sql<{ ids: number[] }>`
        select array(select (e ->> 'userId')::int
                       from jsonb_array_elements(m.metadata -> 'mentions') e) as ids
          from messages m where m.id = ${note.id}`
      expect(stored?.ids).toHaveLength(1)
      expect(await t.sql`select user_id from notifications where message_id = ${note.id}`).toEqual([
        { user_id: stored?.ids[0] },
      ])
    }
  })

  test('a note that is deleted takes its mentions away, also while somebody reads them', async () => {
    const { id } = await talk()
    for (let round = 0; round < 5; round++) {
      const note = await noteIn(id, '@Bruno', [whom(bruno)])
      const [told] = await listOf(bruno)
      const [deleted, seen] = await Promise.all([remove(note), read(bruno, { id: told?.id })])
      expect([deleted.status, seen.status]).toEqual([200, 204])
      expect(await listOf(bruno)).toEqual([])
    }
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 0 })
  })

  test('a note goes on naming whoever was renamed as it did, and can be edited so', async () => {
    const { id } = await talk()
    const note = await noteIn(id, '@Bruno, veja', [whom(bruno)])
    await t.sql`update users set name = 'Bruno Tavares' where id = ${bruno.userId}`
    const edited = await edit(note, '@Bruno, veja hoje', [whom(bruno)])
    expect(edited).toMatchObject({
      status: 200,
      body: { metadata: { mentions: [{ userId: bruno.userId, name: 'Bruno' }] } },
    })
    await t.sql`update users set name = 'Bruno' where id = ${bruno.userId}`
    expect(await listOf(bruno)).toHaveLength(1)
  })
})

describe('what has left the reach', () => {
  test('a mention loses sentence, names and conversation, stays counted, and can be read', async () => {
    const { id } = await talk()
    await noteIn(id, '@Bruno: desconto de 8 %', [whom(bruno)])
    await scope(bruno, 'own')
    const [veiled] = await listOf(bruno)
    expect(veiled).toEqual({
      id: veiled?.id,
      kind: 'mention',
      happenedAt: veiled?.happenedAt,
      isRead: false,
      count: 1,
      about: null,
    })
    expect(await unreadOf(bruno)).toEqual({ mentions: 1, updates: 0 })
    await read(bruno, { id: veiled?.id })
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 0 })
    // Back within reach, it is what it was.
    await scope(bruno, 'all')
    expect(await listOf(bruno)).toMatchObject([{ about: { conversationId: id } }])
  })

  test('a completed conversation of others is veiled for whoever may not read the archive', async () => {
    const { id } = await talk()
    await noteIn(id, '@Bruno', [whom(bruno)])
    await take(ana, id)
    await ana.request('POST', `${base}/${id}/finalize`, {})
    expect(await listOf(bruno)).toMatchObject([{ about: { isCompleted: true } }])
    await mayReadArchive(bruno, false)
    expect(await listOf(bruno)).toMatchObject([{ about: null }])
  })

  test('whoever comes back to a mention that has left their reach hears nothing of it', async () => {
    const { id } = await talk()
    const tab = await tabOf(bruno)
    const { cursor, epoch } = await tab.heard('hello')
    await tab.terminate()
    await noteIn(id, '@Bruno: segredo', [whom(bruno)])
    const comeBack = async () => {
      const client = await connectLive(t.app.url, { token: bruno.token })
      client.send({ type: 'authenticate', data: { userId: bruno.userId, lastCursor: cursor, epoch } })
      await client.heard('resumed')
      await client.close()
      return client.frames
    }
    const seen = await comeBack()
    expect(seen.map(({ type }) => type)).toContain('mentioned')
    expect(JSON.stringify(seen)).toContain('segredo')
    await scope(bruno, 'own')
    const later = await comeBack()
    expect(later.map(({ type }) => type)).toContain('notifications_changed')
    expect(later.map(({ type }) => type)).not.toContain('mentioned')
    expect(JSON.stringify(later)).not.toContain('segredo')
  })
})

describe('live', () => {
  test('a mention is pushed to its person alone, and to their devices that it was read', async () => {
    const { id } = await talk()
    const [tab, other, own] = [await tabOf(bruno), await tabOf(carla), await tabOf(ana)]
    await noteIn(id, '@Bruno', [whom(bruno)])
    const { data } = await tab.heard('mentioned')
    expect([data.notification]).toEqual(await listOf(bruno))
    await read(bruno, { id: data.notification.id })
    await tab.heard('notifications_changed')
    const note = await noteIn(id, '@Carla', [whom(carla)])
    await other.heard('mentioned')
    await remove(note)
    await other.heard('notifications_changed')
    await own.heard('new_message', ({ data: shown }) => shown.message.deletedAt !== null)
    expect(own.frames.map(({ type }) => type)).not.toContain('mentioned')
    expect(other.frames.filter(({ type }) => type === 'mentioned')).toHaveLength(1)
    expect(tab.frames.filter(({ type }) => type === 'mentioned')).toHaveLength(1)
  })
})

describe('following', () => {
  const isFollowed = async (who: Client, id: number) =>
    (await who.get<{ isFollowed: boolean }>(`${base}/${id}/follow`)).isFollowed

  test('whoever follows has one unread notice of a conversation, with the newest and how many', async () => {
    const { id } = await talk()
    expect(await isFollowed(bruno, id)).toBe(false)
    expect((await follow(bruno, id)).body).toEqual({ isFollowed: true })
    expect((await follow(bruno, id)).status).toBe(200)
    expect(await isFollowed(bruno, id)).toBe(true)
    await take(ana, id)
    expect(await actsTold(bruno)).toEqual([['taken', 1]])
    const tab = await tabOf(bruno)
    await ana.request('POST', `${base}/${id}/transfer`, { newOperatorId: carla.userId })
    await tab.heard('notifications_changed')
    expect(await actsTold(bruno)).toEqual([['transferred', 2]])
    expect((await listOf(bruno, 'updates'))[0]).toMatchObject({
      kind: 'follow',
      about: { by: { name: 'Ana' }, message: { to: 'Carla' } },
    })
    await noteIn(id, 'fica com a Carla', undefined, carla)
    expect((await listOf(bruno, 'updates'))[0]).toMatchObject({
      count: 3,
      about: { by: { name: 'Carla' }, message: { messageType: 'note', content: 'fica com a Carla' } },
    })
    await carla.request('POST', `${base}/${id}/finalize`, { isUndoable: true })
    expect(await actsTold(bruno)).toEqual([['finalized', 4]])
    await carla.request('POST', `${base}/${id}/undo-finalize`)
    expect(await actsTold(bruno)).toEqual([['reopened', 5]])
    expect([await listOf(ana, 'updates'), await listOf(bruno)]).toEqual([[], []])
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 1 })
  })

  test('what happens after a notice was read is another notice, and the first one stays', async () => {
    const { id } = await talk()
    await follow(bruno, id)
    await take(ana, id)
    await read(bruno, { tab: 'updates' })
    await ana.request('POST', `${base}/${id}/finalize`, {})
    expect((await listOf(bruno, 'updates')).map(({ isRead, count }) => [isRead, count])).toEqual([
      [false, 1],
      [true, 1],
    ])
  })

  test("one's own acts tell nothing, and nothing is told any more once one follows no longer", async () => {
    const { id } = await talk()
    await follow(bruno, id)
    await take(bruno, id)
    await noteIn(id, 'minha', undefined, bruno)
    expect(await listOf(bruno, 'updates')).toEqual([])
    expect((await unfollow(bruno, id)).body).toEqual({ isFollowed: false })
    await noteIn(id, 'da Ana')
    expect(await listOf(bruno, 'updates')).toEqual([])
  })

  test("a client's message is told, received alone or with those of others", async () => {
    const [one, two] = [person(), person()]
    const receive = (...events: ReturnType<typeof one.writes>[]) =>
      inTransaction(t.database, (db) => eventHandlers.many(db, t.instanceId, events))
    for (const client of [one, two])
      await inTransaction(t.database, (db) =>
        receiveMessage(db, t.instanceId, client.writes('primeira', 1) as never),
      )
    const talkOf = async ({ id }: typeof one) =>
      (
        await t.sql<{ id: number }>`
        select conversation_id as id from messages where whatsapp_message_id = ${id('primeira')}`
      )[0]?.id ?? 0
    const [first, second] = [await talkOf(one), await talkOf(two)]
    await follow(bruno, first)
    await follow(bruno, second)
    await receive(one.writes('sozinha', 2))
    expect(await listOf(bruno, 'updates')).toMatchObject([
      {
        count: 1,
        about: { conversationId: first, by: null, message: { content: 'sozinha', senderType: 'contact' } },
      },
    ])
    expect(await receive(one.writes('junta', 3), two.writes('também', 3))).toEqual([true, true])
    const told = await listOf(bruno, 'updates')
    expect(new Map(told.map(({ about, count }) => [about?.message?.content, count]))).toEqual(
      new Map([
        ['junta', 2],
        ['também', 1],
      ]),
    )
  })

  test('a note that mentions a follower is told as a mention alone', async () => {
    const { id } = await talk()
    await follow(bruno, id)
    await noteIn(id, '@Bruno', [whom(bruno)])
    expect([(await listOf(bruno)).length, await listOf(bruno, 'updates')]).toEqual([1, []])
  })

  test('of a deleted note nothing is told: a notice of it alone goes, one of more counts less', async () => {
    const { id } = await talk()
    await follow(bruno, id)
    const alone = await noteIn(id, 'só esta')
    await remove(alone)
    expect(await listOf(bruno, 'updates')).toEqual([])
    await take(ana, id)
    await remove(await noteIn(id, 'segredo'))
    const [left] = await listOf(bruno, 'updates')
    expect(left).toMatchObject({ count: 1, about: { message: { isDeleted: true, content: '' } } })
  })

  test('whoever may not read the archive is not told of the end of a conversation of others', async () => {
    const { id } = await talk()
    await mayReadArchive(bruno, false)
    await follow(bruno, id)
    await take(ana, id)
    await ana.request('POST', `${base}/${id}/finalize`, {})
    expect(await listOf(bruno, 'updates')).toMatchObject([{ count: 1, about: null }])
  })

  test('whoever may read the conversation no longer is told nothing of it', async () => {
    const { id } = await talk()
    await follow(bruno, id)
    await scope(bruno, 'own')
    await take(ana, id)
    expect(await t.sql`select 1 from notifications where user_id = ${bruno.userId}`).toEqual([])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await bruno.request(method, `${base}/${id}/follow`)).status).toBe(404)
    await scope(bruno, 'all')
    await ana.request('POST', `${base}/${id}/finalize`, {})
    expect(await actsTold(bruno)).toEqual([['finalized', 1]])
  })

  test('following and everything that was told end with the conversation', async () => {
    const { id } = await talk()
    await follow(bruno, id)
    await noteIn(id, '@Carla', [whom(carla)])
    expect((await chefe.request('DELETE', `${base}/${id}`)).status).toBeLessThan(300)
    expect([await listOf(bruno, 'updates'), await listOf(carla)]).toEqual([[], []])
    expect(await t.sql`select 1 from conversation_followers where conversation_id = ${id}`).toEqual([])
  })

  test('when two contacts are merged, what was told and who follows moves with the messages', async () => {
    const [older, younger] = [await talk(), await talk()]
    for (const { id } of [older, younger]) await follow(bruno, id)
    const early = await noteIn(older.id, 'antes')
    const late = await noteIn(younger.id, '@Carla depois', [whom(carla)])
    const path = `/api/contacts/${older.contact.id}/merge`
    const merged = await chefe.request('POST', path, { otherId: younger.contact.id })
    expect(merged.status).toBe(200)
    expect((await listOf(carla)).map(({ about }) => about?.conversationId)).toEqual([older.id])
    // The merge itself may be told, too; of each conversation there is one unread notice.
    const told = await listOf(bruno, 'updates')
    expect(told.map(({ about }) => about?.conversationId)).toEqual([older.id])
    expect(told[0]?.about?.message?.id).toBeGreaterThanOrEqual(Math.max(early.id, late.id))
    expect(await isFollowed(bruno, older.id)).toBe(true)
    expect(await t.sql`select 1 from conversation_followers where conversation_id = ${younger.id}`).toEqual(
      [],
    )
    const [merge] = await chefe.get<{ id: number }[]>('/api/contacts/merges')
    expect((await chefe.request('POST', `/api/contacts/merges/${merge?.id}/undo`)).status).toBeLessThan(300)
    expect((await listOf(carla)).map(({ about }) => about?.conversationId)).toEqual([younger.id])
  })

  test('people who follow are told of acts at once without waiting for each other', async () => {
    const talks = await Promise.all([talk(), talk(), talk()])
    for (const who of [bruno, carla, chefe]) for (const { id } of talks) await follow(who, id)
    const acts = talks.flatMap(({ id }) => [1, 2, 3].map((n) => noteIn(id, `nota ${n}`)))
    await Promise.all([...acts, ...[bruno, carla, chefe].map((who) => read(who, {}))])
    await Promise.all([bruno, carla, chefe].map((who) => read(who, {})))
    for (const who of [bruno, carla, chefe]) {
      const counts = (await listOf(who, 'updates')).map(({ count }) => count)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9)
    }
  })
})

describe('failed replies', () => {
  const send = async (who: Client, id: number) =>
    (await who.request<Message>('POST', `${base}/${id}/messages`, { content: 'segue o boleto' })).body
  /** Answers what is sent next, once nothing else is under way. */
  const answerNext = async (answer: SendAnswer) => {
    const underWay = async () =>
      (await t.sql`select 1 from outbox where state not in ('sent', 'failed', 'cancelled')`).length
    await eventually(underWay, 0)
    t.simulator.control.nextSendAnswers([answer])
  }
  const toldOf = async (who: Client) =>
    (await listOf(who, 'updates')).map(({ kind, about, isRead }) => [kind, about?.message?.id, isRead])
  const statusOf = async ({ id }: Message) =>
    (await t.sql`select delivery_status from messages where id = ${id}`)[0]?.['delivery_status'] as string

  test.each([
    ['that the gateway refuses', { status: 413, delivered: false } satisfies SendAnswer],
    ['that WhatsApp refuses afterwards', { acks: 'error' } satisfies SendAnswer],
  ])('a message %s is told to its writer and to the operator, until it is sent', async (_which, answer) => {
    const { id } = await talk()
    await take(ana, id)
    const tab = await tabOf(ana)
    await answerNext(answer)
    const message = await send(bruno, id)
    await eventually(() => toldOf(ana), [['failed_reply', message.id, false]])
    await tab.heard('notifications_changed')
    expect(await toldOf(bruno)).toEqual([['failed_reply', message.id, false]])
    expect(await toldOf(carla)).toEqual([])
    await read(ana, {})
    await answerNext({ status: 413, delivered: false })
    const retry = () => bruno.request('POST', `${base}/${id}/messages/${message.id}/retry`)
    expect((await retry()).status).toBe(200)
    await eventually(() => toldOf(ana), [['failed_reply', message.id, false]])
    expect((await retry()).status).toBe(200)
    await eventually(() => statusOf(message), 'delivered')
    for (const who of [ana, bruno]) expect(await toldOf(who)).toEqual([])
  })

  test('of a failed message nobody is told once it is deleted, or who may not read it', async () => {
    const { id } = await talk()
    await take(ana, id)
    await answerNext({ status: 413, delivered: false })
    const message = await send(bruno, id)
    await scope(bruno, 'own')
    await eventually(() => toldOf(ana), [['failed_reply', message.id, false]])
    expect(await toldOf(bruno)).toEqual([])
    expect((await chefe.request('DELETE', `${base}/${id}/messages/${message.id}`)).status).toBeLessThan(300)
    expect(await toldOf(ana)).toEqual([])
  })
})

describe('reading', () => {
  test('opening a conversation reads all that was told of it, and nothing of others', async () => {
    const [one, other] = [await talk(), await talk()]
    await follow(bruno, one.id)
    await take(ana, one.id)
    for (const { id } of [one, other]) await noteIn(id, '@Bruno', [whom(bruno)])
    await bruno.request('POST', `${base}/${one.id}/view`, { action: 'enter' })
    expect(await unreadOf(bruno)).toEqual({ mentions: 1, updates: 0 })
    await read(bruno, { conversationId: other.id })
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 0 })
  })

  test("nobody reads what others were told, and what is not there is nobody's fault", async () => {
    const { id } = await talk()
    await noteIn(id, '@Bruno', [whom(bruno)])
    const [told] = await listOf(bruno)
    for (const which of [{ id: told?.id }, { id: 999_999 }, { conversationId: id }, { tab: 'mentions' }, {}])
      expect((await read(carla, which)).status).toBe(204)
    expect(await unreadOf(bruno)).toEqual({ mentions: 1, updates: 0 })
    await read(bruno, { tab: 'updates' })
    expect(await unreadOf(bruno)).toEqual({ mentions: 1, updates: 0 })
    await read(bruno, {})
    expect(await unreadOf(bruno)).toEqual({ mentions: 0, updates: 0 })
  })

  test('pages follow each other without a gap, also among what happened at the same moment', async () => {
    const { id } = await talk()
    const note = await noteIn(id, 'x')
    await t.database.execute(sql`
      insert into messages
             (conversation_id, instance_id, sender_type, sender_id, message_type, content, sort_at, sent_at)
        select ${id}, ${t.instanceId}, 'user', ${ana.userId}, 'note', 'nota ' || n, app_now(), app_now()
          from generate_series(1, 70) n`)
    await t.database.execute(sql`
      insert into notifications (user_id, kind, conversation_id, message_id, actor_id, happened_at)
        select ${bruno.userId}, 'mention', ${id}, m.id, ${ana.userId},
               timestamptz '2026-01-05 12:00:00.123456+00' + (m.id % 2) * interval '1 microsecond'
          from messages m where m.conversation_id = ${id} and m.id > ${note.id}`)
    const seen: number[] = []
    let before: string | null | undefined
    let pages = 0
    do {
      const page: Page = await pageOf(bruno, 'mentions', before)
      seen.push(...page.notifications.map((one) => one.id))
      before = page.next
      pages += 1
    } while (before)
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 70, 70])
    for (const bad of ['x', '1.2.3', '-1.1', `${'9'.repeat(18)}.1`])
      expect((await bruno.request('GET', `/api/notifications?tab=mentions&before=${bad}`)).status).toBe(400)
    expect(
      (await bruno.request('GET', '/api/notifications?tab=mentions&before=99999999999999999.9999999999'))
        .status,
    ).toBe(200)
  })

  test('what was read goes after 90 days, and what was never read after 180', async () => {
    const { id } = await talk()
    await noteIn(id, '@Bruno', [whom(bruno)])
    await noteIn(id, '@Carla', [whom(carla)])
    await read(bruno, {})
    const people = () => t.sql`select user_id from notifications order by 1`
    const dayMs = 24 * 60 * 60_000
    const after = async (days: number) => {
      await clock.forward(days * dayMs)
      await trimNotifications(t.database)
      return (await people()).map((row) => row['user_id'])
    }
    expect(await after(89)).toEqual([bruno.userId, carla.userId])
    expect(await after(2)).toEqual([carla.userId])
    expect(await after(88)).toEqual([carla.userId])
    expect(await after(2)).toEqual([])
    await clock.forward(-181 * dayMs)
  })
})
