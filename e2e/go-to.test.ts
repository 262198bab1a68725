import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationsFound as Found } from '#shared/conversations/archive.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// 'Ir para…' and the shortcuts: results while typing, keyboard use, a broken connection, a faster colleague.

const bruno = await colleague('bruno')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let id: number
  beforeAll(async () => {
    page = await signedIn('supervisora', { width, height: 860, theme })
    ;({ phone, id } = await newTalk(bruno, `Conceição Araújo ${width}`, 'me acha?'))
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await go(page, '/')
    await page.getByRole('heading', { name: /Dashboard/ }).waitFor()
  })
  const palette = () => page.getByRole('dialog', { name: 'Ir para…' })
  const options = () => palette().getByRole('option')
  const open = async (typed = '') => {
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type(typed)
  }

  test('an open conversation is found without accents, by phone or protocol, and opened by key', async () => {
    const { protocol } = await bruno.conversationWith(phone)
    for (const query of [`conceicao araujo ${width}`, phone.number.slice(-9), protocol]) {
      await open(query)
      const option = palette().getByRole('option', { name: `Conceição Araújo ${width}` })
      await option.waitFor()
      await expect.poll(() => option.getAttribute('aria-selected')).toBe('true')
      await expectSound(page, width)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${url}/chat?conversation=${id}`)
      await go(page, '/')
      await page.getByRole('heading', { name: /Dashboard/ }).waitFor()
    }
  })

  test('what was said is found from a list that finds nobody, and opened at the message by key', async () => {
    const word = `sobrecapa${width}`
    const name = `Olga Maria Aparecida de Albuquerque Prado ${width}`
    const { id: said, phone: client } = await newTalk(bruno, name, `quero a ${word} verde`)
    for (let n = 0; n < 40; n++)
      await bruno.call('POST', `/api/conversations/${said}/messages`, { content: `${n}` })
    const found = () => bruno.call<Found>('GET', `/api/conversations/search?search=${word}`)
    await expect.poll(found).toMatchObject({ conversations: [{ id: said }] })
    await go(page, '/conversas-ativas')
    await page.getByPlaceholder('Buscar por nome ou telefone...').last().fill(word)
    await page.getByRole('button', { name: `Procurar “${word}” nas mensagens` }).click()
    await palette().waitFor()
    const option = palette().getByRole('group', { name: 'Mensagens' }).getByRole('option')
    await option.waitFor()
    await expect.poll(() => option.innerText()).toContain(client.name)
    await expect.poll(() => option.locator('mark').allTextContents()).toEqual([word])
    await expectSound(page, width)
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText(`quero a ${word} verde`).waitFor()
    await page.waitForURL(`${url}/chat?conversation=${said}`)
  })

  testInFull('the palette leads to a screen by its name, and Esc returns the focus', async () => {
    const box = page.getByRole('button', { name: 'Ir para…' })
    await box.focus()
    await page.keyboard.press('Enter')
    await palette().waitFor()
    await pressEscape(page)
    await palette().waitFor({ state: 'detached' })
    await expectFocused(box)
    await box.click()
    await page.keyboard.type('conversas ativ')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/conversas-ativas`)
  })

  testInFull(
    'a contact without a conversation is found at the server, also after a lost connection',
    async () => {
      const done = await newTalk(bruno, `Ístvan Ñuñez ${width}`, 'até logo')
      await bruno.call('POST', `/api/conversations/${done.id}/finalize`, {})
      await page.route('**/api/contacts?*', (route) => route.abort())
      await open(`istvan nunez ${width}`)
      await palette().getByText('Não foi possível buscar os contatos.').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.keyboard.press('Backspace')
      // The archive has one of this name, too.
      await palette()
        .getByRole('group', { name: 'Contatos' })
        .getByRole('option', { name: `Ístvan Ñuñez ${width}` })
        .click()
      await page.getByText('NOVA CONVERSA').waitFor()
    },
  )

  testInFull(
    'a contact that does not fit what is typed by now is not offered while the server is slow',
    async () => {
      const names = ['Ágata', 'Águeda'].map((name) => `${name} Lenta ${width}`)
      for (const name of names) {
        const { id: ended } = await newTalk(bruno, name, 'até logo')
        await bruno.call('POST', `/api/conversations/${ended}/finalize`, {})
      }
      const found = () =>
        palette().getByRole('group', { name: 'Contatos' }).getByRole('option').allInnerTexts()
      await open(`lenta ${width}`)
      await expect.poll(async () => (await found()).length).toBe(2)
      const held: Route[] = []
      await page.route('**/api/contacts?*', (route) => void held.push(route))
      await page.keyboard.type(' ague')
      await expect.poll(async () => (await found()).length).toBe(1)
      await expect.poll(async () => (await found())[0]).toContain('Águeda')
      await page.keyboard.type('zz')
      await palette().getByText('Buscando…').waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => held.some((route) => route.request().url().includes('aguezz'))).toBe(true)
      for (const route of held) await route.continue().catch(() => undefined)
      await palette()
        .getByText(/^Nada encontrado/)
        .waitFor()
      await pressEscape(page)
    },
  )

  testInFull('an action of the open chat is found, and says when somebody was quicker', async () => {
    await openChat(page, id, phone.name)
    await page.getByRole('log').getByText('me acha?').waitFor()
    await open('prioridade al')
    await expect.poll(() => options().count()).toBe(1)
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: /^Conversa com / })
      .getByText('Alta', { exact: true })
      .waitFor()
    await open('transf')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Transferir conversa' })
    await dialog.waitFor()
    await pressEscape(page)
    await dialog.waitFor({ state: 'detached' })
    await page.route('**/assign-operator', async (route) => {
      await bruno.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: bruno.id })
      await route.continue()
    })
    await open('assumir')
    await page.keyboard.press('Enter')
    await toast(page, 'A conversa já está com Bruno Tavares.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await open('devolver')
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: /^Conversa com / })
      .getByText('sem operador')
      .waitFor()
  })

  testInFull('an action of the shell is found at every width', async () => {
    await open('passar meu')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Passar meu turno' }).waitFor()
    await pressEscape(page)
    await open('tema')
    await expect
      .poll(() => options().allInnerTexts())
      .toEqual([theme === 'dark' ? 'Tema claro' : 'Tema escuro'])
    await pressEscape(page)
  })

  testInFull('the palette says when nothing is found', async () => {
    await open('zzzzqqq')
    await palette().getByText('Nada encontrado para “zzzzqqq”').waitFor()
    await expectSound(page, width)
    await pressEscape(page)
  })

  testInFull(
    '? shows all shortcuts, nothing while a text is typed, and nothing once single keys are off',
    async () => {
      const list = page.getByRole('dialog', { name: 'Atalhos do teclado' })
      await page.keyboard.press('?')
      await list.waitFor()
      await list.getByText('Conversa anterior e próxima').waitFor()
      await expectSound(page, width)
      const single = list.getByRole('switch', { name: /^Atalhos de uma tecla/ })
      await single.click()
      await pressEscape(page)
      await list.waitFor({ state: 'detached' })
      await page.keyboard.press('?')
      // The list would be open by then.
      await page.waitForTimeout(300)
      await expect.poll(() => list.count()).toBe(0)
      await page.reload()
      await page.getByRole('heading', { name: /Dashboard/ }).waitFor()
      await open('atalhos')
      await page.keyboard.press('Enter')
      await list.waitFor()
      await expect.poll(() => single.getAttribute('aria-checked')).toBe('false')
      await single.click()
      await pressEscape(page)
      await list.waitFor({ state: 'detached' })
      await openChat(page, id, phone.name)
      await page.getByPlaceholder('Digite sua mensagem...').fill('')
      await page.keyboard.type('tudo bem?')
      await expect.poll(() => list.count()).toBe(0)
      await expect.poll(() => page.getByPlaceholder('Digite sua mensagem...').inputValue()).toBe('tudo bem?')
      await page.getByPlaceholder('Digite sua mensagem...').fill('')
    },
  )
})
