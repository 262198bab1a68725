import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { focused, pressEscape, tabTo } from './support/focus.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

// An operator's work without a mouse: take, reply, quote, transfer, finalize.

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  test('a conversation is taken, answered, quoted, transferred and finalized by keyboard alone', async () => {
    const page = await signedIn('ana', { width, height: 860, theme })
    const admin = await colleague('admin')
    const { phone, id } = await newTalk(admin, `Teclado ${width}`, 'qual o prazo?')
    const stored = () => admin.call<Conversation>('GET', `/api/conversations/${id}`)
    const isFocused = (name: string) => expect.poll(() => focused(page)).toBe(name)
    const goThere = async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await page.keyboard.type(`teclado ${width}`)
      // Until the conversation is pushed, the contact alone is found, too.
      await page
        .getByRole('group', { name: 'Conversas abertas' })
        .getByRole('option', { name: `Teclado ${width}` })
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('log').getByText('qual o prazo?').waitFor()
      await isFocused('Mensagem')
    }
    const isInLog = () => page.evaluate(() => document.activeElement?.closest('[role="log"]') !== null)

    await goThere()
    await page.keyboard.press('Alt+a')
    await expect.poll(async () => (await stored()).assignedUser?.name).toBe('Ana Beatriz Nogueira')
    await isFocused('Mensagem')
    await page.keyboard.type('bom dia')
    await page.keyboard.press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('bom dia')
    // Until the console knows that it was stored, the one before is the last that can be answered.
    const answer = page
      .getByRole('article')
      .filter({ hasText: 'bom dia' })
      .getByRole('button', { name: /^Responder/ })
    await answer.waitFor({ state: 'attached' })

    const chooser = page.waitForEvent('filechooser')
    // The page has been told to report choosers only once it answers: a key press may overtake the message.
    await page.evaluate(() => undefined)
    await page.keyboard.press('Alt+x')
    await chooser
    await isFocused('Mensagem')
    if (width >= 1200) {
      await page.keyboard.press('Alt+b')
      await isFocused('Buscar por nome ou telefone...')
      await pressEscape(page)
      await isFocused('Mensagem')
    }

    // All messages are one stop of the tab order.
    await tabTo(page, /^Ana Beatriz Nogueira, /, 'Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(isInLog).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused(page)).toMatch(/^Teclado/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toMatch(/^Ana Beatriz/)
    await pressEscape(page)
    await isFocused('Mensagem')
    await tabTo(page, /^Ana Beatriz Nogueira, /, 'Shift+Tab')
    await tabTo(page, /^Responder/)
    await page.keyboard.press('Enter')
    await isFocused('Mensagem')
    await page.keyboard.type('cinco dias')
    // A second Enter within 300 ms is ignored.
    await page.waitForTimeout(300)
    await page.keyboard.press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('cinco dias')
    await page.getByRole('article').filter({ hasText: 'cinco dias' }).getByText('bom dia').waitFor()

    await page.keyboard.press('Alt+t')
    const transfer = page.getByRole('dialog', { name: 'Transferir conversa' })
    await transfer.getByRole('radio', { name: /Bruno Tavares/ }).waitFor()
    for (let n = 0; n < 30 && !/Bruno Tavares/.test(await focused(page)); n++) {
      await page.keyboard.press((await isAmongPeople(page)) ? 'ArrowDown' : 'Tab')
      // An arrow moves the focus by a timer.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    }
    await page.keyboard.press('Space')
    await transfer.getByRole('radio', { name: /Bruno Tavares/, checked: true }).waitFor()
    await tabTo(page, /^Transferir$/)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored()).assignedUser?.name).toBe('Bruno Tavares')
    await page.waitForURL(`${url}/conversas-ativas`)
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('Alt+b')
    await isFocused('Buscar por nome ou telefone...')

    await goThere()
    await page.keyboard.press('Alt+l')
    await page.getByRole('dialog', { name: 'Finalizar atendimento' }).waitFor()
    await tabTo(page, /^Finalizar$/)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored()).status).toBe('completed')
  })
})

const isAmongPeople = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[aria-label="Para quem"]') !== null)
