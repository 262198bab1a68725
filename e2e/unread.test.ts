import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { isFull } from './support/full-run.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { rightNow } from './support/right-now.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

// Unread messages, per person and on all devices: in the list, the chat, the tab's title and icon.

const ana = await colleague('ana')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let id: number
  let name: string
  let count = 0
  beforeAll(async () => {
    page = await signedIn('ana', { width, height: 860, theme })
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    name = `Não Lida ${width} ${++count}`
    phone = await phones.create(name)
    for (const text of ['bom dia', 'tudo bem?', 'cadê meu pedido?']) await phones.write(phone.id, text)
    ;({ id } = await ana.conversationWith(phone))
    await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await toList()
  })

  const toList = async (at = page) => {
    await go(at, `/conversas-ativas?search=${encodeURIComponent(name)}`)
    await card(at).waitFor()
  }
  const card = (at = page) =>
    at.getByRole('list', { name: 'Conversas ativas' }).getByRole('link', { name: new RegExp(name) })
  /** Waits until the card shows the number of unread messages. */
  const cardSays = (unread: number, at = page) =>
    expect
      .poll(async () => /(\d+) não lidas?/.exec(await card(at).innerText())?.[1] ?? '0')
      .toBe(String(unread))
  const openChat = async (at = page) => {
    await card(at).click()
    await at.getByRole('log').getByText('cadê meu pedido?').waitFor()
  }
  const divider = (at = page) => at.getByRole('log').getByText(/^\d+ mensage(m não lida|ns não lidas)$/)
  const inTitle = async () => Number(/^\((\d+)\) Balcão$/.exec(await page.title())?.[1] ?? 0)
  const icon = () => page.locator('link[rel="icon"]').getAttribute('href')
  const stored = async (who = ana) =>
    (await who.call<ConversationRead[]>('GET', '/api/conversations/reads')).find(
      ({ conversationId }) => conversationId === id,
    )?.contactMessageCount ?? 0
  const toasts = () => page.getByRole('region', { name: 'Notificações', includeHidden: true })
  const toast = (text: string) => toasts().getByText(text)
  const markUnread = async () => {
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Marcar como não lida' }).click()
  }
  /** Simulates a change to another window, or back. */
  const setFocused = (isThere: boolean) =>
    page.evaluate((isFocused) => {
      document.hasFocus = () => isFocused
      window.dispatchEvent(new Event(isFocused ? 'focus' : 'blur'))
    }, isThere)

  test('unread messages are counted on the card, the title and the icon', async () => {
    await cardSays(3)
    await expectSound(page, width)
    const before = await inTitle()
    expect(before).toBeGreaterThan(0)
    await expect.poll(() => icon()).toMatch(/^data:image\/svg\+xml,/)
    await openChat()
    await expect.poll(() => divider().innerText()).toBe('3 mensagens não lidas')
    await expect.poll(inTitle).toBe(before - 1)
    await expect.poll(() => stored()).toBe(3)
    // The client gets read receipts.
    await expect
      .poll(async () => (await phones.chat(phone.id)).map(({ ack }) => ack))
      .toEqual(['read', 'read', 'read'])
    // The divider keeps its position when more messages arrive.
    await phones.write(phone.id, 'alô?')
    await page.getByRole('log').getByText('alô?').waitFor()
    await expect.poll(() => stored()).toBe(4)
    await expect.poll(() => divider().innerText()).toBe('3 mensagens não lidas')
    await expectSound(page, width)
    await toList()
    await cardSays(0)
    await openChat()
    // A divider would be shown by then.
    await page.waitForTimeout(300)
    await expect.poll(() => divider().count()).toBe(0)
  })

  testInFull('messages stay unread while nobody looks at the tab, also over a reload', async () => {
    await setFocused(false)
    await openChat()
    // An open chat counts as read after 400 ms.
    await page.waitForTimeout(800)
    expect(await rightNow('Ana has not looked at it', stored())).toBe(0)
    await setFocused(true)
    await expect.poll(() => stored()).toBe(3)
    await setFocused(false)
    await phones.write(phone.id, 'tem alguém aí?')
    await page.getByRole('log').getByText('tem alguém aí?').waitFor()
    await page.waitForTimeout(800)
    await expect.poll(() => stored()).toBe(3)
    await toList()
    await cardSays(1)
    await page.reload()
    await cardSays(1)
    await openChat()
    await expect.poll(() => divider().innerText()).toBe('1 mensagem não lida')
  })
  const cardAfterMark = async () => {
    await page.waitForURL(`${url}/conversas-ativas?search=${encodeURIComponent(name)}`)
    // A row under the pointer shows its actions instead of its count.
    await page.mouse.move(0, 0)
    await cardSays(1)
  }

  testInFull('a conversation is marked as unread from the menu, which leads to the list', async () => {
    await openChat()
    await expect.poll(() => stored()).toBe(3)
    const before = await inTitle()
    await page.getByRole('button', { name: 'Mais ações' }).focus()
    await page.keyboard.press('Enter')
    await expectSound(page, width)
    await page.getByRole('menuitem', { name: 'Marcar como não lida' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(inTitle).toBe(before + 1)
    await cardAfterMark()
    await openChat()
    await expect.poll(() => divider().innerText()).toBe('1 mensagem não lida')
  })

  testInFull('a conversation marked as unread stays so when its chat opens before the answer', async () => {
    await openChat()
    await expect.poll(() => stored()).toBe(3)
    const opened = Promise.withResolvers<void>()
    await page.route('**/read', async (route) => {
      if (route.request().method() === 'DELETE') await opened.promise
      await route.continue()
    })
    await markUnread()
    await cardAfterMark()
    await openChat()
    opened.resolve()
    await expect.poll(() => divider().innerText()).toBe('1 mensagem não lida')
  })

  testInFull('after a lost connection unread messages are what the server says', async () => {
    let broken = 0
    await page.route('**/read', (route) => (++broken > 1 ? route.continue() : route.abort()))
    await openChat()
    // Retried silently.
    await expect.poll(() => stored()).toBe(3)
    expect(broken).toBe(2)
    expect(await rightNow('not a word, not even for a moment', toasts().innerText())).toBe('')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const before = await inTitle()
    await page.route('**/read', (route) => route.abort())
    await markUnread()
    await toast('Erro ao marcar como não lida').waitFor()
    // The list shows the server's state again.
    await expect.poll(inTitle).toBe(before)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await toList()
    await cardSays(0)
    await expect.poll(() => stored()).toBe(3)
  })

  testInFull('a chat opens where reading had stopped, and is read at the end', async () => {
    await openChat()
    await expect.poll(() => stored()).toBe(3)
    await toList()
    const long = 'Estou esperando desde ontem e ninguém me disse nada sobre as caixas. '.repeat(4)
    for (let n = 1; n <= 14; n++) await phones.write(phone.id, `${n}. ${long}`)
    await cardSays(14)
    await card().click()
    await divider().waitFor()
    await expect.poll(() => divider().innerText()).toBe('14 mensagens não lidas')
    // It must neither scroll away nor be marked as read.
    await page.waitForTimeout(1000)
    const log = await page.getByRole('log').boundingBox()
    const line = await divider().boundingBox()
    expect(line?.y).toBeGreaterThanOrEqual(log?.y ?? 0)
    expect(line?.y).toBeLessThan((log?.y ?? 0) + (log?.height ?? 0) / 2)
    await expect.poll(() => stored()).toBe(3)
    await page.getByRole('button', { name: 'Ir para o fim' }).click()
    await expect.poll(() => stored()).toBe(17)
    const scrollToTop = () => page.getByRole('log').evaluate((element) => void (element.scrollTop = 0))
    await scrollToTop()
    await divider().waitFor()
    await page.getByPlaceholder('Digite sua mensagem...').fill('já vejo isso')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.getByRole('article').filter({ hasText: 'já vejo isso' }).waitFor()
    await scrollToTop()
    await page.getByRole('log').getByText('Hoje', { exact: true }).waitFor()
    await expect.poll(() => divider().count()).toBe(0)
  })

  test.runIf(isFull && width > 1199)(
    'unread messages are counted on rows and tabs of the pane beside the chat',
    async () => {
      await openChat()
      const pane = page.getByRole('region', { name: 'Conversas', exact: true })
      const tab = (name: RegExp) => pane.getByRole('button', { name })
      const numberOn = async (name: RegExp) => Number(/\d+/.exec(await tab(name).innerText())?.[0] ?? 0)
      await expect.poll(() => stored()).toBe(3)
      const other = await phones.create(`${name} vizinha`)
      const [mine, queue, all] = await Promise.all([/^Minhas/, /^Fila ?\d*/, /^Todas/].map(numberOn))
      await phones.write(other.id, 'primeira')
      await phones.write(other.id, 'segunda')
      const row = pane.getByRole('link', { name: new RegExp(`${name} vizinha`) })
      await pane.getByRole('searchbox').fill(`${name} vizinha`)
      await expect.poll(() => row.innerText()).toContain('2 não lidas')
      await expect.poll(() => numberOn(/^Todas/)).toBe((all ?? 0) + 1)
      await expect.poll(() => numberOn(/^Fila ?\d*/)).toBe((queue ?? 0) + 1)
      await expect.poll(() => numberOn(/^Minhas/)).toBe(mine)
      await expectSound(page, width)
      await row.click()
      await expect.poll(() => numberOn(/^Todas/)).toBe(all)
      await expect.poll(() => row.innerText()).not.toContain('não lida')
    },
  )
})
