import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pressEscape } from '../support/focus.ts'
import { go } from '../support/go.ts'
import { newChat } from '../support/open-chat.ts'
import { expectSound } from '../support/sound.ts'
import { colleague, signedIn, url } from '../support/stage.ts'
import { toast } from '../support/toast.ts'

// Deleting an open conversation from its header: the dialog, a broken connection, and a faster colleague.

const admin = await colleague('admin')

const sizes = [
  [1440, 'light'],
  [390, 'dark'],
] as const
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let id: number
  let count = 0
  beforeAll(async () => {
    page = await signedIn('supervisora', { width, height: 860, theme })
  })
  beforeEach(async () => {
    ;({ id } = await newChat(page, admin, `Apagada ${width} ${++count}`))
  })
  const dialog = () => page.getByRole('dialog', { name: 'Excluir Conversa' })
  const confirm = () => dialog().getByRole('button', { name: 'Excluir', exact: true }).click()
  const ask = async () => {
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Excluir', exact: true }).click()
    await dialog().waitFor()
  }
  const isThere = async () => (await admin.openConversations()).some((row) => row.id === id)

  test('deleting a conversation asks first, by keyboard too, and says what will be lost', async () => {
    await page.getByRole('button', { name: 'Mais ações' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Excluir', exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog()
      .getByText(/permanente e irreversível: todas as mensagens desta conversa serão perdidas/)
      .waitFor()
    await expectSound(page, width)
    await pressEscape(page)
    await dialog().waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Mais ações')
    await expect.poll(() => isThere()).toBe(true)
  })

  test('deleting a conversation is final and leads to the list, also after a lost connection', async () => {
    await ask()
    await page.route(`**/api/conversations/${id}*`, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await confirm()
    await toast(page, 'Erro ao excluir conversa').waitFor()
    await toast(page, 'Não foi possível excluir a conversa. Tente novamente.').waitFor()
    await expect.poll(() => isThere()).toBe(true)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await confirm()
    await toast(page, 'Conversa excluída com sucesso!').waitFor()
    await toast(page, 'A conversa foi removida permanentemente.').waitFor()
    expect(page.url()).toBe(`${url}/conversas-ativas`)
    await expect.poll(() => isThere()).toBe(false)
    await go(page, `/chat?conversation=${id}`)
    await page.getByText('Conversa não encontrada').waitFor()
  })
})
