import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, openChat } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectAccessibleState } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

// Drafts: on every device, across a reload, offline, and in the list.

const diego = await colleague('diego')
const other = await signedIn('diego')

const sizes = inFullAlso([[1440, 'dark']], [[390, 'light']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let id: number
  let name: string
  let count = 0
  beforeAll(async () => {
    page = await signedIn('diego', { width, height: 860, theme })
  })
  beforeEach(async () => {
    name = `Rascunho ${width} ${++count}`
    ;({ phone, id } = await newChat(page, diego, name))
  })

  const open = async (where: Page) => {
    await openChat(where, id, name)
    await where.getByRole('log').getByText('bom dia').waitFor()
  }
  /** As a new page, which knows of no drafts yet. */
  const load = async (where: Page) => {
    await where.goto(`${url}/chat?conversation=${id}`)
    await where.getByRole('log').getByText('bom dia').waitFor()
  }
  const composer = (where = page) => where.getByPlaceholder('Digite sua mensagem...')
  const value = (where: Page) => () => composer(where).inputValue()
  const saved = async () =>
    (await diego.call<Draft[]>('GET', '/api/drafts')).find(({ conversationId }) => conversationId === id)
  const savedText = async () => (await saved())?.content

  test('a draft typed in one browser is in the other with its quote, until it is sent', async () => {
    await page.getByRole('article').filter({ hasText: 'bom dia' }).hover()
    await page.getByRole('button', { name: 'Opções da mensagem' }).first().click()
    await page.getByRole('menuitem', { name: 'Responder' }).click()
    await composer().pressSequentially('já estou vendo')
    await expect.poll(savedText).toBe('já estou vendo')
    await open(other)
    await expect.poll(value(other)).toBe('já estou vendo')
    await other.getByText(`Respondendo a ${name}`).waitFor()
    await composer().pressSequentially(' isso')
    await expect.poll(value(other)).toBe('já estou vendo isso')
    await composer(other).press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('já estou vendo isso')
    await expect.poll(value(page)).toBe('')
    await page.getByText('Respondendo a').waitFor({ state: 'detached' })
    await expect.poll(() => saved()).toBeUndefined()
  })

  testInFull('a draft that is being typed is not replaced by one written elsewhere', async () => {
    await open(other)
    await page.route('**/draft', (route) => route.abort())
    await composer().pressSequentially('aqui')
    await composer(other).pressSequentially('lá')
    await expect.poll(savedText).toBe('lá')
    // The event arrives meanwhile, and must not be applied.
    await page.waitForTimeout(300)
    expect(await rightNow('what is typed here stays', value(page)())).toBe('aqui')
    await page.unroute('**/draft')
    await composer().pressSequentially(' mesmo')
    await expect.poll(savedText, { timeout: 20_000 }).toBe('aqui mesmo')
    await expect.poll(value(other)).toBe('aqui mesmo')
  })

  test('a draft survives a reload without a network, and is saved once connected', async () => {
    await page.route('**/draft', (route) => route.abort())
    const attempt = page.waitForRequest('**/draft')
    await composer().pressSequentially('sem rede')
    await attempt
    await expect.poll(() => saved()).toBeUndefined()
    await page.reload()
    await expect.poll(value(page)).toBe('sem rede')
    await page.unroute('**/draft')
    await expect.poll(savedText, { timeout: 20_000 }).toBe('sem rede')
  })

  testInFull('a draft typed in the last moment is saved when the tab is closed', async () => {
    const tab = await page.context().newPage()
    await open(tab)
    await composer(tab).pressSequentially('fechei logo')
    await tab.close({ runBeforeUnload: true })
    await expect.poll(savedText).toBe('fechei logo')
  })

  testInFull('a draft typed before the drafts are known replaces none of them', async () => {
    await diego.call('PUT', `/api/conversations/${id}/draft`, {
      content: 'de outro lugar',
      quotedMessageId: null,
    })
    const held = Promise.withResolvers<void>()
    await page.route('**/api/drafts', async (route) => {
      await held.promise
      await route.continue()
    })
    await load(page)
    await composer().pressSequentially('agora')
    // Longer than the pause after which a draft is saved.
    await page.waitForTimeout(900)
    expect(await rightNow('nothing is saved before the drafts are known', savedText())).toBe('de outro lugar')
    expect(await rightNow('what is typed stays as it is until then', value(page)())).toBe('agora')
    held.resolve()
    await expect.poll(value(page)).toBe('de outro lugar\nagora')
    await composer().pressSequentially(' sim')
    await expect.poll(savedText).toBe('de outro lugar\nagora sim')
  })

  testInFull('two tabs that receive the drafts at once append what is typed once', async () => {
    await diego.call('PUT', `/api/conversations/${id}/draft`, { content: 'de antes', quotedMessageId: null })
    const tab = await page.context().newPage()
    const held = Promise.withResolvers<void>()
    for (const each of [page, tab])
      await each.route('**/api/drafts', async (route) => {
        await held.promise
        await route.continue()
      })
    await load(page)
    await composer().pressSequentially('nas duas')
    await open(tab)
    // Longer than the pause after which a draft is saved, here and below.
    await page.waitForTimeout(900)
    held.resolve()
    await expect.poll(savedText).toBe('de antes\nnas duas')
    await page.waitForTimeout(900)
    for (const each of [page, tab]) await expect.poll(() => value(each)()).toBe('de antes\nnas duas')
    await expect.poll(() => savedText()).toBe('de antes\nnas duas')
    await tab.close()
  })

  testInFull('a draft saved while the drafts were being fetched is not replaced by that fetch', async () => {
    const [left, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/drafts', async (route) => {
      const response = await route.fetch()
      left.resolve()
      await held.promise
      await route.fulfill({ response })
    })
    // Returning to the tab refetches everything.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await left.promise
    await composer().pressSequentially('antes da lista')
    const texts = await shownTexts(page)
    await expect.poll(savedText).toBe('antes da lista')
    // Time for the page to remove its own copy after the save.
    await page.waitForTimeout(300)
    const landed = page.waitForResponse('**/api/drafts')
    held.resolve()
    await landed
    // A wrong text would be shown by then.
    await page.waitForTimeout(300)
    expect(await rightNow('it must never have been taken away', texts())).toEqual(['antes da lista'])
  })

  testInFull('a draft saved by another tab remains in one that is not notified', async () => {
    const tab = await page.context().newPage()
    await tab.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer()
      server.onMessage((frame) => String(frame).includes('draft_changed') || socket.send(frame))
    })
    await tab.route('**/draft', (route) => route.abort())
    await open(tab)
    await tab.route('**/api/drafts', (route) => route.abort())
    await composer(tab).pressSequentially('nas duas abas')
    const texts = await shownTexts(tab)
    await page.reload()
    await expect.poll(savedText).toBe('nas duas abas')
    // A wrong text would be shown by then, here and below.
    await tab.waitForTimeout(300)
    await composer(tab).press('!')
    await tab.waitForTimeout(300)
    await expect.poll(() => texts()).toEqual(['nas duas abas', 'nas duas abas!'])
    await tab.close()
  })

  testInFull('the list shows every draft but that of the open conversation', async () => {
    await composer().pressSequentially('volto já')
    await expect.poll(savedText).toBe('volto já')
    await go(page, `/conversas-ativas?search=${encodeURIComponent(name)}`)
    const card = page.getByRole('link').filter({ hasText: 'Rascunho: volto já' })
    await card.first().waitFor()
    await expectAccessibleState(page)
    await diego.call('PUT', `/api/conversations/${id}/draft`, { content: '', quotedMessageId: null })
    await card.first().waitFor({ state: 'detached' })
    if (width < 1200) return
    await diego.call('PUT', `/api/conversations/${id}/draft`, {
      content: 'na lista',
      quotedMessageId: null,
    })
    await open(page)
    const pane = page.getByRole('region', { name: 'Conversas' })
    await expect.poll(value(page)).toBe('na lista')
    await expect.poll(() => pane.getByText('Rascunho: na lista').count()).toBe(0)
    const elsewhere = (await diego.openConversations()).find((row) => row.id !== id)
    await go(page, `/chat?conversation=${elsewhere?.id}`)
    await pane.getByPlaceholder('Buscar por nome ou telefone...').fill(phone.number)
    await pane.getByText('Rascunho: na lista').waitFor()
  })
})

/** Watches the composer. @returns a function that returns its texts since then, each change once */
async function shownTexts(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.getByPlaceholder('Digite sua mensagem...').evaluateHandle((composer) => {
    const texts: string[] = []
    const record = () => {
      const { value } = composer as HTMLTextAreaElement
      if (value !== texts.at(-1)) texts.push(value)
    }
    record()
    setInterval(record, 5)
    return texts
  })
  return () => seen.jsonValue()
}
