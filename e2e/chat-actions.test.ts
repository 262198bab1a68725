import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { Colleague } from './support/colleague.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The actions in a conversation's header, each also with a broken connection and with a faster colleague.

const bruno = await colleague('bruno')
const admin = await colleague('admin')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let ana: Colleague
  let phone: PhoneView
  let id: number
  let count = 0
  beforeAll(async () => {
    page = await signedIn('ana', { width, height: 860, theme })
    ana = await colleague('ana')
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    ;({ phone, id } = await newTalk(bruno, `Cabeçalho ${width} ${++count}`, 'preciso de ajuda'))
    await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await openChat(page, id, phone.name)
    await page.getByRole('log').getByText('preciso de ajuda').waitFor()
    await header().getByText('com Ana Beatriz Nogueira').waitFor()
  })

  const headerOn = (on: Page) => on.getByRole('region', { name: /^Conversa com / })
  const header = () => headerOn(page)
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const stored = () => admin.call<Conversation>('GET', `/api/conversations/${id}`)
  const line = (text: string) => page.getByRole('log').getByText(text)
  const more = (on = page) => headerOn(on).getByRole('button', { name: 'Mais ações' }).click()
  /**
   * Presses a button of the header, which is an item of its menu on narrow screens, unless it finalizes, or
   * always.
   */
  const press = async (name: string, on = page) => {
    const isInMenu = name.endsWith('Auto-Close')
    if ((width > 768 && !isInMenu) || name === 'Finalizar')
      return headerOn(on).getByRole('button', { name, exact: true }).click()
    await more(on)
    await on.getByRole('menuitem', { name, exact: true }).click()
  }

  testInFull('a dialog that cannot be fetched says so, and opens at the next press', async () => {
    // A new browser, which has loaded nothing yet.
    const fresh = await signedIn('ana', { width, height: 860, theme })
    await fresh.route(/menu-parts|finalize-dialog|transfer-dialog/, (route) => route.abort())
    await fresh.goto(`${url}/chat?conversation=${id}`)
    await fresh.getByRole('log').getByText('preciso de ajuda').waitFor()
    const button = fresh.getByRole('button', { name: 'Mais ações' })
    await button.click()
    await toast(fresh, 'Não foi possível abrir').waitFor()
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false')
    await fresh.unrouteAll({ behavior: 'ignoreErrors' })
    await button.press('Enter')
    const first = fresh.getByRole('menuitem').or(fresh.getByRole('menuitemradio')).first()
    await expectFocused(first)
    await pressEscape(fresh)
    await expectFocused(button)
  })

  testInFull('dialogs open with the server away after some seconds, and report what failed', async () => {
    const fresh = await signedIn('ana', { width, height: 860, theme })
    await fresh.goto(`${url}/chat?conversation=${id}`)
    await fresh.getByRole('log').getByText('preciso de ajuda').waitFor()
    const isLoaded = (part: string) =>
      fresh.evaluate(
        (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)),
        part,
      )
    for (const part of ['finalize-dialog', 'transfer-dialog', 'menu-parts'])
      await expect.poll(() => isLoaded(part), { timeout: 30_000 }).toBe(true)
    await fresh.route('**', (route) => route.abort())
    await press('Finalizar', fresh)
    const form = fresh.getByRole('dialog', { name: /^Finalizar/ })
    await form.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(
      fresh,
      'Erro ao finalizar conversa: Erro de conexão. Verifique sua internet e tente novamente.',
    ).waitFor()
    await fresh.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('a transfer takes a note along that the client never sees, also after a line that broke', async () => {
    await press('Transferir')
    const form = dialog('Transferir conversa')
    const receiver = form.getByRole('radio', { name: /^Bruno Tavares/ })
    await receiver.click()
    await expect.poll(() => receiver.innerText()).toMatch(/(Online|Offline)[^]*conversa/)
    await form.getByLabel('Observação para quem recebe').fill('já pediu a segunda via')
    await expectSound(page, width)
    await page.route('**/transfer', (route) => route.abort())
    await form.getByRole('button', { name: 'Transferir', exact: true }).click()
    await toast(
      page,
      'Erro ao transferir conversa: Erro de conexão. Verifique sua internet e tente novamente.',
    ).waitFor()
    await page.unroute('**/transfer')
    await page.route('**/transfer', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await form.getByRole('button', { name: 'Transferir', exact: true }).click()
    // A proxy has answered, without a sentence for people.
    const unexplained = 'Tente novamente'
    await toast(page, `Erro ao transferir conversa: ${unexplained}`).waitFor()
    await page.unroute('**/transfer')
    await expect
      .poll(() => form.getByLabel('Observação para quem recebe').inputValue())
      .toBe('já pediu a segunda via')
    await form.getByRole('button', { name: 'Transferir', exact: true }).click()
    await toast(page, 'Conversa transferida!').waitFor()
    // A second later the chat is left.
    await page.waitForURL(`${url}/conversas-ativas`)
    await openChat(page, id, phone.name)
    await line('Ana Beatriz Nogueira transferiu a conversa para Bruno Tavares').waitFor()
    await line('já pediu a segunda via').waitFor()
    await expectSound(page, width)
    await expect.poll(async () => (await stored()).assignedUser?.name).toBe('Bruno Tavares')
    // A number sends one automatic text a second, and other tests cause many.
    await expect
      .poll(async () => (await phones.received(phone.id)).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    await expect.poll(async () => (await phones.received(phone.id)).join()).not.toContain('segunda via')
  })

  testInFull('the second of two who act at once reads who has it', async () => {
    for (const [action, title] of [
      ['Transferir', 'Transferir conversa'],
      ['Finalizar', 'Finalizar atendimento'],
    ] as const) {
      await ana
        .call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
        .catch(() => 0)
      await header().getByText('com Ana Beatriz Nogueira').waitFor()
      const held: Route[] = []
      await page.route(/\/(transfer|finalize)$/, (route) => void held.push(route))
      await press(action)
      if (action === 'Transferir')
        await dialog(title)
          .getByRole('radio', { name: /^Carla/ })
          .click()
      await dialog(title).getByRole('button', { name: action, exact: true }).click()
      await expect.poll(() => held.length).toBe(1)
      await admin.call('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.id })
      await held[0]?.continue()
      await toast(page, 'A conversa já está com Bruno Tavares.').waitFor()
      await dialog(title).getByRole('button', { name: 'Cancelar' }).click()
      await header().getByText('com Bruno Tavares').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await admin.call('POST', `/api/conversations/${id}/transfer`, { newOperatorId: ana.id })
    }
    await expect.poll(async () => (await stored()).status).toBe('active')
  })

  test('finalizing keeps the notes and leads back to the list, also after a lost connection', async () => {
    await press('Finalizar')
    const form = dialog('Finalizar atendimento')
    await form.getByLabel('Notas do atendimento').fill('resolvido por telefone')
    await expectSound(page, width)
    await page.route('**/finalize', (route) => route.abort())
    await form.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Erro ao finalizar conversa: Erro de conexão.').waitFor()
    await page.unroute('**/finalize')
    await form.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await page.waitForURL(`${url}/conversas-ativas`)
    await expect.poll(async () => (await stored()).status).toBe('completed')
    await openChat(page, id, phone.name)
    await page.getByText('Esta conversa foi finalizada.').waitFor()
    await line('Ana Beatriz Nogueira finalizou o atendimento').waitFor()
  })

  testInFull('finalizing leads back to the list also when the event arrives before the answer', async () => {
    await page.route('**/finalize', async (route) => {
      const answer = await route.fetch()
      await page.getByText('Esta conversa foi finalizada.').waitFor()
      await route.fulfill({ response: answer })
    })
    await press('Finalizar')
    await dialog('Finalizar atendimento').getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await page.waitForURL(`${url}/conversas-ativas`)
  })

  testInFull('an operator who has gone on to another chat is not led back', async () => {
    const next = await newTalk(bruno, `Outra ${width}`, 'e eu?')
    await press('Finalizar')
    await dialog('Finalizar atendimento').getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await page.evaluate((to) => {
      history.pushState(null, '', to)
    }, `/chat?conversation=${next.id}`)
    await page.getByRole('log').getByText('e eu?').waitFor()
    // The list would be opened a second after the finalization.
    await page.waitForTimeout(1300)
    expect(page.url()).toBe(`${url}/chat?conversation=${next.id}`)
  })

  testInFull(
    'the automatic close is switched off and on again, and a broken line changes nothing',
    async () => {
      await page.route('**/toggle-auto-close', (route) => route.abort())
      await press('Desativar Auto-Close')
      await toast(page, 'Erro ao alterar configuração de fechamento automático').waitFor()
      await page.unroute('**/toggle-auto-close')
      await press('Desativar Auto-Close')
      await toast(page, 'Fechamento automático após 30 minutos desativado').waitFor()
      await header().getByText('não fecha sozinha').waitFor()
      await expect.poll(async () => (await stored()).disableAutoClose).toBe(true)
      await press('Ativar Auto-Close')
      await toast(page, 'Fechamento automático após 30 minutos ativado').waitFor()
      await header().getByText('não fecha sozinha').waitFor({ state: 'detached' })
      await expectSound(page, width)
    },
  )

  testInFull('the priority is chosen in the menu, by key too, and shown to everybody', async () => {
    await header().getByRole('button', { name: 'Mais ações' }).focus()
    await page.keyboard.press('Enter')
    const choice = page.getByRole('group', { name: 'Prioridade' })
    await expectSound(page, width)
    await expect
      .poll(() => choice.getByRole('menuitemradio', { name: 'Normal' }).getAttribute('aria-checked'))
      .toBe('true')
    await choice.getByRole('menuitemradio', { name: 'Alta' }).focus()
    await page.keyboard.press('Enter')
    await header().getByText('Alta', { exact: true }).waitFor()
    await bruno.call('PATCH', `/api/conversations/${id}/priority`, { priority: 'low' })
    await header().getByText('Baixa', { exact: true }).waitFor()
    await page.route('**/priority', (route) => route.abort())
    await more()
    await choice.getByRole('menuitemradio', { name: 'Normal' }).click()
    await toast(page, 'Erro ao mudar a prioridade').waitFor()
    await expect.poll(async () => (await stored()).priority).toBe('low')
  })
})
