import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assistantTexts } from '#shared/text/assistant-texts.ts'
import { createOutgoingHttp, type OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { answering, type AssistantStage, assistantStage } from '#server/testing/servers/assistant-stage.ts'
import { refusedAddresses } from '#server/testing/inputs/refused-addresses.ts'
import { spread } from '#server/testing/nightly.ts'
import { says } from '#server/testing/servers/agent-server.ts'
import { connectionsDuring, startTrap, type Trap } from '#server/testing/servers/trap.ts'
import { type AssistantServers, createAssistantServers } from './servers.ts'

// The addresses of the AI: of its three servers, and of the files in an answer. None leads inside.

let trap: Trap
let refused: string[]
beforeAll(async () => {
  trap = await startTrap()
  refused = refusedAddresses(trap.port)
})
afterAll(() => trap.close())

test('there are 120 of them', () => {
  expect(new Set(refused).size).toBeGreaterThanOrEqual(120)
})

const agent = { agentId: 'agt', apiToken: 'um-token-de-teste' }
const question = { contextId: '1', prompt: 'oi', chatName: 'Ana', phone: '' }
const places: [place: string, call: (at: string, http: OutgoingHttp) => Promise<unknown>][] = [
  ['the service of the agent, asked', (at, http) => createAssistantServers(http, at).ask(agent, question)],
  ['the service of the agent, looked at', (at, http) => createAssistantServers(http, at).look(agent)],
  ['the server of the help', (at, http) => helpAt(servers(http), at)],
  ['the server of transcription', (at, http) => transcribeAt(servers(http), at)],
  ['a file of an answer', (at, http) => servers(http).openFile(at, async () => undefined)],
]
const servers = (http: OutgoingHttp) => createAssistantServers(http, 'https://agente.example')
const helpAt = (of: AssistantServers, baseUrl: string) =>
  of.complete({ baseUrl, model: 'llama', key: '' }, { instruction: 'a', material: 'b' })
const transcribeAt = (of: AssistantServers, baseUrl: string) =>
  of.transcribe({ baseUrl, model: 'whisper', key: '' }, { bytes: Buffer.from('oi'), mimeType: 'audio/ogg' })

test.each(places)('%s: nobody connects to one that is not declared', async (_place, call) => {
  const http = createOutgoingHttp(['127.0.0.1'])
  const tried = await connectionsDuring(async () => {
    for (const address of refused) await expect(call(address, http), address).rejects.toThrow()
  })
  expect(tried).toEqual([])
  expect(trap.caught).toEqual([])
  await http.close()
})

test.each(places)('%s: one that is declared is called', async (_place, call) => {
  const { port } = trap
  const http = createOutgoingHttp([`127.0.0.2:${port}`])
  const tried = await connectionsDuring(() =>
    expect(call(`http://127.0.0.2:${port}/v1`, http)).rejects.toThrow(assistantTexts.unreachable),
  )
  expect(tried).toEqual([`127.0.0.2:${port}`])
  expect(trap.caught.splice(0)).toEqual(['::ffff:127.0.0.2'])
  // At another port it is still refused.
  await expect(call(`http://127.0.0.2:${port + 1}/v1`, http)).rejects.toThrow('GATEWAY_ALLOWED_HOSTS')
  await http.close()
})

// The application connects to its gateway on its own, which the tests above would count.
describe('the application', () => {
  let stage: AssistantStage
  beforeEach(async () => {
    stage = await assistantStage()
  })
  afterEach(() => stage.close())

  test('the form shows administrators the variable, and others whom to ask', async () => {
    const { admin, ana } = stage
    const { conversation } = await stage.newClient()
    const suggestion = `/api/conversations/${conversation.id}/assistant/suggestion`
    let tested = 0
    const some = spread(refused, 40)
    for (const helpBaseUrl of some) {
      const server = { helpBaseUrl, helpModel: 'llama', helpKey: 'chave-de-teste-longa' }
      const body = { what: 'help', ...server }
      const answer = await admin.request('POST', '/api/gpt-maker-config/test', body)
      // What is no address of a server is refused by the form.
      if (answer.status === 400) continue
      tested++
      expect(answer, helpBaseUrl).toMatchObject({
        status: 200,
        body: { success: false, message: assistantTexts.addressRefused, answer: '' },
      })
      const form = { ...answering(stage.agent), isActive: false, ...server, canSuggest: true }
      expect((await admin.request('PUT', '/api/gpt-maker-config', form)).status, helpBaseUrl).toBe(200)
      for (const [who, reason] of [
        [admin, assistantTexts.addressRefused],
        [ana, assistantTexts.addressRefusedToTeam],
      ] as const)
        expect(await who.request('POST', suggestion), helpBaseUrl).toMatchObject({
          status: 502,
          body: { code: 'assistant.failed', message: `A IA não respondeu: ${reason}` },
        })
    }
    // Of the 120 some twenty are no addresses at all.
    expect(tested).toBeGreaterThanOrEqual(some.length - 20)
    expect(assistantTexts.addressRefused).toContain('GATEWAY_ALLOWED_HOSTS')
    expect(trap.caught).toEqual([])
  }, 120_000)

  test('an answer in the queue: its text is sent, its files of the inside are left out', async () => {
    const { agent: fake } = stage
    await stage.configure({ autoResponseDelay: 0 })
    const redirected = `${fake.url}/longe.png`
    fake.files.set('/longe.png', { bytes: '', status: 302, headers: { location: refused[0] ?? '' } })
    const groups = [[redirected]]
    const some = spread(refused, 40)
    for (let from = 0; from < some.length; from += 4) groups.push(some.slice(from, from + 4))
    const left = [...groups]
    fake.answer = () => {
      const urls = left.pop() ?? []
      return says('Veja', { images: urls, audios: urls })
    }
    const talks = await Promise.all(groups.map(() => stage.newClient()))
    // An answer is stored with its files.
    for (const talk of talks) expect(await stage.answered(talk, 1)).toEqual(['Veja'])
    expect(left).toEqual([])
    expect(trap.caught).toEqual([])
  }, 120_000)
})
