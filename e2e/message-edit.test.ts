import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'

// Editing and deleting sent messages.

const diego = await colleague('diego')
const carla = await signedIn('carla')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
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
    name = `Correção ${width} ${++count}`
    ;({ phone, id } = await newChat(page, diego, name))
    await send('chega na quinta')
  })

  const composer = () => page.getByPlaceholder('Digite sua mensagem...')
  const timeline = (where = page) => where.getByRole('log')
  const bubble = (text: string, where = page) => where.getByRole('article').filter({ hasText: text })
  const mine = async (): Promise<Message[]> =>
    (await diego.call<Message[]>('GET', `/api/conversations/${id}/messages`)).filter(
      ({ senderId, messageType }) => senderId === diego.id && messageType === 'text',
    )
  /** A second Enter within 300 ms is ignored. */
  const press = async () => {
    await page.waitForTimeout(300)
    await composer().press('Enter')
  }
  const send = async (text: string) => {
    await composer().fill(text)
    await press()
    await expect.poll(async () => (await mine()).at(-1)?.deliveryStatus).toMatch(/sent|delivered/)
    await expect.poll(() => phones.received(phone.id)).toContain(text)
  }
  const menu = async (text: string) => {
    await bubble(text).hover()
    await bubble(text).getByRole('button', { name: 'Opções da mensagem' }).click()
  }
  const choose = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()

  test('an edit is seen on the phone and by the colleague, and the draft comes back after it', async () => {
    await openChat(carla, id, name)
    await timeline(carla).getByText('chega na quinta').waitFor()
    await composer().fill('um rascunho')
    await menu('chega na quinta')
    await expectSound(page, width)
    await choose('Editar')
    await page.getByText('Editando mensagem').waitFor()
    await expect.poll(() => composer().inputValue()).toBe('chega na quinta')
    await expectSound(page, width)
    await composer().fill('chega na sexta')
    await composer().press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('chega na sexta')
    await bubble('chega na sexta').getByRole('button', { name: 'editada' }).waitFor()
    await bubble('chega na sexta', carla).getByRole('button', { name: 'editada' }).waitFor()
    await expect.poll(() => composer().inputValue()).toBe('um rascunho')
    await expect.poll(() => page.getByText('Editando mensagem').count()).toBe(0)
    // Not offered for a colleague's message.
    await bubble('chega na sexta', carla).hover()
    await bubble('chega na sexta', carla).getByRole('button', { name: 'Opções da mensagem' }).click()
    await carla.getByRole('menuitem', { name: 'Copiar' }).waitFor()
    await expect.poll(() => carla.getByRole('menuitem', { name: /Editar|Apagar/ }).count()).toBe(0)
    await pressEscape(carla)
  })

  testInFull(
    'a message is edited by keyboard: arrow up edits the last one, Esc returns the draft',
    async () => {
      await send('e chega cedo')
      await bubble('e chega cedo')
        .getByRole('img', { name: /^(Enviada|Entregue)$/ })
        .waitFor()
      await composer().press('ArrowUp')
      await expect.poll(() => composer().inputValue()).toBe('e chega cedo')
      await page.keyboard.type('!')
      await expect.poll(() => composer().inputValue()).toBe('e chega cedo!')
      await composer().press('Escape')
      await expect.poll(() => composer().inputValue()).toBe('')
      await composer().fill('escrevendo')
      await composer().press('ArrowUp')
      await expect.poll(() => composer().inputValue()).toBe('escrevendo')
      await composer().fill('')
      await composer().press('ArrowUp')
      await composer().fill('  ')
      await composer().press('Enter')
      await page.getByText('A mensagem não pode ficar vazia').first().waitFor()
      await composer().fill('e chega tarde')
      await composer().press('Enter')
      await expect.poll(() => phones.received(phone.id)).toContain('e chega tarde')
      await expect.poll(async () => (await mine()).length).toBe(2)
    },
  )

  testInFull('arrow up changes no earlier message while the last one is being sent', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(`**/api/conversations/${id}/messages`, async (route) => {
      await promise
      await route.continue()
    })
    await composer().fill('a caminho')
    await press()
    await bubble('a caminho').waitFor()
    await composer().press('ArrowUp')
    await expect.poll(() => composer().inputValue()).toBe('')
    resolve()
    await bubble('a caminho')
      .getByRole('img', { name: /^(Enviada|Entregue)$/ })
      .waitFor()
    await composer().press('ArrowUp')
    await expect.poll(() => composer().inputValue()).toBe('a caminho')
    await composer().press('Escape')
  })

  testInFull(
    'an open menu stays open when its message is sent, and offers what is possible then',
    async () => {
      await phones.leaveInDoubt('ainda a caminho')
      await composer().fill('ainda a caminho')
      await press()
      await bubble('ainda a caminho').getByText('verificando envio').waitFor()
      await menu('ainda a caminho')
      const items = page.getByRole('menu').getByRole('menuitem')
      await items.filter({ hasText: 'Copiar' }).waitFor()
      await expect.poll(() => items.filter({ hasText: 'Outra reação' }).count()).toBe(0)
      await phones.echo(phone, 'ainda a caminho')
      await items.filter({ hasText: 'Outra reação' }).waitFor()
      await expect.poll(() => page.getByRole('menu').count()).toBe(1)
      await pressEscape(page)
    },
  )

  testInFull('a failed edit is undone with a message, and its text is not lost', async () => {
    await page.route('**/messages/*', (route) => route.abort())
    await menu('chega na quinta')
    await choose('Editar')
    await composer().fill('chega no sábado')
    await composer().press('Enter')
    await page.getByText('Erro ao editar mensagem').first().waitFor()
    await timeline().getByText('chega na quinta').waitFor()
    await page.unroute('**/messages/*')
    await menu('chega na quinta')
    await choose('Editar')
    await expect.poll(() => composer().inputValue()).toBe('chega no sábado')
    await composer().press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('chega no sábado')
  })

  testInFull(
    'a message deleted for everyone is deleted on the phone, for colleagues, quotes and the list',
    async () => {
      await openChat(carla, id, name)
      await menu('chega na quinta')
      await choose('Responder')
      await send('sobre isso')
      await menu('sobre isso')
      await page.getByRole('menu').waitFor()
      await pressEscape(page)
      // While it fades out there would be two of them.
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await bubble('chega na quinta').first().hover()
      await bubble('chega na quinta').first().getByRole('button', { name: 'Opções da mensagem' }).click()
      await choose('Apagar para todos')
      const dialog = page.getByRole('dialog', { name: 'Apagar para todos?' })
      await dialog.getByText('chega na quinta').waitFor()
      await expectSound(page, width)
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(async () => (await mine())[0]?.deletedAt).toBeNull()
      await bubble('chega na quinta').first().hover()
      await bubble('chega na quinta').first().getByRole('button', { name: 'Opções da mensagem' }).click()
      await choose('Apagar para todos')
      await dialog.getByRole('button', { name: 'Apagar para todos' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => phones.received(phone.id)).not.toContain('chega na quinta')
      for (const where of [page, carla]) {
        await bubble('sobre isso', where).getByText('Mensagem apagada').waitFor()
        await bubble('chega na quinta', where).getByText('apagada', { exact: true }).waitFor()
      }
      await menu('sobre isso')
      await choose('Apagar para todos')
      await dialog.getByRole('button', { name: 'Apagar para todos' }).click()
      await dialog.waitFor({ state: 'detached' })
      await go(page, `/conversas-ativas?search=${encodeURIComponent(name)}`)
      await page.getByRole('link').filter({ hasText: 'Você: Mensagem apagada' }).first().waitFor()
    },
  )

  testInFull('a failed deletion is reported, and the message stays', async () => {
    await page.route('**/messages/*', (route) => route.abort())
    await menu('chega na quinta')
    await choose('Apagar para todos')
    await page
      .getByRole('dialog', { name: 'Apagar para todos?' })
      .getByRole('button', { name: 'Apagar para todos' })
      .click()
    await page.getByText('Erro ao apagar mensagem').first().waitFor()
    await expect.poll(() => bubble('chega na quinta').getByText('apagada', { exact: true }).count()).toBe(0)
    await expect.poll(() => phones.received(phone.id)).toContain('chega na quinta')
  })
})
