import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notice } from '#shared/notices/notices.ts'
import { newAccount } from './support/accounts.ts'
import { newContext } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { expectAccessible } from './support/sound.ts'
import { browser, colleague, password, phones, signedIn, url } from './support/stage.ts'

// They stay for the worker: 'admin' dismisses them in the end, so that no other file sees them.

const refused = (page: Page) => page.getByText(/^\d+ webhooks recusados desde \d\d:\d\d: segredo errado/)
const away = (page: Page) => page.getByText(/está sem conexão com o WhatsApp desde \d\d:\d\d/)
const dismissal = (page: Page, name: RegExp) => page.getByRole('button', { name })
const several = (page: Page) => page.getByRole('button', { name: /^\d avisos/ })

async function refuseWebhooks() {
  for (let n = 0; n < 3; n++) {
    const answer = await fetch(`${url}/api/webhook/evolution`, {
      method: 'POST',
      headers: { authorization: 'Bearer errado', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
  }
}

/** An administrator of their own, who has dismissed nothing. */
async function anotherAdmin(options: Parameters<typeof newContext>[1] = {}) {
  const { id, username } = await newAccount()
  await (await colleague('admin')).call('PUT', `/api/users/${id}`, { role: 'admin' })
  const { token } = await Colleague.signIn(url, username, password)
  const page = await (await newContext(browser, { ...options, session: { url, token } })).newPage()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}

let page: Page
beforeAll(async () => {
  await refuseWebhooks()
  page = await anotherAdmin()
})
afterAll(async () => {
  await phones.setFaults({ disconnect: { on: false } })
  const admin = await colleague('admin')
  for (const { id } of await admin.call<Notice[]>('GET', '/api/notices'))
    await admin.call('POST', `/api/notices/${id}/dismiss`)
})

test('an administrator is notified of what is wrong and where to repair it, nobody else is', async () => {
  await refused(page).waitFor()
  await expectAccessible(page)
  await page.getByText('Configure o webhook de novo.').waitFor()
  await page.getByRole('link', { name: 'Configurações → Evolution API' }).click()
  await page.getByRole('tab', { name: 'Evolution API', selected: true }).waitFor()
  await page.getByLabel('Nome da instância').waitFor()
  for (const username of inFullAlso(['ana'], ['supervisora'])) {
    const other = await signedIn(username)
    await other.waitForLoadState('networkidle')
    await expect.poll(() => refused(other).count()).toBe(0)
  }
})

testInFull('a notice is shown after a reload, before the server is asked', async () => {
  await go(page, '/')
  await refused(page).waitFor()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/notices', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await refused(page).waitFor()
  release()
})

testInFull('while the server is away only that is shown, in the same place', async () => {
  await refused(page).waitFor()
  await page.context().setOffline(true)
  await page.getByText('Reconectando…').waitFor()
  await expect.poll(() => refused(page).count()).toBe(0)
  await page.context().setOffline(false)
  await refused(page).waitFor()
})

testInFull('a dismissed notice is gone on all devices of that person, and for nobody else', async () => {
  const page = await anotherAdmin()
  await refused(page).waitFor()
  const other = await anotherAdmin()
  await refused(other).waitFor()
  const device = await (
    await newContext(browser, {
      session: { url, token: (await page.evaluate(() => localStorage.getItem('auth_token'))) ?? '' },
    })
  ).newPage()
  await device.goto(url)
  await refused(device).waitFor()
  const button = dismissal(page, /^Dispensar por um dia: \d+ webhooks/)
  await button.focus()
  await page.keyboard.press('Enter')
  await refused(page).waitFor({ state: 'detached' })
  // The keyboard goes on with the screen.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('conteudo')
  await refused(device).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => refused(page).count()).toBe(0)
  await refused(other).waitFor()
})

testInFull('a notice that cannot be dismissed says so, and stays', async () => {
  await refused(page).waitFor()
  await page.route('**/api/notices/*/dismiss', (route) => route.fulfill({ status: 500, body: '' }))
  await dismissal(page, /webhooks/).click()
  await page.getByText('Não foi possível dispensar o aviso').waitFor()
  await refused(page).waitFor()
})

// The number must be away for half a minute.
describeInFull('several', () => {
  const looks = [
    { width: 390, height: 844, theme: 'dark' },
    { width: 1440, height: 900, theme: 'light' },
    { width: 1440, height: 900, theme: 'dark' },
    { width: 390, height: 844, theme: 'light' },
  ] as const
  beforeAll(() => phones.setFaults({ disconnect: { on: true } }))
  afterAll(() => phones.setFaults({ disconnect: { on: false } }))

  test.each(looks)('several notices are one bar with their number at $width px, $theme', async (look) => {
    const page = await anotherAdmin(look)
    const bar = several(page)
    await bar.waitFor({ timeout: 60_000 })
    await bar.getByText(/sem conexão com o WhatsApp/).waitFor()
    await expectAccessible(page)
    const closed = await bar.boundingBox()
    await bar.press('Enter')
    await page.getByRole('list', { name: 'Avisos' }).getByRole('listitem').nth(1).waitFor()
    await expectAccessible(page)
    const right = async () => {
      const box = await dismissal(page, /webhooks/).boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    await expect.poll(right).toBeLessThanOrEqual(look.width)
    await dismissal(page, /sem conexão/).press('Enter')
    // The other one stands alone, and has the focus.
    await bar.waitFor({ state: 'detached' })
    await expect.poll(right).toBeGreaterThan(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toContain('webhooks')
    expect(closed?.height).toBeLessThan(40)
  })

  test('the number of notices falls when one is over', async () => {
    const page = await anotherAdmin()
    await several(page).waitFor()
    await phones.setFaults({ disconnect: { on: false } })
    await several(page).waitFor({ state: 'detached' })
    await refused(page).waitFor()
    await expect.poll(() => away(page).count()).toBe(0)
  })
})

testInFull('a dismissed notice is removed before the server has answered', async () => {
  const page = await signedIn('admin')
  await refused(page).waitFor()
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/dismiss') && answer.ok())
  await dismissal(page, /webhooks/).click()
  await refused(page).waitFor({ state: 'detached' })
  await stored
})
