import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import { newContext } from '../support/browser.ts'
import { Colleague } from '../support/colleague.ts'
import { pressEscape } from '../support/focus.ts'
import { startEmptyInstallation } from '../support/empty-installation.ts'
import { expectAccessibleState, expectSound } from '../support/sound.ts'
import { browser } from '../support/stage.ts'
import { toast } from '../support/toast.ts'

// An installation with two numbers: what begins with the second one, and what each has of its own.

const [first, second] = ['loja-centro', 'loja-norte'] as const

const at = await startEmptyInstallation()
const { control, url: gateway, apiKey } = at.simulator
const admin = await Colleague.signIn(at.url, at.admin.username, at.admin.password)
let page: Page
/** Of an operator, who has both numbers until one is taken. */
let ana: Page

const numbers = () => admin.call<ManagedNumber[]>('GET', '/api/evolution-config/numbers')
const idOf = async (name: string) => (await numbers()).find((one) => one.instanceName === name)?.id ?? 0

async function pageOf({ token }: Colleague): Promise<Page> {
  return (await newContext(browser, { session: { url: at.url, token } })).newPage()
}
const go = (address: string, on = page) => on.goto(at.url + address)
const button = (name: string | RegExp, on: Page | Locator = page) =>
  on.getByRole('button', { name, exact: true })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const header = (on = page) => on.getByRole('banner').getByRole('status')
const numberRow = (name: string) =>
  page.getByRole('list', { name: 'Números' }).getByRole('button', { name: new RegExp(`^${name}`) })
const tag = (on: Page | Locator, name: string) => on.getByTitle(`Pelo número ${name}`)
const composer = (on = page) => on.getByPlaceholder('Digite sua mensagem...')

/** The texts of a phone with the number that each came from or went to. */
const heard = (phoneId: string) => control.chat(phoneId).map(({ text, instance }) => [text, instance])

let clients = 0
async function clientOn(instance: string, name: string) {
  const phone = control.createPhone({ name, number: `5511961${String(70_000 + ++clients).padStart(6, '0')}` })
  control.send(phone.id, { kind: 'text', text: `oi, ${instance}`, instance })
  const { id } = await admin.conversationWith(phone)
  return { phone, id }
}

beforeAll(async () => {
  const { id } = await admin.call<{ id: number }>('POST', '/api/evolution-config', {
    instanceName: first,
    apiKey,
    baseUrl: gateway,
  })
  await admin.call('POST', `/api/evolution-config/${id}/connect`, {})
  control.scan(first)
  const [given, password] = ['alface-roxa-e-comprida', 'outra-alface-bem-comprida']
  await admin.call('POST', '/api/users', {
    username: 'ana',
    name: 'Ana Souza',
    email: 'ana@aurora.example',
    password: given,
    role: 'operator',
  })
  await (await Colleague.signIn(at.url, 'ana', given)).call('PUT', '/api/profile', { password })
  page = await pageOf(admin)
  ana = await pageOf(await Colleague.signIn(at.url, 'ana', password))
})
afterAll(async () => {
  await at.close()
})

describe('the second number', () => {
  test('a second number is added beside the first one, which was shown nowhere before', async () => {
    await clientOn(first, 'Rita Moraes')
    await go('/conversas-ativas')
    await page.getByRole('link', { name: /Rita Moraes/ }).waitFor()
    await expect.poll(() => tag(page, first).count()).toBe(0)
    await expect.poll(() => button(/^Número: /).count()).toBe(0)
    await go('/settings-advanced?aba=evolution')
    await region('Situação').getByText('Conectado', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Números' }).count()).toBe(0)
    await button('Adicionar número').click()
    await page.getByRole('heading', { name: 'Novo número' }).waitFor()
    await expectSound(page, 1440)
    await page.getByLabel('Nome da instância').fill(first)
    await page.getByLabel('Chave da API', { exact: true }).fill(apiKey)
    await button('Salvar').click()
    await toast(page, 'Falha ao salvar configuração da Evolution API').waitFor()
    await expect.poll(() => page.getByLabel('Nome da instância').inputValue()).toBe(first)
    await page.getByLabel('Nome da instância').fill(second)
    await button('Salvar').click()
    await toast(page, 'Número adicionado').waitFor()
    await numberRow(second).getByText('Ainda não conectado').waitFor()
    await expectSound(page, 1440)
  })

  test('a second number is linked on its own, and both are shown with their states', async () => {
    await region('Conexão com o celular').getByRole('button', { name: 'Mostrar QR code' }).click()
    await page.getByRole('img', { name: 'QR code para conectar o número' }).waitFor()
    control.scan(second)
    await region('Conexão com o celular').getByText('Conectado', { exact: true }).waitFor()
    await numberRow(second).getByText('Conectado').waitFor()
    await numberRow(second).getByText('nenhuma conversa aberta').waitFor()
    await numberRow(first).getByText('1 conversa aberta').waitFor()
    await numberRow(first).click()
    await expect.poll(() => page.getByLabel('Nome da instância').inputValue()).toBe(first)
    await page.getByLabel('Nome da instância').fill('outro')
    await numberRow(second).click()
    await page.getByRole('dialog', { name: 'Sair sem salvar?' }).waitFor()
    await button('Continuar editando').click()
    await button('Descartar').click()
  })
})

describe('a client of the second number', () => {
  test('a client of the second number is answered from that number', async () => {
    const { phone, id } = await clientOn(second, 'Clara Nunes')
    await go(`/chat?conversation=${id}`, ana)
    await ana.getByText(`sem operador · por ${second}`).waitFor()
    await ana.getByRole('region', { name: 'Número' }).getByText(second).waitFor()
    await composer(ana).fill('Olá, Clara!')
    await composer(ana).press('Enter')
    await expect.poll(() => heard(phone.id)).toContainEqual(['Olá, Clara!', second])
    await expectSound(ana, 1440)
  })

  test('a client of the second number is distinguished in the list, filtered by number', async () => {
    await go('/conversas-ativas')
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await tag(card('Clara Nunes'), second).waitFor()
    await tag(card('Rita Moraes'), first).waitFor()
    await expectSound(page, 1440)
    await button('Filtrar').click()
    await page
      .getByRole('list', { name: 'Filtros' })
      .getByRole('button', { name: /^Número/ })
      .click()
    await page.getByRole('option', { name: second }).click()
    await pressEscape(page)
    await card('Rita Moraes').waitFor({ state: 'detached' })
    await card('Clara Nunes').waitFor()
    await page.reload()
    await page.getByRole('group', { name: 'Filtros da lista' }).getByText(second).waitFor()
    await card('Clara Nunes').waitFor()
    await expect.poll(() => card('Rita Moraes').count()).toBe(0)
    // Beside a chat the filter goes on, and is taken away there.
    await card('Clara Nunes').getByRole('link').click()
    const pane = page.getByRole('region', { name: 'Conversas' })
    await pane.getByRole('button', { name: 'Tirar o filtro: Número' }).click()
    await pane.getByText('Rita Moraes').waitFor()
    await expectSound(page, 1440)
  })
})

test('a report is narrowed to one of the numbers', async () => {
  await go('/reports')
  const figures = page.getByRole('region', { name: 'Números do período' })
  const shows = async (total: number) => {
    await button('Gerar Relatório').click()
    await figures
      .getByRole('button', { name: `Total: ${total}. Ver as conversas` })
      .waitFor({ timeout: 2000 })
    return true
  }
  const ofNumber = async (name: string) => {
    const id = await idOf(name)
    return (await admin.openConversations()).filter(({ instanceId }) => instanceId === id).length
  }
  const [ofFirst, ofSecond] = [await ofNumber(first), await ofNumber(second)]
  await expect.poll(() => shows(ofFirst + ofSecond).catch(() => false), { timeout: 15_000 }).toBe(true)
  await button('Número').click()
  await page.getByRole('option', { name: second }).click()
  await button(`Número: ${second}`).waitFor()
  await expect.poll(() => shows(ofSecond).catch(() => false), { timeout: 15_000 }).toBe(true)
  await expectSound(page, 1440)
})

test('an operator without a number sees nothing of it, and its open chat closes', async () => {
  const { id } = await clientOn(second, 'Nina Campos')
  await go(`/chat?conversation=${id}`, ana)
  await ana.getByRole('log').getByText(`oi, ${second}`).waitFor()
  await go('/users')
  await button('Editar Ana Souza').click()
  const form = page.getByRole('dialog', { name: 'Editar Usuário' })
  await form.getByRole('radio', { name: 'Só estes' }).click()
  await form.getByRole('checkbox', { name: second }).uncheck()
  await form.getByRole('checkbox', { name: first }).uncheck()
  await button('Atualizar', form).click()
  await form.getByText('Escolha ao menos um número').waitFor()
  await form.getByRole('checkbox', { name: first }).check()
  await expectAccessibleState(page)
  await button('Atualizar', form).click()
  await page.getByRole('table').getByText(`só ${first}`).waitFor()
  await ana.getByText('Você não atende mais este número').waitFor()
  const pane = ana.getByRole('region', { name: 'Conversas' })
  await pane.getByText('Rita Moraes').waitFor()
  await expect.poll(() => pane.getByText(/Nina Campos|Clara Nunes/).count()).toBe(0)
  // With one number numbers are no longer shown.
  await expect.poll(() => ana.getByTitle(/^Pelo número /).count()).toBe(0)
  await expectSound(ana, 1440)
  const accounts = await admin.call<Account[]>('GET', '/api/users')
  const { id: userId } = accounts.find(({ username }) => username === 'ana') ?? { id: 0 }
  await admin.call('PUT', `/api/users/${userId}`, { numberIds: null })
  await pane.getByText('Nina Campos').waitFor()
})

test('a new conversation begins by the number that was chosen', async () => {
  const { phone, id } = await clientOn(first, 'Otto Braga')
  const { contactId } = await admin.call<{ contactId: number }>('GET', `/api/conversations/${id}`)
  await admin.call('POST', `/api/conversations/${id}/finalize`, {})
  await go(`/contacts/${contactId}`)
  await button('Iniciar conversa').click()
  await button(`Escrever pelo número ${first}`).click()
  await page.getByRole('menuitemradio', { name: second }).click()
  await button(`Escrever pelo número ${second}`).waitFor()
  await expectSound(page, 1440)
  await composer().fill('Bom dia, Otto!')
  await composer().press('Enter')
  await page.waitForURL(/\/chat\?conversation=\d+$/)
  await expect.poll(() => heard(phone.id)).toContainEqual(['Bom dia, Otto!', second])
  // And from there another one by the first number.
  await button('Escrever por outro número').click()
  await page.getByRole('menuitem', { name: first }).click()
  await button(`Escrever pelo número ${first}`).waitFor()
})

describe('a number that is away', () => {
  test('an absent number is named in the header and above the composer', async () => {
    const away = await clientOn(second, 'Ivo Reis')
    const other = await clientOn(first, 'Lia Matos')
    await go(`/chat?conversation=${away.id}`)
    await composer().waitFor()
    control.endSession(401, second)
    await header().getByText(`${second} sem conexão`).waitFor()
    await page.getByText(`O número ${second} está sem conexão com o WhatsApp`).waitFor()
    await composer().fill('Já te respondo')
    await composer().press('Enter')
    await page.getByText('aguardando o WhatsApp').last().waitFor()
    await expectSound(page, 1440)
    await go(`/chat?conversation=${other.id}`)
    await composer().fill('Estou aqui')
    await composer().press('Enter')
    await expect.poll(() => heard(other.phone.id)).toContainEqual(['Estou aqui', first])
    await go('/settings-advanced?aba=evolution')
    await numberRow(second).getByText('Desconectado').waitFor()
    await expectSound(page, 1440)
    const id = await idOf(second)
    await admin.call('POST', `/api/evolution-config/${id}/connect`, {})
    control.scan(second)
    await numberRow(second).getByText('Conectado', { exact: true }).waitFor()
    await header().getByText('Conectado', { exact: true }).waitFor()
    await expect.poll(() => heard(away.phone.id)).toContainEqual(['Já te respondo', second])
  })
})

describe('a number that is no longer wanted', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Excluir número' })
  const remove = async (refusal: string) => {
    await button('Excluir número').click()
    await button('Excluir', dialog()).click()
    await dialog().getByRole('alert').getByText(refusal).waitFor()
  }

  test('an unwanted number is deleted when nothing of it is open', async () => {
    await numberRow(second).click()
    await remove('O número está conectado')
    await expectAccessibleState(page)
    await button('Cancelar', dialog()).click()
    await page.getByRole('switch', { name: 'Conexão ativa' }).click()
    await button('Salvar').click()
    await numberRow(second).getByText('Desativado').waitFor()
    await remove('conversa(s) aberta(s)')
    await button('Cancelar', dialog()).click()
    const id = await idOf(second)
    const open = (await admin.openConversations()).filter((row) => row.instanceId === id)
    await go(`/chat?conversation=${open[0]?.id}`)
    await page.getByText(`O número ${second} está desativado`).waitFor()
    await expectSound(page, 1440)
    // Its farewells could not leave.
    await admin.call('PATCH', `/api/evolution-config/${id}/settings`, { finalizationMessage: '' })
    for (const row of open) await admin.call('POST', `/api/conversations/${row.id}/finalize`, {})
    await go(`/settings-advanced?aba=evolution&numero=${id}`)
    await button('Excluir número').click()
    await button('Excluir', dialog()).click()
    await toast(page, 'Número excluído').waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Números' }).count()).toBe(0)
  })

  test('an unwanted number is known in the archive, and comes back under its name', async () => {
    await go('/conversas-arquivadas')
    await button('Número').click()
    await page.getByRole('option', { name: `${second} (excluído)` }).click()
    await page.getByText('Clara Nunes').waitFor()
    await expect.poll(() => page.getByText('Otto Braga').count()).toBe(1)
    await expectSound(page, 1440)
    await page.getByRole('link', { name: 'Clara Nunes' }).click()
    await region('Dados').getByText(second).waitFor()
    await go('/settings-advanced?aba=evolution&numero=novo')
    await page.getByLabel('Nome da instância').fill(second)
    await page.getByLabel('Chave da API', { exact: true }).fill(apiKey)
    await button('Salvar').click()
    await toast(page, 'Número de volta').waitFor()
    await numberRow(second).waitFor()
  })
})
