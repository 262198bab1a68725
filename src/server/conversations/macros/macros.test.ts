import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import type { MacroPreview } from '#shared/macros/macro-runs.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { sentenceOf } from '#shared/text/audit/sentences.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { lockContact } from '#server/contacts/contacts.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { given } from '#server/testing/given.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Client, forAllTests, formOf, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const admin = forAllTests(() => t.signIn('admin', 'marina'))
const chefe = forAllTests(() => t.signIn('supervisor', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

let count = 0
async function make(steps: MacroStep[], who: Client = chefe): Promise<number> {
  const { status, body } = await who.request<{ id: number; message: string }>('POST', '/api/macros', {
    name: `Macro ${++count}`,
    shortcut: `m${count}`,
    isShared: true,
    sectorId: null,
    steps,
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body.id
}
const run = (talk: number, macro: number, body: object = {}, who: Client = ana) =>
  who.request<{ messageIds: number[]; message: string }>(
    'POST',
    `/api/conversations/${talk}/macros/${macro}/run`,
    { runId: `prova-${++count}-${talk}`, ...body },
  )
const preview = (talk: number, macro: number, who: Client = ana) =>
  who.request<MacroPreview & { message: string }>('GET', `/api/conversations/${talk}/macros/${macro}/preview`)
/** The state that a preview has shown, as a run carries it. */
async function shown(talk: number, macro: number, who: Client = ana) {
  const { holderId, lastEntryId, version } = (await preview(talk, macro, who)).body
  return { holderId, lastEntryId, version }
}
const numberIn = async (rows: Promise<Record<string, unknown>[]>) => (await rows)[0]?.['id'] as number
const tag = (name: string) =>
  numberIn(t.sql`insert into conversation_tags (name, color) values (${name}, '#2563eb') returning id`)
const reason = (name: string) =>
  numberIn(t.sql`insert into finish_reasons (name, path, place) values (${name}, ${name}, 1) returning id`)
const sector = (name: string) =>
  numberIn(t.sql`insert into sectors (name, color) values (${name}, '#2563eb') returning id`)
async function talkOf(who: Client = ana): Promise<number> {
  const { id } = await given.conversation(t, who)
  await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
  return id
}
/** Everything of a conversation that a run may change; its version is raised by ticks, too. */
const stateOf = async (talk: number) => ({
  row: await t.sql`select status, assigned_user_id, tag_ids, priority, waiting_for, snoozed_until,
                          message_count from conversations where id = ${talk}`,
  messages: await t.sql`select id, content from messages where conversation_id = ${talk} order by id`,
  outbox: await t.sql`select message_id from outbox where conversation_id = ${talk} order by id`,
  runs: await t.sql`select id from macro_runs where conversation_id = ${talk}`,
  audit: await t.sql`select id from audit_logs where resource_id = ${String(talk)}
                                                 and action <> 'access.denied' order by id`,
})
const linesOf = async (talk: number) =>
  (
    await t.sql`select message_type as type, content, metadata #>> '{event,act}' as act from messages
                 where conversation_id = ${talk} and sender_type = 'user' and sender_id is not null
                   and metadata #>> '{event,act}' is distinct from 'taken'
                 order by sort_at, id`
  ).map(({ type, content, act }) => (act as string | null) ?? `${type as string}: ${content as string}`)
const refusedWith = (status: number, message: string) => ({ status, body: { message } })

beforeEach(async () => {
  await t.sql`delete from macros`
  await t.sql`delete from conversations`
  await t.sql`delete from conversation_tags`
  await t.sql`delete from finish_reasons`
  await t.sql`delete from sector_people`
  await t.sql`delete from sectors`
  await t.sql`delete from system_settings`
})

describe('a run of a macro', () => {
  test('does all of its steps in order, and the audit log has each of them with its name', async () => {
    const talk = await talkOf()
    const [tagId, reasonId] = [await tag('venda fechada'), await reason('Venda')]
    const id = await make([
      { kind: 'text', text: 'Pedido {{protocol}} confirmado, {{firstName}}!' },
      { kind: 'tag', tagId },
      { kind: 'note', text: 'separar e avisar' },
      { kind: 'priority', priority: 'high' },
      { kind: 'finalize', reasonId },
    ])
    const { status, body } = await run(talk, id)
    expect([status, body.message]).toEqual([200, undefined])
    const [row] = await t.sql`select * from conversations where id = ${talk}`
    expect(row).toMatchObject({
      status: 'completed',
      tag_ids: [tagId],
      priority: 'high',
      finish_reason_id: reasonId,
    })
    expect(await linesOf(talk)).toEqual([
      'macro',
      `text: Pedido ${row?.['protocol'] as string} confirmado, Cliente!`,
      'tagged',
      'note: separar e avisar',
      'finalized',
    ])
    expect(body.messageIds).toHaveLength(1)
    expect(await ana.get<ManagedMacro[]>('/api/macros/managed')).toMatchObject([
      { id, uses: 1, lastUsedBy: 'Ana' },
    ])
    const told = async () => {
      const { rows } = await admin.get<{ rows: AuditLog[] }>(
        `/api/audit-logs?resourceType=conversation&resourceId=${talk}`,
      )
      return rows.map((row) => sentenceOf(row, () => 'Ana'))
    }
    const name = `Macro ${count - 1}`
    const all = (await told()).join('\n')
    expect(all).toContain(`Ana rodou a macro ${name} na conversa de`)
    for (const act of ['pôs', 'finalizou', 'mudou a prioridade'])
      expect(all).toMatch(new RegExp(`Ana ${act}.*, pela macro ‘${name}’`))
  })

  test('is done once, however often it is called', async () => {
    const talk = await talkOf()
    const id = await make([
      { kind: 'text', text: 'uma vez' },
      { kind: 'note', text: 'uma nota' },
    ])
    const body = { runId: `a-mesma-${talk}-${++count}` }
    const answers = await Promise.all([1, 2, 3].map(() => run(talk, id, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body: { messageIds } }) => messageIds.join())).size).toBe(1)
    expect(await linesOf(talk)).toEqual(['macro', 'text: uma vez', 'note: uma nota'])
    expect(await run(talk, id, body, bia)).toMatchObject(
      refusedWith(409, 'Este pedido já foi usado. Abra a macro de novo.'),
    )
    expect(await ana.get('/api/macros/managed')).toMatchObject([{ uses: 1 }])
  })

  test('that is refused at any step has done nothing, and says which step', async () => {
    const talk = await talkOf()
    const gone = await tag('vai sumir')
    const id = await make([
      { kind: 'text', text: 'primeiro' },
      { kind: 'note', text: 'segundo' },
      { kind: 'tag', tagId: gone },
      { kind: 'priority', priority: 'high' },
    ])
    await t.sql`delete from conversation_tags`
    const before = await stateOf(talk)
    expect(await run(talk, id)).toMatchObject(
      refusedWith(422, 'Passo 3, Etiqueta: Etiqueta não encontrada. Nada foi feito.'),
    )
    expect(await stateOf(talk)).toEqual(before)
    expect(await ana.get('/api/macros/managed')).toMatchObject([{ uses: 0 }])
  })

  test('that fails between two of its steps leaves nothing', async () => {
    const talk = await talkOf()
    const id = await make([
      { kind: 'text', text: 'primeiro' },
      { kind: 'priority', priority: 'high' },
      { kind: 'note', text: 'terceiro' },
    ])
    const before = await stateOf(talk)
    for (const step of [1, 2, 3, 4]) {
      const disarm = armFailpoints(`macro.step=throw@${step}`)
      expect((await run(talk, id)).status).toBe(500)
      disarm()
      expect(await stateOf(talk)).toEqual(before)
    }
  })

  test('needs for each step what the step by hand needs', async () => {
    const talk = await talkOf()
    const id = await make([
      { kind: 'note', text: 'antes' },
      { kind: 'category', categoryId: 1 },
    ])
    const flags = { canEditContacts: false }
    await t.sql`insert into user_permissions (user_id, flags)
                values (${ana.userId}, ${JSON.stringify(flags)}::jsonb)
                on conflict (user_id) do update set flags = excluded.flags`
    const { body } = await preview(talk, id)
    expect(body.steps?.map(({ error }) => error)).toContain('Você não tem permissão para este passo')
    expect(await run(talk, id)).toMatchObject({ status: 403 })
    await t.sql`delete from user_permissions where user_id = ${ana.userId}`
  })

  test('transfers to a sector with what was written before', async () => {
    const talk = await talkOf()
    const sectorId = await sector('Suporte')
    const id = await make([
      { kind: 'text', text: 'passo você ao suporte' },
      { kind: 'sector', sectorId },
    ])
    expect((await run(talk, id)).status).toBe(200)
    expect((await t.sql`select * from conversations where id = ${talk}`)[0]).toMatchObject({
      sector_id: sectorId,
      assigned_user_id: null,
    })
    // A repeated call of somebody who may know of it no longer is answered as the first one.
    expect(await linesOf(talk)).toEqual(['macro', 'text: passo você ao suporte', 'moved'])
  })

  test('puts a conversation on hold, and leaves a value that nobody has given to be written', async () => {
    const talk = await talkOf()
    const id = await make([
      { kind: 'text', text: 'Olá, {{company}} e {{firstName}}' },
      { kind: 'snooze', time: 'hour', reason: 'conferir' },
    ])
    expect(await run(talk, id)).toMatchObject(refusedWith(422, 'Falta o valor de Empresa'))
    // What somebody writes is no placeholder, and takes no other one's place.
    const values = [
      { field: 'company', value: '{{operator}}' },
      { field: 'firstName', value: 'Outra' },
    ]
    expect((await run(talk, id, { values })).status).toBe(200)
    expect(await linesOf(talk)).toEqual(['macro', 'text: Olá, {{operator}} e Cliente', 'snoozed'])
  })

  test('tells whom numbers are hidden from no number that stands in the name of a contact', async () => {
    const talk = await talkOf()
    const id = await make([{ kind: 'note', text: 'ligar para {{contact}}' }])
    await t.sql`update contacts set name = 'Maria 11987347777'
                 where id = (select contact_id from conversations where id = ${talk})`
    await admin.request('PUT', `/api/user-permissions/${ana.userId}/phones`, {
      hidesPhones: true,
      revealsPhones: false,
    })
    expect((await preview(talk, id)).body.steps).toMatchObject([{ missing: ['{{contact}}'] }])
    expect(await run(talk, id)).toMatchObject(refusedWith(422, 'Falta o valor de Nome do contato'))
    expect(await linesOf(talk)).toEqual([])
    await admin.request('PUT', `/api/user-permissions/${ana.userId}/phones`, {
      hidesPhones: false,
      revealsPhones: false,
    })
    expect((await run(talk, id)).status).toBe(200)
    expect(await linesOf(talk)).toEqual(['macro', 'note: ligar para Maria 11987347777'])
  })

  test('sends a copy of the file of a step, and can leave out one that is lost', async () => {
    const talk = await talkOf()
    const { body: file } = await chefe.request<Extract<MacroStep, { kind: 'file' }>['file']>(
      'POST',
      '/api/macros/files',
      formOf({}, 'politica.txt', 'troca em 30 dias'),
    )
    const id = await make([
      { kind: 'text', text: 'segue' },
      { kind: 'file', file, text: 'a política' },
    ])
    const { body } = await run(talk, id)
    expect(body.messageIds).toHaveLength(2)
    const owned = () =>
      t.sql`select f.name, m.content, m.file_name from files f join messages m on m.id = f.message_id
             where m.conversation_id = ${talk}`
    expect(await owned()).toMatchObject([{ content: 'a política', file_name: 'politica.txt' }])
    expect((await owned())[0]?.['name']).not.toBe(file.name)
    const store = await createFileStore(t.config, t)
    await store.remove(file.name)
    const { body: lost } = await preview(talk, id)
    expect(lost.steps[1]).toMatchObject({
      error: 'O arquivo politica.txt não existe mais',
      isSkippable: true,
      isBroken: true,
    })
    const before = await stateOf(talk)
    expect(await run(talk, id)).toMatchObject(
      refusedWith(422, 'Passo 2, Arquivo: O arquivo politica.txt não existe mais. Nada foi feito.'),
    )
    expect(await stateOf(talk)).toEqual(before)
    expect((await run(talk, id, { skip: [1] })).body.messageIds).toHaveLength(1)
    expect(await run(talk, id, { skip: [0] })).toMatchObject(
      refusedWith(422, 'Só um arquivo pode ficar de fora.'),
    )
  })
})

describe('a conversation or a macro that is another one since the preview', () => {
  const text: MacroStep = { kind: 'text', text: 'olá' }

  test('refuses the run of a second person, with the name of the first one', async () => {
    const talk = await talkOf()
    const id = await make([text])
    const [one, other] = [await shown(talk, id), await shown(talk, id, chefe)]
    const answers = await Promise.all([run(talk, id, one), run(talk, id, other, chefe)])
    const refused = answers.find(({ status }) => status !== 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(refused?.status).toBe(409)
    expect(refused?.body.message).toMatch(/^(Ana|Chefe) acabou de rodar a macro ‘Macro \d+’ nesta conversa\./)
    expect((await linesOf(talk)).filter((line) => line === 'text: olá')).toHaveLength(1)
  })

  test('refuses it with what has happened: taken, written to, ended, changed', async () => {
    const id = await make([text])
    const cases: [(talk: number) => Promise<unknown>, string][] = [
      [
        (talk) => chefe.request('POST', `/api/conversations/${talk}/transfer`, { newOperatorId: bia.userId }),
        'A conversa já está com Bia.',
      ],
      [
        (talk) => chefe.request('POST', `/api/conversations/${talk}/finalize`, {}),
        'Esta conversa já foi finalizada.',
      ],
      [
        (talk) => chefe.request('POST', `/api/conversations/${talk}/messages`, { content: 'oi' }),
        'A conversa mudou enquanto você agia. Confira e tente novamente.',
      ],
      [
        (
          talk,
        ) => t.sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
                        values (${talk}, ${t.instanceId}, 'contact', 'oi?', app_now(), app_now())`,
        'O cliente acabou de escrever',
      ],
    ]
    for (const [act, message] of cases) {
      const talk = await talkOf()
      const before = await shown(talk, id)
      await act(talk)
      const state = await stateOf(talk)
      expect(await run(talk, id, before)).toMatchObject(refusedWith(409, message))
      expect(await stateOf(talk)).toEqual(state)
    }
  })

  test('a note of a colleague, and who opens the chat, refuse nothing', async () => {
    const talk = await talkOf()
    const id = await make([text])
    const before = await shown(talk, id)
    await chefe.request('POST', `/api/conversations/${talk}/notes`, { content: 'cuidado' })
    await bia.request('POST', `/api/conversations/${talk}/view`, { action: 'enter' })
    expect((await run(talk, id, before)).status).toBe(200)
  })

  test('a macro that was changed meanwhile is looked at anew', async () => {
    const talk = await talkOf()
    const id = await make([text])
    const before = await shown(talk, id)
    await chefe.request('PATCH', `/api/macros/${id}`, { steps: [text, text] })
    expect(await run(talk, id, before)).toMatchObject(
      refusedWith(409, 'A macro mudou depois que você a abriu. Confira os passos de novo.'),
    )
  })
})

describe('a run that something overtakes', () => {
  /** A run that is held at its first step, until `goOn`. */
  async function held(talk: number, macro: number) {
    const disarm = armFailpoints('macro.step=block')
    const answer = run(talk, macro)
    await eventually(
      () => t.sql`select from conversations where id = ${talk} for update skip locked`,
      ({ length }) => length === 0,
    )
    return { answer, goOn: disarm }
  }

  test('is refused when its macro is deleted meanwhile, and leaves nothing', async () => {
    const talk = await talkOf()
    const id = await make([{ kind: 'note', text: 'tarde demais' }])
    const { answer, goOn } = await held(talk, id)
    expect((await chefe.request('DELETE', `/api/macros/${id}`)).status).toBe(204)
    goOn()
    expect(await answer).toMatchObject(
      refusedWith(409, 'A macro mudou depois que você a abriu. Confira os passos de novo.'),
    )
    expect(await linesOf(talk)).toEqual([])
    expect(await t.sql`select from macro_runs where conversation_id = ${talk}`).toEqual([])
  })

  test('is refused to whoever has left the sector of the macro while it waited', async () => {
    const talk = await talkOf()
    const sectorId = await sector('Comercial')
    await t.sql`insert into sector_people (sector_id, user_id, is_lead)
                values (${sectorId}, ${ana.userId}, false)`
    const id = await make([{ kind: 'note', text: 'do setor' }])
    await t.sql`update macros set sector_id = ${sectorId} where id = ${id}`
    const before = await stateOf(talk)
    const lock = Promise.withResolvers<undefined>()
    const locked = Promise.withResolvers<undefined>()
    const other = inTransaction(t.database, async (db) => {
      await lockConversation(db, talk)
      locked.resolve(undefined)
      await lock.promise
    })
    await locked.promise
    const begun = performance.now()
    const answer = run(talk, id)
    await eventually(
      () =>
        t.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ({ length }) => length > 0,
    )
    await t.sql`delete from sector_people`
    // Rights are asked again once some time has passed.
    await eventually(() => performance.now() - begun > 600, true)
    lock.resolve(undefined)
    await other
    expect(await answer).toMatchObject(
      refusedWith(403, 'Esta macro é de um setor do qual você não faz parte.'),
    )
    expect(await stateOf(talk)).toEqual(before)
  })

  test.each(['run', 'preview'])('locks the contact before the conversation in a %s', async (which) => {
    const talk = await talkOf()
    const id = await make([{ kind: 'category', categoryId: 1 }])
    let answer: Promise<{ status: number }> | undefined
    // As an incoming message does.
    await inTransaction(t.database, async (db) => {
      const [row] = await t.sql`select contact_id as id from conversations where id = ${talk}`
      await lockContact(db, row?.['id'] as number)
      answer = which === 'run' ? run(talk, id) : preview(talk, id)
      await eventually(
        () =>
          t.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ({ length }) => length > 0,
      )
      await db.execute(sql`set local lock_timeout = '500ms'`)
      await lockConversation(db, talk)
    })
    expect((await answer)?.status).toBe(200)
  })
})

describe('a preview of a macro', () => {
  test('shows what each step does with the values of the conversation, and leaves nothing', async () => {
    const talk = await talkOf()
    const sectorId = await sector('Logística')
    await t.sql`insert into sector_people (sector_id, user_id, is_lead)
                values (${sectorId}, ${bia.userId}, false)`
    const id = await make([
      { kind: 'text', text: 'Olá {{company}}, {{firstName}}' },
      { kind: 'note', text: '@Bia veja', mentions: [{ userId: bia.userId }] },
      { kind: 'tag', tagId: 999 },
      { kind: 'snooze', time: 'tomorrow' },
      { kind: 'sector', sectorId },
    ])
    const before = await stateOf(talk)
    const { status, body } = await preview(talk, id)
    expect(status).toBe(200)
    expect(body.steps).toMatchObject([
      { detail: 'Olá {{company}}, Cliente', missing: ['{{company}}'], error: null },
      { detail: '@Bia veja', tells: 1, error: null },
      { detail: '', error: 'Etiqueta não encontrada', isBroken: true, isSkippable: false },
      { until: expect.stringMatching(/Z$/) as string, error: null },
      { detail: 'Logística', error: null },
    ])
    expect(await stateOf(talk)).toEqual(before)
    expect(await bia.get('/api/notifications?tab=mentions')).toMatchObject({ notifications: [] })
  })

  test('names a field that nothing is known of, with which no run is done', async () => {
    const talk = await talkOf()
    const id = await make([
      { kind: 'note', text: 'antes' },
      { kind: 'text', text: 'Olá {{ nome }}, {{firstName}}: {{pedido}}' },
    ])
    expect((await preview(talk, id)).body.steps).toMatchObject([
      { error: null },
      { error: 'Campo desconhecido: {{ nome }}, {{pedido}}', isBroken: true, missing: [] },
    ])
    const before = await stateOf(talk)
    expect(await run(talk, id)).toMatchObject(
      refusedWith(422, 'Passo 2, Texto: Campo desconhecido: {{ nome }}, {{pedido}}. Nada foi feito.'),
    )
    expect(await stateOf(talk)).toEqual(before)
  })

  test('says what a finalization lacks, and of a completed conversation that it has ended', async () => {
    const talk = await talkOf()
    await reason('Venda')
    await t.sql`insert into system_settings (values) values ('{"askReason": "required"}')`
    const id = await make([{ kind: 'finalize', reasonId: null }])
    expect((await preview(talk, id)).body.steps).toMatchObject([{ error: 'Escolha o motivo' }])
    await t.sql`update conversations set status = 'completed', completed_at = app_now() where id = ${talk}`
    expect(await preview(talk, id)).toMatchObject(refusedWith(409, 'Esta conversa já foi finalizada.'))
  })

  test('is refused to who does not have the macro, or does not see the conversation', async () => {
    const talk = await talkOf()
    const sectorId = await sector('Comercial')
    const id = await make([{ kind: 'priority', priority: 'high' }])
    await t.sql`update macros set sector_id = ${sectorId} where id = ${id}`
    expect((await preview(talk, id)).status).toBe(404)
    expect(await preview(talk, id, chefe)).toMatchObject(
      refusedWith(403, 'Esta macro é de um setor do qual você não faz parte.'),
    )
    expect((await run(talk, id)).status).toBe(404)
    expect((await run(999_999, id)).status).toBe(404)
  })
})

test('what a macro writes is sent like any other message, and what is refused is said at it', async () => {
  const { conversationId } = await import('#server/testing/new-talk.ts').then(async ({ newTalk }) => {
    const talk = await newTalk(t, ana)
    return { conversationId: talk.conversation.id }
  })
  const id = await make([{ kind: 'text', text: 'chega?' }])
  const { body } = await run(conversationId, id)
  await eventually(
    async () =>
      (
        await t.sql`select delivery_status as status from messages where id = ${body.messageIds[0] ?? 0}`
      )[0]?.['status'] as string,
    (status) => ['sent', 'delivered', 'read'].includes(status),
  )
})

test('a conversation that nobody has is taken by the first text of a macro', async () => {
  const { id: talk } = await given.conversation(t, ana)
  const id = await make([{ kind: 'text', text: 'bom dia' }])
  expect((await run(talk, id)).status).toBe(200)
  expect(await ana.get<Conversation>(`/api/conversations/${talk}`)).toMatchObject({
    assignedUserId: ana.userId,
  })
})
