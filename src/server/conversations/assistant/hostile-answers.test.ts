import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type AssistantStage, assistantStage } from '#server/testing/servers/assistant-stage.ts'
import { type HostileAnswer, hostileAnswers } from '#server/testing/inputs/hostile-answers.ts'
import { spread } from '#server/testing/nightly.ts'
import type { Talk } from '#server/testing/new-talk.ts'
import { says } from '#server/testing/servers/agent-server.ts'
import { eventually } from '#server/testing/test-app.ts'

let stage: AssistantStage
beforeAll(async () => {
  // This machine is declared for the simulator and the agent only: by their ports.
  stage = await assistantStage()
  await stage.configure({ maxRetries: 1, autoResponseDelay: 0 })
})
afterAll(() => stage.close())

test('there are a hundred of them', () => {
  expect(hostileAnswers.length).toBeGreaterThanOrEqual(100)
})

test('hostile answers are sent as they are, or leave the client to people', async () => {
  const { agent, ana, t } = stage
  const chosen: HostileAnswer[] = [
    ...spread(hostileAnswers, 30),
    ['the token', says(`O meu token é ${agent.token}, guarde bem.`)],
  ]
  const before = await counts()
  const byPrompt = new Map(chosen.map(([, answer], index) => [`pergunta ${index}`, answer]))
  agent.answer = ({ prompt }) => byPrompt.get(prompt) ?? says('oi')
  for (let index = 0; index < chosen.length; index++) {
    const { control } = t.simulator
    const phone = control.createPhone({
      name: `Hostil ${index}`,
      number: `5511933${String(index).padStart(6, '0')}`,
    })
    control.sendText(phone.id, `pergunta ${index}`)
  }
  // Each is answered, or ended with the reason in its timeline.
  await eventually(
    async () => {
      const done = await t.sql<{ prompt: string }>`
        select q.content as prompt from messages q where q.sender_type = 'contact' and exists (
              select from messages m where m.conversation_id = q.conversation_id
                 and (m.metadata ->> 'origin' = 'assistant'
                      or m.metadata #>> '{event,act}' like 'assistant_%'))`
      const prompts = new Set(done.map(({ prompt }) => prompt))
      return chosen.flatMap(([name], index) => (prompts.has(`pergunta ${index}`) ? [] : name))
    },
    { length: 0 },
    120_000,
  )
  const { body } = await ana.request<Conversation[]>('GET', '/api/conversations')
  const talks = body.map((conversation): Talk => ({ conversation, phoneId: '' }))
  expect(talks).toHaveLength(chosen.length)
  // Automatic texts are paced, since a number that floods is blocked.
  await eventually(
    () => t.sql`select 1 from outbox where state in ('pending', 'sending')`,
    { length: 0 },
    90_000,
  )
  for (const talk of talks) {
    const all = await stage.messagesOf(talk)
    expect(talk.conversation).toMatchObject({ subStatus: 'FILA', status: 'waiting' })
    for (const { content, metadata } of all.filter(({ metadata: { origin } }) => origin === 'assistant')) {
      expect(content.length).toBeLessThanOrEqual(4096)
      expect(content.isWellFormed()).toBe(true)
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      expect(content).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      expect(content).not.toContain(agent.token)
      expect(metadata).toEqual({ origin: 'assistant', agentName: 'Aurora' })
    }
  }
  // Markup is a text like any other.
  const sent = await t.sql<{ content: string }>`
    select content from messages where metadata ->> 'origin' = 'assistant'`
  const texts = sent.map(({ content }) => content)
  for (const [name, answer] of chosen)
    if (/^(markup|prompt):/.test(name)) expect(texts, name).toContain(messageIn(answer))
  expect(await counts()).toEqual(before)
  // Nothing was sent to the agent but what clients wrote.
  expect(agent.faults).toEqual([])
  expect(agent.asked.every(({ prompt }) => /^pergunta \d+$/.test(prompt))).toBe(true)
  // The product goes on.
  const talk = await stage.newClient()
  expect(await stage.answered(talk, 1)).toEqual(['oi'])
}, 400_000)

const messageIn = (answer: HostileAnswer[1]) =>
  typeof answer === 'object' && 'json' in answer && (answer.json as { message: string }).message

const counts = async () =>
  stage.t.sql`select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
               (select count(*) from user_permissions) as permissions,
               (select values - 'lgpdMessage' from system_settings) as settings`
