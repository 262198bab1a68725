import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser, newContext, signIn } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { Phones } from './support/phones.ts'
import { expectSound, toastOn } from './support/sound.ts'

// What the computer itself tells while nobody looks at the tab. The browser's permission is real; what it would show is
// read where it is made, since nothing outside of the browser can be looked at.

const { url, password } = inject('demo')
const phones = new Phones(url)
let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

interface Shown {
  title: string
  body: string
  tag: string
}
declare global {
  interface Window {
    shownNotices: (Notification & Shown)[]
    isLookedAt: boolean
  }
}

async function desk(width: number, isGranted: boolean): Promise<{ context: BrowserContext; page: Page }> {
  const context = await newContext(browser, { width })
  if (isGranted) await context.grantPermissions(['notifications'], { origin: url })
  await context.addInitScript(() => {
    window.shownNotices = []
    window.isLookedAt = true
    document.hasFocus = () => window.isLookedAt
    window.Notification = new Proxy(window.Notification, {
      construct: (Real, [title, options]: [string, NotificationOptions]) => {
        const shown = new Real(title, options)
        window.shownNotices.push(shown as Notification & Shown)
        return shown
      },
    })
  })
  const page = await context.newPage()
  await signIn(page, url, 'ana', password)
  await page.goto(`${url}/conversas-ativas`)
  return { context, page }
}

const shownOn = (page: Page) =>
  page.evaluate(() => window.shownNotices.map(({ title, body, tag }): Shown => ({ title, body, tag })))
const look = (page: Page, isLookedAt: boolean) =>
  page.evaluate((to) => {
    window.isLookedAt = to
  }, isLookedAt)
const control = (page: Page) => page.getByRole('button', { name: 'Notificações na área de trabalho' })

async function choose(page: Page, choice: string) {
  await control(page).click()
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click()
}

async function mine(name: string) {
  const phone = await phones.create(name)
  await phones.write(phone.id, 'bom dia')
  const ana = await Colleague.signIn(url, 'ana', password)
  const { id } = await ana.conversationWith(phone)
  await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
  return { phone, id }
}

describe.each([1440, 390])('at %i px', (width) => {
  test('a browser that does not allow it is said so, and nothing is promised', async () => {
    const { context, page } = await desk(width, false)
    await choose(page, 'Avisar com o texto')
    await toastOn(page, 'O navegador não permite notificações').waitFor()
    await control(page).click()
    await page.getByRole('menuitemradio', { name: 'Não avisar', checked: true }).waitFor()
    await context.close()
  })

  test('tells of my client with or without his words, only while nobody looks, and leads to the chat', async () => {
    const { context, page } = await desk(width, true)
    const { phone, id } = await mine(`Aviso ${width}`)
    await choose(page, 'Avisar sem o texto')
    await phones.write(phone.id, 'enquanto se olha')
    await page.getByText('enquanto se olha').first().waitFor()
    expect(await shownOn(page)).toEqual([])

    await look(page, false)
    await phones.write(phone.id, 'é segredo')
    const tag = `conversation ${id}`
    await expect.poll(() => shownOn(page)).toEqual([{ title: phone.name, body: 'Nova mensagem', tag }])

    await look(page, true)
    await choose(page, 'Avisar com o texto')
    await page.keyboard.press('Escape')
    await expectSound(page, width)
    await page.reload()
    await page.getByText('é segredo').first().waitFor()
    await look(page, false)
    await phones.write(phone.id, 'agora com texto')
    await expect.poll(() => shownOn(page)).toEqual([{ title: phone.name, body: 'agora com texto', tag }])

    await page.evaluate(() => window.shownNotices[0]?.dispatchEvent(new Event('click')))
    await page.getByRole('log').getByText('agora com texto').waitFor()
    expect(new URL(page.url()).searchParams.get('conversation')).toBe(String(id))
    await context.close()
  })
})
