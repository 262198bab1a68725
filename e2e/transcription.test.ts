import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssistantForm } from '#shared/assistant/assistant-config.ts'
import { type AgentServer, after, soundSays, startAgentServer } from '#server/testing/servers/agent-server.ts'
import { answering, noTranscription } from '#server/testing/servers/assistant-stage.ts'
import { sound } from './support/files.ts'
import { go } from './support/go.ts'
import { testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectAccessibleState, expectSound } from './support/sound.ts'
import { agentPort, colleague, password, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Voices in words: the section of the administrators, and what stands below a voice.

const ana = await colleague('ana')
const admin = await colleague('admin')
let server: AgentServer
let page: Page

const configure = async (change: Partial<AssistantForm>) => {
  await admin.stayConfirmed(password)
  const off = { ...answering(server), isActive: false, autoResponse: false, ...noTranscription }
  const isTranscriptionKeyRemoved = change.transcriptionKey === undefined
  await admin.call('PUT', '/api/gpt-maker-config', { ...off, isTranscriptionKeyRemoved, ...change })
}
const on = () => ({
  transcriptionBaseUrl: `${server.url}/v1`,
  transcriptionModel: 'whisper-1',
  transcriptionKey: server.token,
  canTranscribe: true,
})

beforeAll(async () => {
  server = await startAgentServer(agentPort)
})
beforeEach(() => {
  server.hear = () => soundSays('Bom dia! Preciso da segunda via do jacarandá.')
})
afterAll(async () => {
  await configure({})
  await server.close()
})

let count = 0
/** A client whose only sound is a voice, in a chat that is open. */
async function openVoice(): Promise<{ id: number; name: string }> {
  const name = `Cliente de voz ${++count}`
  const { phone, id } = await newTalk(ana, name, 'vou mandar um áudio')
  await phones.send(phone.id, { kind: 'audio', base64: sound(3).toString('base64'), seconds: 3 })
  await openChat(page, id, name)
  await log().getByRole('group', { name: 'Áudio' }).waitFor()
  return { id, name }
}
const log = () => page.getByRole('log')
const transcribe = () => log().getByRole('button', { name: 'Transcrever' })

test('an administrator tests the server, switches transcription on, and clients are told', async () => {
  page = await signedIn('admin')
  await configure({})
  await go(page, '/settings-advanced?aba=categorias')
  await go(page, '/settings-advanced?aba=ia')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field('Endereço do servidor de transcrição').fill(`${server.url}/v1`)
  await page.getByRole('button', { name: 'Testar transcrição' }).click()
  await page.getByText('Informe o modelo').waitFor()
  await field('Modelo de transcrição').fill('whisper-1')
  await field('Chave da transcrição').fill(server.token)
  await page.getByRole('button', { name: 'Testar transcrição' }).click()
  await page.getByText('O servidor aceitou o áudio de teste.').waitFor()
  await page.getByRole('switch', { name: 'Transcrever áudios' }).click()
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await toast(page, 'Configuração da IA salva').waitFor()
  await expect.poll(() => field('Chave da transcrição').inputValue()).toBe('')
  await page
    .getByText(`Guardado, termina em ${server.token.slice(-4)}.`)
    .first()
    .waitFor()
  const { lgpdMessage } = await admin.call<{ lgpdMessage: string }>('GET', '/api/system-settings')
  expect(lgpdMessage).toContain('Os áudios da conversa podem ser transformados em texto')
  await expectAccessibleState(page)
})

test('whoever asks for a voice in words reads, copies and finds them, and so does a colleague', async () => {
  await configure(on())
  page = await signedIn('ana')
  const other = await signedIn('bruno')
  const { id, name } = await openVoice()
  await openChat(other, id, name)
  server.hear = () => after(700, soundSays('Preciso da segunda via do jacarandá.'))
  await transcribe().click()
  await log().getByText('Transcrevendo...').waitFor()
  await log().getByText('Transcrição automática').waitFor()
  await log().getByText('Preciso da segunda via do jacarandá.').waitFor()
  await other.getByRole('log').getByText('Preciso da segunda via do jacarandá.').waitFor()
  await log().getByRole('button', { name: 'Copiar transcrição' }).waitFor()
  await page.getByRole('textbox', { name: 'Mensagem' }).press('Control+f')
  await page.getByRole('searchbox', { name: 'Buscar na conversa...' }).fill('jacaranda')
  const status = page.getByRole('search').getByRole('status')
  await expect.poll(() => status.textContent()).toBe('1 de 1')
  await expectSound(page, 1440)
})

test('a voice that could not be put into words says why, and is tried again', async () => {
  await configure(on())
  page = await signedIn('ana')
  server.hear = () => ({ json: { error: 'x' }, status: 400 })
  await openVoice()
  await transcribe().click()
  await log().getByText('Não foi possível transcrever. O servidor recusou o pedido.').waitFor()
  await expectAccessibleState(page)
  server.hear = () => soundSays('<b>agora</b> sim')
  await log().getByRole('button', { name: 'Tentar de novo' }).click()
  await log().getByText('<b>agora</b> sim').waitFor()
})

testInFull('nothing is offered below a voice while transcription is off', async () => {
  await configure({})
  page = await signedIn('ana')
  await openVoice()
  await expect.poll(() => transcribe().count()).toBe(0)
})

testInFull(
  'a voice in which nothing is said, and one that the archive asks for, are shown as such',
  async () => {
    await configure(on())
    server.hear = () => soundSays('')
    page = await signedIn('ana')
    const { id } = await openVoice()
    await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await ana.call('POST', `/api/conversations/${id}/finalize`, {})
    await go(page, `/conversas-arquivadas/${id}`)
    await transcribe().click()
    await log().getByText('Nenhuma palavra reconhecida').waitFor()
  },
)
