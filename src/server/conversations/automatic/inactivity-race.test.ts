import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { closeSilent } from './inactivity.ts'

const t = forAllTests(() => testApp({}, withoutJobs))

const goodbye = 'encerrado por inatividade'

/** What is stored of the clients, a row for each conversation. */
const stored = () =>
  t.sql<{
    id: number
    client: string
    isOver: boolean
    ends: number
    goodbyes: number
    withdrawn: number
    late: number
    said: string[]
  }>`select c.id, k.name as client, c.status = 'completed' as "isOver",
               count(*) filter (where m.metadata #>> '{event,act}' = 'closed_by_inactivity')::int as ends,
               count(*) filter (where m.content = ${goodbye})::int as goodbyes,
               count(*) filter (where m.metadata #>> '{event,act}' = 'text_withdrawn')::int as withdrawn,
               count(*) filter (where m.sender_type = 'contact'
                                  and m.created_at > c.completed_at)::int as late,
               array_agg(m.content) filter (where m.content = 'ainda estou aqui') as said
          from conversations c join contacts k on k.id = c.contact_id
          join messages m on m.conversation_id = c.id group by c.id, k.name`

test('inactivity ends a conversation once or not at all while its client or a colleague acts', async () => {
  const ana = await t.signIn('admin')
  const bia = await t.signIn('admin')
  await ana.request('PATCH', '/api/system-settings', { inactivityMessage: goodbye })
  // Automatic texts go one a second otherwise. Nothing is closed while the number is behind, as it may be on
  // a slow machine.
  await t.sql`create function hurry() returns trigger language plpgsql as
    $$ begin
         new.next_automatic_at := now() - interval '1 hour';
         new.troubled_at := null;
         return new;
       end $$`
  await t.sql`create trigger hurry before update on evolution_api_config
    for each row execute function hurry()`
  const talks = await Promise.all(Array.from({ length: 18 }, () => newTalk(t, ana)))
  await Promise.all(
    talks.map(({ conversation }) =>
      ana.request('POST', `/api/conversations/${conversation.id}/messages`, { content: 'pois não?' }),
    ),
  )
  await t.settled()
  await t.sql`update conversations set last_activity_at = app_now() - interval '31 minutes',
                                    auto_close_from = null`

  const other = t.openAgain()
  const act = async ({ conversation, phoneId }: Talk, n: number) => {
    // Some before the jobs come to the conversation, some after.
    await sleep(n * 10)
    if (n % 3 !== 1) t.simulator.control.sendText(phoneId, 'ainda estou aqui')
    if (n % 3 === 0) return undefined
    const path = `/api/conversations/${conversation.id}/transfer`
    return (await ana.request('POST', path, { newOperatorId: bia.userId })).status
  }
  const [statuses] = await Promise.all([
    Promise.all(talks.map(act)),
    closeSilent(t.database, false),
    closeSilent(other, false),
  ])
  await t.settled()

  for (const status of statuses) expect([undefined, 200, 409]).toContain(status)
  const found = await stored()
  const { received } = t.simulator.control.oracle()
  for (const [n, { conversation, phoneId }] of talks.entries()) {
    const own = found.filter(({ client }) => client === conversation.contact.name)
    const [first, ...further] = own.toSorted((a, b) => a.id - b.id)
    const ends = first?.isOver ? 1 : 0
    // Whoever has begun another conversation before the goodbye left is told none.
    const withdrawn = further.length > 0 ? (first?.withdrawn ?? 0) : 0
    const goodbyes = ends - withdrawn
    expect({ n, ...first }).toMatchObject({ n, id: conversation.id, ends, goodbyes, withdrawn, late: 0 })
    expect(received.filter(({ phone, text }) => phone === phoneId && text === goodbye)).toHaveLength(goodbyes)
    // What comes after the end is the beginning of another conversation.
    const hasWritten = n % 3 !== 1
    expect(own.flatMap(({ said }) => said ?? [])).toHaveLength(hasWritten ? 1 : 0)
    expect(further).toHaveLength(hasWritten && first?.said === null ? 1 : 0)
    // A word that came in time keeps it open; a transfer is none.
    expect(first?.isOver).toBe(first?.said === null)
  }
}, 60_000)
