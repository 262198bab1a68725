import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ArchivedDetail, ArchivedPage } from '#shared/conversations/archive.ts'
import type { Message } from '#shared/messages/messages.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

interface Given {
  name?: string
  phone?: string | null
  company?: string
  tags?: string[]
  category?: string
  notes?: string
  holder?: Client | undefined
  /** Days ago. */
  completed?: number
  satisfaction?: number
  messages?: {
    content: string
    type?: string
    from?: 'contact' | 'user'
    fileName?: string
    deleted?: boolean
  }[]
}

let count = 0

/** Stores a completed conversation. @returns its id */
async function archived(given: Given = {}): Promise<number> {
  count += 1
  const {
    name = `Pessoa ${count}`,
    company,
    tags = [],
    category = 'general',
    notes = null,
    messages = [],
  } = given
  const phone = given.phone === undefined ? `5542${String(10_000_000 + count)}` : given.phone
  const one = async (statement: ReturnType<typeof sql>) =>
    Number((await t.database.execute(statement)).rows[0]?.['id'])
  const companyId =
    company === undefined
      ? null
      : await one(sql`insert into companies (name) values (${company}) returning id`)
  const contactId = await one(
    sql`insert into contacts (name, phone, tags, category, company_id)
        values (${name}, ${phone}, ${sql.param(tags)}::text[], ${category}, ${companyId}) returning id`,
  )
  const ago = sql`now() - interval '1 hour' * ${24 * (given.completed ?? 0)}`
  const id = await one(
    sql`insert into conversations (contact_id, instance_id, initiated_by, protocol, status, completed_at,
                                   started_at, assigned_user_id, notes, satisfaction, message_count)
        values (${contactId}, ${t.instanceId}, 'contact', ${`2025${String(count).padStart(10, '0')}`},
                'completed', ${ago}, ${ago} - interval '20 minutes', ${given.holder?.userId ?? null},
                ${notes},
                ${given.satisfaction ?? null}, ${messages.length}) returning id`,
  )
  for (const [
    n,
    { content, type = 'text', from = 'contact', fileName = null, deleted },
  ] of messages.entries())
    await t.sql`
      insert into messages (conversation_id, instance_id, sender_type, content, message_type, file_name,
                                sort_at, sent_at, deleted_at)
          values (${id}, ${t.instanceId}, ${from}, ${content}, ${type}, ${fileName},
                  now() + interval '1 second' * ${n}, now() + interval '1 second' * ${n},
                  ${deleted ? sql`now()` : null})`
  // As whoever writes a message changes its conversation.
  await t.sql`update conversations set version = version + 1 where id = ${id}`
  return id
}

async function list(who: Client, query: Record<string, string | number> = {}): Promise<ArchivedPage> {
  await indexAll(t.database)
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const { status, body } = await who.request<ArchivedPage>(
    'GET',
    `/api/conversations/archived?${asked.toString()}`,
  )
  expect(status).toBe(200)
  return body
}
const idsOf = ({ conversations }: ArchivedPage) => conversations.map(({ id }) => id)
const find = async (who: Client, search: string) =>
  idsOf(await list(who, { search, limit: 100 })).sort((a, b) => a - b)

test('the archive lists the last completed first, of others by permission', async () => {
  const older = await archived({ holder: ana, completed: 3 })
  const newer = await archived({ holder: bruno, completed: 2 })
  const all = await list(admin)
  expect(idsOf(all).slice(-2)).toEqual([newer, older])
  expect(all).toMatchObject({ isOwnOnly: false, hasMore: false })
  const ofAna = await list(ana)
  expect(idsOf(ofAna)).toContain(older)
  expect(idsOf(ofAna)).not.toContain(newer)
  expect(ofAna).toMatchObject({ isOwnOnly: true })
})

test('the archive has a row on one page only, also one of the moment of the first page', async () => {
  for (let n = 0; n < 12; n++) await archived({ category: 'Gêmea', completed: n === 0 ? -1 : n })
  const first = await list(admin, { category: 'gêmea', limit: 5 })
  const ids = [...idsOf(first)]
  for (const page of [2, 3])
    ids.push(...idsOf(await list(admin, { category: 'gêmea', limit: 5, page, asOf: first.asOf })))
  expect(ids).toHaveLength(11)
  expect(new Set(ids).size).toBe(11)
  const found = await list(admin, { search: 'pessoa', category: 'gêmea', limit: 100 })
  expect(idsOf(found)).toEqual(ids)
})

test('the first and the last day of a period in the archive are part of it', async () => {
  const id = await archived({ tags: ['so-um-dia'], completed: 200 })
  const found = await t.sql`select (completed_at at time zone 'America/Sao_Paulo')::date::text as day
          from conversations where id = ${id}`
  const day = String(found[0]?.['day'])
  expect(idsOf(await list(admin, { tag: 'so-um-dia', from: day, to: day }))).toEqual([id])
})

test('the archive filters by operator, category, company, tag, period, rating and files', async () => {
  const id = await archived({
    category: 'Rara',
    company: 'Só Dela',
    tags: ['Ímpar'],
    holder: ana,
    satisfaction: 4,
    completed: 400,
    messages: [{ content: '', type: 'document', fileName: 'nota.pdf' }],
  })
  const { contact, completedAt } = (await list(admin, { category: 'rara' })).conversations[0] ?? {}
  const day = completedAt?.slice(0, 10) ?? ''
  const dayAfter = new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10)
  const dayBefore = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10)
  const wide = { operatorId: ana.userId, companyId: contact?.company?.id ?? 0, tag: 'impar' }
  expect(idsOf(await list(admin, { ...wide, satisfaction: 4, files: 'with' }))).toEqual([id])
  expect(idsOf(await list(admin, { ...wide, from: dayBefore, to: dayAfter }))).toEqual([id])
  expect(idsOf(await list(admin, { ...wide, from: dayAfter }))).toEqual([])
  expect(idsOf(await list(admin, { ...wide, to: dayBefore }))).toEqual([])
  expect(idsOf(await list(admin, { ...wide, satisfaction: 'none' }))).toEqual([])
  expect(idsOf(await list(admin, { ...wide, operatorId: bruno.userId }))).toEqual([])
  expect(idsOf(await list(admin, { search: 'nota', ...wide }))).toEqual([id])
})

test('the archive search finds words in any form, without accents, beginnings and phrases', async () => {
  const id = await archived({
    messages: [
      { content: 'Bom dia! Preciso da segunda via dos boletos vencidos' },
      { content: 'As conversações sobre a devolução ficaram ótimas', from: 'user' },
    ],
  })
  for (const words of [
    'boleto',
    'BOLETOS vencido',
    'conversa devolucao',
    'conversacoes',
    'devoluções',
    'otima',
    'bolet',
    '"segunda via"',
    '"segunda via dos" ficaram',
  ])
    expect([words, await find(admin, words)]).toEqual([words, [id]])
  for (const words of ['"via segunda"', '"boletos conversações"', 'boleto inexistente', '"segunda boletos"'])
    expect([words, await find(admin, words)]).toEqual([words, []])
})

test('the archive search finds contact, number, company, protocol and notes', async () => {
  const id = await archived({
    name: 'Grasiele Müller',
    phone: '5547984133365',
    company: 'Padaria Pão & Cia',
    notes: 'ligar para a Rosângela',
  })
  const { protocol } = (await list(admin, { search: 'grasiele' })).conversations[0] ?? { protocol: '' }
  for (const words of [
    'grasiele',
    'muller',
    'padaria pao',
    'rosangela',
    protocol,
    '(47) 98413-3365',
    '984133365',
    '8413-3365',
    '(47) 8413-3365',
    '+55 47 98413 3365',
    'padaria 84133365',
  ])
    expect([words, await find(admin, words)]).toEqual([words, [id]])
  expect(await find(admin, 'padaria 99999999')).toEqual([])
})

test('the archive search takes names that are nearly the same when nothing is found', async () => {
  const id = await archived({ name: 'Wellington Nhambiquara' })
  const page = await list(admin, { search: 'welington nhambikwara' })
  expect(idsOf(page)).toEqual([id])
  expect(page.corrected).toContain('wellington')
  expect((await list(admin, { search: 'wellington' })).corrected).toEqual([])
})

test('the archive search shows the message, what was found in it, and how many there are', async () => {
  await archived({
    messages: [
      { content: 'um guarda-chuva azul' },
      { content: 'nada' },
      { content: '', type: 'document', fileName: 'guarda chuva.pdf', from: 'user' },
      { content: 'guarda só' },
      { content: 'outro guarda-chuva', from: 'user' },
    ],
  })
  const [row] = (await list(admin, { search: 'guarda chuva' })).conversations
  expect(row?.hitCount).toBe(3)
  expect(row?.hits.map(({ text, marks }) => marks.map(([from, to]) => text.slice(from, to)))).toEqual([
    ['guarda', 'chuva'],
    ['guarda', 'chuva'],
  ])
  expect(row?.hits[1]).toMatchObject({ isFile: true, isContact: false, text: 'guarda chuva.pdf' })
})

test('the archive search finds nothing that the person may not see', async () => {
  const ofAna = await archived({ holder: ana, messages: [{ content: 'o segredo do caqui' }] })
  await archived({ holder: bruno, messages: [{ content: 'o segredo do caqui' }] })
  await archived({ holder: ana, messages: [{ content: 'caqui', deleted: true }] })
  await archived({ holder: ana, messages: [{ content: 'caqui', type: 'queue_position', from: 'user' }] })
  // What ended before it began is no conversation.
  const cancelled = await archived({ holder: ana, messages: [{ content: 'caqui' }] })
  await t.sql`update conversations set pre_attendance_stage = 'cancelled' where id = ${cancelled}`
  const page = await list(ana, { search: 'caqui' })
  expect(idsOf(page)).toEqual([ofAna])
  expect(page.pagination.totalItems).toBe(1)
  expect((await list(admin, { search: 'caqui' })).pagination.totalItems).toBe(2)
})

test('the archive search follows each change: of a message, a name, a company, or notes', async () => {
  const id = await archived({
    name: 'Antes Um',
    company: 'Firma Antiga',
    messages: [{ content: 'palavra velha' }],
  })
  await indexAll(t.database)
  const change = (statement: ReturnType<typeof sql>) => t.database.execute(statement)
  await change(sql`update messages set content = 'palavra fresca' where conversation_id = ${id}`)
  expect([await find(admin, 'velha'), await find(admin, 'fresca')]).toEqual([[], [id]])
  await change(
    sql`update contacts set name = 'Depois Dois'
         where id = (select contact_id from conversations where id = ${id})`,
  )
  expect([await find(admin, '"antes um"'), await find(admin, '"depois dois"')]).toEqual([[], [id]])
  await change(sql`update companies set name = 'Firma Nova' where name = 'Firma Antiga'`)
  expect([await find(admin, '"firma antiga"'), await find(admin, '"firma nova"')]).toEqual([[], [id]])
  await change(sql`update conversations set notes = 'observado', version = version + 1 where id = ${id}`)
  expect(await find(admin, 'observado')).toEqual([id])
  await change(sql`update messages set deleted_at = now() where conversation_id = ${id}`)
  expect(await find(admin, 'fresca')).toEqual([])
  await change(sql`delete from conversations where id = ${id}`)
  expect(await find(admin, '"depois dois"')).toEqual([])
})

test('the archive search finds words and phrases in a conversation of thousands of messages', async () => {
  const id = await archived({
    messages: [
      { content: 'começo raríssimo aqui' },
      ...Array.from({ length: 2000 }, (_, n) => ({ content: `linha ${n} de um texto que vai e volta` })),
      { content: 'final raríssimo ali' },
    ],
  })
  expect(await find(admin, 'rarissimo 1777')).toEqual([id])
  expect(await find(admin, '"linha 1777 de" "começo raríssimo"')).toEqual([id])
  expect(await find(admin, '"linha 1777 de" "linha volta"')).toEqual([])
  const parts = await t.sql`select from conversation_search where conversation_id = ${id}`
  expect(parts.length).toBeGreaterThan(2)
  const [row] = (await list(admin, { search: '"final raríssimo ali"' })).conversations
  expect(row?.hits[0]?.text).toBe('final raríssimo ali')
  expect(row?.hitCount).toBe(1)
})

test('a conversation of the archive is read page by page, also the page of a message', async () => {
  const id = await archived({
    holder: bruno,
    messages: Array.from({ length: 45 }, (_, n) => ({ content: `mensagem ${n}` })),
  })
  const path = `/api/conversations/archived/${id}`
  const read = async (who: Client, query = '') =>
    who.request<{ messages: Message[]; total: number; page: number }>('GET', `${path}/messages${query}`)
  const { body: last } = await read(admin, '?page=3&limit=20')
  expect(last).toMatchObject({ total: 45, page: 3 })
  expect(last.messages.map(({ content }) => content)).toEqual(
    Array.from({ length: 5 }, (_, n) => `mensagem ${40 + n}`),
  )
  const messageId = last.messages[0]?.id ?? 0
  const { body: around } = await read(admin, `?messageId=${messageId}`)
  expect(around.page).toBe(3)
  expect((await bruno.get<ArchivedDetail>(path)).id).toBe(id)
  expect((await read(bruno)).status).toBe(200)
  expect([(await ana.request('GET', path)).status, (await read(ana)).status]).toEqual([404, 404])
})
