import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'

// Quick replies: by their buttons, and by a slash.

const carla = await colleague('carla')

const sizes = inFullAlso([[1440, 'dark']], [[390, 'light']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let name: string
  let count = 0
  beforeAll(async () => {
    page = await signedIn('carla', { width, height: 860, theme })
  })
  beforeEach(async () => {
    name = `Rápida ${width} ${++count}`
    ;({ phone } = await newChat(page, carla, name))
  })

  const composer = () => page.getByPlaceholder('Digite sua mensagem...')
  const list = () => page.getByRole('listbox', { name: 'Respostas rápidas' })
  const options = () => list().getByRole('option').allInnerTexts()
  const marked = async () => (await list().getByRole('option', { selected: true }).innerText()).split(/\s/)[0]
  const button = (name: string) =>
    page.getByRole('group', { name: 'Respostas rápidas' }).getByRole('button', { name, exact: true })

  testInFull('a quick reply is inserted at the cursor by its button, and sent only by Enter', async () => {
    await composer().fill('Maria: tudo bem?')
    await composer().press('Home')
    for (let n = 0; n < 'Maria: '.length; n++) await composer().press('ArrowRight')
    await button('Saudação').click()
    await expect.poll(() => composer().inputValue()).toBe('Maria: Olá! Como posso ajudá-lo hoje?tudo bem?')
    await page.keyboard.type(' E ')
    await expect.poll(() => composer().inputValue()).toBe('Maria: Olá! Como posso ajudá-lo hoje? E tudo bem?')
    await expect.poll(() => phones.received(phone.id)).toEqual([])
    for (const [name, text] of [
      ['Verificar', 'Vou verificar essa informação para você. Aguarde um momento.'],
      ['Despedida', 'Obrigado pelo contato! Tenha um ótimo dia!'],
      ['LGPD', 'Aviso de privacidade (LGPD'],
    ] as const) {
      await composer().fill('')
      await button(name).click()
      await expect.poll(() => composer().inputValue()).toContain(text)
    }
    await expectSound(page, width)
  })

  test('a slash opens the quick replies, typing narrows them, and Enter uses one', async () => {
    await composer().press('/')
    await expect.poll(async () => (await options()).length).toBe(7)
    await expectSound(page, width)
    await composer().pressSequentially('SEG')
    await expect.poll(marked).toBe('/segunda-via')
    await composer().press('Enter')
    const filled = `Segue a segunda via do boleto, ${name}. Qualquer dúvida, é só chamar.`
    await expect.poll(() => composer().inputValue()).toBe(filled)
    await expect.poll(() => list().count()).toBe(0)
    await composer().press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain(filled)
  })

  testInFull(
    'the arrows go round the quick replies, Tab uses one, Esc leaves the slash as it is',
    async () => {
      await composer().pressSequentially('/s')
      await expect.poll(marked).toBe('/saudacao')
      await composer().press('ArrowUp')
      const last = await marked()
      await composer().press('ArrowDown')
      await expect.poll(marked).toBe('/saudacao')
      expect(last).not.toBe('/saudacao')
      await composer().press('Escape')
      await list().waitFor({ state: 'detached' })
      await expect.poll(() => composer().inputValue()).toBe('/s')
      await expectFocused(composer())
      // The slash was meant literally there only.
      await composer().fill('')
      await composer().pressSequentially('/s')
      await list().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await list().waitFor({ state: 'detached' })
      await pressEscape(page)
      await list().waitFor()
      await composer().pressSequentially('em')
      await expect.poll(marked).toBe('/sem-estoque')
      await composer().press('Tab')
      await expect
        .poll(() => composer().inputValue())
        .toBe('Esse item volta ao estoque na próxima semana. Quer que Carla Menezes avise você?')
    },
  )

  test('a field of a quick reply without a value is selected, and is not sent as it is', async () => {
    await composer().pressSequentially('/situ')
    await list()
      .getByRole('option', { name: /situacao/ })
      .click()
    await page.getByText('Não há o que pôr em Empresa nesta conversa').first().waitFor()
    await expect.poll(() => composer().inputValue()).toContain('{{company}}')
    await page.keyboard.type('Padaria')
    await expect.poll(() => composer().inputValue()).toMatch(/^(?!.*\{\{).*Padaria/)
    await composer().fill('O protocolo é {{protocol}}')
    await composer().press('Enter')
    await page.getByText('Não há o que pôr em Protocolo nesta conversa.').first().waitFor()
    await expect.poll(() => composer().inputValue()).toBe('O protocolo é {{protocol}}')
    await composer().fill('chaves {{minhas}} e /barra')
    await composer().press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('chaves {{minhas}} e /barra')
  })

  testInFull('the quick replies say when none fits, and Enter sends nothing by mistake', async () => {
    await composer().pressSequentially('/zzz')
    await list().getByText('Nenhuma resposta encontrada').waitFor()
    await composer().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe('/zzz')
    await expectSound(page, width)
  })

  testInFull(
    'Enter before the replies are loaded uses the reply once they are, and sends nothing',
    async () => {
      const held: (() => void)[] = []
      await page.route('**/api/system-settings', async (route) => {
        await new Promise<void>((resolve) => held.push(resolve))
        await route.continue()
      })
      await page.reload()
      await composer().pressSequentially('/sau')
      await list().getByText('Carregando…').waitFor()
      await composer().press('Enter')
      await expect.poll(() => composer().inputValue()).toBe('/sau')
      for (const release of held) release()
      await expect.poll(() => composer().inputValue()).toBe('Olá! Como posso ajudá-lo hoje?')
      await expect.poll(() => phones.received(phone.id)).toEqual([])
    },
  )
})
