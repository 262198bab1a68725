import { beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { atNight } from '#server/testing/nightly.ts'
import { assistantStage, delayMs, fastTimes } from '#server/testing/servers/assistant-stage.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { after, says } from '#server/testing/servers/agent-server.ts'
import { eventually, filled, forAllTests, including } from '#server/testing/test-app.ts'

const stage = forAllTests(assistantStage)
beforeEach(async () => {
  stage.agent.asked.length = 0
  stage.agent.answer = ({ prompt }) => says(`Você disse: ${prompt}`)
  await stage.configure()
})

const conversationOf = ({ conversation }: Talk) =>
  stage.ana.get<Conversation>(`/api/conversations/${conversation.id}`)
const path = ({ conversation }: Talk, rest: string) => `/api/conversations/${conversation.id}${rest}`
const reply = (talk: Talk, content: string) => stage.ana.request('POST', path(talk, '/messages'), { content })
const received = ({ phoneId }: Talk) =>
  stage.t.simulator.control
    .oracle()
    .received.filter(({ phone }) => phone === phoneId)
    .map(({ text }) => text)

test('a client in the queue is answered by the agent and keeps their place', async () => {
  const talk = await stage.newClient()
  expect(await stage.answered(talk, 1)).toEqual(['Você disse: oi'])
  await stage.t.settled()
  expect(received(talk)).toEqual(['Você disse: oi'])
  const [, answer] = await stage.messagesOf(talk)
  expect(answer).toMatchObject({
    senderType: 'user',
    senderId: null,
    metadata: { origin: 'assistant', agentName: 'Aurora' },
  })
  expect(await conversationOf(talk)).toMatchObject({
    subStatus: 'FILA',
    waitingFor: 'operator',
    assignedUserId: null,
  })
  expect(stage.agent.faults).toEqual([])
  expect(stage.agent.asked).toEqual([
    {
      contextId: talk.conversation.protocol,
      prompt: 'oi',
      chatName: talk.conversation.contact.name,
      chatPicture: '',
      phone: talk.conversation.contact.phone,
    },
  ])
  const measured = await stage.t
    .sql`select 1 from messages where conversation_id = ${talk.conversation.id} and response_ms is not null`
  expect(measured).toEqual([])
})

test('the agent answers a client after the delay, and not before', async () => {
  await stage.configure({ autoResponseDelay: 1200 })
  const before = Date.now()
  const talk = await stage.newClient()
  await stage.answered(talk, 1)
  expect(Date.now() - before).toBeGreaterThanOrEqual(1200)
})

test('a client who writes on during the delay gets one answer to all of it', async () => {
  await stage.configure({ autoResponseDelay: 20_000 })
  const { control } = stage.t.simulator
  const phone = control.createPhone({ name: 'Apressado', number: '5511955553333' })
  for (const text of ['oi', 'quero um orçamento', 'de 40 caixas']) control.sendText(phone.id, text)
  const stored = () => stage.t.sql`select 1 from messages where content = 'de 40 caixas'`
  await eventually(stored, { length: 1 })
  const prompts = () => stage.agent.asked.map(({ prompt }) => prompt)
  expect(prompts()).toEqual([])
  // The delay is over.
  await stage.configure()
  await eventually(prompts, (asked) => asked.length > 0)
  await stage.t.settled()
  control.sendText(phone.id, 'obrigado')
  await eventually(prompts, (asked) => asked.length > 1)
  expect(prompts()).toEqual(['oi\nquero um orçamento\nde 40 caixas', 'obrigado'])
})

test('a client who writes while the agent answers is answered again', async () => {
  stage.agent.answer = ({ prompt }) => after(500, says(`re: ${prompt}`))
  const talk = await stage.newClient()
  await eventually(() => stage.askedIn(talk), { length: 1 })
  stage.writes(talk, 'e outra coisa')
  expect(await stage.answered(talk, 2)).toEqual(['re: oi', 're: e outra coisa'])
})

test('an operator who writes ends the agent for good, also back in the queue', async () => {
  const talk = await stage.newClient()
  await stage.answered(talk, 1)
  await reply(talk, 'Bom dia, sou a Ana')
  stage.writes(talk, 'bom dia')
  await stage.t.settled()
  await stage.ana.request('PATCH', path(talk, '/assign-operator'), { operatorId: null })
  stage.writes(talk, 'alguém?')
  await stage.quiet()
  expect(stage.askedIn(talk)).toEqual(['oi'])
  expect((await stage.ana.request('GET', path(talk, '/assistant'))).body).toMatchObject({ agent: 'ended' })
})

test('an operator who writes while the agent answers makes that answer void', async () => {
  const gate = Promise.withResolvers<void>()
  stage.agent.answer = () => gate.promise.then(() => says('tarde demais'))
  const talk = await stage.newClient()
  await eventually(() => stage.askedIn(talk), { length: 1 })
  await reply(talk, 'Já estou aqui')
  gate.resolve()
  await stage.quiet()
  expect(await stage.answersIn(talk)).toEqual([])
  expect(received(talk)).toEqual(['Já estou aqui'])
})

test('an operator who writes on the connected phone ends the agent as well', async () => {
  const talk = await stage.newClient()
  await stage.answered(talk, 1)
  const { control } = stage.t.simulator
  control.sendAsOwner(talk.phoneId, { kind: 'text', text: 'Aqui é o dono' })
  await eventually(
    () => stage.messagesOf(talk),
    (all) => all.some(({ metadata }) => metadata.origin === 'phone'),
  )
  stage.writes(talk, 'oi dono')
  await stage.quiet()
  expect(stage.askedIn(talk)).toEqual(['oi'])
})

test('an operator who only takes the conversation makes the agent wait', async () => {
  const gate = Promise.withResolvers<void>()
  stage.agent.answer = ({ prompt }) => gate.promise.then(() => says(`re: ${prompt}`))
  const talk = await stage.newClient()
  await eventually(() => stage.askedIn(talk), { length: 1 })
  await stage.ana.request('PATCH', path(talk, '/assign-operator'), { operatorId: stage.ana.userId })
  gate.resolve()
  await stage.quiet()
  expect(await stage.answersIn(talk)).toEqual([])
  await stage.ana.request('PATCH', path(talk, '/assign-operator'), { operatorId: null })
  expect(await stage.answered(talk, 1)).toEqual(['re: oi'])
})

test.each([
  ['while the agent is off', { isActive: false }],
  ['while it does not answer automatically', { autoResponse: false }],
])('the agent does not answer: %s; what was written then is left to people', async (_when, change) => {
  await stage.configure(change)
  const talk = await stage.newClient()
  await stage.quiet()
  await stage.configure()
  await stage.quiet()
  expect(stage.askedIn(talk)).toEqual([])
  stage.writes(talk, 'e agora?')
  expect(await stage.answered(talk, 1)).toHaveLength(1)
})

test('the agent does not answer before the client has chosen in pre-attendance', async () => {
  await saveSettings(stage.t.database, {
    preAttendanceEnabled: true,
    workingHours: { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  })
  try {
    const { control } = stage.t.simulator
    const phone = control.createPhone({ name: 'Indeciso', number: '5511955554433' })
    control.sendText(phone.id, 'oi')
    await stage.quiet()
    expect(stage.agent.asked).toEqual([])
    await eventually(() => control.chat(phone.id).filter(({ from }) => from === 'company'), filled)
    // In a later second than the question, by WhatsApp's clock: only then is it an answer.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    control.sendText(phone.id, '1')
    await eventually(() => stage.agent.asked.length, 1)
  } finally {
    await resetSettings(stage.t.database)
  }
})

test('the agent does not answer in a conversation in which it is switched off', async () => {
  await stage.configure({ autoResponseDelay: 1500 })
  const talk = await stage.newClient()
  const off = await stage.ana.request('PUT', path(talk, '/assistant'), { isOff: true })
  expect(off).toMatchObject({ status: 200, body: { agent: 'off' } })
  await stage.configure()
  await stage.quiet()
  expect(stage.askedIn(talk)).toEqual([])
  await stage.ana.request('PUT', path(talk, '/assistant'), { isOff: false })
  expect(await stage.answered(talk, 1)).toEqual(['Você disse: oi'])
  const acts = (await stage.messagesOf(talk)).flatMap(({ metadata }) => metadata.event?.act ?? [])
  expect(acts).toEqual(['assistant_off', 'assistant_on'])
})

test('several instances answer each client once', async () => {
  stage.agent.answer = ({ prompt }) => after(50, says(`re: ${prompt}`))
  const other = await stage.t.startAnother({ assistantTimes: fastTimes })
  try {
    const talks: Talk[] = []
    for (let index = 0; index < atNight(12, 4); index++) talks.push(await newTalk(stage.t, stage.ana))
    for (const talk of talks) await stage.answered(talk, 1)
    await stage.quiet()
    for (const talk of talks) {
      expect(await stage.answersIn(talk)).toEqual(['re: oi'])
      expect(stage.askedIn(talk)).toEqual(['oi'])
    }
  } finally {
    await other.stop()
  }
})

test('other instances continue after one that was stopped in the delay', async () => {
  await stage.configure({ autoResponseDelay: delayMs })
  stage.agent.answer = ({ prompt }) => after(1500, says(`re: ${prompt}`))
  const talk = await stage.newClient()
  await eventually(() => stage.askedIn(talk), { length: 1 })
  // A dead process leaves its lease behind; the answer that it asked for is another's by then.
  await stage.t
    .sql`update assistant_turns set lease_until = now() where conversation_id = ${talk.conversation.id}`
  await eventually(() => stage.askedIn(talk), { length: 2 })
  await stage.answered(talk, 1)
  await new Promise((resolve) => setTimeout(resolve, 1800))
  expect(await stage.answersIn(talk)).toEqual(['re: oi'])
})

/** A picture of one point, and some frames of silence. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)
const mp3 = Buffer.concat(Array.from({ length: 8 }, mp3Frame))

/** 128 kbit/s at 44.1 kHz. */
function mp3Frame(): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x64])
  return frame
}
const actsIn = async (talk: Talk) =>
  (await stage.messagesOf(talk)).flatMap(({ metadata }) => metadata.event?.act ?? [])
const isQueued = async (talk: Talk) => {
  const { body } = await stage.ana.request<Conversation>('GET', path(talk, ''))
  return body.subStatus === 'FILA' && body.waitingFor === 'operator' && body.status !== 'completed'
}

test('a failing agent is asked as often as configured, then people take over', async () => {
  stage.agent.answer = () => ({ json: { message: 'quota' }, status: 500 })
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
  expect(stage.askedIn(talk)).toEqual(['oi', 'oi', 'oi'])
  expect(await isQueued(talk)).toBe(true)
  expect(await stage.answersIn(talk)).toEqual([])
  stage.agent.answer = () => says('voltei')
  stage.writes(talk, 'oi de novo')
  await stage.quiet()
  expect(stage.askedIn(talk)).toHaveLength(3)
  expect((await stage.ana.request('GET', path(talk, '/assistant'))).body).toMatchObject({ agent: 'stopped' })
  // Somebody may let it try again.
  await stage.ana.request('PUT', path(talk, '/assistant'), { isOff: false })
  expect(await stage.answered(talk, 1)).toEqual(['voltei'])
  expect(stage.askedIn(talk).at(-1)).toBe('oi\noi de novo')
})

test('a failing agent is asked after longer pauses each time', async () => {
  const at: number[] = []
  stage.agent.answer = () => {
    at.push(performance.now())
    return 'cut'
  }
  await stage.configure({ maxRetries: 5 })
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
  const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  // 80, 160, 320, 640 ms, each up to a fifth less.
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(64 * 2 ** index - 5)
})

test('an agent that failed for a while answers afterwards', async () => {
  let asked = 0
  stage.agent.answer = () => (++asked < 3 ? 'cut' : says('enfim'))
  const talk = await stage.newClient()
  expect(await stage.answered(talk, 1)).toEqual(['enfim'])
  expect(await actsIn(talk)).toEqual([])
})

test('a failed agent gets the next message where no fallback is configured', async () => {
  await stage.configure({ fallbackToHuman: false, maxRetries: 2 })
  stage.agent.answer = ({ prompt }) => (prompt === 'oi' ? 'cut' : says('agora sim'))
  const talk = await stage.newClient()
  await eventually(() => stage.askedIn(talk), { length: 2 })
  await stage.quiet()
  expect(stage.askedIn(talk)).toHaveLength(2)
  stage.writes(talk, 'olá?')
  expect(await stage.answered(talk, 1)).toEqual(['agora sim'])
  expect(await actsIn(talk)).toEqual([])
})

test.each([
  ['can no longer be read', 'v1.AAAA.AAAA.AAAA'],
  ['is refused', undefined],
])('an agent whose token %s leaves the client to people', async (_why, unreadable) => {
  await stage.configure({ apiToken: 'um-token-que-nao-vale', maxRetries: 1 })
  if (unreadable) await stage.t.sql`update gpt_maker_config set api_token_encrypted = ${unreadable}`
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
  expect(await isQueued(talk)).toBe(true)
  expect(stage.askedIn(talk)).toEqual([])
})

test('an agent that asks for a person is heard, and the mark is not shown to the client', async () => {
  stage.agent.answer = () => says('Vou chamar alguém para você. [HUMANO]')
  const talk = await stage.newClient()
  expect(await stage.answered(talk, 1)).toEqual(['Vou chamar alguém para você.'])
  expect(await actsIn(talk)).toEqual(['assistant_asked_person'])
  stage.writes(talk, 'ok')
  await stage.quiet()
  expect(stage.askedIn(talk)).toEqual(['oi'])
  expect(await isQueued(talk)).toBe(true)
})

test('pictures and sounds of an answer are sent after its text', async () => {
  const { agent } = stage
  agent.files.set('/foto.png', { bytes: png, headers: { 'content-type': 'image/png' } })
  agent.files.set('/audio.mp3', { bytes: mp3, headers: { 'content-type': 'audio/mpeg' } })
  agent.answer = () =>
    says('Veja e ouça', { images: [`${agent.url}/foto.png`], audios: [`${agent.url}/audio.mp3`] })
  const talk = await stage.newClient()
  await stage.answered(talk, 3)
  const sent = (await stage.messagesOf(talk)).filter(({ metadata }) => metadata.origin === 'assistant')
  expect(sent.map(({ messageType, content }) => [messageType, content])).toEqual([
    ['text', 'Veja e ouça'],
    ['image', ''],
    ['audio', ''],
  ])
  await stage.t.settled()
  const delivered = await stage.messagesOf(talk)
  expect(delivered.filter(({ deliveryStatus }) => deliveryStatus === 'failed')).toEqual([])
  expect(sent[1]).toMatchObject({ fileName: 'foto.png', fileMimeType: 'image/png', fileSize: png.length })
})

test('invalid, too large or missing files of an answer are left out', async () => {
  const { agent } = stage
  agent.files.set('/programa.png', { bytes: '#!/bin/sh\nrm -rf /\n' })
  agent.files.set('/virus.exe', { bytes: png })
  agent.files.set('/enorme.png', { bytes: Buffer.concat([png, Buffer.alloc(17 * 1_048_576)]) })
  agent.files.set('/som.png', { bytes: mp3 })
  const images = ['programa.png', 'virus.exe', 'enorme.png', 'som.png'].map((name) => `${agent.url}/${name}`)
  agent.answer = () => says('Veja', { images })
  const talk = await stage.newClient()
  expect(await stage.answered(talk, 1)).toEqual(['Veja'])
  await stage.quiet()
  expect(await stage.answersIn(talk)).toEqual(['Veja'])
  expect(agent.fetched.slice(-4)).toHaveLength(4)
})

test('files alone, all of which are missing, are no answer', async () => {
  stage.agent.answer = () => says('', { images: [`${stage.agent.url}/nenhuma.png`] })
  await stage.configure({ maxRetries: 1 })
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
})

test('an answer of the agent is no first reply in the reports', async () => {
  const talk = await stage.newClient()
  await stage.answered(talk, 1)
  await stage.ana.request('PATCH', path(talk, '/assign-operator'), { operatorId: stage.ana.userId })
  await stage.ana.request('POST', path(talk, '/finalize'), {})
  const [facts] = await eventually(
    () =>
      stage.t.sql<{ firstReplyMs: number | null }>`
        select first_reply_ms as "firstReplyMs" from conversation_facts
             where conversation_id = ${talk.conversation.id} and ended_by is not null`,
    (found) => found.length > 0,
  )
  expect(facts).toEqual({ firstReplyMs: null })
})
