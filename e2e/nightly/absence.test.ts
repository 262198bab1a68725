import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { inAccountMenu } from '../support/account-menu.ts'
import { Colleague } from '../support/colleague.ts'
import { expectFocused, pressEscape } from '../support/focus.ts'
import { go } from '../support/go.ts'
import { newTalk, openChat } from '../support/open-chat.ts'
import { expectSound } from '../support/sound.ts'
import { colleague, phones, signedIn } from '../support/stage.ts'
import { toast } from '../support/toast.ts'

// 'Ausente', as colleagues see it, and handing over all conversations to the queue or to a colleague.

const admin = await colleague('admin')
const carla = await colleague('carla')

const sizes = [
  [1440, 'light'],
  [390, 'dark'],
] as const
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let bruno: Page
  beforeAll(async () => {
    page = await signedIn('carla', { width, height: 860, theme })
    bruno = await signedIn('bruno', { width: 1440, height: 860 })
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await carla.call('PUT', '/api/profile/presence', { state: 'available' })
    await go(page, '/')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
  afterAll(() => carla.call('PUT', '/api/profile/presence', { state: 'available' }))

  /** Shows the signed-in user: beside the page, or in the drawer. */
  const openSide = async () => {
    if (width < 768) await page.getByRole('button', { name: 'Abrir menu' }).click()
  }
  const closeSide = async () => {
    if (width < 768) await pressEscape(page)
  }
  const presence = (word: string) => page.getByRole('button', { name: `Presença: ${word}` })
  const openOf = async (who: Colleague) =>
    (await admin.call<Conversation[]>('GET', '/api/conversations')).filter(
      ({ assignedUserId }) => assignedUserId === who.id,
    )
  /** Gives Carla exactly this many open chats, each with a phone. */
  const giveTalks = async (count: number) => {
    await carla.call('POST', '/api/conversations/hand-over', { to: null })
    const made = []
    for (let n = 0; n < count; n++) {
      const { phone, id } = await newTalk(carla, `Turno ${width}`, 'bom dia')
      await carla.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: carla.id })
      made.push(phone)
    }
    await expect.poll(() => openOf(carla)).toHaveLength(count)
    return made
  }
  const form = () => page.getByRole('dialog', { name: 'Passar meu turno' })

  test('an operator who sets themselves away is shown so at once, and returns with one press', async () => {
    const talk = (await admin.openConversations())[0]
    await go(bruno, `/chat?conversation=${talk?.id}`)
    await bruno.getByRole('button', { name: 'Transferir', exact: true }).click()
    const seen = bruno.getByRole('radio', { name: /^Carla/ })
    await seen.getByText('Online').waitFor()
    await openSide()
    await page.route('**/api/profile/away', (route) => route.abort())
    await presence('Disponível').click()
    await page.getByRole('menuitemradio', { name: 'Ausente' }).click()
    await toast(page, 'Erro ao ficar ausente').waitFor()
    await presence('Disponível').waitFor()
    await page.unroute('**/api/profile/away')
    await presence('Disponível').focus()
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('menuitemradio', { name: 'Disponível' }))
    await expectSound(page, width)
    await page.keyboard.press('ArrowDown')
    await expectFocused(page.getByRole('menuitemradio', { name: 'Ausente' }))
    await page.keyboard.press('Enter')
    await presence('Ausente').waitFor()
    await seen.getByText('Ausente').waitFor()
    await expectSound(page, width)
    await closeSide()
    // It stays, also in a new browser.
    await page.reload()
    const back = page.getByRole('button', { name: 'Você está ausente Voltar' })
    await back.waitFor()
    await expectSound(page, width)
    await back.click()
    await back.waitFor({ state: 'detached' })
    await seen.getByText('Online').waitFor()
  })

  test('a shift is handed to a colleague in one act, also after a lost connection', async () => {
    const [first] = await giveTalks(3)
    await openSide()
    await inAccountMenu(page, 'Passar meu turno')
    await form().getByText('3 conversas para a fila').waitFor()
    await form().getByRole('radio', { name: 'Para um colega' }).click()
    const pass = form().getByRole('button', { name: 'Passar 3 conversas' })
    await expect.poll(() => pass.isDisabled()).toBe(true)
    await form()
      .getByRole('radio', { name: /^Bruno/ })
      .click()
    await form()
      .getByText(/^3 conversas para Bruno/)
      .waitFor()
    await form().getByLabel('Observação para quem recebe').fill('volto na segunda')
    await expectSound(page, width)
    await page.route('**/hand-over', (route) => route.abort())
    await pass.click()
    await toast(page, 'Erro ao passar o turno: Erro de conexão.').waitFor()
    await expect
      .poll(() => form().getByLabel('Observação para quem recebe').inputValue())
      .toBe('volto na segunda')
    await page.unroute('**/hand-over')
    await pass.click()
    await toast(page, /^3 conversas passadas para Bruno/).waitFor()
    await expect.poll(() => openOf(carla)).toEqual([])
    const { id } = await admin.conversationWith(first ?? (await phones.create('ninguém')))
    await closeSide()
    await openChat(page, id, first?.name ?? '')
    await page.getByRole('log').getByText('volto na segunda').waitFor()
    // The message to the client is another one, which may still wait behind those of other tests.
    await page
      .getByRole('log')
      .getByText(/^Seu atendimento foi transferido para Bruno/)
      .waitFor()
  })

  test.runIf(width > 1200)('handing over a shift is reached from the own list, by keyboard', async () => {
    await giveTalks(2)
    const [mine] = await openOf(carla)
    await go(page, `/chat?conversation=${mine?.id}`)
    await page.getByRole('button', { name: /^Minhas/ }).click()
    const list = page.getByRole('region', { name: 'Conversas', exact: true })
    await list.getByRole('button', { name: 'Passar meu turno' }).focus()
    await page.keyboard.press('Enter')
    await form().getByText('2 conversas para a fila').waitFor()
    await form().getByRole('button', { name: 'Passar 2 conversas' }).focus()
    await page.keyboard.press('Enter')
    await toast(page, '2 conversas de volta à fila').waitFor()
    await page.getByRole('log').getByText('Carla', { exact: false }).last().waitFor()
    await expect.poll(() => openOf(carla)).toEqual([])
  })
})
