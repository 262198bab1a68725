import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { formatPhone } from '#shared/text/phone.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { spread } from '#server/testing/nightly.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { permutations } from '#server/testing/inputs/permutations.ts'
import { person, type Person } from '#server/testing/test-person.ts'

const t = forAllTests(testDatabaseWithNumber)

async function feed(...events: GatewayEvent[]): Promise<void> {
  for (const event of events)
    await inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event))
}

/** All that is stored of a person, without ids and without what is 'now'. */
async function stateOf({ phone, lid, base, id }: Person) {
  const [state] = await t.sql<{ state: unknown }>`select json_build_object(
      'contacts', (select json_agg(json_build_array(c.name, c.phone, (
          select json_agg(json_build_array(i.kind, i.jid) order by i.kind)
            from contact_identities i where i.contact_id = c.id)))
        from contacts c where c.deleted_at is null and exists (select 1 from contact_identities i
          where i.contact_id = c.id and i.value in (${phone}, ${lid}))),
      'kept', (select count(*) from pending_updates where whatsapp_message_id like ${'%' + id('')}),
      'conversations', (select json_agg(json_build_object(
          'is', json_build_array(v.status, v.sub_status, v.is_history, v.initiated_by),
          'waits', v.waiting_for, 'since', ${minuteOf(base, 'v.waiting_since')},
          'began', ${minuteOf(base, 'v.started_at')},
          'count', v.message_count, 'last', (select content from messages where id = v.last_message_id),
          'queued', exists (select 1 from queue_pending_conversations q
                             where q.conversation_id = v.id and q.processed_at is null),
          'messages', (select json_agg(json_build_object(
                'text', m.content, 'who', m.sender_type, 'type', m.message_type,
                'metadata', m.metadata, 'tick', m.delivery_status, 'edited', ${minuteOf(base, 'm.edited_at')},
                'deleted', m.deleted_at is not null, 'pinned', m.is_pinned,
                'versions', (select json_agg(x.content order by x.content)
                               from message_versions x where x.message_id = m.id),
                'reactions', (select json_agg(json_build_array(x.sender, x.emoji) order by x.sender)
                                from message_reactions x where x.message_id = m.id),
                'votes', (select json_agg(json_build_array(x.sender, x.options) order by x.sender)
                            from message_votes x where x.message_id = m.id))
              order by m.sort_at, m.content) from messages m where m.conversation_id = v.id))
          order by v.started_at)
        from conversations v join contacts c on c.id = v.contact_id
       where v.message_count > 0 and exists (select 1 from contact_identities i
         where i.contact_id = c.id and i.value in (${phone}, ${lid})))) as state`
  return state?.state
}
const minuteOf = (base: number, column: string) =>
  sql`round(extract(epoch from ${sql.raw(column)} - ${new Date(base).toISOString()}::timestamptz) / 6) / 10`

const ofPast = { isHistory: true }

test.each<[string, (p: Person) => GatewayEvent[]]>([
  [
    'two messages, an answer on the phone between them, an edit and a deletion',
    (p) => [
      p.writes('bom dia', 1),
      p.byPhone('oi, Maria', 2),
      p.writes('tem sacola?', 3),
      p.edit('bom dia', 4, 'boa tarde'),
      p.remove('tem sacola?'),
    ],
  ],
  [
    'a message on the phone before anybody wrote, and one that answers',
    (p) => [
      p.byPhone('seu pedido chegou', 1),
      p.writes('obrigada', 5),
      p.byPhone('de nada', 6),
      p.ack('de nada', 'read'),
      p.writes('até logo', 7),
    ],
  ],
  [
    'a call that rings, is missed by the console and taken on the phone, and what is written around it',
    (p) => [
      p.writes('posso ligar?', 1),
      p.calls('call', 2, 'ringing', true),
      p.calls('call', 2, 'missed'),
      p.calls('call', 2, 'answered'),
      p.isCalled('Maria da agenda'),
    ],
  ],
  [
    'a missed call alone, reported three times',
    (p) => [p.calls('call', 2, 'ringing'), p.calls('call', 2, 'missed'), p.calls('call', 2, 'missed')],
  ],
  [
    'the sync of the past and the messages themselves',
    (p) => [
      p.writes('oi', 1, ofPast),
      p.writes('oi', 1),
      p.byPhone('olá', 2, ofPast),
      p.byPhone('olá', 2),
      p.writes('de ontem', -60 * 30, ofPast),
    ],
  ],
  [
    'one person by number and by LID, and a message that joins the two',
    (p) => [
      p.writes('pelo número', 1),
      p.writes('pelo LID', 2, { address: 'lid' }),
      p.writes('pelos dois', 3, { address: 'both' }),
      p.byPhone('resposta', 4, { address: 'lid' }),
      p.react('pelo LID', 5, '👍'),
    ],
  ],
  [
    'a poll with changed votes of both sides, pinned and unpinned',
    (p) => [
      p.byPhone('Horário?', 1),
      p.vote('Horário?', 2, ['9h']),
      p.vote('Horário?', 3, ['14h']),
      p.vote('Horário?', 2, ['9h', '14h'], 'user'),
      p.pin('Horário?', 4, true),
    ],
  ],
  [
    'pins, reactions and edits that contradict one another',
    (p) => [
      p.writes('certo', 1),
      p.pin('certo', 2, true),
      p.pin('certo', 3, false),
      p.react('certo', 2, '👍'),
      p.react('certo', 3, ''),
    ],
  ],
  [
    'what is older than a day, twenty hours apart',
    (p) => [
      p.writes('faz quatro dias', -60 * 96),
      p.byPhone('faz três dias', -60 * 76),
      p.writes('faz dois dias', -60 * 56),
      p.byPhone('faz um dia e meio', -60 * 36),
      p.writes('hoje', 1),
    ],
  ],
])(
  'every order of arrival ends in the same state: %s',
  async (_, historyOf) => {
    const count = historyOf(person()).length
    const inOrder = [...Array(count).keys()]
    const others = permutations(inOrder).slice(1)
    let first: unknown
    for (const order of [inOrder, ...spread(others, 14)]) {
      const p = person()
      const events = historyOf(p)
      await feed(...order.map((index) => events[index]).filter((event) => event !== undefined))
      const state = JSON.parse(
        JSON.stringify(await stateOf(p))
          .replaceAll(p.phone, 'PHONE')
          .replaceAll(formatPhone(p.phone), 'PHONE')
          .replaceAll(p.lid, 'LID'),
      ) as unknown
      first ??= state
      expect(state, `order ${order.join(' ')}`).toEqual(first)
    }
  },
  120_000,
)

test('messages of the last minute stand in the order in which they were written', async () => {
  const secondsAgo = (p: Person, seconds: number) => (Date.now() - p.base) / 60_000 - seconds / 60
  for (const order of permutations([0, 1, 2, 3])) {
    const p = person()
    const written = [
      p.writes('um', secondsAgo(p, 40)),
      p.writes('dois', secondsAgo(p, 34)),
      p.byPhone('do celular', secondsAgo(p, 30)),
      p.writes('três', secondsAgo(p, 28)),
    ]
    await feed(...order.flatMap((index) => written[index] ?? []))
    const shown = await t.sql<{ content: string }>`
      select m.content from messages m join conversations v on v.id = m.conversation_id
            join contacts c on c.id = v.contact_id
           where c.phone = ${p.phone} and not v.is_history order by m.sort_at, m.id`
    const expected = ['um', 'dois', 'do celular', 'três']
    expect(
      shown.map(({ content }) => content),
      `order ${order.join(' ')}`,
    ).toEqual(expected)
  }
})

test.each([10, 40, 1200])(
  'messages of one second, %i seconds ago, stand in the order in which the gateway had them',
  async (seconds) => {
    const names = ['1', '2', '3', '4', '5']
    const orders = permutations([0, 1, 2, 3, 4])
    for (const order of [...spread(orders, 12), [2, 0, 3, 4, 1]]) {
      const p = person()
      const minute = (Math.floor(Date.now() / 1000) - seconds - p.base / 1000) / 60
      const events = names.map((name, n) => {
        const more = { postedMs: 700 + n * 40 }
        return n === 3 ? p.byPhone(name, minute, more) : p.writes(name, minute, more)
      })
      await feed(p.writes('0', minute - 1 / 60))
      // Pauses are shorter here than between repetitions of the gateway.
      for (const index of order) {
        await sleep(5)
        await feed(...[events[index]].filter((event) => event !== undefined))
      }
      const shown = await t.sql<{ content: string }>`
        select m.content from messages m join conversations v on v.id = m.conversation_id
              join contacts c on c.id = v.contact_id
             where c.phone = ${p.phone} and not v.is_history order by m.sort_at, m.id`
      expect(
        shown.map(({ content }) => content),
        `order ${order.join(' ')}`,
      ).toEqual(['0', ...names])
    }
  },
)
