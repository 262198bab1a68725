import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectFocused, pressEscape } from '../support/focus.ts'
import { newChat } from '../support/open-chat.ts'
import { expectSound } from '../support/sound.ts'
import { colleague, phones, signedIn } from '../support/stage.ts'

// Emojis by their Portuguese names, by mouse and by keyboard.

const carla = await colleague('carla')

const sizes = [
  [1440, 'dark'],
  [390, 'light'],
] as const
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  beforeEach(async () => {
    page = await signedIn('carla', { width, height: 860, theme })
    ;({ phone } = await newChat(page, carla, `Emoji ${width}`))
  })

  const composer = () => page.getByPlaceholder('Digite sua mensagem...')
  const search = () => page.getByPlaceholder('Buscar emoji...')
  /** When it closes, it returns the focus to the text a moment later. */
  const expectClosed = async () => {
    await search().waitFor({ state: 'detached' })
    await expectFocused(composer())
  }
  const open = () => page.getByRole('button', { name: 'Emojis' }).click()
  const option = (name: string) =>
    page.getByRole('listbox', { name: 'Emojis' }).getByRole('option', { name, exact: true })

  test('an emoji is inserted at the cursor, and is listed first the next time', async () => {
    await composer().fill('oi!')
    await composer().press('ArrowLeft')
    await open()
    await option('rosto risonho').waitFor()
    await expectSound(page, width)
    await page.getByRole('button', { name: 'Animais e natureza' }).click()
    await option('rosto de gato').click()
    await expect.poll(() => composer().inputValue()).toBe('oi🐱!')
    await expectClosed()
    await page.keyboard.type('?')
    await expect.poll(() => composer().inputValue()).toBe('oi🐱?!')
    await open()
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['🐱'])
    await pressEscape(page)
    await expectClosed()
  })

  test('an emoji is found by keyboard without accents, marked, and used in the chosen skin', async () => {
    const openByKey = async () => {
      await page.getByRole('button', { name: 'Emojis' }).press('Enter')
      await search().waitFor()
    }
    await openByKey()
    await page.getByRole('button', { name: 'Morena', exact: true }).press('Enter')
    await search().fill('coracao vermelho')
    await expect
      .poll(() => page.getByRole('option', { selected: true }).getAttribute('aria-label'))
      .toBe('coração vermelho')
    await search().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe('❤️')
    await expectClosed()
    await openByKey()
    await search().fill('polegar')
    await option('polegar para baixo').waitFor()
    const marked = () => page.getByRole('option', { selected: true }).innerText()
    const first = await marked()
    await search().press('ArrowRight')
    await expect.poll(marked).not.toBe(first)
    await search().press('ArrowLeft')
    await expect.poll(marked).toBe(first)
    await search().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe(`❤️${first}`)
    await expectClosed()
    expect(first).toMatch(/🏽/u)
    await openByKey()
    await search().fill('nada que exista')
    await page.getByText('Nenhum emoji encontrado').waitFor()
    await search().press('Enter')
    await expect.poll(() => search().count()).toBe(1)
    await expectSound(page, width)
  })

  test('several emojis are chosen with Shift, before the last one closes the list', async () => {
    await composer().fill('viva')
    await open()
    await search().fill('foguete')
    await option('foguete').click({ modifiers: ['Shift'] })
    await search().press('Shift+Enter')
    await expect.poll(() => composer().inputValue()).toBe('viva🚀🚀')
    await expectFocused(search())
    await search().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe('viva🚀🚀🚀')
    await expectClosed()
  })

  test('a colon and the beginning of a name find an emoji at the cursor', async () => {
    const list = page.getByRole('listbox', { name: 'Emojis' })
    await composer().pressSequentially('obrigada :cora')
    await list.getByRole('option', { name: 'coração vermelho' }).waitFor()
    await expectSound(page, width)
    await composer().press('Escape')
    await list.waitFor({ state: 'detached' })
    await expect.poll(() => composer().inputValue()).toBe('obrigada :cora')
    await composer().pressSequentially('cao_v')
    await list.getByRole('option', { name: 'coração vermelho', selected: true }).waitFor()
    await composer().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe('obrigada ❤️')
    await composer().pressSequentially(' :foguete')
    await list.getByRole('option', { name: 'foguete' }).click()
    await expectFocused(composer())
    // Neither emoticons nor what nothing is called like keep Enter from sending.
    await composer().pressSequentially(' :qqqq')
    await expect.poll(() => list.count()).toBe(0)
    await composer().press('Enter')
    await expect.poll(() => phones.received(phone.id)).toEqual(['obrigada ❤️ 🚀 :qqqq'])
  })

  test('any of the emojis is a reaction', async () => {
    await page.getByRole('article').filter({ hasText: 'bom dia' }).hover()
    await page.getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: 'Outra reação' }).click()
    await search().fill('foguete')
    await option('foguete').click()
    await page.getByRole('img', { name: 'Reações: 🚀' }).waitFor()
    await expect
      .poll(async () => (await phones.chat(phone.id))[0]?.reactions)
      .toEqual([{ emoji: '🚀', from: 'company' }])
  })

  test('the list of emojis says when there is no network, and loads when it is back', async () => {
    await page.route('**/emojis*.json', (route) => route.abort())
    await open()
    await page.getByText('Não foi possível carregar os emojis.').waitFor({ timeout: 20_000 })
    await page.unroute('**/emojis*.json')
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await option('rosto risonho').waitFor()
  })
})
