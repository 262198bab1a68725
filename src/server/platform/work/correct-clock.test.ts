import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Notice } from '#shared/notices/notices.ts'
import { readAgain } from '#server/conversations/conversations.ts'
import { findShared } from '#server/notices/conditions.ts'
import { declarationOf, schema, tableNames } from '#server/schema/schema.ts'
import { eventually, filled, forAllTests, including, testApp } from '#server/testing/test-app.ts'
import { correctClock } from './correct-clock.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const list = () => ana.get<Conversation[]>('/api/conversations')
const namesOf = async () => (await list()).map(({ contact }) => contact.name)
const receivedBy = (phoneId: string) =>
  t.simulator.control
    .chat(phoneId)
    .filter(({ from }) => from === 'company')
    .map((one) => one.text)

test('what a clock two hours ahead has put off goes on when it is right, and once', async () => {
  const maria = t.simulator.control.createPhone({ name: 'Maria', number: '5511987650001' })
  t.simulator.control.sendText(maria.id, 'oi')
  const [talk] = await eventually(list, filled)
  // The clock is two hours ahead.
  await t.sql`create function ahead() returns trigger language plpgsql as
    $$ begin new.not_before := now() + interval '2 hours'; return new; end $$`
  await t.sql`create trigger ahead before insert on webhook_inbox for each row execute function ahead()`
  await t.sql`update evolution_api_config set next_send_at = now() + interval '2 hours',
    next_automatic_at = now() + interval '2 hours', sweep_lease_until = now() + interval '2 hours'`
  await t.sql`update jobs set lease_until = now() + interval '2 hours', done_at = now() + interval '2 hours'`
  await t.sql`update pgboss.version set cron_on = now() + interval '2 hours'`
  const rui = t.simulator.control.createPhone({ name: 'Rui', number: '5511987650002' })
  t.simulator.control.sendText(rui.id, 'alguém?')
  await ana.request('POST', `/api/conversations/${talk?.id}/messages`, { content: 'Olá!' })
  await eventually(() => t.sql`select id from webhook_inbox where not_before > now()`, filled)
  // It is set back.
  await t.sql`drop trigger ahead on webhook_inbox`
  expect(await namesOf()).toEqual(['Maria'])
  expect(receivedBy(maria.id)).toEqual([])

  expect(await correctClock(t.database)).toBeGreaterThanOrEqual(4)
  await eventually(namesOf, including('Rui'))
  await eventually(() => receivedBy(maria.id), filled)
  expect(receivedBy(maria.id)).toHaveLength(1)
  expect(
    await t.sql`select from jobs where lease_until > now() + interval '31 seconds' or done_at > now()`,
  ).toEqual([])
  expect(await t.sql`select from pgboss.version where cron_on > now()`).toEqual([])
  expect(await correctClock(t.database)).toBe(0)
})

test('administrators are told once that the clock was set right', async () => {
  await t.sql`update jobs set lease_until = now() + interval '2 days'`
  await correctClock(t.database)
  const found = await findShared(t.database)
  expect(found.filter(({ fact }: Pick<Notice, 'fact'>) => fact.kind === 'clock_corrected')).toHaveLength(1)
})

test('a message that came while the clock was days ahead is in the queue once it is right', async () => {
  const ben = t.simulator.control.createPhone({ name: 'Ben', number: '5511987650003' })
  await t.sql`create function days_old() returns trigger language plpgsql as
    $$ begin
         new.payload := jsonb_set(new.payload, '{data,messageTimestamp}',
                                  to_jsonb(extract(epoch from now() - interval '2 days')::int));
         return new;
       end $$`
  await t.sql`create trigger days_old before insert on webhook_inbox for each row execute function days_old()`
  t.simulator.control.sendText(ben.id, 'boleto?')
  const kept = () => t.sql<{ isHistory: boolean }>`
    select c.is_history as "isHistory" from messages m join conversations c on c.id = m.conversation_id
     where m.content = 'boleto?'`
  expect(await eventually(kept, filled)).toEqual([{ isHistory: true }])
  expect(await readAgain(t.database)).toBe(0)
  await t.sql`drop trigger days_old on webhook_inbox`
  // As they would be had the clock been two days ahead.
  await t.sql`update webhook_inbox
                 set processed_at = processed_at + interval '2 days',
                     payload = jsonb_set(payload, '{data,messageTimestamp}',
                                         to_jsonb(extract(epoch from now())::int))
               where payload::text like '%boleto?%'`
  expect(await readAgain(t.database)).toBe(1)
  await eventually(namesOf, including('Ben'))
  expect(await kept()).toEqual([{ isHistory: false }])
  expect(await readAgain(t.database)).toBe(0)
})

test('what waits as long as it should is left as it is', async () => {
  await t.sql`update jobs set lease_until = now() + interval '29 seconds'`
  expect(await correctClock(t.database)).toBe(0)
})

/** Times that are no work of ours, however far ahead. */
const others = [
  // Until then echoes of an erased person are recognised: days.
  'privacy_requests.echoes_until',
  // Not believed where it is too far ahead.
  'conversations.held_until',
  // A time that somebody has chosen, up to a year ahead, and that the screens show.
  'conversations.snoozed_until',
  'snoozes.until',
  // A window that is too far ahead is begun anew when it is counted.
  'rate_limits.window_ends_at',
]

test('every time that paces work has its bound', () => {
  const paced = tableNames.flatMap((key) => {
    const { due, leases, past = [] } = declarationOf(key).waits ?? {}
    const declared = [...Object.keys({ ...due, ...leases }), ...past]
    return Object.entries(getTableColumns(schema[key]))
      .filter(
        ([column, { name }]) =>
          /until|^not_before$|^next_|ends_at$|(?<!re)lease/.test(name) && !declared.includes(column),
      )
      .map(([, { name }]) => `${getTableName(schema[key])}.${name}`)
  })
  expect(paced.filter((name) => !others.includes(name))).toEqual([])
})
