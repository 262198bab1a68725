import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { KnownReplies, OwnedReply } from '#shared/quick-replies/quick-replies.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { sweepFiles } from '#server/media/media.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { voiceOf } from '#server/testing/files/voice.ts'
import { given } from '#server/testing/given.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { type Client, formOf, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

beforeEach(async () => {
  await t.sql`delete from quick_replies`
  await t.sql`delete from quick_reply_uses`
  await t.sql`delete from conversations`
  await t.sql`delete from sector_people`
  await t.sql`delete from sectors`
  await t.sql`update users set scope = 'sector' where role = 'operator'`
  await resetSettings(t.database)
})

interface Refused {
  id: number
  message: string
}
const post = (shortcut: string, body: object = {}, who: Client = ana) =>
  who.request<Refused>('POST', '/api/quick-replies', { shortcut, text: 'Olá', sectorId: null, ...body })
async function make(shortcut: string, body: object = {}, who: Client = ana): Promise<number> {
  const answer = await post(shortcut, body, who)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.id
}
const change = (id: number, body: object, who: Client = ana) =>
  who.request<Refused>('PATCH', `/api/quick-replies/${id}`, body)
const remove = (id: number, who: Client = ana) => who.request<Refused>('DELETE', `/api/quick-replies/${id}`)
const known = (who: Client = ana) => who.get<KnownReplies>('/api/quick-replies')
const seen = async (who: Client = ana): Promise<OwnedReply[]> => (await known(who)).replies
const shortcuts = async (who: Client = ana) => (await seen(who)).map(({ shortcut }) => shortcut)
const ascending = (a: number, b: number) => a - b
const refusedWith = (status: number, message: string) => ({ status, body: { message } })

/** @param people whether each leads it */
async function sector(name: string, people: readonly (readonly [Client, boolean])[] = []): Promise<number> {
  const [row] = await t.sql<{ id: number }>`
    insert into sectors (name, color) values (${name}, '#2563eb') returning id`
  const id = row?.id ?? 0
  for (const [{ userId }, isLead] of people)
    await t.sql`insert into sector_people (sector_id, user_id, is_lead) values (${id}, ${userId}, ${isLead})`
  return id
}
const leave = (sectorId: number, { userId }: Client) =>
  t.sql`delete from sector_people where sector_id = ${sectorId} and user_id = ${userId}`

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
async function upload(name: string, bytes: Uint8Array<ArrayBuffer> = pdf, who: Client = ana) {
  const answer = await who.request<QuickResponseFile>(
    'POST',
    '/api/quick-replies/file',
    formOf({}, name, bytes),
  )
  expect(answer.status).toBe(201)
  return answer.body
}
const open = (id: number, who: Client = ana) =>
  fetch(`${t.app.url}/api/quick-replies/${id}/file`, { headers: { authorization: `Bearer ${who.token}` } })

async function talk(who: Client = ana): Promise<number> {
  const { id } = await given.conversation(t, admin)
  await t.sql`update conversations set assigned_user_id = ${who.userId}, status = 'active',
                     sub_status = 'OPERADOR' where id = ${id}`
  return id
}
const send = (id: number, quickReply: string, clientMessageId: string = randomUUID(), who: Client = ana) =>
  who.request<Message>('POST', `/api/conversations/${id}/messages`, {
    content: 'Olá',
    clientMessageId,
    quickReply,
  })
const usesOf = async (id: number) => (await seen()).find((reply) => reply.id === id)?.uses

describe('whose quick replies are', () => {
  test('a reply of one’s own is seen, changed and deleted by its author alone', async () => {
    const id = await make('pix')
    expect(await seen()).toMatchObject([
      { id, shortcut: 'pix', text: 'Olá', sectorId: null, uses: 0, isChangeable: true, version: 1 },
    ])
    for (const other of [bia, admin]) {
      expect(await seen(other)).toEqual([])
      expect((await change(id, { text: 'Tomada' }, other)).status).toBe(404)
      expect((await remove(id, other)).status).toBe(404)
    }
    expect((await change(id, { text: 'Chave: 123', version: 1 })).status).toBe(204)
    expect(await seen()).toMatchObject([{ text: 'Chave: 123', version: 2 }])
    expect((await remove(id)).status).toBe(204)
    expect(await seen()).toEqual([])
  })

  test('a reply of a sector is seen by its people, and changed by its leads and administrators', async () => {
    const id = await sector('Suporte', [
      [ana, true],
      [bia, false],
    ])
    const other = await sector('Comercial', [[bia, true]])
    const live = await connectLive(t.app.url, { token: bia.token })
    const reply = await make('garantia', { sectorId: id })
    await live.heard('quick_replies_changed')
    expect(await seen(bia)).toMatchObject([{ id: reply, sectorId: id, isChangeable: false }])
    expect(await seen(admin)).toMatchObject([{ id: reply, isChangeable: true }])
    const refused = refusedWith(403, 'As respostas deste setor são mudadas por quem é responsável por ele.')
    expect(await change(reply, { text: 'Outra' }, bia)).toMatchObject(refused)
    expect(await remove(reply, bia)).toMatchObject(refused)
    expect(await post('minha', { sectorId: other })).toMatchObject(refused)
    expect(await change(reply, { sectorId: other })).toMatchObject(refused)
    expect((await change(reply, { text: 'Do chefe' }, admin)).status).toBe(204)
    expect(await post('x', { sectorId: 999_999 }, admin)).toMatchObject({ status: 422 })
  })

  test('a person who loses the sector loses its quick replies and their files at once', async () => {
    const id = await sector('Suporte', [
      [ana, true],
      [bia, false],
    ])
    const reply = await make('manual', { sectorId: id, file: await upload('manual.pdf') })
    expect((await open(reply, bia)).status).toBe(200)
    await leave(id, bia)
    expect(await seen(bia)).toEqual([])
    expect((await open(reply, bia)).status).toBe(404)
    expect((await change(reply, { text: 'x' }, bia)).status).toBe(404)
    await leave(id, ana)
    expect((await change(reply, { text: 'x' })).status).toBe(404)
  })

  test('a shortcut is taken among one’s own, and apart from these in each sector', async () => {
    const id = await sector('Suporte', [[ana, true]])
    await make('pix')
    expect(await post('PÍX')).toMatchObject(refusedWith(409, 'Já existe o atalho /PÍX aqui'))
    const ofSector = await make('pix', { sectorId: id })
    expect((await post('Pix', { sectorId: id })).status).toBe(409)
    expect((await change(ofSector, { sectorId: null })).status).toBe(409)
    expect((await change(ofSector, { sectorId: null, shortcut: 'pix-suporte' })).status).toBe(204)
    expect(await seen()).toMatchObject([
      { shortcut: 'pix', sectorId: null },
      { shortcut: 'pix-suporte', sectorId: null },
    ])
    for (const bad of [' ', 'duas palavras', '/barra', 'x'.repeat(65), 'a\nb'])
      expect((await post(bad)).status).toBe(400)
    expect(await post('vazia', { text: '  ' })).toMatchObject(
      refusedWith(422, 'Escreva o texto, ou anexe um arquivo'),
    )
  })

  test('of two edits of one reply at once the second is told, and changes nothing', async () => {
    const id = await make('pix')
    const answers = await Promise.all([
      change(id, { text: 'Uma', version: 1 }),
      change(id, { text: 'Outra', version: 1 }),
    ])
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([204, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
      'Um colega mudou esta resposta enquanto você editava.',
    )
    expect(await seen()).toMatchObject([{ version: 2 }])
  })

  test('two new replies with one shortcut at once become one', async () => {
    const answers = await Promise.all([post('pix'), post('pix'), post('Pix')])
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([201, 409, 409])
  })

  test('a person has so many quick replies and no more', async () => {
    await t.sql`insert into quick_replies (owner_id, shortcut, text)
                select ${ana.userId}::int, 'atalho-' || n, 'x' from generate_series(1, 200) n`
    expect(await post('mais')).toMatchObject(
      refusedWith(409, 'Há 200 respostas aqui, e não cabem mais. Exclua uma que não se usa.'),
    )
    expect((await post('mais', {}, bia)).status).toBe(201)
  })

  test('the audit log names replies of sectors, and those of a person not', async () => {
    const id = await sector('Suporte', [[ana, true]])
    await make('segredo')
    await make('garantia', { sectorId: id })
    const logs = await t.sql`select details from audit_logs where action = 'reply.create'
                              order by id desc limit 2`
    expect(logs.map(({ details }) => details)).toEqual([
      { shortcut: 'garantia', sectorId: id },
      { sectorId: null },
    ])
  })
})

describe('files of quick replies', () => {
  test('a file is got by whoever sees the reply, as a download that runs nothing', async () => {
    const id = await sector('Suporte', [[ana, true]])
    const file = await upload('tabela de preços.pdf')
    const reply = await make('tabela', { sectorId: id, file: { ...file, mimeType: 'text/html' } })
    expect((await seen())[0]?.file).toEqual(file)
    const answer = await open(reply)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf)
    expect((await open(reply, bia)).status).toBe(404)
    expect((await open(await make('sem-arquivo'))).status).toBe(404)
  })

  test('nobody takes a file into a reply that no reply of theirs has', async () => {
    const file = await upload('contrato.pdf')
    const id = await make('contrato', { file })
    const refused = refusedWith(422, 'O arquivo não está mais guardado. Anexe-o de novo.')
    expect(await post('meu', { file }, bia)).toMatchObject(refused)
    expect(await post('nada', { file: { ...file, name: 'x'.repeat(20) } })).toMatchObject(refused)
    const ofMacro = await upload('de-macro.pdf')
    await t.sql`update files set is_of_macro = true where name = ${ofMacro.name}`
    expect(await post('da-macro', { file: ofMacro })).toMatchObject(refused)
    // Their own they may use once more.
    await make('copia', { file })
    await remove(id)
    await t.sql`update files set created_at = created_at - interval '25 hours'`
    await sweepFiles(t.database, await createFileStore(t.config))
    expect(await shortcuts()).toEqual(['copia'])
    expect((await open((await seen())[0]?.id ?? 0)).status).toBe(200)
  })

  test('files that replies name outlive the sweep, beside those of the settings', async () => {
    const [own, general, left] = [await upload('a.pdf'), await upload('b.pdf'), await upload('c.pdf')]
    const id = await make('a', { file: own })
    const settings = (file?: QuickResponseFile) =>
      admin.request('PATCH', '/api/system-settings', {
        quickResponses: [{ shortcut: 'b', text: '', ...(file && { file }) }],
      })
    expect((await settings(general)).status).toBe(200)
    const swept = async () => {
      await t.sql`update files set created_at = created_at - interval '25 hours'`
      await sweepFiles(t.database, await createFileStore(t.config))
      const rows = await t.sql<{ name: string }>`select name from files`
      return [own, general, left].map(({ name }) => rows.some((row) => row.name === name))
    }
    expect(await swept()).toEqual([true, true, false])
    await settings()
    expect(await swept()).toEqual([true, false, false])
    expect((await change(id, { file: null })).status).toBe(204)
    expect(await swept()).toEqual([false, false, false])
  })

  test('a voice is a sound and has no text; another file as a voice is refused', async () => {
    const voice = await upload('voz.ogg', voiceOf(4, 'oi'))
    const id = await make('ola', { text: 'legenda', file: { ...voice, voiceSeconds: 4 } })
    expect(await seen()).toMatchObject([{ id, text: '', file: { voiceSeconds: 4, mimeType: 'audio/ogg' } }])
    const file = { ...(await upload('a.pdf')), voiceSeconds: 4 }
    expect(await post('pdf', { file })).toMatchObject(
      refusedWith(422, 'Só um áudio pode ir como mensagem de voz.'),
    )
    expect((await open(id)).headers.get('content-type')).toBe('audio/ogg')
  })
})

describe('how often a quick reply was sent', () => {
  test('a send counts its reply once, however often it is repeated', async () => {
    const [id, chat] = [await make('pix'), await talk()]
    const key = randomUUID()
    for (let n = 0; n < 3; n++) expect((await send(chat, String(id), key)).status).toBe(201)
    await Promise.all([1, 2, 3].map(() => send(chat, String(id), 'aaaaaaaa-1')))
    expect(await usesOf(id)).toBe(2)
    expect((await seen())[0]?.lastUsedAt).toMatch(/Z$/)
    await send(chat, String(id))
    expect(await usesOf(id)).toBe(3)
  })

  test('general replies are counted by their shortcut, and forgotten with it', async () => {
    const response = { shortcut: 'Segunda-Via', text: 'Segue' }
    await admin.request('PATCH', '/api/system-settings', { quickResponses: [response] })
    const chat = await talk()
    for (const key of ['/segunda-via', '/Segunda-Via', '/saudacao', '/não há'])
      expect((await send(chat, key)).status).toBe(201)
    const { general } = await known(bia)
    expect(Object.fromEntries(general.map(({ shortcut, uses }) => [shortcut, uses]))).toEqual({
      'segunda-via': 2,
      saudacao: 1,
    })
    await admin.request('PATCH', '/api/system-settings', { quickResponses: [] })
    expect((await known()).general.map(({ shortcut }) => shortcut)).toEqual(['saudacao'])
  })

  test('a reply that the sender does not see, or that is gone, counts nowhere and is sent', async () => {
    const [id, chat] = [await make('pix'), await talk(bia)]
    for (const key of [String(id), '999999'])
      expect((await send(chat, key, randomUUID(), bia)).status).toBe(201)
    expect(await usesOf(id)).toBe(0)
    for (const bad of ['0', 'abc', '/', '', '/' + 'x'.repeat(65)])
      expect((await send(chat, bad, randomUUID(), bia)).status).toBe(400)
  })

  test('a send that is undone is not counted', async () => {
    await saveSettings(t.database, { undoSendSeconds: 10 })
    const [id, chat] = [await make('pix'), await talk()]
    const { body } = await send(chat, String(id))
    await send(chat, String(id))
    expect(await usesOf(id)).toBe(2)
    const path = `/api/conversations/${chat}/messages/${body.id}/undo`
    expect((await ana.request('POST', path)).status).toBe(204)
    expect(await usesOf(id)).toBe(1)
  })

  test('an uploaded file that came from a reply is counted, and a voice is sent as one', async () => {
    const voice = await upload('voz.ogg', voiceOf(4, 'oi'))
    const [id, chat] = [await make('ola', { file: { ...voice, voiceSeconds: 4 } }), await talk()]
    const form = () =>
      formOf(
        { conversationId: chat, clientMessageId: 'bbbbbbbb-1', isVoice: 'true', seconds: 4, quickReply: id },
        'voz.ogg',
        voiceOf(4, 'oi'),
      )
    for (let n = 0; n < 2; n++)
      expect(await ana.request('POST', '/api/media/upload', form())).toMatchObject({
        status: 201,
        body: { messageType: 'audio', message: { metadata: { isVoice: true, seconds: 4 } } },
      })
    expect(await usesOf(id)).toBe(1)
  })
})

describe('many quick replies at once', () => {
  const bring = (sectorId: number | null, ...names: string[]) =>
    ana.request<Refused>('POST', '/api/quick-replies/import', {
      sectorId,
      replies: names.map((shortcut) => ({ shortcut, text: `Texto de ${shortcut}` })),
    })

  test('an import adds all or none, and numbers shortcuts that are taken', async () => {
    await make('pix')
    expect((await bring(null, 'Pix', 'boleto', 'pix')).status).toBe(201)
    expect(await shortcuts()).toEqual(['boleto', 'pix', 'Pix-2', 'pix-3'])
    expect((await bring(null, 'ok', 'não pode')).status).toBe(400)
    await t.sql`insert into quick_replies (owner_id, shortcut, text)
                select ${ana.userId}::int, 'atalho-' || n, 'x' from generate_series(1, 195) n`
    expect((await bring(null, 'um', 'dois')).status).toBe(409)
    expect(await shortcuts()).toHaveLength(199)
    const other = await sector('Comercial', [[bia, true]])
    expect((await bring(other, 'um')).status).toBe(403)
  })
})

describe('what ends with others', () => {
  const deleteSector = (id: number, targetId: number | null) =>
    admin.request('DELETE', `/api/sectors/${id}?targetId=${targetId ?? 'none'}`)

  test('with an account go the replies of its person alone, and their files', async () => {
    const gone = await t.signIn('operator')
    const support = await sector('Suporte', [[gone, true]])
    const file = await upload('a.pdf', pdf, gone)
    await make('minha', { file }, gone)
    await make('do-setor', { sectorId: support }, gone)
    expect((await admin.request('DELETE', `/api/users/${gone.userId}`)).status).toBe(204)
    expect(await t.sql`select shortcut from quick_replies`).toEqual([{ shortcut: 'do-setor' }])
    const [row] = await t.sql`select is_quick_response as "isOwned" from files where name = ${file.name}`
    expect(row).toEqual({ isOwned: false })
  })

  test('replies of a deleted sector go to the one that takes its conversations, or with it', async () => {
    const [a, b] = [await sector('Suporte'), await sector('Comercial')]
    await make('pix', { sectorId: a, text: 'Do suporte' }, admin)
    await make('pix', { sectorId: b, text: 'Do comercial' }, admin)
    expect((await deleteSector(a, b)).status).toBe(204)
    expect(await seen(admin)).toMatchObject([
      { shortcut: 'pix', sectorId: b, text: 'Do comercial' },
      { shortcut: 'pix-2', sectorId: b, text: 'Do suporte' },
    ])
    expect((await deleteSector(b, null)).status).toBe(204)
    expect(await seen(admin)).toEqual([])
  })
})
