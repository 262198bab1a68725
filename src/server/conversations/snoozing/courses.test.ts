import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { atNight } from '#server/testing/nightly.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { createRandom } from '#simulator/random.ts'
import { returnFromHold } from './returns.ts'

const t = forAllTests(() => testApp({}, withoutJobs))

const courses = atNight(1000, 60)
/** How many conversations take their courses side by side. */
const beside = 5

test(
  'every hold of a random course ends once, at its time, by the client or by a person',
  { timeout: 1_800_000 },
  async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const random = createRandom(seed)
    const chefe = await t.signIn('admin', 'chefe')
    const people: Client[] = []
    for (const name of ['ana', 'bruno', 'carla']) people.push(await t.signIn('operator', name))
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const { body: made } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
      name: `Setor ${seed}`,
      color: '#0d9488',
    })
    for (let done = 0; done < courses; done += beside) {
      const talks = await Promise.all(Array.from({ length: beside }, () => newTalk(t, chefe)))
      for (const talk of talks) await takeCourse(talk)
      await returnFromHold(t.database)
      // A long list of open ones would make each look at it slower.
      for (const { conversation } of talks)
        await chefe.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
    }

    /** A few acts in any order, some of them at once. */
    async function takeCourse({ conversation: { id }, phoneId }: Talk): Promise<void> {
      const path = `/api/conversations/${id}`
      await chefe.request('PATCH', `${path}/assign-operator`, { operatorId: pick(people).userId })
      const acts: (() => Promise<unknown>)[] = [
        // Its time comes, to two processes at once.
        () => comeDue().then(() => Promise.all([returnFromHold(t.database), returnFromHold(t.database)])),
        // It comes in the moment in which the client writes.
        () => comeDue().then(() => Promise.all([write(), returnFromHold(t.database)])),
        write,
        () => chefe.request('DELETE', `${path}/snooze`),
        () => chefe.request('POST', `${path}/messages`, { content: 'um momento' }),
        () =>
          chefe.request('POST', `${path}/transfer`, {
            newOperatorId: pick(people).userId,
            endsSnooze: random() < 0.5,
          }),
        () =>
          chefe.request('POST', `${path}/transfer-to-sector`, {
            sectorId: made.id,
            endsSnooze: random() < 0.5,
          }),
        () => chefe.request('PATCH', `${path}/sector`, { sectorId: pick([made.id, null]) }),
        () => chefe.request('PATCH', `${path}/assign-operator`, { operatorId: null }),
        () =>
          chefe
            .request('POST', `${path}/finalize`, { isUndoable: true })
            .then(() => (random() < 0.7 ? chefe.request('POST', `${path}/undo-finalize`) : undefined)),
        // Its holder is blocked, and let in again.
        async () => {
          const row = await chefe.get<Conversation>(path)
          if (row.assignedUserId === null || row.assignedUserId === chefe.userId) return
          for (let n = 0; n < 2; n++)
            await chefe.request('POST', `/api/users/${row.assignedUserId}/toggle-block`)
        },
        // The number is away for a while.
        () => t.sql`update evolution_api_config set troubled_at = app_now()`,
        async () => {
          await t.sql`update conversations set last_activity_at = app_now() - interval '2 hours',
                           auto_close_from = auto_close_from - interval '2 hours' where id = ${id}`
          await t.sql`update evolution_api_config set troubled_at = null`
          await closeSilent(t.database, false)
        },
      ]
      const snooze = (minutes: number) =>
        chefe.request('PUT', `${path}/snooze`, {
          until: new Date(Date.now() + minutes * 60_000).toISOString(),
          reason: 'ligar',
        })
      const comeDue = () =>
        t.sql`update conversations set snoozed_until = app_now()
               where id = ${id} and snoozed_until is not null`
      async function write() {
        const before = (
          await t.sql`select 1 from messages m join conversations c on c.id = m.conversation_id
                                    where c.contact_id = (
                                      select contact_id from conversations where id = ${id})
                                      and m.sender_type = 'contact'`
        ).length
        t.simulator.control.sendText(phoneId, 'e então?')
        await eventually(
          () => t.sql`select 1 from messages m join conversations c on c.id = m.conversation_id
                     where c.contact_id = (
                                      select contact_id from conversations where id = ${id})
                       and m.sender_type = 'contact'`,
          (rows) => rows.length > before,
        )
      }
      for (let n = 0; n < 4; n++) {
        await snooze(pick([1, 60, 1440]))
        await pick(acts)()
        if (random() < 0.5) await pick(acts)()
      }
    }

    // Every hold is over or lasts, and is told of in its conversation as often as it began and ended.
    const wrong = await t.sql`
    with told as (
      select m.conversation_id as id,
             count(*) filter (where m.metadata #>> '{event,act}' = 'snooze_over')::int as by_time,
             count(*) filter (where m.metadata #>> '{event,act}' = 'snooze_answered')::int as by_client,
             count(*) filter (where m.metadata #>> '{event,act}' = 'resumed')::int as by_person
        from messages m where m.message_type = 'event' group by m.conversation_id),
    held as (
      select s.conversation_id as id,
             count(*) filter (where ended_by = 'time')::int as by_time,
             count(*) filter (where ended_by = 'client')::int as by_client,
             count(*) filter (where ended_by = 'person')::int as by_person,
             count(*) filter (where ended_by is null)::int as open
        from snoozes s group by s.conversation_id)
    select c.id, held, told, c.snoozed_until from conversations c
      left join told using (id) left join held using (id)
     where coalesce(held.open, 0) <> (c.snoozed_until is not null)::int
        or coalesce(held.by_time, 0) <> coalesce(told.by_time, 0)
        or coalesce(held.by_client, 0) <> coalesce(told.by_client, 0)
        or coalesce(held.by_person, 0) <> coalesce(told.by_person, 0)`
    expect(wrong).toEqual([])
    const facts = await t.sql<Record<string, number>>`
    select count(*)::int as holds,
           count(*) filter (where ended_by = 'time')::int as "byTime",
           count(*) filter (where ended_by = 'client')::int as "byClient",
           (select count(*)::int from messages m join snoozes s using (conversation_id)
             where m.metadata #>> '{event,act}' = 'closed_by_inactivity'
               and m.created_at > s.started_at and m.created_at <= coalesce(s.ended_at, 'infinity')
               and s.ended_by is distinct from 'completed') as "closedOnHold",
           (select count(*)::int from messages m join snoozes s using (conversation_id)
             where m.metadata #>> '{event,act}' = 'closed_by_inactivity' and s.ended_by = 'completed'
               and m.created_at = s.ended_at) as "endedByInactivity",
           -- A client's word that was written during a hold has ended it. By the lines of the timeline, whose
             -- ids are in the order of the locks: a transaction may begin before another, and wait for it.
             (select count(*)::int from messages m join snoozes s using (conversation_id)
               where m.sender_type = 'contact'
                 and m.id > (select min(l.id) from messages l
                              where l.conversation_id = s.conversation_id and l.created_at = s.started_at)
                 and m.id < coalesce((select min(l.id) from messages l
                              where l.conversation_id = s.conversation_id and l.created_at = s.ended_at),
                                     2147483647)) as "unheard"
      from snoozes`
    console.log(facts[0])
    expect(facts[0]).toMatchObject({ closedOnHold: 0, endedByInactivity: 0, unheard: 0 })
    for (const kind of ['holds', 'byTime', 'byClient']) expect(facts[0]?.[kind]).toBeGreaterThan(0)
    // Who waits in the queue is no longer on hold, and who is on hold waits nowhere.
    expect(
      await t.sql`select id from conversations where snoozed_until is not null
                   and (waiting_for <> 'client' or waiting_since is not null or status = 'completed')`,
    ).toEqual([])
  },
)
