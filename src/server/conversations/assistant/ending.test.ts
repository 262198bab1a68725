import { beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { assistantStage } from '#server/testing/servers/assistant-stage.ts'
import type { Talk } from '#server/testing/new-talk.ts'
import { says } from '#server/testing/servers/agent-server.ts'
import { eventually, forAllTests, including } from '#server/testing/test-app.ts'

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

const stage = forAllTests(assistantStage)
beforeEach(async () => {
  stage.agent.asked.length = 0
  stage.agent.answer = ({ prompt }) => says(`Você disse: ${prompt}`)
  await stage.configure()
})

const path = ({ conversation }: Talk, rest: string) => `/api/conversations/${conversation.id}${rest}`
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

test('an agent whose token can no longer be read leaves the client to people', async () => {
  await stage.configure({ maxRetries: 1 })
  await stage.t.sql`update gpt_maker_config set api_token_encrypted = 'v1.AAAA.AAAA.AAAA'`
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
  expect(stage.askedIn(talk)).toEqual([])
  await stage.configure()
})

test('an agent whose token is refused leaves the client to people', async () => {
  await stage.configure({ apiToken: 'um-token-que-nao-vale', maxRetries: 1 })
  const talk = await stage.newClient()
  await eventually(() => actsIn(talk), including('assistant_failed'))
  expect(await isQueued(talk)).toBe(true)
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
