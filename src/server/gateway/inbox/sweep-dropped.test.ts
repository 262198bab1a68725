import { beforeEach, expect, test } from 'vitest'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { sweepsOf } from '#server/testing/servers/sweeps.ts'

// The clock is three minutes ahead of the gateway's: what is written now has settled.
const t = forAllTests(() => testApp({}, { clockOffset: '3 minutes', sweepEveryMs: 'never' }))
const { instance, runSweep, begin, drop } = sweepsOf(t)
beforeEach(() => begin('5 minutes'))

interface Stored extends Record<string, unknown> {
  content: string
  isDeleted: boolean
  isRecovered: boolean
}

const storedOf = (contact: string) =>
  t.sql<Stored>`
    select m.content, m.deleted_at is not null as "isDeleted", m.metadata ? 'recovered' as "isRecovered"
          from messages m join conversations c on c.id = m.conversation_id
          join contacts k on k.id = c.contact_id where k.name = ${contact} order by m.sort_at, m.id`

test.each(['pn', 'pn-with-lid', 'lid', 'lid-2.3.6', 'lid-only'] as const)(
  'a %s chat of which one webhook in three is dropped has no gap after the sweep, and nothing twice',
  async (identity) => {
    const { control } = t.simulator
    const name = `Cliente ${identity}`
    const phone = control.createPhone({ name, identity })
    // The conversation is there before anything is dropped.
    control.send(phone.id, { kind: 'text', text: 'oi', at: new Date(Date.now() - 90_000).toISOString() })
    await eventually(() => storedOf(name), { length: 1 })
    control.setFaults({ dropWebhook: { on: true, oneIn: 3, events: [] } })
    const texts = Array.from({ length: 30 }, (_, n) => `${n}`)
    // A second apart: the gateway's clock knows no less.
    const beganAt = Date.now() - 60_000
    const ids = texts.map((text, n) => {
      const at = new Date(beganAt + n * 1000).toISOString()
      return control.send(phone.id, { kind: 'text', text, at }).id
    })
    for (const n of [3, 4, 5, 6]) control.edit(phone.id, ids[n] ?? '', `${n} corrigido`)
    for (const n of [10, 11, 12, 13]) control.remove(phone.id, ids[n] ?? '')
    await t.settled()
    // The live webhooks and two sweeps at once.
    await Promise.all([runSweep(), runSweep({}, t.openAgain())])
    await t.settled()
    const wanted = ['oi', ...texts.map((text, n) => (n >= 3 && n <= 6 ? `${text} corrigido` : text))]
    const stored = await eventually(
      () => storedOf(name),
      (all) => all.length === 31 && all.filter(({ isDeleted }) => isDeleted).length === 4,
    )
    const isDeleted = (n: number) => n >= 11 && n <= 14
    expect(stored.map((one, n) => (isDeleted(n) ? 'deleted' : one.content))).toEqual(
      wanted.map((text, n) => (isDeleted(n) ? 'deleted' : text)),
    )
    expect(stored.map((one) => one.isDeleted)).toEqual(wanted.map((_text, n) => isDeleted(n)))
    expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
    const [contacts] =
      await t.sql`select count(*)::int as n from contacts where name = ${name} and deleted_at is null`
    expect(contacts).toEqual({ n: 1 })
  },
)

test('a message that the sweep brings before its webhook is one message, marked as recovered', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Duda' })
  drop()
  const at = new Date(Date.now() + 120_000).toISOString()
  const { id } = control.send(phone.id, { kind: 'text', text: 'há um minuto', at })
  await t.settled()
  expect((await runSweep()).messages).toBe(1)
  const [body] = await t.sql<{
    payload: { data: object }
  }>`select payload from webhook_inbox where dedupe_key = ${`upsert:${id}`}`
  const late: Record<string, unknown> = { ...body?.payload.data }
  delete late['isSwept']
  control.setFaults({ dropWebhook: { on: false } })
  await control.inject({ event: 'messages.upsert', data: late })
  await t.settled()
  // Younger than what is recovered when a webhook brings it.
  expect(await storedOf('Duda')).toEqual([{ content: 'há um minuto', isDeleted: false, isRecovered: true }])
  const loud = await t.sql`select 1 from events where type = 'new_conversation_with_sound'
      and conversation_id = (select conversation_id from messages where whatsapp_message_id = ${id})`
  expect(loud).toEqual([])
})

test('the deletion of an old message is found when anything else was missing, and every hour', async () => {
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Elza' })
  const at = new Date(Date.now() - 5 * 3_600_000).toISOString()
  const ids = ['de manhã', 'cedo'].map((text) => control.send(phone.id, { kind: 'text', text, at }).id)
  await eventually(() => storedOf('Elza'), { length: 2 })
  drop()
  control.remove(phone.id, ids[0] ?? '')
  await t.settled()
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
  control.sendText(phone.id, 'oi?')
  await t.settled()
  expect(await runSweep()).toEqual({ messages: 1, updates: 0, changes: 1 })
  control.remove(phone.id, ids[1] ?? '')
  await t.settled()
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 0 })
  await t.sql`update evolution_api_config set looked_back_at = app_now() - interval '61 minutes'`
  expect(await runSweep()).toEqual({ messages: 0, updates: 0, changes: 1 })
})

test('a number that is connected again is swept at once, and once more when all has settled', async () => {
  /** By the end of each sweep's period, which is ahead of this clock; that of its look back is not. */
  const ends = new Set<number>()
  const { listRecorded } = t.app.gateway.client
  const sweep = instance({
    client: {
      listRecorded(instance, query) {
        if (query.to.getTime() > Date.now()) ends.add(query.to.getTime())
        return listRecorded(instance, query)
      },
    },
    settledMs: 300,
  })
  const swept = (times: number) => eventually(() => ends.size, times)
  await swept(1)
  t.simulator.control.setFaults({ disconnect: { on: true, state: 'close' } })
  await eventually(() => t.sql`select 1 from evolution_api_config where status = 'close'`, { length: 1 })
  expect(ends.size).toBe(1)
  t.simulator.control.setFaults({ disconnect: { on: false } })
  // As the report comes, and after a pause.
  await swept(3)
  await sweep.stop()
})
