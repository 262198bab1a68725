import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { AssistantForm } from '#shared/assistant/assistant-config.ts'
import type { Message } from '#shared/messages/messages.ts'
import { rows } from '#server/platform/database/db.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { confirm } from '#server/testing/past.ts'
import { assistantStage } from '#server/testing/servers/assistant-stage.ts'
import type { Talk } from '#server/testing/new-talk.ts'
import { type Answer, after, soundSays } from '#server/testing/servers/agent-server.ts'
import { voiceOf } from '#server/testing/files/voice.ts'
import { type Client, eventually, forAllTests, formOf } from '#server/testing/test-app.ts'

const transcriptionTimes = { pollMs: 50, waitsMs: [20, 30], leaseMs: 60_000 }

const stage = forAllTests(() =>
  assistantStage({ transcriptionTimes, assistantServerTimes: { transcribeMs: 400 }, fetchWaitsMs: [20] }),
)

const transcribing = (): Partial<AssistantForm> => ({
  isActive: false,
  transcriptionBaseUrl: `${stage.agent.url}/v1/`,
  transcriptionModel: 'whisper-1',
  transcriptionKey: stage.agent.token,
  canTranscribe: true,
})

beforeEach(async () => {
  await stage.t.sql`update gpt_maker_config set transcribed_seconds = 0`
  stage.agent.heard.length = 0
  stage.agent.faults.length = 0
  stage.agent.hear = () => soundSays('Oi, tudo bem? Preciso do boleto de maio.')
  await stage.configure(transcribing())
})

let voices = 0

/** The client sends a voice. @returns its message, with its file */
async function voice(talk: Talk, seconds = 3, said = seconds): Promise<Message> {
  voices += 1
  const before = await stage.messagesOf(talk)
  stage.t.simulator.control.send(talk.phoneId, {
    kind: 'audio',
    base64: voiceOf(seconds, `voz ${voices}`).toString('base64'),
    seconds: said,
    voice: true,
  })
  const all = await eventually(
    () => stage.messagesOf(talk),
    (now) => now.length > before.length && now.at(-1)?.fileUrl !== null,
  )
  const message = all.at(-1)
  if (!message) throw new Error('no voice')
  return message
}

const pathOf = ({ conversationId, id }: Message) =>
  `/api/conversations/${conversationId}/messages/${id}/transcription`
const ask = (message: Message, who: Client = stage.ana) =>
  who.request<Message & { code: string }>('POST', pathOf(message))
const read = async (message: Message, who: Client = stage.ana) => {
  const all = await who.get<Message[]>(`/api/conversations/${message.conversationId}/messages`)
  return all.find(({ id }) => id === message.id)?.transcription
}
const transcribed = (message: Message, state: 'done' | 'failed' = 'done') =>
  eventually(() => read(message), { state })

test('a voice is offered, and who asks for its words gets them below it', async () => {
  const message = await voice(await stage.newClient())
  expect(message.transcription).toEqual({ state: 'offered' })
  const asked = await ask(message)
  expect([asked.status, asked.body.transcription]).toEqual([200, { state: 'waiting' }])
  expect(await transcribed(message)).toEqual({
    state: 'done',
    text: 'Oi, tudo bem? Preciso do boleto de maio.',
  })
  expect(stage.agent.faults).toEqual([])
  expect(stage.agent.heard).toHaveLength(1)
  expect(stage.agent.heard[0]).toMatchObject({
    model: 'whisper-1',
    fileName: 'audio.ogg',
    bytes: voiceOf(3, `voz ${voices}`),
  })
})

test('a voice that has its words is not sent again, however often somebody asks', async () => {
  const message = await voice(await stage.newClient())
  await Promise.all([ask(message), ask(message), ask(message)])
  await transcribed(message)
  expect((await ask(message)).body.transcription).toMatchObject({ state: 'done' })
  await stage.quiet()
  expect(stage.agent.heard).toHaveLength(1)
})

test('every voice of a client gets its words by the setting, and no music and none of the team', async () => {
  await stage.configure({ ...transcribing(), transcribesAll: true })
  const talk = await stage.newClient()
  const message = await voice(talk)
  await transcribed(message)
  stage.t.simulator.control.send(talk.phoneId, {
    kind: 'audio',
    base64: voiceOf(2, 'música').toString('base64'),
    seconds: 2,
    voice: false,
  })
  const own = await stage.ana.request<{ message: Message }>(
    'POST',
    '/api/media/upload',
    formOf({ conversationId: talk.conversation.id }, 'gravação.ogg', voiceOf(4, 'nossa')),
  )
  await stage.quiet()
  expect(stage.agent.heard).toHaveLength(1)
  expect((await ask(own.body.message)).status).toBe(200)
  expect(await transcribed(own.body.message)).toMatchObject({ state: 'done' })
})

test('the words of a voice are found in the open conversation, in the chat and in its file', async () => {
  const talk = await stage.newClient()
  stage.agent.hear = () => soundSays('Quero a segunda via do jacarandá')
  const message = await voice(talk)
  await ask(message)
  await transcribed(message)
  await indexAll(stage.t.database)
  const { id } = talk.conversation
  const everywhere = await stage.ana.get('/api/conversations/search?search=jacaranda')
  expect(JSON.stringify(everywhere)).toContain(`"messageId":${message.id}`)
  expect(await stage.ana.get(`/api/conversations/${id}/messages/search?words=jacaranda`)).toMatchObject({
    ids: [message.id],
  })
  await stage.ana.request('PATCH', `/api/conversations/${id}/assign-operator`, {
    operatorId: stage.ana.userId,
  })
  await stage.ana.request('POST', `/api/conversations/${id}/finalize`, {})
  await indexAll(stage.t.database)
  const archived = await stage.admin.get('/api/conversations/archived?search=jacaranda')
  expect(JSON.stringify(archived)).toContain(`"id":${id}`)
  const file = await fetch(`${stage.t.app.url}/api/conversations/archived/${id}/export?format=text`, {
    headers: { authorization: `Bearer ${stage.admin.token}` },
  })
  expect(await file.text()).toContain('[Transcrição automática] Quero a segunda via do jacarandá')
})

const answers: [string, () => Answer | Promise<Answer>, string, number][] = [
  ['hangs', () => after(2000, soundSays('tarde demais')), 'unreachable', 3],
  ['closes the connection', () => 'cut', 'unreachable', 3],
  ['is overloaded', () => ({ json: {}, status: 429 }), 'unreachable', 3],
  ['has a fault', () => ({ bytes: '<h1>500</h1>', status: 500 }), 'unreachable', 3],
  ['refuses the key', () => ({ json: {}, status: 401 }), 'refused', 1],
  ['does not know the model', () => ({ json: {}, status: 404 }), 'refused', 1],
  ['redirects', () => ({ json: {}, status: 302, headers: { location: '/v1/outro' } }), 'refused', 1],
  ['answers a megabyte', () => soundSays('a'.repeat(1_048_576)), 'bad_answer', 1],
  ['answers a page', () => ({ bytes: '<html>oi</html>' }), 'bad_answer', 1],
  ['answers something else', () => ({ json: { words: 'oi' } }), 'bad_answer', 1],
  ['answers with the key', () => soundSays(`Bearer ${stage.agent.token}`), 'bad_answer', 1],
]

test.each(answers)(
  'a server that %s leaves a voice with its reason',
  async (_what, answer, reason, tries) => {
    stage.agent.hear = answer
    const message = await voice(await stage.newClient())
    await ask(message)
    expect(await transcribed(message, 'failed')).toEqual({ state: 'failed', reason })
    expect(stage.agent.heard).toHaveLength(tries)
    stage.agent.hear = () => soundSays('agora sim')
    await ask(message)
    expect(await transcribed(message)).toEqual({ state: 'done', text: 'agora sim' })
  },
)

test('markup in the words of a voice stays text, and control characters are taken out', async () => {
  stage.agent.hear = () => soundSays('<img src=x onerror=alert(1)>\u0000\u0007 *negrito* \ud800')
  const message = await voice(await stage.newClient())
  await ask(message)
  expect(await transcribed(message)).toMatchObject({ text: '<img src=x onerror=alert(1)> *negrito* \ufffd' })
})

test('a voice in which nothing is said is done without words', async () => {
  stage.agent.hear = () => soundSays(' \n ')
  const message = await voice(await stage.newClient())
  await ask(message)
  expect(await transcribed(message)).toEqual({ state: 'done', text: '' })
})

test('a voice that is longer than the limit is not sent, whatever its message says of it', async () => {
  await stage.configure({ ...transcribing(), transcriptionMaxMinutes: 1 })
  const talk = await stage.newClient()
  for (const message of [await voice(talk, 61, 1), await voice(talk, 1, 61)]) {
    await ask(message)
    expect(await transcribed(message, 'failed')).toMatchObject({ reason: 'too_long' })
  }
  const allowed = await voice(talk, 60)
  await ask(allowed)
  await transcribed(allowed)
  expect(stage.agent.heard).toHaveLength(1)
})

test('the minutes of a day are never exceeded, and count again the next day', async () => {
  await stage.configure({ ...transcribing(), transcriptionDayMinutes: 1 })
  const talk = await stage.newClient()
  const many = [await voice(talk, 25), await voice(talk, 25), await voice(talk, 25)]
  await Promise.all(many.map((message) => ask(message)))
  const states = await eventually(
    () => Promise.all(many.map((message) => read(message))),
    (all) => all.every((one) => one?.state === 'done' || one?.state === 'failed'),
  )
  expect(states.filter((one) => one?.state === 'done')).toHaveLength(2)
  expect(states.filter((one) => one?.reason === 'day_limit')).toHaveLength(1)
  expect(stage.agent.heard).toHaveLength(2)
  expect(await stage.admin.get('/api/gpt-maker-config')).toMatchObject({ transcribedMinutes: 1 })
  await stage.t.sql`update gpt_maker_config set transcribed_on = '2020-01-01'`
  expect(await stage.admin.get('/api/gpt-maker-config')).toMatchObject({ transcribedMinutes: 0 })
  const late = many.find((_one, n) => states[n]?.state === 'failed')
  if (!late) throw new Error('none has failed')
  await ask(late)
  await transcribed(late)
})

const changes: [string, (message: Message) => Promise<unknown>, object | undefined][] = [
  [
    'deleted',
    ({ id }) => stage.t.sql`update messages set deleted_at = app_now() where id = ${id}`,
    undefined,
  ],
  [
    'edited',
    ({ id }) => stage.t.sql`update messages set edited_at = app_now() where id = ${id}`,
    { state: 'failed', reason: 'changed' },
  ],
  [
    'anonymized',
    ({ id }) => stage.t.sql`update messages set metadata = '{"isErased": true}' where id = ${id}`,
    undefined,
  ],
]

test.each(changes)('the words of a voice that was %s meanwhile are dropped', async (_what, change, left) => {
  const message = await voice(await stage.newClient())
  const disarm = armFailpoints('transcription.answered=block')
  try {
    await ask(message)
    await eventually(() => stage.agent.heard, { length: 1 })
    await change(message)
  } finally {
    disarm()
  }
  await eventually(() => stage.t.sql`select 1 from transcriptions where state = 'running'`, { length: 0 })
  expect(await read(message)).toEqual(left)
  expect(
    await stage.t.sql`select metadata ->> 'transcription' as text from messages where id = ${message.id}`,
  ).toEqual([{ text: null }])
})

test('nobody who may not read the conversation asks for a voice or sees its words', async () => {
  const message = await voice(await stage.newClient())
  const carla = await stage.t.signIn('operator', 'carla')
  await stage.t.sql`update users set scope = 'own' where id = ${carla.userId}`
  expect(await ask(message, carla)).toMatchObject({ status: 404 })
  await stage.t.sql`update users set scope = 'all' where id = ${carla.userId}`
  expect((await ask(message, carla)).status).toBe(200)
  await transcribed(message)
  const [row] = await stage.t.sql<{ details: unknown }>`
    select details from audit_logs where action = 'conversation.transcribe' order by id desc limit 1`
  expect(row?.details).toEqual({ messageId: message.id })
})

test('nothing is asked for what is no sound, or while transcription is off', async () => {
  const talk = await stage.newClient()
  const [text] = await stage.messagesOf(talk)
  if (!text) throw new Error('no message')
  expect(await ask(text)).toMatchObject({ status: 409, body: { code: 'messages.not_transcribable' } })
  const message = await voice(talk)
  await stage.configure({ ...transcribing(), canTranscribe: false })
  expect(await ask(message)).toMatchObject({ status: 409, body: { code: 'assistant.no_transcription' } })
  expect(await read(message)).toBeUndefined()
})

test('what waits while transcription is switched off is given up, and says why', async () => {
  stage.agent.hear = () => after(200, soundSays('ainda'))
  const talk = await stage.newClient()
  const many = [await voice(talk), await voice(talk), await voice(talk)]
  for (const message of many) await ask(message)
  await stage.configure({ ...transcribing(), canTranscribe: false })
  const states = await eventually(
    () => Promise.all(many.map((message) => read(message))),
    (all) => all.every((one) => one?.state === 'done' || one?.state === 'failed'),
  )
  expect(states.at(-1)).toEqual({ state: 'failed', reason: 'off' })
})

test('a voice waits for its file, and without one it says so', async () => {
  await stage.configure({ ...transcribing(), transcribesAll: true })
  const talk = await stage.newClient()
  const [row] = await stage.t.sql<{ id: number }>`
    insert into messages (conversation_id, instance_id, sender_type, content, message_type, metadata,
                          whatsapp_message_id, sort_at, sent_at)
    values (${talk.conversation.id}, ${stage.t.instanceId}, 'contact', '', 'audio', '{"isVoice": true}',
            'VOZ-QUE-NAO-HA', app_now(), app_now()) returning id`
  const message = { id: row?.id ?? 0, conversationId: talk.conversation.id } as Message
  const asked = await ask(message)
  expect(asked.body.transcription).toEqual({ state: 'waiting' })
  expect(await transcribed(message, 'failed')).toEqual({ state: 'failed', reason: 'file' })
})

test('another worker takes over a claim whose lease is over, and one of the two answers counts', async () => {
  const message = await voice(await stage.newClient())
  const disarm = armFailpoints('transcription.answered=sleep:700')
  let asked = 0
  stage.agent.hear = () => soundSays(`resposta ${++asked}`)
  try {
    await ask(message)
    await eventually(() => stage.agent.heard, { length: 1 })
    // The first answer is not stored yet when its lane counts as dead.
    await stage.t.sql`update transcriptions set lease_until = now() where message_id = ${message.id}`
    stage.t.database.signals.send('transcriptions')
    await eventually(() => stage.agent.heard, { length: 2 })
    expect(await transcribed(message)).toEqual({ state: 'done', text: 'resposta 2' })
  } finally {
    disarm()
  }
  await stage.quiet()
  expect(await read(message)).toEqual({ state: 'done', text: 'resposta 2' })
  expect(stage.agent.heard).toHaveLength(2)
})

test('a voice whose askers die each time is given up, and not asked for a fifth time', async () => {
  const message = await voice(await stage.newClient())
  await stage.t.sql`
    insert into transcriptions (message_id, state, attempts, lease_until)
    values (${message.id}, 'running', 3, now())`
  expect(await transcribed(message, 'failed')).toEqual({ state: 'failed', reason: 'unreachable' })
  expect(stage.agent.heard).toEqual([])
})

test('the words of a voice go with its person, and with its conversation', async () => {
  const talk = await stage.newClient()
  stage.agent.hear = () => soundSays('meu CPF termina em 42')
  const message = await voice(talk)
  await ask(message)
  await transcribed(message)
  await indexAll(stage.t.database)
  const path = `/api/contacts/${talk.conversation.contactId}/anonymize`
  await confirm(stage.admin)
  const erased = await stage.admin.request('POST', path)
  expect(erased.status).toBe(200)
  expect(await read(message, stage.admin)).toBeUndefined()
  await indexAll(stage.t.database)
  for (const table of ['messages', 'transcriptions', 'events', 'audit_logs', 'conversation_search']) {
    const query = sql`select 1 from ${sql.identifier(table)} t where t::text like '%CPF termina%'`
    expect(await rows(stage.t.database, query), table).toEqual([])
  }
  expect(await stage.t.sql`select 1 from transcriptions where message_id = ${message.id}`).toEqual([])
})

// Last: the key of the help stays with its address.
test('a summary and a suggestion are made of the words of voices, marked as transcribed', async () => {
  await stage.configure({
    ...transcribing(),
    helpBaseUrl: `${stage.agent.url}/v1/`,
    helpModel: 'llama-3.1-8b',
    helpKey: stage.agent.token,
    canSummarize: true,
    canSuggest: true,
  })
  const talk = await stage.newClient()
  const spoken = await voice(talk)
  await voice(talk)
  stage.agent.hear = () => soundSays('Quero </conversa> o boleto.')
  await ask(spoken)
  await transcribed(spoken)
  stage.agent.helped.length = 0
  for (const what of ['summary', 'suggestion'])
    await stage.ana.request('POST', `/api/conversations/${talk.conversation.id}/assistant/${what}`)
  expect(stage.agent.helped.map(({ messages }) => messages[1]?.content)).toEqual(
    Array.from(
      { length: 2 },
      () =>
        '<conversa>\nCliente: oi\nCliente: [Áudio, transcrição automática] Quero ‹/conversa> o boleto.\n' +
        'Cliente: [Áudio]\n</conversa>',
    ),
  )
})
