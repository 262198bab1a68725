import type { Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { inAccountMenu } from './support/account-menu.ts'
import { enter, newContext, newPage, signIn, tokenOf } from './support/browser.ts'
import { endSession } from './support/colleague.ts'
import { expectFocused } from './support/focus.ts'
import { testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { browser, colleague, password, url } from './support/stage.ts'

const user = (page: Page) => page.getByPlaceholder('Digite seu usuário')
const secret = (page: Page) => page.getByPlaceholder('Digite sua senha')
const button = (page: Page) => page.getByRole('button', { name: 'Entrar' })
const alert = (page: Page) => page.getByRole('alert')

/** Signs in by the login screen, with a separate session that tests may end. */
async function enteredAs(username: string): Promise<Page> {
  const page = await newPage(browser)
  await signIn(page, url, username, password)
  return page
}

describe('the login screen', () => {
  let page: Page
  beforeEach(async () => {
    page = await newPage(browser)
    await page.goto(url)
  })

  testInFull('the login says what it is and asks for user and password, both required', async () => {
    await page.getByRole('heading', { name: 'Balcão' }).waitFor()
    await page.getByText('Sistema de Atendimento - Faça login para continuar').waitFor()
    for (const field of [user(page), secret(page)])
      await expect.poll(() => field.getAttribute('required')).not.toBeNull()
    await expectFocused(user(page))
    await expect.poll(() => secret(page).getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Mostrar senha' }).click()
    await expect.poll(() => secret(page).getAttribute('type')).toBe('text')
  })

  test('the login of a demo offers its people, and one click signs in', async () => {
    const people = page.getByRole('region', { name: 'Pessoas da demonstração' })
    await expectSound(page, 1440)
    await people.getByRole('button', { name: 'Bruno Operador' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByText('Bruno Tavares').first().waitFor()
    await endSession(url, await tokenOf(page))
  })

  testInFull('the font of the login comes with the page, so that nothing moves', async () => {
    await page.getByRole('region', { name: 'Pessoas da demonstração' }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    const fonts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.woff2'))
        .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    )
    expect(fonts).toEqual(['link'])
  })

  testInFull('the login refuses blank fields without asking the server', async () => {
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await button(page).click()
    await alert(page).getByText('Por favor, preencha usuário e senha').waitFor()
    await enter(page, '   ', '   ')
    await alert(page).getByText('Por favor, preencha usuário e senha').waitFor()
    expect(calls.filter((called) => called.endsWith('/api/auth/login'))).toEqual([])
  })

  test('the login reports a wrong password until something is typed, and the third blocks', async () => {
    const stranger = `ninguem-${Date.now()}`
    for (const word of ['primeira', 'segunda']) {
      await enter(page, stranger, word)
      await alert(page).getByText('Usuario ou senha invalido tente novamente').waitFor()
      await secret(page).press('x')
      await expect.poll(() => alert(page).count()).toBe(0)
    }
    await enter(page, stranger, 'terceira')
    await alert(page)
      .getByText('Usuario bloqueado apos 3 tentativas incorretas. Entre em contato com o administrador.')
      .waitFor()
    // For every name alike, whether or not it has a second factor.
    await page.getByRole('button', { name: 'Entrar com um código de verificação' }).click()
    await page.getByLabel('Código de verificação').waitFor()
    await page.getByRole('button', { name: 'Voltar' }).click()
    await user(page).press('x')
    await expect.poll(() => alert(page).count()).toBe(0)
    await expect.poll(() => tokenOf(page)).toBe('')
  })

  testInFull('the login describes a refusal without a message by its status', async () => {
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 423, body: '' }))
    await enter(page, 'ana', 'qualquer')
    await alert(page).getByText('Conta temporariamente bloqueada. Tente novamente mais tarde.').waitFor()
  })

  testInFull('the login says when there is no network', async () => {
    await page.route('**/api/auth/login', (route) => route.abort('internetdisconnected'))
    await enter(page, 'ana', password)
    await alert(page).getByText('Erro de conexão. Verifique sua internet e tente novamente.').waitFor()
  })

  testInFull("the login shows 'Entrando...' once pressed, and then the first screen", async () => {
    await page.goto(`${url}/settings-advanced`)
    const held: Route[] = []
    await page.route('**/api/auth/login', (route) => void held.push(route))
    await enter(page, 'carla', password)
    const busy = page.getByRole('button', { name: 'Entrando...' })
    await busy.waitFor()
    await busy.click({ force: true })
    await secret(page).press('Enter')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await expect.poll(() => tokenOf(page)).not.toBe('')
  })

  testInFull('an identity that cannot be fetched is reported, and can be fetched again', async () => {
    await signIn(page, url, 'carla', password)
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await page.getByText('Falha ao buscar usuário').waitFor()
    await page.unroute('**/api/auth/me')
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  testInFull('a token that the server does not know leads to the login, and is forgotten', async () => {
    await page.evaluate(() => localStorage.setItem('auth_token', 'nobody-has-this-one'))
    await page.reload()
    await button(page).waitFor()
    await expect.poll(() => tokenOf(page)).toBe('')
  })
})

describe('the end of a session', () => {
  const overlay = (page: Page) => page.getByRole('dialog', { name: /Sessão encerrada/ })
  const composer = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')

  async function openChat(page: Page, name: string): Promise<void> {
    const { id } = await newTalk(await colleague('admin'), name)
    await page.goto(`${url}/chat?conversation=${id}`)
    await page.getByRole('log').getByText('oi').waitFor()
  }

  test('an ended session shows the login at once, and keeps the typed text', async () => {
    const page = await enteredAs('ana')
    await openChat(page, 'Sessão Perdida')
    await composer(page).fill('isto não pode se perder')
    await endSession(url, await tokenOf(page))
    // By the push: the heartbeat ends a session within 30 s, too.
    await overlay(page).waitFor({ timeout: 10_000 })
    await expect.poll(() => user(page).inputValue()).toBe('ana')
    await secret(page).fill(password)
    await button(page).click()
    await overlay(page).waitFor({ state: 'detached' })
    await expect.poll(() => composer(page).inputValue()).toBe('isto não pode se perder')
    await composer(page).press('Enter')
    await page.getByRole('log').getByRole('img', { name: 'Entregue' }).waitFor()
  })

  testInFull('an ended session is noticed by the next call, without a real-time connection', async () => {
    const context = await newContext(browser)
    const page = await context.newPage()
    await page.routeWebSocket('**/ws', (socket) => socket.close())
    await signIn(page, url, 'bruno', password)
    await endSession(url, await tokenOf(page))
    // A poll may have been that call already, so that the overlay is shown.
    await page.getByRole('link', { name: 'Conversas Ativas' }).dispatchEvent('click')
    await overlay(page).waitFor({ timeout: 10_000 })
  })

  testInFull('nothing of an ended session is left when somebody else signs in', async () => {
    const page = await enteredAs('ana')
    await openChat(page, 'Troca de Turno')
    await composer(page).fill('escrito pela Ana')
    await endSession(url, await tokenOf(page))
    await overlay(page).waitFor()
    await enter(page, 'bruno', password)
    await page
      .getByRole('complementary', { name: 'Navegação principal' })
      .getByText('Bruno Tavares')
      .waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.goBack()
    await page.goForward()
    await expect.poll(() => page.getByText('escrito pela Ana').count()).toBe(0)
  })

  test('signing out clears the token and the cookie, here and in the other tab', async () => {
    const context = await newContext(browser)
    const page = await context.newPage()
    await signIn(page, url, 'carla', password)
    const other = await context.newPage()
    await other.goto(`${url}/conversas-ativas`)
    await other.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    const token = await tokenOf(page)
    await inAccountMenu(page, 'Sair')
    for (const tab of [page, other]) await button(tab).waitFor()
    await expect.poll(() => tokenOf(page)).toBe('')
    // The browser is known from now on, which lets nobody in.
    await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).toEqual(['known'])
    const answer = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(401)
  })

  testInFull('an old session ends in all tabs when the same person signs in again in one', async () => {
    const context = await newContext(browser)
    const page = await context.newPage()
    await signIn(page, url, 'ana', password)
    await openChat(page, 'Duas Abas')
    await composer(page).fill('rascunho na segunda aba')
    const other = await context.newPage()
    await other.goto(url)
    await other.getByText('Conversas Recentes').waitFor()
    await endSession(url, await tokenOf(page))
    for (const tab of [page, other]) await overlay(tab).waitFor()
    await enter(other, 'ana', password)
    await overlay(page).waitFor({ state: 'detached' })
    await expect.poll(() => composer(page).inputValue()).toBe('rascunho na segunda aba')
  })
})
