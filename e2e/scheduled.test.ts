import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newName } from './support/accounts.ts'
import { pressEscape, refusal } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { newChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// 'Agendar': messages that are sent later.

const bruno = await colleague('bruno')

const popover = (page: Page) => page.getByRole('dialog', { name: 'Agendar' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Mensagem' })
const day = (ahead: number) =>
  new Date(Date.now() + ahead * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10)

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('bruno', size)
  })

  test('a message is scheduled from the composer, edited, and cancelled by an answer', async () => {
    const name = `Zefinha ${newName()}`
    const { id, phone } = await newChat(page, bruno, name)
    await field(page).fill('Chegou o saquinho!')
    await page.getByRole('button', { name: 'Agendar', exact: true }).click()
    await popover(page).getByLabel('Data').first().fill(day(-1))
    await refusal(popover(page).getByText('Escolha um horário que ainda não passou.'))
    await popover(page).getByLabel('Data').first().fill(day(3))
    await popover(page).getByLabel('Hora').fill('03:07')
    // Nobody works then: it says so before it is confirmed.
    await popover(page)
      .getByText(/vai sair/)
      .waitFor()
    await expectSound(page, size.width)
    await popover(page).getByLabel('Só em horário de atendimento').uncheck()
    await popover(page)
      .getByRole('button', { name: /^Agendar para .*03:07$/ })
      .click()
    await toast(page, 'Mensagem agendada').waitFor()
    await expect.poll(() => field(page).inputValue()).toBe('')
    await page.getByText(/“Chegou o saquinho!”/).waitFor()
    await page.getByRole('button', { name: 'Ver', exact: true }).click()
    const list = page.getByRole('dialog', { name: 'Mensagens agendadas' })
    await list.getByRole('button', { name: `Editar: ${name}` }).click()
    const editing = page.getByRole('dialog', { name: 'Editar mensagem agendada' })
    await editing.getByRole('textbox', { name: /^Mensagem para/ }).fill('Chegou tudo!')
    await editing.getByRole('button', { name: /^Agendar para/ }).click()
    await list.getByText('Chegou tudo!').waitFor()
    await pressEscape(page)
    await go(page, '/agendadas?of=mine')
    const row = page.getByRole('row').filter({ hasText: name })
    await row.getByText('Chegou tudo!').waitFor()
    await expectSound(page, size.width)
    await phones.write(phone.id, 'já recebi')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^Canceladas/ }).click()
    await row.getByText('o cliente respondeu').waitFor()
    await go(page, `/chat?conversation=${id}`)
    await page.getByText(/^Agendada de .* cancelada: o cliente respondeu/).waitFor()
  })

  test('a scheduled message is sent at once, by keyboard alone', async () => {
    const name = `Teclado ${newName()}`
    await newChat(page, bruno, name)
    await field(page).fill('pode vir buscar')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Agendar')
    await page.keyboard.press('Enter')
    await popover(page).getByRole('button', { name: 'Amanhã 09:00' }).press('Enter')
    await popover(page)
      .getByRole('button', { name: /^Agendar para/ })
      .press('Enter')
    await toast(page, 'Mensagem agendada').waitFor()
    await go(page, '/agendadas?of=mine')
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: `Enviar agora: ${name}` })
      .press('Enter')
    await toast(page, 'Mensagem enviada').waitFor()
    await page.getByRole('tab', { name: /^Enviadas/ }).click()
    await page.getByRole('row').filter({ hasText: name }).getByText('pode vir buscar').waitFor()
  })
})
