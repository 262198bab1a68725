import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import { sectorPalette } from '#shared/sectors/managed-sectors.ts'
import { dayMs } from './calendar.ts'
import { demoUsers } from '#server/demo/users.ts'
import { scenarios } from '#server/demo/scripts/scenarios.ts'
import { demoHistory, everybody, writeDemo } from '#server/demo/samples.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

/** Checks a manager would make, over the whole demo as stored in the database. */

// Automation would otherwise continue where the history ends.
const t = forAllTests(() => testApp({}, withoutJobs))
// A Friday, half an hour after closing.
const now = new Date('2026-10-30T22:00:00Z')

beforeAll(async () => {
  await inTransaction(t.database, (db) =>
    writeDemo(db, t.instanceId, 'senha-da-demonstração', { now, print: () => undefined }),
  )
})

function ask<Row extends Record<string, unknown>>(statement: ReturnType<typeof sql>) {
  return rows<Row>(t.database, statement)
}
async function count(from: ReturnType<typeof sql>) {
  return (await ask<{ n: number }>(sql`select count(*)::int as n from ${from}`))[0]?.n ?? -1
}

describe('the history as data', () => {
  const morning = new Date('2026-10-15T12:00:00Z')
  const evening = new Date('2026-10-15T22:30:00Z')

  test('the demonstration’s history is the same for the same day, and longer in the evening', () => {
    expect(demoHistory(morning)).toEqual(demoHistory(morning))
    const [early, late] = [demoHistory(morning), demoHistory(evening)]
    const done = new Set(late.map((talk) => talk.messages[0]?.waId))
    expect(late.length).toBeGreaterThan(early.length)
    // Conversations that overlap a hand-written one may come and go with the hour.
    const gone = early.filter((talk) => !done.has(talk.messages[0]?.waId))
    expect(gone.length).toBeLessThan(8)
  })

  test.each([
    ['a Monday before opening', '2026-10-12T10:00:00Z'],
    ['a Sunday', '2026-03-01T18:00:00Z'],
    ['the turn of the year', '2027-01-01T02:59:00Z'],
    ['a leap day', '2028-02-29T15:00:00Z'],
  ])('the history of the demonstration can begin on %s', (_name, at) => {
    const talks = demoHistory(new Date(at))
    expect(talks.length).toBeGreaterThan(1400)
    expect(talks.length).toBeLessThan(2100)
    expect(talks.every(({ completedAt }) => completedAt < new Date(at))).toBe(true)
    const ids = talks.flatMap(({ messages }) => messages.flatMap(({ waId }) => waId ?? []))
    expect(new Set(ids).size).toBe(ids.length)
    for (const all of Map.groupBy(talks, ({ contact }) => contact).values())
      for (const [index, talk] of all.entries())
        expect(talk.messages[0]?.at.getTime()).toBeGreaterThan(all[index - 1]?.completedAt.getTime() ?? 0)
  })

  test('the demonstration’s history has talks of every scenario', () => {
    const reported = new Set(demoHistory(evening).map(({ scenario }) => scenario))
    expect(scenarios.length).toBeGreaterThanOrEqual(25)
    expect(scenarios.filter(({ name }) => !reported.has(name))).toEqual([])
  })

  test('the demonstration’s history says nothing twice that is long, but for the settings’ texts', () => {
    const said = demoHistory(evening).flatMap(({ messages }) =>
      messages.filter(({ from, text, type }) => from !== 'automatic' && type === 'text' && text.length > 60),
    )
    const times = Map.groupBy(said, ({ text }) => text)
    const worst = Math.max(...[...times.values()].map((all) => all.length))
    expect(worst).toBeLessThan(40)
  })
})

test('the demonstration has sixty contacts, twelve companies, five operators and ninety days', async () => {
  expect(everybody).toHaveLength(60)
  expect(await count(sql`contacts`)).toBe(60)
  expect(await count(sql`companies`)).toBe(12)
  expect(await count(sql`companies where phone is null or responsible_name is null`)).toBe(0)
  expect(await count(sql`companies where not is_active`)).toBe(1)
  expect(await count(sql`users where role = 'operator'`)).toBe(5)
  expect(demoUsers).toHaveLength(7)
  const archived = await count(sql`conversations where status = 'completed'`)
  expect(archived).toBeGreaterThan(1500)
  expect(archived).toBeLessThan(2000)
  const messages = await count(sql`messages`)
  expect(messages).toBeGreaterThan(15_000)
  expect(messages).toBeLessThan(20_000)
  const [span] = await ask<{ days: number }>(
    sql`select extract(epoch from max(started_at) - min(started_at))::float8 / 86400 as days
      from conversations`,
  )
  expect(span?.days).toBeGreaterThan(85)
  expect(span?.days).toBeLessThan(92)
})

test('the demonstration keeps the twelve open talks as they are', async () => {
  const open = await ask<{ name: string; texts: number }>(
    sql`select ct.name, c.message_count as texts from conversations c join contacts ct
      on ct.id = c.contact_id
         where c.status <> 'completed' order by c.sub_status = 'FILA' desc, c.started_at`,
  )
  expect(open.map(({ name }) => name)).toEqual([
    'Kauã Nhambiquara',
    'Thaís Conceição',
    'Padaria Pão & Cia — Jd. São Luís',
    'خالد للأقمشة',
    'Íris Nakagawa',
    'Cooperativa Agrícola Vale do Ribeira',
    'Maria Aparecida de Albuquerque Cavalcanti',
    'Dona Zefinha 🌻',
    'Grasiele Fonseca Müller',
    'Wellington dos Santos Jr.',
    'José Antônio Guimarães Sobrinho',
    'Luiz Otávio Brandão',
  ])
})

const sectorNames = ['Comercial', 'Financeiro', 'Suporte']

test('the demonstration has three sectors with their people, and a lead each', async () => {
  const all = await ask<{ name: string; leads: string[]; people: number; own: string[]; isDefault: boolean }>(
    sql`select s.name, count(p.id)::int as people,
               array_agg(u.username order by u.id) filter (where p.is_lead) as leads,
               array(select jsonb_object_keys(s.own_settings) order by 1) as own,
               exists (select from evolution_api_config g where g.default_sector_id = s.id) as "isDefault"
          from sectors s join sector_people p on p.sector_id = s.id join users u on u.id = p.user_id
         where s.deleted_at is null and s.is_active and s.description <> ''
         group by s.id order by s.place`,
  )
  expect(all.map(({ name }) => name)).toEqual(sectorNames)
  for (const { leads, people } of all) expect([leads.length > 0, people > 1]).toEqual([true, true])
  expect(all.map(({ own }) => own)).toEqual([[], ['transferMessage'], ['lunchBreak', 'workingHours']])
  expect(all.map(({ isDefault }) => isDefault)).toEqual([true, false, false])
  const colors = await ask<{ color: string }>(sql`select distinct color from sectors`)
  for (const { color } of colors) expect(sectorPalette).toContain(color)
  expect(colors).toHaveLength(3)
  expect(
    await count(sql`users where role = 'operator'
    and not exists (select from sector_people p where p.user_id = users.id)`),
  ).toBe(0)
})

test('the demonstration’s conversations are spread over the sectors, open ones and queues too', async () => {
  const shares = await ask<{ name: string; finished: number; open: number; queued: number }>(
    sql`select coalesce(s.name, '-') as name, count(*) filter (where status = 'completed')::int as finished,
               count(*) filter (where status <> 'completed')::int as open,
               count(*) filter (where status <> 'completed' and sub_status = 'FILA')::int as queued
          from conversations c left join sectors s on s.id = c.sector_id group by 1 order by 1`,
  )
  expect(shares.map(({ name }) => name)).toEqual(['-', ...sectorNames])
  const [none, ...placed] = shares
  expect(none).toMatchObject({ finished: 0, open: 1, queued: 1 })
  for (const { finished, open } of placed) expect([finished > 200, open > 1]).toEqual([true, true])
  expect(placed.map(({ queued }) => queued)).toEqual([2, 0, 1])
  expect(await count(sql`contacts where sector_id is not null`)).toBe(6)
})

test('the demonstration’s conversations are passed on to sectors, some of them, with a note', async () => {
  const moved = sql`(select m.conversation_id, m.sort_at, m.sender_id, m.metadata #>> '{event,to}' as target
    from messages m where m.metadata #>> '{event,act}' = 'moved') m`
  const long = new Date(now.getTime() - 60 * dayMs).toISOString()
  expect(await count(moved)).toBeGreaterThan(30)
  expect(
    await count(sql`${moved} where not exists (select from messages n
    where n.conversation_id = m.conversation_id and n.message_type = 'note' and n.sort_at = m.sort_at
      and n.sender_id = m.sender_id)`),
  ).toBe(0)
  expect(
    await count(sql`${moved} join conversations c on c.id = m.conversation_id
    left join sectors s on s.id = c.sector_id where s.name is distinct from m.target`),
  ).toBe(0)
  // Who passes it on is of another sector, and goes on knowing of it.
  expect(
    await count(sql`${moved} join conversations c on c.id = m.conversation_id
    join sector_people p on p.user_id = m.sender_id and p.sector_id = c.sector_id
    where c.status = 'completed'`),
  ).toBe(0)
  expect(
    await count(sql`${moved} where not exists (select from conversation_people p
    where p.conversation_id = m.conversation_id and p.user_id = m.sender_id)`),
  ).toBe(0)
  const targets = await ask<{ target: string }>(sql`select distinct target from ${moved} order by 1`)
  expect(targets.map(({ target }) => target)).toEqual(sectorNames)
  expect(
    await count(sql`messages m join conversations c on c.id = m.conversation_id
    where m.message_type = 'note' and c.status <> 'completed'`),
  ).toBeGreaterThan(4)
  expect(
    await count(sql`messages m join conversations c on c.id = m.conversation_id
    where m.message_type = 'note' and c.completed_at < ${long}`),
  ).toBeGreaterThan(10)
})

test('the demonstration knows contacts of every sort', async () => {
  const categories = await ask<{ category: string }>(sql`select distinct category from contacts order by 1`)
  expect(categories.map(({ category }) => category).sort()).toEqual(
    ['Cliente', 'Fornecedor', 'Lead', 'Suporte', 'VIP', 'general'].sort(),
  )
  expect(await count(sql`contacts where name = 'Número oculto' and phone is null`)).toBe(1)
  expect(await count(sql`contacts where is_blocked`)).toBeGreaterThan(1)
  expect(await count(sql`contacts where not is_active`)).toBeGreaterThan(1)
  expect(await count(sql`contacts where company_id is null`)).toBeGreaterThan(15)
  expect(await count(sql`contacts where tags <> '{}'`)).toBeGreaterThan(10)
  expect(await count(sql`contacts where email is not null`)).toBeGreaterThan(10)
  expect(await count(sql`contacts where phone ~ '^55[1-9][0-9][2-5][0-9]{7}$'`)).toBeGreaterThan(5)
  const [codes] = await ask<{ n: number }>(
    sql`select count(distinct substr(phone, 3, 2))::int as n from contacts`,
  )
  expect(codes?.n).toBeGreaterThan(30)
})

test('the demonstration has every kind of message, and what may happen to one', async () => {
  const kinds = await ask<{ kind: string }>(sql`select distinct message_type as kind from messages`)
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([...messageTypes].sort())
  const some = {
    'round videos': sql`messages where (metadata->>'isRound')::boolean`,
    'voice messages': sql`messages where (metadata->>'isVoice')::boolean`,
    'audio files': sql`messages where message_type = 'audio' and not (metadata->>'isVoice')::boolean`,
    'from the phone': sql`messages where metadata->>'origin' = 'phone'`,
    automatic: sql`messages where metadata->>'origin' = 'automatic'`,
    recovered: sql`messages where (metadata->>'recovered')::boolean and created_at > sort_at`,
    forwarded: sql`messages where (metadata->>'isForwarded')::boolean`,
    quotes: sql`messages where quoted_whatsapp_id is not null`,
    edited: sql`messages where edited_at is not null`,
    versions: sql`message_versions`,
    deleted: sql`messages where deleted_at is not null`,
    pinned: sql`messages where is_pinned`,
    failed: sql`messages where delivery_status = 'failed' and failure_reason is not null`,
    'without WhatsApp': sql`messages where failure_reason = 'not_on_whatsapp'
      and whatsapp_message_id is null`,
    played: sql`messages where delivery_status = 'played'`,
    delivered: sql`messages where delivery_status = 'delivered'`,
    reactions: sql`message_reactions`,
    votes: sql`message_votes`,
    'begun by us': sql`conversations where initiated_by = 'operator'`,
    'high priority': sql`conversations where priority = 'high'`,
    'low priority': sql`conversations where priority = 'low'`,
    notes: sql`conversations where notes is not null`,
    'seen on the phone alone': sql`conversations where status = 'completed' and assigned_user_id is null`,
  }
  const missing = []
  for (const [name, from] of Object.entries(some)) if ((await count(from)) < 3) missing.push(name)
  expect(missing).toEqual([])
})

const mine = sql`(select m.*, c.started_at, c.completed_at from messages m join conversations c
  on c.id = m.conversation_id)`
const unsaid = sql`(message_type in ('view_tracking', 'event', 'note') or message_type like 'queue%')`

const impossible = {
  'a message before its conversation': sql`${mine} m where sort_at < started_at`,
  'a message after the end': sql`${mine} m where sort_at > completed_at`,
  'anything in the future': sql`
    messages where greatest(sort_at, sent_at, created_at) > ${now.toISOString()}`,
  'a message heard of before it was sent': sql`messages where created_at < sort_at or sent_at <> sort_at`,
  'an end before the beginning': sql`conversations where completed_at < started_at`,
  'an end in the future': sql`conversations where completed_at > ${now.toISOString()}`,
  'a protocol of another day': sql`conversations
    where left(protocol, 8) <> to_char(started_at at time zone 'America/Sao_Paulo', 'YYYYMMDD')`,
  'a beginning that is not the first message': sql`
    conversations c where started_at <> (select min(sort_at) from messages m
    where m.conversation_id = c.id)`,
  'a wrong number of messages': sql`conversations c where message_count <> (select count(*) from messages m
    where m.conversation_id = c.id and not ${unsaid}
      and coalesce(m.metadata->>'origin', '') not in ('automatic', 'assistant'))`,
  'a last message that is not the last': sql`
    conversations c where last_message_id is distinct from (select m.id from messages m
        where m.conversation_id = c.id and not ${unsaid}
          and coalesce(m.metadata->>'origin', '') <> 'automatic'
        order by m.sort_at desc, m.id desc limit 1)`,
  'a last activity that is not the last word of a person': sql`
    conversations c where last_activity_at <> (select max(m.sort_at) from messages m
    where m.conversation_id = c.id
        and not ${unsaid} and coalesce(m.metadata->>'origin', '') <> 'automatic')`,
  'a finished one that waits': sql`conversations where status = 'completed' and (waiting_since is not null
    or waiting_for <> 'client')`,
  'a waiting one without a since': sql`
    conversations where waiting_for = 'operator' and waiting_since is null`,
  'two talks of a contact at once': sql`
    conversations a join conversations b on a.contact_id = b.contact_id and a.id < b.id
        and a.started_at < coalesce(b.completed_at, 'infinity')
          and b.started_at < coalesce(a.completed_at, 'infinity')`,
  'a contact with a sender': sql`
    messages where sender_type = 'contact' and (sender_id is not null or delivery_status is not null)`,
  'an automatic or phone message with a sender': sql`
    messages where (metadata->>'origin' in ('phone', 'automatic')) = (sender_id is not null)
    and sender_type = 'user'`,
  'one of ours without a state': sql`messages where sender_type = 'user'
    and (delivery_status is null) <> (message_type in ('view_tracking', 'event', 'note'))`,
  'a sent one without an id': sql`
    messages where delivery_status not in ('failed') and whatsapp_message_id is null`,
  'a failure without a reason': sql`
    messages where (delivery_status = 'failed') <> (failure_reason is not null)`,
  'a wait that is not the client’s': sql`
    messages m where response_ms is not null and (sender_id is null or ${unsaid} or response_ms <> (
        select extract(epoch from m.sort_at - min(w.sort_at)) * 1000 from messages w
         where w.conversation_id = m.conversation_id and w.sender_type = 'contact'
           and (w.sort_at, w.id) < (m.sort_at, m.id)
           and not exists (select 1 from messages o where o.conversation_id = m.conversation_id
             and o.sender_type = 'user'
                 and o.message_type not in ('view_tracking', 'event', 'note')
                   and coalesce(o.metadata->>'origin', '') <> 'automatic'
                 and (o.sort_at, o.id) > (w.sort_at, w.id) and (o.sort_at, o.id) < (m.sort_at, m.id))))`,
  'an answer that was not measured': sql`
    messages m where sender_id is not null and message_type not in ('view_tracking', 'event', 'note')
    and response_ms is null and exists (
        select 1 from messages w where w.conversation_id = m.conversation_id and w.sender_type = 'contact'
           and (w.sort_at, w.id) < (m.sort_at, m.id) and not exists (
             select 1 from messages o where o.conversation_id = m.conversation_id
               and o.sender_type = 'user'
                 and o.message_type not in ('view_tracking', 'event', 'note')
                   and coalesce(o.metadata->>'origin', '') <> 'automatic'
                 and (o.sort_at, o.id) > (w.sort_at, w.id) and (o.sort_at, o.id) < (m.sort_at, m.id)))`,
  'a rating that is not the satisfaction': sql`
    conversations c full join conversation_ratings r on r.conversation_id = c.id
       where c.satisfaction is distinct from r.service_rating`,
  'a rating of somebody else, or of another time': sql`
    conversation_ratings r join conversations c on c.id = r.conversation_id
       where r.operator_id is distinct from c.assigned_user_id or r.contact_id <> c.contact_id
          or r.created_at not between c.completed_at and c.completed_at + interval '24 hours'`,
  'a queue that forgets': sql`
    conversations c left join queue_pending_conversations q on q.conversation_id = c.id
       where (c.initiated_by = 'contact') <> (q.id is not null)
          or (q.processed_at is null) <> (c.sub_status = 'FILA') and q.id is not null
          or q.registered_at <> c.started_at or q.processed_at < q.registered_at`,
  'a conversation of a sector that nobody who has it is in': sql`
    conversations c where c.sector_id is not null
      and exists (select from sector_people p where p.user_id = c.assigned_user_id)
      and not exists (select from sector_people p
        where p.user_id = c.assigned_user_id and p.sector_id = c.sector_id)`,
  'a conversation of a contact with a sector in another one': sql`
    conversations c join contacts k on k.id = c.contact_id
     where k.sector_id <> c.sector_id and not exists (select from messages m
       where m.conversation_id = c.id and m.metadata #>> '{event,act}' = 'moved')`,
  'an attendance before it came to the queue': sql`
    queue_pending_conversations q join messages m on m.conversation_id = q.conversation_id
     where m.metadata #>> '{event,act}' = 'moved' and q.processed_at <= m.sort_at`,
  'a quote of nothing': sql`messages m where quoted_whatsapp_id is not null and not exists (
        select 1 from messages q where q.whatsapp_message_id = m.quoted_whatsapp_id
          and q.conversation_id = m.conversation_id and q.sort_at <= m.sort_at)`,
  'an edit without the former text': sql`
    messages m where (edited_at is not null) <> exists (select 1 from message_versions v
    where v.message_id = m.id and v.content <> m.content)`,
  'a vote for no option': sql`message_votes v join messages m on m.id = v.message_id
    where not (m.metadata->'poll'->'options' @> to_jsonb(v.options))`,
  'a file without its facts': sql`
    messages where message_type in ('image', 'video', 'audio', 'document', 'sticker')
    and (file_size is null or file_mime_type is null or file_url is not null)`,
  'a client kept waiting for the clock': sql`
    conversations c join messages m on m.id = c.last_message_id where m.content like 'Encerramos este%'
    and (
        select sender_type from messages p where p.conversation_id = c.id and p.id < m.id
          and not ${unsaid} order by p.sort_at desc, p.id desc limit 1) = 'contact'`,
  'a slot that was not filled': sql`
    messages where content ~ '[{}|]' or content like '@%' or file_name ~ '[{}|]'`,
  'work for the outbox': sql`outbox`,
  'an event': sql`events where type <> 'gateway_state'`,
}

test.each(Object.entries(impossible))(
  'the demonstration never writes %s, which the product writes',
  async (_name, from) => {
    expect(await count(from)).toBe(0)
  },
)

interface OperatorRow extends Record<string, unknown> {
  username: string
  talks: number
  answerSeconds: number
  firstSeconds: number
  minutes: number
  rating: number
  rated: number
  messages: number
  phone: number
  begun: number
  afternoon: number
}

describe('the habits of the operators', () => {
  const habits = () =>
    ask<OperatorRow>(sql`
      select u.username, count(*)::int as talks,
             avg(extract(epoch from c.completed_at - c.started_at) / 60)::float8 as minutes,
             avg(c.satisfaction)::float8 as rating, count(c.satisfaction)::float8 / count(*) as rated,
             (select count(*) from messages m where m.sender_id = u.id
               and m.message_type not in ('view_tracking', 'event', 'note'))::float8
               / count(*) as messages,
             avg((c.initiated_by = 'operator')::int)::float8 as begun,
             avg((extract(hour from c.started_at at time zone 'America/Sao_Paulo') >= 12)::int)::float8
               as afternoon,
             (select avg(m.response_ms) / 1000 from messages m where m.sender_id = u.id)::float8
               as "answerSeconds",
             (select count(*) from messages m join conversations k on k.id = m.conversation_id
               where k.assigned_user_id = u.id and m.metadata->>'origin' = 'phone')::int as phone
        from conversations c join users u on u.id = c.assigned_user_id
       where c.status = 'completed' and u.role = 'operator' group by u.id, u.username order by u.username`)

  test('the habits of the operators can be read off the numbers', async () => {
    const all = await habits()
    const by = (username: string) => all.find((one) => one.username === username) as OperatorRow
    const most = (of: (row: OperatorRow) => number) => all.toSorted((a, b) => of(b) - of(a))[0]?.username
    const least = (of: (row: OperatorRow) => number) => all.toSorted((a, b) => of(a) - of(b))[0]?.username
    expect(most((row) => row.talks)).toBe('ana')
    expect(least((row) => row.answerSeconds)).toBe('ana')
    expect(by('ana').answerSeconds).toBeLessThan(120)
    expect(most((row) => row.rating)).toBe('bruno')
    expect(by('bruno').answerSeconds).toBeGreaterThan(3 * by('ana').answerSeconds)
    expect(most((row) => row.messages)).toBe('bruno')
    expect(by('carla').afternoon).toBeGreaterThan(0.95)
    expect(most((row) => row.minutes)).toBe('diego')
    expect(by('diego').minutes).toBeGreaterThan(90)
    expect(least((row) => row.rating)).toBe('diego')
    expect(most((row) => row.phone)).toBe('elisa')
    expect(most((row) => row.begun)).toBe('elisa')
    expect(by('elisa').begun).toBeGreaterThan(0.35)
    for (const { rated } of all) expect(Math.abs(rated - 0.45)).toBeLessThan(0.12)
  })

  test('the slow one slows nobody’s week beyond belief', async () => {
    const weeks = await ask<{ minutes: number }>(
      sql`select (avg(response_ms) / 60000)::float8 as minutes from messages where response_ms is not null
           group by date_trunc('week', sort_at at time zone 'America/Sao_Paulo')`,
    )
    expect(weeks.length).toBeGreaterThan(12)
    for (const { minutes } of weeks) expect(minutes).toBeLessThan(15)
  })

  // Excludes the hand-written conversations, whose age in minutes is fixed.
  const generated = sql`(select * from conversations c where status = 'completed' and not exists (
    select 1 from messages m where m.conversation_id = c.id and m.whatsapp_message_id like 'DEMO%')) c`

  test('the habits of the shop: no Sundays, few Saturdays, a lunch dip, more at the end', async () => {
    const days = await ask<{ weekday: number; n: number }>(
      sql`select extract(dow from started_at at time zone 'America/Sao_Paulo')::int as weekday, count(*)::int
        as n
            from ${generated} group by 1`,
    )
    const of = (weekday: number) => days.find((day) => day.weekday === weekday)?.n ?? 0
    expect(of(0)).toBe(0)
    expect(of(6)).toBeGreaterThan(30)
    expect(of(6)).toBeLessThan(of(2) / 3)
    const hours = await ask<{ hour: number; n: number }>(
      sql`select extract(hour from started_at at time zone 'America/Sao_Paulo')::int as hour, count(*)::int
        as n
            from ${generated} group by 1`,
    )
    const at = (hour: number) => hours.find((row) => row.hour === hour)?.n ?? 0
    expect(at(12)).toBeLessThan(at(10) * 0.75)
    expect(at(12)).toBeLessThan(at(14) * 0.75)
    expect(hours.filter(({ hour }) => hour < 7 || hour > 18)).toEqual([])
    const early = await count(
      sql`conversations where started_at < ${new Date(now.getTime() - 60 * dayMs).toISOString()}`,
    )
    const late = await count(
      sql`conversations where started_at > ${new Date(now.getTime() - 30 * dayMs).toISOString()}`,
    )
    expect(late).toBeGreaterThan(early)
  })
})
