import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AssistantForm } from '#shared/assistant/assistant-config.ts'
import type { Message } from '#shared/messages/messages.ts'
import { type AgentServer, chatSays, says, startAgentServer } from '#server/testing/servers/agent-server.ts'
import { noTranscription } from '#server/testing/servers/assistant-stage.ts'
import { go } from './support/go.ts'
import { testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectAccessibleState } from './support/sound.ts'
import { agentPort, colleague, password, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The AI: its tab, an answered client, the operator who ends it, and the texts that a person asks for.

const ana = await colleague('ana')
const admin = await colleague('admin')
let agent: AgentServer
let page: Page

const form = (): AssistantForm => ({
  agentId: agent.agentId,
  agentName: 'Aurora',
  apiToken: agent.token,
  isActive: false,
  autoResponse: false,
  autoResponseDelay: 0,
  fallbackToHuman: true,
  maxRetries: 2,
  helpBaseUrl: `${agent.url}/v1`,
  helpModel: 'llama-3.1-8b',
  helpKey: agent.token,
  canSummarize: false,
  canSuggest: false,
  ...noTranscription,
})
const configure = async (change: Partial<AssistantForm>) => {
  await admin.stayConfirmed(password)
  await admin.call('PUT', '/api/gpt-maker-config', { ...form(), ...change })
}

beforeAll(async () => {
  agent = await startAgentServer(agentPort)
})
beforeEach(() => {
  agent.answer = ({ prompt }) => says(`Você disse: ${prompt}`)
  agent.help = () => chatSays('ok')
})
afterAll(async () => {
  await configure({})
  await agent.close()
})

describe('the tab of the administrators', () => {
  beforeAll(async () => {
    page = await signedIn('admin')
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await go(page, '/settings-advanced?aba=categorias')
    await go(page, '/settings-advanced?aba=ia')
  })
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const save = () => page.getByRole('button', { name: 'Salvar', exact: true }).click()

  test('an administrator configures and tests the agent; the token is not shown again', async () => {
    await field('Agente').fill('Aurora')
    await field('ID do agente').fill(agent.agentId)
    await field('Token da API').fill(agent.token)
    await field('Testar o agente').fill('Vocês entregam em Campinas?')
    await page.getByRole('button', { name: 'Testar agente' }).click()
    await page.getByText('Você disse: Vocês entregam em Campinas?').waitFor()
    await page.getByRole('switch', { name: 'Agente ativo' }).click()
    await page.getByRole('switch', { name: 'Responder automaticamente' }).click()
    await save()
    await toast(page, 'Configuração da IA salva').waitFor()
    await page.getByText(`Guardado, termina em ${agent.token.slice(-4)}.`).waitFor()
    await expect.poll(() => field('Token da API').inputValue()).toBe('')
    await expectAccessibleState(page)
    await configure({})
  })

  testInFull(
    'the tab of the assistant says what is missing, and reports a server that does not answer',
    async () => {
      await page.getByRole('switch', { name: 'Sugerir resposta' }).waitFor()
      await field('Endereço do servidor').fill('http://10.0.0.12:11434/v1')
      await field('Modelo').fill('llama')
      await field('Chave do servidor').fill('uma-chave-qualquer')
      await page.getByRole('button', { name: 'Testar servidor' }).click()
      await page.getByRole('alert').first().waitFor()
      await field('Modelo').fill('')
      await page.getByRole('switch', { name: 'Sugerir resposta' }).click()
      await save()
      await page.getByText('Informe o modelo').waitFor()
      await page.getByRole('button', { name: 'Descartar' }).click()
    },
  )

  testInFull('the tab of the assistant says when it cannot be fetched, and offers to try again', async () => {
    const fresh = await signedIn('admin')
    await fresh.route('**/api/gpt-maker-config', (route) => route.fulfill({ status: 500, json: {} }))
    await go(fresh, '/settings-advanced?aba=ia')
    await fresh.getByRole('button', { name: 'Tentar Novamente' }).waitFor()
    await fresh.unrouteAll({ behavior: 'ignoreErrors' })
    await fresh.getByRole('button', { name: 'Tentar Novamente' }).click()
    await fresh.getByLabel('ID do agente', { exact: true }).waitFor()
  })
})

describe('in a conversation', () => {
  let count = 0
  const talk = (text: string) => newTalk(ana, `Cliente da IA ${++count}`, text)
  const log = () => page.getByRole('log')
  const messagesOf = (id: number) => ana.call<Message[]>('GET', `/api/conversations/${id}/messages`)

  beforeAll(async () => {
    page = await signedIn('ana')
  })

  test("the agent's answer is marked, and stops at the operator's first word", async () => {
    await configure({ isActive: true, autoResponse: true })
    const { phone, id } = await talk('vocês abrem sábado?')
    await openChat(page, id, phone.name)
    await log().getByText('Você disse: vocês abrem sábado?').waitFor()
    await log().getByText('IA, Aurora', { exact: true }).waitFor()
    await page.getByText('IA responde', { exact: true }).waitFor()
    await expectAccessibleState(page)
    await page.getByRole('textbox', { name: 'Mensagem' }).fill('Bom dia, sou a Ana')
    await page.keyboard.press('Enter')
    await log().getByText('Bom dia, sou a Ana').waitFor()
    await expect.poll(() => page.getByText('IA responde', { exact: true }).count()).toBe(0)
    await phones.write(phone.id, 'oi Ana')
    await log().getByText('oi Ana').waitFor()
    // Longer than the agent's delay and the pause between two looks.
    await page.waitForTimeout(1500)
    const answers = (await messagesOf(id)).filter(({ metadata }) => metadata.origin === 'assistant')
    expect(answers).toHaveLength(1)
    await configure({})
  })

  testInFull('the agent is switched off for one conversation', async () => {
    await configure({ isActive: true, autoResponse: true })
    const { phone, id } = await talk('oi')
    await openChat(page, id, phone.name)
    await log().getByText('Você disse: oi').waitFor()
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Desligar IA nesta conversa' }).click()
    await log().getByText('Ana Beatriz Nogueira desligou a IA nesta conversa').waitFor()
    await page.getByText('IA desligada', { exact: true }).waitFor()
    await configure({})
  })

  testInFull('an agent that fails says so, and may be switched on again', async () => {
    await configure({ isActive: true, autoResponse: true, maxRetries: 1 })
    agent.answer = () => ({ json: { message: 'quota' }, status: 500 })
    const { phone, id } = await talk('tem alguém?')
    await openChat(page, id, phone.name)
    await log().getByText('A IA não conseguiu responder; a conversa segue na fila').waitFor()
    await page.getByText('IA parou', { exact: true }).waitFor()
    agent.answer = () => says('Voltei!')
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Ligar IA nesta conversa' }).click()
    await log().getByText('Ana Beatriz Nogueira ligou a IA nesta conversa').waitFor()
    await log().getByText('Voltei!').waitFor()
    await page.getByText('IA responde', { exact: true }).waitFor()
    await configure({})
  })

  testInFull("'Resumir' shows the conversation in five lines, also for a transfer", async () => {
    await configure({ canSummarize: true })
    agent.help = () => chatSays('Pediu trocar o endereço\nFalta o número')
    const { phone, id } = await talk('quero trocar o endereço')
    await openChat(page, id, phone.name)
    const header = page.getByRole('region', { name: `Conversa com ${phone.name}` })
    await header.getByRole('button', { name: 'Resumir', exact: true }).click()
    const summary = page.getByRole('region', { name: 'Resumo da conversa' })
    await summary.getByText('Pediu trocar o endereço').waitFor()
    await summary.getByText('Resumo de 1 mensagem').waitFor()
    await expectAccessibleState(page)
    await phones.write(phone.id, 'é o 2187')
    await summary.getByText('1 mensagem depois dele').waitFor()
    await summary.getByRole('button', { name: 'Fechar resumo' }).click()
    await header.getByRole('button', { name: 'Transferir' }).click()
    const dialog = page.getByRole('dialog', { name: 'Transferir conversa' })
    await dialog.getByRole('button', { name: 'Resumir na nota' }).click()
    await expect
      .poll(() => dialog.getByLabel('Observação para quem recebe').inputValue())
      .toBe('- Pediu trocar o endereço\n- Falta o número')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('button', { name: 'Descartar', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  testInFull("'Sugerir resposta' writes a draft, which is sent by the operator or not at all", async () => {
    await configure({ canSuggest: true })
    agent.help = () => chatSays('Claro! Qual é o número?')
    const { phone, id } = await talk('quero trocar o endereço')
    await openChat(page, id, phone.name)
    await page.getByRole('button', { name: 'Sugerir resposta' }).click()
    const panel = page.getByRole('region', { name: 'Resposta sugerida' })
    await panel.getByText('Rascunho da IA, ainda não enviado').waitFor()
    await expectAccessibleState(page)
    await panel.getByLabel('Texto sugerido').fill('Claro! Qual é o número, por favor?')
    await panel.getByRole('button', { name: 'Usar no campo' }).click()
    const box = page.getByRole('textbox', { name: 'Mensagem' })
    await expect.poll(() => box.inputValue()).toBe('Claro! Qual é o número, por favor?')
    const ours = (await messagesOf(id)).filter(
      ({ senderType, messageType }) => senderType === 'user' && messageType === 'text',
    )
    expect(ours).toEqual([])
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await log().getByText('Claro! Qual é o número, por favor?').waitFor()
  })

  testInFull('a server that fails is reported, and the suggestion can be discarded', async () => {
    await configure({ canSuggest: true })
    agent.help = () => ({ json: { error: 'x' }, status: 500 })
    const { phone, id } = await talk('oi')
    await openChat(page, id, phone.name)
    await page.getByRole('button', { name: 'Sugerir resposta' }).click()
    const panel = page.getByRole('region', { name: 'Resposta sugerida' })
    await panel.getByText(/^A IA não respondeu: /).waitFor()
    await panel.getByRole('button', { name: 'Descartar sugestão' }).click()
    await expect.poll(() => panel.count()).toBe(0)
  })

  testInFull('nothing of it is offered while it is off', async () => {
    await configure({})
    const { phone, id } = await talk('oi')
    await openChat(page, id, phone.name)
    await log().getByText('oi', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Enviar', exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: /^(Resumir|Sugerir resposta)$/ }).count())
      .toBe(0)
  })
})
