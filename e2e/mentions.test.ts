import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { inFullAlso } from './support/matrix.ts'
import { newChat, newTalk, openChat } from './support/open-chat.ts'
import { go } from './support/go.ts'
import { pressEscape } from './support/focus.ts'
import { rightNow } from './support/right-now.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn } from './support/stage.ts'

// Mentions in notes of the team, the bell, and 'Seguir'.

const diego = await colleague('diego')
const carla = await colleague('carla')
const bruno = await colleague('bruno')
// Leads nobody: her scope may be the least.
const elisa = await colleague('elisa')
const admin = await colleague('admin')
const setScope = (id: number, scope: string) =>
  admin.call('PUT', `/api/user-permissions/${id}/scope`, { scope })
const forget = () => Promise.all([diego, carla].map((who) => who.call('POST', '/api/notifications/read', {})))
afterAll(async () => {
  await setScope(elisa.id, 'all')
  await forget()
})

const sizes = inFullAlso(
  [[1440, 'light']],
  [
    [390, 'dark'],
    [1440, 'dark'],
    [390, 'light'],
  ],
)
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let mine: Page
  let hers: Page
  let id: number
  let name: string
  let count = 0
  beforeAll(async () => {
    mine = await signedIn('diego', { width, height: 860, theme })
    hers = await signedIn('carla', { width, height: 860, theme })
  })
  beforeEach(async () => {
    await forget()
    name = `Menção ${width} ${theme} ${++count}`
    ;({ id } = await newChat(mine, diego, name))
    await go(hers, '/conversas-ativas')
  })

  const field = (page: Page) => page.getByRole('textbox', { name: 'Nota interna' })
  const menu = (page: Page) => page.getByRole('listbox', { name: 'Mencionar' })
  const bell = (page: Page, unread?: number) =>
    page.getByRole('button', {
      name: unread ? `Menções e avisos: ${unread} por ler` : 'Menções e avisos',
      exact: true,
    })
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Menções e avisos' })
  /** What is told of the conversation of the test. */
  const entryOf = (page: Page) =>
    panel(page)
      .getByRole('link')
      .filter({ hasText: `em ${name}` })
  const note = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
  const notes = async () =>
    (await diego.call<Message[]>('GET', `/api/conversations/${id}/messages`)).filter(
      ({ messageType }) => messageType === 'note',
    )

  test('a colleague is mentioned by keyboard alone, finds it by the bell, and mentions back', async () => {
    await mine.keyboard.press('Alt+n')
    await field(mine).waitFor()
    await mine.keyboard.type('Pode dar 8 %? @carla')
    await menu(mine)
      .getByRole('option', { name: /Carla Menezes/ })
      .waitFor()
    await expectSound(mine, width)
    await mine.keyboard.press('Enter')
    await expect.poll(() => field(mine).inputValue()).toBe('Pode dar 8 %? @Carla Menezes ')
    await expect.poll(() => menu(mine).count()).toBe(0)
    await mine.keyboard.type('obrigado')
    await mine.keyboard.press('Enter')
    await note(mine, 'Pode dar 8 %?').getByText('@Carla Menezes', { exact: true }).waitFor()

    await hers.getByText('Diego Sampaio mencionou você').waitFor()
    await bell(hers, 1).focus()
    await hers.keyboard.press('Enter')
    const entry = entryOf(hers)
    await entry.waitFor()
    await entry.getByText('Diego Sampaio mencionou você').waitFor()
    await entry.getByText('Pode dar 8 %? @Carla Menezes obrigado').waitFor()
    await expectSound(hers, width)
    await panel(hers)
      .getByRole('tab', { name: /Menções/ })
      .focus()
    for (let n = 0; n < 4 && !(await entry.evaluate((one) => one === document.activeElement)); n++)
      await hers.keyboard.press('Tab')
    await hers.keyboard.press('Enter')
    await hers.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
    await note(hers, 'Pode dar 8 %?').getByText('@Carla Menezes', { exact: true }).waitFor()
    await expectSound(hers, width)
    await expect
      .poll(() => carla.call('GET', '/api/notifications/unread'))
      .toEqual({ mentions: 0, updates: 0 })

    await hers.keyboard.press('Alt+n')
    await field(hers).waitFor()
    await hers.keyboard.type('@dieg')
    await menu(hers).getByRole('option', { name: /Diego/ }).waitFor()
    await hers.keyboard.press('Tab')
    await hers.keyboard.type('pode')
    await hers.keyboard.press('Enter')
    // He is there: nothing is left to be read.
    await note(mine, 'pode').getByText('@Diego Sampaio', { exact: true }).waitFor()
    await expect
      .poll(() => diego.call('GET', '/api/notifications/unread'))
      .toEqual({ mentions: 0, updates: 0 })
    await expect
      .poll(async () => (await notes()).map(({ metadata }) => metadata.mentions))
      .toEqual([[{ userId: carla.id, name: 'Carla Menezes' }], [{ userId: diego.id, name: 'Diego Sampaio' }]])
  })

  test('whoever follows a conversation is told of its transfer in the notices', async () => {
    const mark = mine.getByRole('button', { name: 'Você segue esta conversa' })
    await mine.getByRole('button', { name: 'Mais ações' }).click()
    await mine.getByRole('menuitem', { name: 'Seguir', exact: true }).click()
    await mine.getByText('Você segue esta conversa').waitFor()
    await mark.waitFor()
    await expectSound(mine, width)
    await go(mine, '/conversas-ativas')
    await carla.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: carla.id })
    await carla.call('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.id })
    await bell(mine, 1).click()
    const entry = entryOf(mine)
    await entry.getByText('Carla Menezes transferiu a conversa para Bruno Tavares').waitFor()
    await entry.getByText('e mais 1 novidade').waitFor()
    await expectSound(mine, width)
    await entry.click()
    await mine.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
    await expect
      .poll(() => diego.call('GET', '/api/notifications/unread'))
      .toEqual({ mentions: 0, updates: 0 })
    await mark.click()
    await mine.getByText('Você não segue mais esta conversa').waitFor()
    await expect.poll(() => mark.count()).toBe(0)
  })

  test('somebody who does not see the conversation cannot be mentioned, and nothing is lost', async () => {
    await mine.keyboard.press('Alt+n')
    await field(mine).fill('@Elisa')
    await menu(mine)
      .getByRole('option', { name: /Elisa Prates/ })
      .click()
    await mine.keyboard.type('veja isto')
    // Between the choice and the note.
    await setScope(elisa.id, 'own')
    await mine.keyboard.press('Enter')
    const refused = note(mine, 'veja isto')
    await refused.getByText('Elisa Prates não vê esta conversa. Tire a menção para salvar a nota.').waitFor()
    await expectSound(mine, width)
    await refused.getByRole('button', { name: 'Voltar ao rascunho' }).click()
    await mine.getByText('Rascunho da nota guardado: “@Elisa Prates veja isto”').waitFor()
    expect(await rightNow('none was stored', notes())).toEqual([])
    const unread = elisa.call('GET', '/api/notifications/unread')
    expect(await rightNow('none was told', unread)).toEqual({ mentions: 0, updates: 0 })

    // Whom the list greys cannot be chosen.
    await go(mine, '/conversas-ativas')
    const other = await newTalk(diego, `${name} outra`)
    await openChat(mine, other.id, `${name} outra`)
    await mine.keyboard.press('Alt+n')
    await field(mine).fill('@elisa pra')
    const greyed = menu(mine).getByRole('option', { name: /Elisa Prates/ })
    await greyed.getByText('não vê esta conversa').waitFor()
    await expectSound(mine, width)
    await field(mine).press('Enter')
    await expect.poll(() => field(mine).inputValue()).toBe('@elisa pra')
    await field(mine).press('Escape')
    await expect.poll(() => menu(mine).count()).toBe(0)
    await setScope(elisa.id, 'all')
  })

  test('the text of a file in a note mentions a colleague, by keyboard', async () => {
    await mine.keyboard.press('Alt+n')
    await field(mine).waitFor()
    // What is written already goes into the note with the file.
    await mine.keyboard.type('A tabela nova ')
    const file = { name: 'tabela.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 tabela') }
    await mine.getByLabel('Arquivos', { exact: true }).setInputFiles(file)
    const dialog = mine.getByRole('dialog', { name: 'Nota interna com arquivo' })
    const text = dialog.getByRole('textbox', { name: 'Texto da nota' })
    await text.waitFor()
    await expect.poll(() => text.inputValue()).toBe('A tabela nova ')
    await mine.keyboard.type('@carla')
    const option = menu(mine).getByRole('option', { name: /Carla Menezes/ })
    await option.waitFor()
    await expectSound(mine, width)
    // Escape closes the list, and not the dialog.
    await pressEscape(mine)
    await expect.poll(() => menu(mine).count()).toBe(0)
    await mine.keyboard.press('Backspace')
    await option.waitFor()
    await mine.keyboard.press('Enter')
    await expect.poll(() => text.inputValue()).toBe('A tabela nova @Carla Menezes ')
    await mine.keyboard.press('Enter')
    await note(mine, 'A tabela nova').getByText('@Carla Menezes', { exact: true }).waitFor()
    await expect.poll(() => mine.getByText('Rascunho da nota guardado').count()).toBe(0)
    await bell(hers, 1).click()
    await entryOf(hers).getByText('A tabela nova @Carla Menezes').waitFor()
    await pressEscape(hers)
  })

  test('the list says what it is for while it is empty, and that it could not be loaded', async () => {
    await go(mine, '/conversas-ativas')
    await mine.reload()
    await mine.route('**/api/notifications?*', (route) =>
      route.request().url().includes('updates')
        ? route.fulfill({ status: 500, json: { code: 'request.failed', message: 'Erro' } })
        : route.fulfill({ json: { notifications: [], next: null, unread: { mentions: 0, updates: 0 } } }),
    )
    await bell(mine).click()
    await panel(mine).getByText('Ninguém mencionou você ainda').waitFor()
    await expectSound(mine, width)
    await panel(mine).getByRole('tab', { name: 'Avisos' }).click()
    await panel(mine).getByRole('button', { name: 'Tentar novamente' }).waitFor({ timeout: 20_000 })
    await expectSound(mine, width)
    await mine.unrouteAll({ behavior: 'ignoreErrors' })
    await pressEscape(mine)
    await expect.poll(() => panel(mine).count()).toBe(0)
    await expect.poll(() => bell(mine).evaluate((one) => one === document.activeElement)).toBe(true)
  })
})
