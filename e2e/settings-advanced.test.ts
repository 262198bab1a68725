import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { rightNow } from './support/right-now.ts'
import { phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const address = `${url}/settings-advanced?aba=evolution`
let page: Page

beforeAll(async () => {
  page = await signedIn('admin')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(address)
  await field('Nome da instância').waitFor()
})

const field = (label: string) => page.getByLabel(label, { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const situation = () => page.getByRole('region', { name: 'Situação' })
const unconfigured = async () => {
  await page.route('**/api/evolution-config/numbers', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await situation().getByText('Nenhuma conexão configurada ainda.').waitFor()
}

describe('the advanced settings', () => {
  test.each(inFullAlso(['supervisora'], ['ana']))(
    'the advanced settings are closed to %s',
    async (username) => {
      const other = await signedIn(username)
      await other.goto(address)
      await other.getByText('Acesso Negado', { exact: true }).waitFor()
      await other.getByText('Você não tem permissão para acessar esta página.').waitFor()
    },
  )
})

describeInFull('the state of the number', () => {
  afterEach(() => phones.setFaults({ disconnect: { on: false } }))

  test('the status of the gateway names number and profile, and a running clock', async () => {
    await situation().getByText('Conectado', { exact: true }).waitFor()
    await situation()
      .getByText(/^\(\d\d\) \d{4,5}-\d{4}$/)
      .waitFor()
    const clock = situation().getByText(/^Agora: /)
    const before = await clock.textContent()
    expect(before).toMatch(/^Agora: .+, \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
    await expect.poll(() => clock.textContent()).not.toBe(before)
  })

  test('the status says what to look at when the number is away, and recovers', async () => {
    await phones.setFaults({ disconnect: { on: true } })
    await situation().getByText('Desconectado', { exact: true }).waitFor()
    await situation().getByText('O número não está conectado').waitFor()
    await situation()
      .getByText(/leia o QR Code com o celular/)
      .waitFor()
    await phones.setFaults({ disconnect: { on: false } })
    await situation().getByText('Conectado', { exact: true }).waitFor()
    await expect.poll(() => situation().getByText('O número não está conectado').count()).toBe(0)
  })

  test("an empty state of the gateway is 'Desconhecido', another one is shown as given", async () => {
    for (const [connectionStatus, words] of [
      ['', 'Desconhecido'],
      ['qrReadError', 'qrReadError'],
    ] as const) {
      const instanceInfo = { connectionStatus, ownerJid: '5511987650000@s.whatsapp.net', number: null }
      await page.route('**/api/evolution-config/status?*', (route) =>
        route.fulfill({
          json: { connected: false, instanceInfo: { ...instanceInfo, profileName: null }, version: null },
        }),
      )
      await situation().getByRole('button', { name: 'Atualizar' }).click()
      await situation().getByText(words, { exact: true }).waitFor()
      await situation().getByText('(11) 98765-0000').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })
})

describe('the form of the connection', () => {
  test('the form of the connection names what is missing', async () => {
    await field('Nome da instância').fill(' ')
    await field('URL base').fill('evolution sem endereço')
    await button('Salvar').click()
    await page.getByRole('alert').getByText('Nome da instância é obrigatório').waitFor()
    await page.getByRole('alert').getByText('URL base deve ser uma URL válida').waitFor()
    await button('Descartar').click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => field('Nome da instância').inputValue()).not.toBe(' ')
    await page.getByText('Tudo salvo').waitFor()
  })

  testInFull('the connection form asks for the key once, and a test needs address and key', async () => {
    await unconfigured()
    await button('Testar Conexão').click()
    await toast(page, 'Dados incompletos').waitFor()
    await toast(page, 'Preencha a URL base e a chave da API primeiro').waitFor()
    await field('Nome da instância').fill('loja')
    await field('URL base').fill('https://evolution.exemplo.com')
    await button('Salvar').click()
    await page.getByRole('alert').getByText('Chave da API é obrigatória').waitFor()
  })

  testInFull('the form of the connection shows of the stored key only how it ends', async () => {
    await page.getByText(/^Guardada, termina em .{4}\. Deixe vazio para não alterar\.$/).waitFor()
    await expect.poll(() => field('Chave da API').inputValue()).toBe('')
    await expect.poll(() => field('Chave da API').getAttribute('type')).toBe('password')
  })

  testInFull('the connection form tests the connection, and lists the instances', async () => {
    await button('Testar Conexão').click()
    await page.getByText('Teste de conectividade bem-sucedido! Total de 1 instâncias no servidor').waitFor()
    const instance = await field('Nome da instância').inputValue()
    await page.getByRole('list', { name: 'Instâncias no servidor' }).getByText(instance).waitFor()
    await field('Chave da API').fill('outra-chave')
    await button('Testar Conexão').click()
    const failure = page.getByRole('alert').filter({ hasText: /^Falha na conectividade: / })
    await failure
      .getByText('Falha na conectividade: A chave foi recusada pelo gateway', { exact: true })
      .waitFor()
    await failure.getByText(/^Confira a chave da API: é a AUTHENTICATION_API_KEY do servidor/).waitFor()
    // The simulator speaks no TLS.
    const gateway = await field('URL base').inputValue()
    await field('URL base').fill(gateway.replace('http:', 'https:'))
    await button('Testar Conexão').click()
    await failure.getByText('A chave foi recusada').waitFor({ state: 'detached' })
    await failure.waitFor()
    await expect.poll(() => failure.getByRole('paragraph').count()).toBe(2)
    // Of this machine, only the port of the simulator.
    await field('URL base').fill('http://127.0.0.1:9')
    await button('Testar Conexão').click()
    await failure.getByText('Falha na conectividade: O endereço do gateway não é permitido.').waitFor()
    await button('Descartar').click()
  })

  testInFull('the form of the connection saves what was changed, and keeps it over a reload', async () => {
    const own = `${url}/api/webhook/evolution`
    await field('URL do webhook (opcional)').fill(own)
    await page.getByText('1 mudança não salva').waitFor()
    await button('Salvar').click()
    await toast(page, 'Configuração salva').waitFor()
    await page.getByText('Tudo salvo').waitFor()
    await page.reload()
    await expect.poll(() => field('URL do webhook (opcional)').inputValue()).toBe(own)
    await field('URL do webhook (opcional)').fill('')
    await button('Salvar').click()
    await toast(page, 'Configuração salva').waitFor()
  })

  testInFull('the form of the connection says why it could not be saved', async () => {
    await page.route('**/api/evolution-config/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 400, json: { code: 'gateway.weak_key', message: 'Chave pública demais' } })
        : route.continue(),
    )
    await field('Nome da instância').fill('outra')
    await button('Salvar').click()
    await toast(page, 'Falha ao salvar configuração da Evolution API: Chave pública demais').waitFor()
    await expect.poll(() => field('Nome da instância').inputValue()).toBe('outra')
    await button('Descartar').click()
  })
})

describeInFull('the webhook', () => {
  const webhook = () => page.getByRole('region', { name: 'Webhook' })

  test('the webhook of the gateway has an address to copy', async () => {
    const shown = await webhook().getByLabel('URL do webhook', { exact: true }).inputValue()
    expect(shown).toBe(`${url}/api/webhook/evolution`)
    await webhook().getByRole('button', { name: 'Copiar URL do webhook' }).click()
    await toast(page, 'URL copiada').waitFor()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  })

  test('the webhook is registered at the gateway by a button, and heard', async () => {
    await webhook().getByRole('button', { name: 'Configurar e conferir' }).click()
    await toast(page, 'Webhook configurado').waitFor()
    // The server's answer has the same words, which are not repeated below the title.
    expect(await rightNow('the words must stand once', toast(page, 'Webhook configurado').count())).toBe(1)
    await webhook()
      .getByText(/^Configurado com segredo; um evento foi e voltou em \d+ ms$/)
      .waitFor()
    await webhook()
      .getByText(/^Registrado no gateway em \d\d\/\d\d\/\d{4} \d\d:\d\d$/)
      .waitFor()
  })

  test('a webhook that cannot be registered is reported', async () => {
    await page.route('**/api/evolution-config/*/webhook', (route) =>
      route.fulfill({
        status: 502,
        json: { code: 'gateway.unreachable', message: 'O gateway não respondeu' },
      }),
    )
    await webhook().getByRole('button', { name: 'Configurar e conferir' }).click()
    await toast(page, 'Erro ao configurar webhook').waitFor()
    await toast(page, 'O gateway não respondeu').waitFor()
  })
})
