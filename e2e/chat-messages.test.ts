import { describeInFull, testInFull } from './support/matrix.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// What is done with single messages of a chat: found, undone, forwarded, looked into.

const diego = await colleague('diego')
const chief = await colleague('admin')

const composer = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')
const log = (page: Page) => page.getByRole('log')
const bubble = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
/** The texts that a search marks, those of the message that it shows last. */
const marked = (page: Page) =>
  page.evaluate(() =>
    ['found', 'found-shown'].map((name) =>
      [...(CSS.highlights.get(name) ?? [])].map((range) =>
        range instanceof Range ? range.cloneContents().textContent : null,
      ),
    ),
  )

testInFull('a search unfolds a long text as far as the words, shows them, and notices edits', async () => {
  const page = await signedIn('diego')
  const phone = await phones.create('Longa Procurada')
  const lines = Array.from({ length: 160 }, (_, n) => `linha ${n + 1}`)
  const long = await phones.write(phone.id, [...lines, 'o lote é TX-9', ...lines].join('\n'))
  await phones.write(phone.id, 'e então?')
  const { id } = await diego.conversationWith(phone)
  await openChat(page, id, 'Longa Procurada')
  await log(page).getByText('e então?').waitFor()
  const field = page.getByRole('searchbox', { name: 'Buscar na conversa...' })
  await composer(page).focus()
  await page.keyboard.press('Control+f')
  await expectFocused(field)
  await pressEscape(page)
  await expectFocused(composer(page))
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  await field.fill('tx-9')
  const status = page.getByRole('search').getByRole('status')
  await expect.poll(() => status.textContent()).toBe('1 de 1')
  await expect.poll(() => marked(page)).toEqual([[], ['TX-9']])
  // What comes after it stays folded.
  await bubble(page, 'o lote é TX-9').getByRole('button', { name: 'Ler mais' }).waitFor()
  await expect
    .poll(() =>
      log(page).evaluate((timeline) => {
        const [range] = CSS.highlights.get('found-shown') ?? []
        const place = range instanceof Range ? range.getBoundingClientRect() : undefined
        const view = timeline.getBoundingClientRect()
        return place && place.top >= view.top && place.bottom <= view.bottom
      }),
    )
    .toBe(true)
  await phones.edit(phone.id, long.id, 'o lote mudou')
  await expect.poll(() => status.textContent()).toBe('Nada encontrado')
})

describe('a send that can be undone', () => {
  const setSeconds = (undoSendSeconds: number) =>
    chief.call('PATCH', '/api/system-settings', { undoSendSeconds })
  beforeAll(() => setSeconds(8))
  afterAll(() => setSeconds(0))
  const mine = async (id: number) =>
    (await diego.call<Message[]>('GET', `/api/conversations/${id}/messages`)).filter(
      ({ senderId, messageType }) => senderId === diego.id && messageType === 'text',
    )

  test('an undone send returns to the composer with its quote, and the next one leaves', async () => {
    const page = await signedIn('diego')
    const { phone, id } = await newTalk(diego, 'Desfeita', 'quanto custa?')
    await openChat(page, id, 'Desfeita')
    await bubble(page, 'quanto custa?').hover()
    await bubble(page, 'quanto custa?').getByRole('button', { name: 'Responder' }).click()
    await composer(page).fill('custa dez reias')
    await composer(page).press('Enter')
    const undo = bubble(page, 'custa dez reias').getByRole('button', { name: 'Desfazer' })
    await bubble(page, 'custa dez reias')
      .getByText(/Envia em \d s/)
      .waitFor()
    await undo.click()
    await expect.poll(() => bubble(page, 'custa dez reias').count()).toBe(0)
    await expect.poll(() => composer(page).inputValue()).toBe('custa dez reias')
    await page.getByRole('button', { name: 'Cancelar resposta' }).waitFor()
    await composer(page).fill('custa dez reais')
    // A second Enter within 300 ms is ignored.
    await page.waitForTimeout(300)
    await composer(page).press('Enter')
    await bubble(page, 'custa dez reais')
      .getByText(/Envia em \d s/)
      .waitFor()
    await expectSound(page, 1440)
    await expect.poll(async () => (await mine(id)).map(({ content }) => content)).toEqual(['custa dez reais'])
    await expect.poll(() => phones.received(phone.id), { timeout: 15_000 }).toContain('custa dez reais')
    await expect.poll(() => page.getByRole('button', { name: 'Desfazer' }).count()).toBe(0)
    await expect.poll(() => phones.received(phone.id)).not.toContain('custa dez reias')
  })
})

const looks = [
  [1440, 'dark'],
  [390, 'light'],
] as const
describeInFull.each(looks)('the menu of a message, at %i px', (width, theme) => {
  const choose = async (page: Page, text: string, name: string) => {
    await bubble(page, text).getByText(text).click({ button: 'right' })
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  test('the menu of a message opens by a right click, forwards a file, and reports the outcome', async () => {
    const page = await signedIn('diego', { width, theme })
    const { phone: to, id: toId } = await newTalk(diego, `Recebê ${width}`)
    const { phone: from, id } = await newTalk(diego, `Manda ${width}`, 'segue a nota')
    await phones.send(from.id, {
      kind: 'document',
      base64: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n').toString('base64'),
      fileName: 'nota 77.pdf',
    })
    await openChat(page, id, `Manda ${width}`)
    await choose(page, 'nota 77.pdf', 'Encaminhar')
    const dialog = page.getByRole('dialog', { name: 'Encaminhar mensagem' })
    await dialog.getByRole('searchbox').fill(`recebe ${width}`)
    await dialog.getByRole('radio', { name: `Recebê ${width}` }).click()
    await expectSound(page, width)
    await dialog.getByRole('button', { name: 'Encaminhar' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    await toast(page, 'Mensagem encaminhada').waitFor()
    await expect
      .poll(async () => (await phones.chat(to.id)).map(({ media }) => media?.fileName))
      .toContain('nota 77.pdf')
    await openChat(page, toId, `Recebê ${width}`)
    await bubble(page, 'nota 77.pdf').getByText('Encaminhada').waitFor()
    await choose(page, 'nota 77.pdf', 'Dados da mensagem')
    const details = page.getByRole('dialog', { name: 'Dados da mensagem' })
    await details.getByText('Documento').waitFor()
    await details.getByText(/Bytes$/).waitFor()
    await expect
      .poll(() => details.getByRole('definition').allTextContents())
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/^Diego/), expect.stringMatching(/^(Entregue|Lida)$/)]),
      )
    await expectSound(page, width)
  })
})
