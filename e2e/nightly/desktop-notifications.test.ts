import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchWholeBrowser } from '../support/browser.ts'
import { pressEscape } from '../support/focus.ts'
import { newTalk } from '../support/open-chat.ts'
import { rightNow } from '../support/right-now.ts'
import { expectSound } from '../support/sound.ts'
import { colleague, phones, signedIn, url } from '../support/stage.ts'
import { toast } from '../support/toast.ts'

// Desktop notifications while nobody looks at the tab. The browser's permission is real. The notifications
// are recorded on creation, since tests cannot see anything outside the browser.

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

const whole = await launchWholeBrowser()
afterAll(() => whole.close())

async function desk(width: number, isGranted: boolean): Promise<{ context: BrowserContext; page: Page }> {
  const page = await signedIn('ana', { width, within: whole })
  const context = page.context()
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
  await page.goto(`${url}/conversas-ativas`)
  return { context, page }
}

const shownOn = (page: Page) =>
  page.evaluate(() => window.shownNotices.map(({ title, body, tag }): Shown => ({ title, body, tag })))
const setLookedAt = (page: Page, isLookedAt: boolean) =>
  page.evaluate((to) => {
    window.isLookedAt = to
  }, isLookedAt)
const control = (page: Page) => page.getByRole('button', { name: 'Notificações na área de trabalho' })

async function choose(page: Page, choice: string) {
  await control(page).click()
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click()
}

async function mine(name: string) {
  const ana = await colleague('ana')
  const { phone, id } = await newTalk(ana, name, 'bom dia')
  await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
  return { phone, id }
}

const sizes = [1440, 390]
describe.each(sizes)('at %i px', (width) => {
  test('a browser that does not allow notifications is reported, and nothing is promised', async () => {
    const { context, page } = await desk(width, false)
    await choose(page, 'Avisar com o texto')
    await toast(page, 'O navegador não permite notificações').waitFor()
    await control(page).click()
    await page.getByRole('menuitemradio', { name: 'Não avisar', checked: true }).waitFor()
    await context.close()
  })

  test('a notification names my client, with their words or without, only while nobody looks', async () => {
    const { context, page } = await desk(width, true)
    const { phone, id } = await mine(`Aviso ${width}`)
    await choose(page, 'Avisar sem o texto')
    await phones.write(phone.id, 'enquanto se olha')
    await page.getByText('enquanto se olha').first().waitFor()
    // The event of the notification may arrive after the text.
    await page.waitForTimeout(500)
    expect(await rightNow('nothing must have been notified yet', shownOn(page))).toEqual([])

    await setLookedAt(page, false)
    await phones.write(phone.id, 'é segredo')
    const tag = `conversation ${id}`
    await expect.poll(() => shownOn(page)).toEqual([{ title: phone.name, body: 'Nova mensagem', tag }])
    // The sounds are the console's own, which can be switched off.
    await expect.poll(() => page.evaluate(() => window.shownNotices[0]?.silent)).toBe(true)

    await setLookedAt(page, true)
    await choose(page, 'Avisar com o texto')
    await pressEscape(page)
    await expectSound(page, width)
    await page.reload()
    await page.getByText('é segredo').first().waitFor()
    await setLookedAt(page, false)
    await phones.write(phone.id, 'agora com texto')
    await expect.poll(() => shownOn(page)).toEqual([{ title: phone.name, body: 'agora com texto', tag }])

    await page.evaluate(() => window.shownNotices[0]?.dispatchEvent(new Event('click')))
    await page.getByRole('log').getByText('agora com texto').waitFor()
    expect(new URL(page.url()).searchParams.get('conversation')).toBe(String(id))
    await context.close()
  })
})
