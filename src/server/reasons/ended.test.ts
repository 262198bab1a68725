import { beforeAll, describe, expect, test } from 'vitest'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import type { ReportGroups, ReportPage } from '#shared/reports/report-parts.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import { computeFacts } from '#server/reports/reports.ts'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import { makeBackup, startRestore } from '#server/testing/past.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// What is told of the reasons of conversations that have ended.

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const month = 'startDate=2026-11-01&endDate=2026-11-30'
const ids = new Map<string, number>()

async function reason(name: string, parentId?: number): Promise<number> {
  const { body } = await chefe.request<{ id: number }>('POST', '/api/reasons', { name, parentId })
  ids.set(name, body.id)
  return body.id
}
const idOf = (name: string) => ids.get(name) ?? 0

let count = 0
/** A conversation of November. @param act what has ended it; null: it is open */
async function talk(
  act: string | null,
  {
    reasonId = null,
    day = 5,
    minutes = 10,
  }: { reasonId?: number | null; day?: number; minutes?: number } = {},
): Promise<number> {
  count += 1
  const startedAt = new Date(Date.UTC(2026, 10, day, 13)).toISOString()
  const endedAt = new Date(Date.UTC(2026, 10, day, 13, minutes)).toISOString()
  const [contact] = await t.sql`insert into contacts (name, phone) values
    (${`Pessoa ${count}`}, ${String(5542910000000 + count)}) returning id`
  const [made] = await t.sql`
    insert into conversations (instance_id, contact_id, protocol, assigned_user_id, status, sub_status,
                               started_at, completed_at, finish_reason_id)
    values (${t.instanceId}, ${contact?.['id']}, ${`2026${String(count).padStart(10, '0')}`}, ${chefe.userId},
            ${act === null ? 'active' : 'completed'}, 'OPERADOR', ${startedAt},
            ${act === null ? null : endedAt}, ${reasonId}) returning id`
  const id = Number(made?.['id'])
  for (const [one, at] of [
    ['taken', startedAt],
    [act, endedAt],
  ] as const)
    if (one !== null)
      await t.sql`insert into messages (conversation_id, instance_id, sender_type, sender_id, content,
                                        message_type, metadata, sort_at, sent_at)
                  values (${id}, ${t.instanceId}, 'user', ${chefe.userId}, '', 'event',
                          ${JSON.stringify({ event: { act: one } })}::jsonb, ${at}, ${at})`
  return id
}

const report = async <Body>(path: string) => {
  await computeFacts(t.database)
  return chefe.get<Body>(`/api/reports/${path}`)
}
const groups = async () => (await report<ReportGroups>(`groups?${month}&by=reason`)).groups

beforeAll(async () => {
  const finance = await reason('Financeiro')
  await reason('Segunda via', finance)
  await reason('Boleto', finance)
  await reason('Engano')
})

describe('the archive', () => {
  test('is narrowed to a reason, to all within one, to what ended by itself, and to none', async () => {
    const made = {
      copy: await talk('finalized', { reasonId: idOf('Segunda via') }),
      bill: await talk('finalized', { reasonId: idOf('Boleto') }),
      wrong: await talk('finalized', { reasonId: idOf('Engano') }),
      none: await talk('finalized'),
      silent: await talk('closed_by_inactivity'),
      blocked: await talk('blocked'),
      merged: await talk('closed_as_blocked'),
      // Somebody has said afterwards why.
      told: await talk('closed_by_inactivity', { reasonId: idOf('Engano') }),
    }
    await computeFacts(t.database)
    const found = async (asked: string | number) =>
      (await chefe.get<ArchivedPage>(`/api/conversations/archived?reason=${asked}&limit=100`)).conversations
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
    expect(await found(idOf('Segunda via'))).toEqual([made.copy])
    expect(await found(idOf('Financeiro'))).toEqual([made.copy, made.bill])
    expect(await found(idOf('Engano'))).toEqual([made.wrong, made.told])
    expect(await found('none')).toEqual([made.none])
    expect(await found('inactivity')).toEqual([made.silent])
    expect(await found('blocked')).toEqual([made.blocked, made.merged])
    const { conversations } = await chefe.get<ArchivedPage>('/api/conversations/archived?limit=100')
    expect(
      new Map(conversations.map((row) => [row.id, [row.finishReasonId ?? null, row.automaticEnd]])),
    ).toEqual(
      new Map([
        [made.copy, [idOf('Segunda via'), null]],
        [made.bill, [idOf('Boleto'), null]],
        [made.wrong, [idOf('Engano'), null]],
        [made.none, [null, null]],
        [made.silent, [null, 'inactivity']],
        [made.blocked, [null, 'blocked']],
        [made.merged, [null, 'blocked']],
        [made.told, [idOf('Engano'), 'inactivity']],
      ]),
    )
    expect((await chefe.request('GET', '/api/conversations/archived?reason=abc')).status).toBe(400)
  })
})

describe('a month by reason', () => {
  test('names each group, of what ended by itself by what has ended it', async () => {
    const counted = (await groups()).map(({ key, name, completed }) => [key, name, completed])
    expect(new Set(counted)).toEqual(
      new Set([
        [String(idOf('Engano')), 'Engano', 2],
        [String(idOf('Segunda via')), 'Financeiro › Segunda via', 1],
        [String(idOf('Boleto')), 'Financeiro › Boleto', 1],
        ['inactivity', null, 1],
        ['blocked', null, 2],
        [' ', null, 1],
      ]),
    )
  })

  test('adds up to the month, whatever is in it, and each figure to its rows', async () => {
    const random = seededRandom('reasons')
    const pick = <One>(list: readonly One[]) => list[Math.floor(random() * list.length)] as One
    const reasons = [...ids.values(), null, null]
    for (let n = 0; n < 60; n++) {
      const act = pick(['finalized', 'finalized', 'closed_by_inactivity', 'blocked', 'anonymized', null])
      const more = { day: 1 + Math.floor(random() * 28), minutes: 1 + Math.floor(random() * 90) }
      await talk(act, { ...more, reasonId: act === null ? null : pick(reasons) })
    }
    const { completed, total, handling } = await report<ReportStats>(`stats?${month}`)
    const found = await groups()
    const sum = (of: (group: (typeof found)[number]) => number) =>
      found.reduce((all, group) => all + of(group), 0)
    expect([sum((one) => one.completed), sum((one) => one.total)]).toEqual([completed, total])
    expect(sum((one) => one.handling.count)).toBe(handling.count)
    const timeOf = ({ count: n, clock }: typeof handling) => n * (clock.mean ?? 0)
    expect(sum((one) => timeOf(one.handling))).toBeCloseTo(timeOf(handling), 0)
    for (const { key, completed: ended, handling: handled } of found) {
      const rows = async (figure: string) =>
        (
          await report<ReportPage>(
            `conversations?${month}&figure=${figure}&by=reason&key=${encodeURIComponent(key)}`,
          )
        ).pagination.total
      expect({ key, rows: [await rows('completed'), await rows('handling')] }).toEqual({
        key,
        rows: [ended, handled.count],
      })
    }
  })

  test('is a column of the exported conversations, and a table of its own', async () => {
    await computeFacts(t.database)
    const file = async (part: string) =>
      (await chefe.request<string>('GET', `/api/reports/export?${month}&part=${part}&format=csv`)).body
    const [head = '', ...rows] = (await file('rows')).trim().split(/\r?\n/)
    expect(head.endsWith('Motivo')).toBe(true)
    const told = new Set(rows.map((row) => row.split(';').at(-1)?.replaceAll('"', '')))
    for (const one of ['Financeiro › Segunda via', 'Automático › Inatividade', 'Sem motivo', ''])
      expect(told).toContain(one)
    expect(await file('reason')).toContain('Automático › Contato bloqueado')
  })
})

test('a backup has the reasons, and a restore brings back what a conversation ended with', async () => {
  const id = await talk('finalized', { reasonId: idOf('Boleto') })
  const backup = await makeBackup(chefe)
  await t.sql`delete from messages where conversation_id = ${id}`
  await t.sql`delete from conversations where finish_reason_id is not null`
  await t.sql`delete from finish_reasons where parent_id is not null`
  await chefe.request('PATCH', `/api/reasons/${idOf('Financeiro')}`, { name: 'Cobrança' })
  const both = { restoreComplete: true, restoreSettings: false }
  expect(await startRestore(chefe, backup, both)).toMatchObject({ state: 'done', error: null })
  const [row] = await t.sql`
    select r.name, r.path, r.parent_id as parent
      from conversations v join finish_reasons r on r.id = v.finish_reason_id where v.id = ${id}`
  expect(row).toEqual({ name: 'Boleto', path: 'Cobrança › Boleto', parent: idOf('Financeiro') })
})
