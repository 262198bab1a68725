import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isInMenu, screenPaths, screenRuleOf } from '#shared/acts.ts'
import type { Me } from '#shared/users/users.ts'
import { version } from '#shared/version.ts'
import { inAccountMenu, openAccountMenu } from './support/account-menu.ts'
import { newContext, signIn } from './support/browser.ts'
import { type Cable, createCable } from './support/cuttable-proxy.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { expectAccessibleState } from './support/sound.ts'
import { browser, colleague, password, phones, signedIn, url } from './support/stage.ts'

/** Ana's, for what leaves it as it was. */
const shared = await signedIn('ana')
/** Shows the dashboard there. */
const home = async () => {
  await go(shared, '/')
  await shared.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return shared
}

const side = (page: Page) => page.getByRole('complementary', { name: 'Navegação principal' })
const screens = (page: Page) => page.getByRole('navigation', { name: 'Telas' })
const gateway = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })

/** Whether the dot beside the words for the number's state has this colour of the theme. */
const dotIs = (page: Page, words: string, colour: 'line-strong' | 'green' | 'red') =>
  page
    .getByRole('status')
    .filter({ has: page.getByText(words, { exact: true }) })
    .evaluate((state, name) => {
      const sample = document.createElement('span')
      sample.style.color = `var(--color-${name})`
      state.append(sample)
      const [dot, wanted] = [state.querySelector('.status-dot'), sample].map(
        (it) => it && getComputedStyle(it).color,
      )
      sample.remove()
      return dot === wanted
    }, colour)

describe('the side bar', () => {
  // The menu of each role as the specification says it; other screens follow from what their rooms declare.
  const forAll = ['Dashboard', 'Conversas Ativas', 'Arquivamento', 'Contatos', 'Empresas']
  const ofAdmins = ['Usuários', 'Permissões', 'Configurações', 'Manutenção']
  const specified = [...forAll, ...ofAdmins, 'Relatórios']
  type Shown = [username: string, name: string, role: string, links: string[]]
  const people: Shown[] = [
    ['admin', 'Marina Queiroz', 'Administrador', specified],
    ['supervisora', 'Heloísa Duarte', 'Supervisor', [...forAll, 'Relatórios']],
    ['ana', 'Ana Beatriz Nogueira', 'Operador', forAll],
  ]
  test.each(inFullAlso(people.slice(0, 1), people.slice(1)))(
    'the side bar shows %s name, role and the screens of that role',
    async (username, name, role, links) => {
      const page = await signedIn(username)
      await side(page).getByText(name, { exact: true }).waitFor()
      await side(page).getByText(role, { exact: true }).waitFor()
      const { user } = await (await colleague(username)).call<{ user: Me }>('GET', '/api/auth/me')
      const declared = screenPaths.filter((path) => isInMenu(user, path))
      // Without the number of unread conversations.
      const shown = async () =>
        (await screens(page).getByRole('link').allTextContents()).map((text) => text.replace(/\d.*$/, ''))
      await expect.poll(shown).toEqual(declared.map((path) => screenRuleOf(path).title))
      const ofSpecified = async () => (await shown()).filter((title) => specified.includes(title))
      await expect.poll(ofSpecified).toEqual(links)
      const item = await openAccountMenu(page)
      for (const act of ['Editar perfil', 'Tema escuro', 'Sair']) await item(act).waitFor()
      await pressEscape(page)
    },
  )

  testInFull('the side bar marks the current screen', async () => {
    const page = await home()
    const here = () =>
      screens(page).getByRole('link').and(page.locator('[aria-current="page"]')).textContent()
    await expect.poll(() => here()).toContain('Dashboard')
    await screens(page).getByRole('link', { name: 'Conversas Ativas' }).click()
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    await expect.poll(() => here()).toContain('Conversas Ativas')
  })

  testInFull('the side bar folds, and stays folded after a reload', async () => {
    // One of its own, which may be left folded.
    const page = await signedIn('ana')
    const width = async () => (await side(page).boundingBox())?.width ?? 0
    const wide = await width()
    await page.getByRole('button', { name: 'Recolher menu' }).click()
    await expect.poll(width).toBeLessThan(100)
    await page.reload()
    await page.getByRole('button', { name: 'Expandir menu' }).waitFor()
    await expect.poll(() => width()).toBeLessThan(100)
    await screens(page).getByRole('link', { name: 'Contatos' }).click()
    await page.getByRole('heading', { name: 'Contatos' }).waitFor()
    await page.getByRole('button', { name: 'Expandir menu' }).click()
    await expect.poll(width).toBe(wide)
  })

  testInFull('the side bar makes room for the list and the chat, and is as it was behind them', async () => {
    const page = await signedIn('ana')
    const width = async () => (await side(page).boundingBox())?.width ?? 0
    const wide = await width()
    await screens(page).getByRole('link', { name: 'Conversas Ativas' }).click()
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    await expect.poll(() => width()).toBeLessThan(100)
    await expect.poll(() => page.getByRole('button', { name: 'Expandir menu' }).count()).toBe(0)
    await screens(page).getByRole('link', { name: 'Contatos' }).click()
    await page.getByRole('button', { name: 'Recolher menu' }).waitFor()
    await expect.poll(width).toBe(wide)
  })

  test('the side bar is a drawer on a telephone', async () => {
    const page = await signedIn('ana', { width: 390, height: 844 })
    await expect.poll(() => side(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Abrir menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await drawer.getByText('Ana Beatriz Nogueira').waitFor()
    await drawer.getByText('Operador', { exact: true }).waitFor()
    const item = await openAccountMenu(page)
    for (const act of ['Editar perfil', 'Tema escuro', 'Sair']) await item(act).waitFor()
    await pressEscape(page)
    await item('Sair').waitFor({ state: 'detached' })
    await pressEscape(page)
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Abrir menu')
    await page.getByRole('button', { name: 'Abrir menu' }).click()
    await drawer.getByRole('link', { name: 'Conversas Ativas' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
  })
})

const widths = [1440, 390] as const
testInFull.each(widths)(
  'a reload at %i px shows the shape of the chat until the person is known',
  async (width) => {
    const page = await signedIn('ana', { width })
    const { id } = await newTalk(await colleague('ana'), `Recarga ${width}`, 'bom dia')
    await page.goto(`${url}/chat?conversation=${id}`)
    await page.getByRole('log').waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/auth/me', async (route) => {
      await held
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    const messages = page.getByRole('status', { name: 'Carregando mensagens' })
    await messages.waitFor()
    await expect.poll(() => page.getByText('Carregando', { exact: true }).count()).toBe(0)
    const left = async (area: Locator) => (await area.boundingBox())?.x
    const before = await left(messages)
    release()
    await page.getByRole('log').waitFor()
    await expect.poll(() => left(page.getByRole('log'))).toBe(before)
  },
)

test('the menu of the person is used by keyboard, and gives the focus back', async () => {
  const page = await signedIn('ana')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  // Beside the person, for whoever is asked which one they have.
  await side(page).getByText(`Versão ${version}`, { exact: true }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const person = page.getByRole('button', { name: 'Ana Beatriz Nogueira Operador' })
  await person.focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Passar meu turno')
  await expectAccessibleState(page)
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('Editar perfil')
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('Sair')
  await pressEscape(page)
  await expect.poll(() => person.evaluate((one) => one === document.activeElement)).toBe(true)
  // A dialog that is opened from it gives the focus back to it, too.
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Passar meu turno')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Passar meu turno' })
  await dialog.waitFor()
  await pressEscape(page)
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => person.evaluate((one) => one === document.activeElement)).toBe(true)
})

describeInFull('the theme', () => {
  const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

  test('the theme is that of the system until somebody chooses, and then stays', async () => {
    const page = await signedIn('ana', { theme: 'dark' })
    await expect.poll(() => theme(page)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => theme(page)).toBe('light')
    await inAccountMenu(page, 'Tema escuro')
    await expect.poll(() => theme(page)).toBe('dark')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
    await page.reload()
    const item = await openAccountMenu(page)
    await item('Tema claro').waitFor()
    await expect.poll(() => theme(page)).toBe('dark')
  })
})

describe('the top bar', () => {
  afterEach(() => phones.setFaults({ disconnect: { on: false } }))

  testInFull("the top bar shows the server's time in São Paulo, whatever the computer believes", async () => {
    const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'Asia/Tokyo' })
    const page = await context.newPage()
    await page.clock.install({ time: Date.now() + 5 * 3_600_000 })
    await signIn(page, url, 'ana', password)
    const format = new Intl.DateTimeFormat('pt-BR', {
      timeZone: 'America/Sao_Paulo',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/api/server-time`, {
          headers: {
            authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('auth_token'))}`,
          },
        })
        const { serverTime } = (await answer.json()) as { serverTime: string }
        const shown = await page.getByRole('banner').getByRole('time').textContent()
        const [, day, clock] = /(\d\d\/\d\d\/\d{4}) (\d\d:\d\d:\d\d)$/.exec(shown ?? '') ?? []
        const near = [-1, 0, 1, 2].map((s) => format.format(Date.parse(serverTime) + s * 1000))
        return near.includes(`${day}, ${clock}`)
      })
      .toBe(true)
  })

  test('the top bar says when the number at the gateway is gone, and when it is back', async () => {
    const page = await home()
    await expect.poll(() => dotIs(page, 'Conectado', 'green')).toBe(true)
    await phones.setFaults({ disconnect: { on: true } })
    await expect.poll(() => dotIs(page, 'Desconectado', 'red')).toBe(true)
    await phones.setFaults({ disconnect: { on: false } })
    await gateway(page, 'Conectado').waitFor()
  })

  testInFull(
    'the ribbon of the demonstration says that nothing is real, and leads to the phones',
    async () => {
      const page = await home()
      await page.getByText('Modo de demonstração: nenhum número real recebe mensagens').waitFor()
      const link = page.getByRole('link', { name: 'Abrir simulador' })
      await expect.poll(() => link.getAttribute('href')).toBe('/simulador')
    },
  )
})

describe('an address that is no screen', () => {
  test('an unknown address is reported inside the shell, and leads back', async () => {
    const page = shared
    await page.goto(`${url}/nao-existe/mesmo`)
    await page.getByText('404 Page Not Found', { exact: true }).waitFor()
    await screens(page).getByRole('link', { name: 'Conversas Ativas' }).waitFor()
    await page.getByRole('link', { name: 'Voltar ao Dashboard' }).click()
    await page.getByText('Conversas Recentes').waitFor()
  })
})

describe('the real-time link', () => {
  let cable: Cable
  beforeAll(async () => {
    cable = await createCable(url)
  })
  afterAll(() => cable.close())

  testInFull('a broken real-time link is reported, with the specified text after five attempts', async () => {
    const { token } = await colleague('ana')
    const context = await newContext(browser, { session: { url: cable.url, token } })
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(cable.url)
    await gateway(page, 'Conectado').waitFor()
    cable.cut()
    await page.getByText('Reconectando…').waitFor()
    await page.getByText('Erro de conexão WebSocket').waitFor()
    const failed = page.getByText('Falha ao reconectar após múltiplas tentativas')
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000)
        return failed.count()
      })
      .toBe(1)
    await page.getByText('Conversas Recentes').waitFor()
    await expect.poll(() => dotIs(page, 'Sem conexão', 'line-strong')).toBe(true)
    cable.mend()
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000)
        return failed.count()
      })
      .toBe(0)
    await expect.poll(() => page.getByText('Reconectando…').count()).toBe(0)
  })

  test('the real-time link comes back at once when the browser is online again', async () => {
    const page = await signedIn('bruno', { at: cable.url })
    const context = page.context()
    await gateway(page, 'Conectado').waitFor()
    cable.cut()
    await context.setOffline(true)
    await page.getByText('Reconectando…').waitFor()
    cable.mend()
    await context.setOffline(false)
    await page.getByText('Reconectando…').waitFor({ state: 'detached', timeout: 9000 })
  })

  test('a screen that is opened off line says so, and opens by itself when the network is back', async () => {
    const page = await signedIn('ana')
    await page.goto(url)
    await gateway(page, 'Conectado').waitFor()
    await page.context().setOffline(true)
    await page.evaluate(() => history.pushState(null, '', '/test-contact-display'))
    const away = page.getByRole('main').getByText('Sem conexão', { exact: true })
    await away.waitFor()
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await page.getByRole('button', { name: 'Tentar novamente' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => away.count()).toBe(0)
  })

  testInFull('the real-time link reports at once that the browser is offline', async () => {
    const page = await home()
    const context = page.context()
    await gateway(page, 'Conectado').waitFor()
    // Nothing ends the socket, which would be missed only by its heartbeat.
    await context.setOffline(true)
    await page.getByText('Reconectando…').waitFor({ timeout: 20_000 })
    await gateway(page, 'Sem conexão').waitFor()
    await context.setOffline(false)
    await gateway(page, 'Conectado').waitFor()
    await expect.poll(() => page.getByText('Reconectando…').count()).toBe(0)
  })

  testInFull('a real-time link that cannot be tried has a text of its own', async () => {
    const { token } = await colleague('ana')
    const context = await newContext(browser, { session: { url, token } })
    await context.addInitScript(() => {
      Object.assign(window, {
        WebSocket: class {
          static readonly OPEN = 1
          constructor() {
            throw new DOMException('refused', 'SecurityError')
          }
        },
      })
    })
    const page = await context.newPage()
    await page.goto(url)
    await page.getByText('Falha ao criar conexão WebSocket').waitFor()
  })
})

describeInFull('a hint', () => {
  test('a tooltip names a button at hover and at keyboard focus, and closes with Escape', async () => {
    const page = await home()
    const fold = page.getByRole('button', { name: 'Recolher menu' })
    const hint = page.locator('[role=tooltip]')
    await fold.hover()
    await hint.getByText('Recolher menu', { exact: true }).waitFor()
    const [button, bubble] = [await fold.boundingBox(), await hint.boundingBox()]
    expect(bubble?.x).toBeGreaterThan((button?.x ?? 0) + (button?.width ?? 0))
    // The pointer may rest on it.
    await hint.hover()
    await expect.poll(() => hint.isVisible()).toBe(true)
    await page.getByRole('heading', { name: 'Dashboard' }).hover()
    await hint.waitFor({ state: 'detached' })

    await fold.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await hint.getByText('Recolher menu', { exact: true }).waitFor()
    await pressEscape(page)
    await hint.waitFor({ state: 'detached' })
  })
})

testInFull('a signed-in person is notified of three wrong passwords, and continues to work', async () => {
  // Nobody else in the tests signs in with this name.
  const page = await signedIn('elisa')
  const reported = page.getByText(/^Alguém errou sua senha três vezes/)
  for (let n = 0; n < 3; n++)
    await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'elisa', password: `errada-${n}` }),
    })
  await reported.waitFor()
  await page.getByText('até um administrador desbloquear').waitFor()
  await screens(page).getByRole('link', { name: 'Conversas Ativas' }).click()
  await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
  await page.reload()
  await reported.waitFor()
  await page.getByRole('button', { name: 'Entendi' }).click()
  await reported.waitFor({ state: 'detached' })
})
