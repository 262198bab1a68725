import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enter, newPage } from './support/browser.ts'
import { startEmptyInstallation } from './support/empty-installation.ts'
import { refusal } from './support/focus.ts'
import { describeInFull, testInFull } from './support/matrix.ts'
import { expectAccessible, expectAccessibleState } from './support/sound.ts'
import { browser } from './support/stage.ts'

// A number is linked to a phone, from the first sign-in of an empty installation.

const at = await startEmptyInstallation(4)
let page: Page

const { simulator } = at
const button = (name: string) => page.getByRole('button', { name, exact: true })
const qrCode = () => page.getByRole('img', { name: 'QR code para conectar o número' })
const drawn = () => qrCode().locator('path').getAttribute('d')
const step = () => page.locator('[aria-current=step]')
const connection = () => page.getByRole('region', { name: 'Conexão com o celular' })

/** As somebody would in the panel of the Evolution API. */
const setWebhook = (webhook: { url: string; headers?: Record<string, string> }) =>
  fetch(`${simulator.url}/webhook/set/${simulator.instanceName}`, {
    method: 'POST',
    headers: { apikey: simulator.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: { enabled: true, events: ['MESSAGES_UPSERT'], ...webhook } }),
  })

beforeAll(async () => {
  page = await newPage(browser)
})
afterAll(async () => {
  await at.close()
})

describe('the first steps of an empty installation', () => {
  test('the first steps begin automatically after the first sign-in, with address and key', async () => {
    await page.goto(at.url)
    await enter(page, at.admin.username, at.admin.password)
    await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
    await page.getByText('0 de 5 prontos').waitFor()
    await expect.poll(() => step().getByRole('heading').textContent()).toBe('Gateway e chave')
    await expectAccessible(page)
    await button('Testar e continuar').click()
    await page.getByRole('alert').getByText('URL base deve ser uma URL válida').waitFor()
    await refusal(page.getByRole('alert').getByText('Chave da API é obrigatória'))
    await page.getByLabel('URL base').fill('http://127.0.0.1:9')
    await page.getByLabel('Chave da API', { exact: false }).first().fill('outra-chave')
    await button('Testar e continuar').click()
    await page.getByText(/Libere-o em GATEWAY_ALLOWED_HOSTS/).waitFor()
    await page.getByText('GATEWAY_ALLOWED_HOSTS=127.0.0.1:9', { exact: true }).waitFor()
    await button('Copiar linha').waitFor()
    await page.getByLabel('URL base').fill(simulator.url)
    await button('Testar e continuar').click()
    await page.getByText('Falha na conectividade: A chave foi recusada pelo gateway').waitFor()
    await page.getByLabel('Chave da API', { exact: false }).first().fill(simulator.apiKey)
    await page.getByLabel('Nome da instância').fill(simulator.instanceName)
    await button('Testar e continuar').click()
    await page.getByText('1 de 5 prontos').waitFor()
  })

  testInFull('the first steps can be left, and are found on the dashboard and in the settings', async () => {
    await button('Continuar depois').click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const card = page.getByRole('region', { name: 'Primeiros passos' })
    await card.getByText('Falta: conectar o número').waitFor()
    await expectAccessibleState(page)
    await page.goto(`${at.url}/settings-advanced?aba=evolution`)
    await page.getByRole('link', { name: 'Primeiros passos: 1 de 5 prontos' }).click()
    await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
  })

  test('the first steps show a QR code that renews itself', async () => {
    await expect.poll(() => step().getByRole('heading').textContent()).toBe('Conectar o número')
    // The gateway's instance was logged out before.
    await page.getByText('Conecte o celular do número').waitFor()
    await button('Mostrar QR code').click()
    await qrCode().waitFor()
    // Each of the four is shown for four seconds.
    const first = await drawn()
    await expect.poll(drawn).not.toBe(first)
    await page.getByText(/^Código [2-4]\./).waitFor()
    await expectAccessible(page)
  })

  testInFull('the first steps say when no code was scanned in time, and give new ones', async () => {
    await page.getByText('Nenhum código foi lido a tempo').waitFor({ timeout: 30_000 })
    await expectAccessibleState(page)
    await button('Gerar novo código').click()
    await qrCode().waitFor()
    await page.getByText(/^Código [1-4]\./).waitFor()
  })

  testInFull('the first steps give a pairing code to whoever has no camera', async () => {
    await button('Usar código de pareamento').click()
    await page.getByLabel('Número do celular').fill('55')
    await button('Gerar código').click()
    await page
      .getByRole('alert')
      .getByText(/Digite o número com DDD/)
      .waitFor()
    await page.getByLabel('Número do celular').fill('(11) 95571-2210')
    await button('Gerar código').click()
    await page.getByRole('img', { name: /^Código de pareamento \w{4}-\w{4}$/ }).waitFor()
    await page.getByText('Conectar com número de telefone').waitFor()
    await expectAccessibleState(page)
  })

  test('the first steps continue with the first message, and end with its answer', async () => {
    simulator.control.scan()
    await expect.poll(() => step().getByRole('heading').textContent()).toBe('Receber a primeira mensagem')
    await page.getByText('Empório Aurora, (11) 95571-2210').waitFor()
    await page.getByRole('link', { name: 'Abrir no WhatsApp' }).waitFor()
    await page.getByText(/^Escutando há \d+ s: o gateway já nos alcança$/).waitFor()
    await expectAccessibleState(page)
    const phone = simulator.control.createPhone({ name: 'Rita Moraes' })
    simulator.control.sendText(phone.id, 'oi')
    await page.getByText('A primeira mensagem chegou, de Rita Moraes').waitFor()
    await expect.poll(() => step().getByRole('heading').textContent()).toBe('Convidar a equipe')
    await page.getByRole('link', { name: 'Responder' }).click()
    await page.getByRole('log').getByText('oi', { exact: true }).waitFor()
    await page.getByPlaceholder('Digite sua mensagem...').fill('Olá, Rita! Como posso ajudar?')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => simulator.control.chat(phone.id).map(({ text }) => text))
      .toContain('Olá, Rita! Como posso ajudar?')
  })

  testInFull('the first steps end with a second person and the hours, and do not come back', async () => {
    await page.goto(`${at.url}/primeiros-passos`)
    await page.getByRole('link', { name: 'Convidar' }).click()
    await button('Novo Usuário').click()
    const form = page.getByRole('dialog', { name: 'Novo Usuário' })
    await form.getByLabel('Nome').fill('Ana Souza')
    await form.getByLabel('Username').fill('ana')
    await form.getByLabel('Email').fill('ana@aurora.example')
    await form.getByRole('textbox', { name: 'Senha' }).fill('alface-roxa')
    await form.getByRole('button', { name: 'Criar' }).click()
    await page.getByRole('table').getByText('Ana Souza').waitFor()
    await page.goto(`${at.url}/primeiros-passos`)
    await expect.poll(() => step().getByRole('heading').textContent()).toBe('Horário e mensagens')
    await expectAccessibleState(page)
    await button('Pular este passo').click()
    await page.getByText('Tudo pronto').waitFor()
    await page.goto(at.url)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByText('Conversas Recentes').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Primeiros passos' }).count()).toBe(0)
    await page.goto(`${at.url}/primeiros-passos`)
    await page.getByText('Tudo pronto').waitFor()
  })
})

describeInFull('the connection in the settings', () => {
  beforeAll(() => page.goto(`${at.url}/settings-advanced?aba=evolution`))

  test('the screen of the connection sets the webhook and hears an event of it', async () => {
    await connection().getByText('Conectado', { exact: true }).waitFor()
    await page.getByText('Evolution API 2.3.7').waitFor()
    await button('Configurar e conferir').click()
    await page.getByText(/^Configurado com segredo; um evento foi e voltou em \d+ ms$/).waitFor()
    await expectAccessibleState(page)
  })

  test('the connection is examined, which repairs what is ours and names what is not', async () => {
    const doctor = page.getByRole('region', { name: 'Diagnóstico' })
    await doctor.getByRole('button', { name: 'Conferir agora' }).click()
    await doctor.getByText(/^Um evento foi à Evolution API e voltou em \d+ ms$/).waitFor()
    // Without HTTPS, as in every test.
    await doctor.getByText(/^\d pontos? de atenção$/).waitFor()
    await doctor.scrollIntoViewIfNeeded()
    await expectAccessibleState(page)
    const own = { url: `${at.url}/api/webhook/evolution` }
    await setWebhook({ ...own, headers: { authorization: 'Bearer de-outra-instalacao' } })
    await doctor.getByRole('button', { name: 'Conferir de novo' }).click()
    await doctor
      .getByText(/^O webhook usava outro segredo, .*\(401\): foi registrado de novo agora/)
      .waitFor()
    await setWebhook({ url: 'https://crm.exemplo.com/entrada' })
    await doctor.getByRole('button', { name: 'Conferir de novo' }).click()
    await doctor.getByText('1 problema').waitFor()
    await doctor.getByText(/aponta para https:\/\/crm\.exemplo\.com\/entrada, e não para/).waitFor()
    await expectAccessibleState(page)
    await button('Configurar e conferir').click()
    await page.getByText(/^Configurado com segredo; um evento foi e voltou em \d+ ms$/).waitFor()
    await page.route('**/api/doctor', (route) =>
      route.fulfill({ status: 503, json: { code: 'request.unavailable', message: 'Tente de novo' } }),
    )
    await doctor.getByRole('button', { name: 'Conferir de novo' }).click()
    await doctor.getByText('Tente de novo').waitFor()
    await page.unroute('**/api/doctor')
    await doctor.getByRole('button', { name: 'Tentar novamente' }).click()
    await doctor.getByRole('list', { name: simulator.instanceName }).waitFor()
  })

  test('the screen says that the phone ended the connection, and connects again', async () => {
    simulator.control.endSession(401)
    await connection().getByText('O celular encerrou esta conexão').waitFor()
    await connection()
      .getByText(/Alguém tocou em Sair nos aparelhos conectados às \d\d:\d\d\./)
      .waitFor()
    await expectAccessibleState(page)
    await button('Mostrar QR code').click()
    await qrCode().waitFor()
    simulator.control.scan()
    await connection().getByText('Conectado', { exact: true }).waitFor()
  })

  test('the connection is opened again, and ended after a question', async () => {
    await button('Reconectar').click()
    await page.getByRole('region', { name: 'Notificações' }).getByText('Reconectando').waitFor()
    // It is shown as connected until the webhook of the closed socket is processed.
    await expect.poll(() => simulator.control.state().gateway.state).toBe('open')
    await simulator.control.idle()
    await connection().getByText('Conectado', { exact: true }).waitFor()
    await button('Sair do WhatsApp').click()
    const dialog = page.getByRole('dialog', { name: 'Sair do WhatsApp' })
    await dialog.getByText(/deixa de receber e de enviar mensagens/).waitFor()
    // A connection that breaks for a moment takes the question away from nobody.
    simulator.control.setFaults({ disconnect: { on: true, state: 'connecting' } })
    await page.getByText('Conectado', { exact: true }).first().waitFor({ state: 'detached' })
    await dialog.waitFor()
    simulator.control.setFaults({ disconnect: { on: false } })
    await page.getByText('Conectado', { exact: true }).first().waitFor()
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Sair do WhatsApp' }).click()
    await connection().getByText('Este número saiu do WhatsApp').waitFor()
    await expectAccessibleState(page)
  })

  test('the screen says that the gateway does not answer', async () => {
    await at.stopGateway()
    await button('Mostrar QR code').click()
    await connection().getByText('A Evolution API não responde').waitFor({ timeout: 30_000 })
  })
})
