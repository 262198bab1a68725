import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { launchBrowser } from './support/browser.ts'
import { picture } from './support/files.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Quick replies: by their buttons, and by a slash; general ones, of sectors and of a person.

const carla = await colleague('carla')
const ana = await colleague('ana')
const bruno = await colleague('bruno')

/** A browser with a fake microphone. */
const humming = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream')
afterAll(() => humming.close())

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
    // Two macros of everybody stand behind them.
    await expect.poll(async () => (await options()).length).toBe(11)
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
      // The most used one.
      let first = ''
      await expect.poll(async () => (first = (await marked()) ?? '')).toMatch(/^\/s/)
      await composer().press('ArrowUp')
      await expect.poll(marked).not.toBe(first)
      await composer().press('ArrowDown')
      await expect.poll(marked).toBe(first)
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

// The conversations of the demonstration are of 'Comercial', which Ana leads, and Bruno is in.
describe.each(inFullAlso([[1440, 'light']], [[390, 'dark']]))('own replies at %i px, %s', (width, theme) => {
  const look = { width, height: 860, theme } as const
  const composer = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')
  const list = (page: Page) => page.getByRole('listbox', { name: 'Respostas rápidas' })
  const option = (page: Page, shortcut: string) =>
    list(page)
      .getByRole('option')
      .filter({ hasText: `/${shortcut}` })
  const rows = (page: Page) => page.getByRole('list', { name: 'Respostas rápidas' }).getByRole('listitem')
  const editor = (page: Page, name = 'Nova resposta rápida') => page.getByRole('dialog', { name })
  const settings = async (page: Page) => {
    await go(page, '/settings?aba=respostas')
    await page.getByRole('button', { name: 'Nova resposta' }).waitFor()
  }
  const save = (page: Page) => page.keyboard.press('Enter')

  test('a person makes a reply of their own, which stands among the most used ones of a chat', async () => {
    const page = await signedIn('ana', look)
    await settings(page)
    await page.getByRole('button', { name: 'Nova resposta' }).click()
    const shortcut = editor(page).getByRole('textbox', { name: 'Atalho' })
    await expectFocused(shortcut)
    await shortcut.fill('tchau')
    await editor(page).getByRole('textbox', { name: 'Texto' }).fill('Até logo, ')
    await editor(page).getByRole('button', { name: 'Inserir Primeiro nome' }).click()
    await shortcut.press('Enter')
    await editor(page).getByText('Já existe o atalho /tchau aqui').waitFor()
    await shortcut.fill(`adeus${width}`)
    await save(page)
    await toast(page, 'Resposta rápida criada').waitFor()
    await rows(page)
      .filter({ hasText: `/adeus${width}` })
      .waitFor()
    await expectSound(page, width)
    const name = `Própria ${width}`
    const { phone, id } = await newTalk(ana, name)
    await openChat(page, id, name)
    await composer(page).press('/')
    await option(page, 'prazo').waitFor()
    const first = async () => (await list(page).getByRole('option').allInnerTexts()).slice(0, 3)
    await expect
      .poll(async () => (await first()).map((text) => text.split(/\s/)[0]))
      .toEqual(['/prazo', '/orcamento', '/tchau'])
    await option(page, 'tchau').getByText('Só eu').waitFor()
    await option(page, 'prazo').getByText('Comercial').waitFor()
    await expectSound(page, width)
    await composer(page).pressSequentially(`adeus${width}`)
    await page.keyboard.press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe('Até logo, Própria')
    await page.keyboard.press('Enter')
    await expect.poll(() => phones.received(phone.id)).toContain('Até logo, Própria')
    await settings(page)
    await rows(page)
      .filter({ hasText: `/adeus${width}` })
      .getByText('1 uso')
      .waitFor({ state: width < 768 ? 'attached' : 'visible' })
  })

  test('a lead gives the sector a reply with a file, which a colleague has at once', async () => {
    const shortcut = `tabela${width}`
    const [page, other] = [await signedIn('ana', look), await signedIn('bruno', look)]
    const name = `Do setor ${width}`
    const { phone, id } = await newTalk(bruno, name)
    await openChat(other, id, name)
    await composer(other).fill(`/${shortcut}`)
    await list(other).getByText('Nenhuma resposta encontrada').waitFor()
    await settings(page)
    await page.getByRole('button', { name: 'Nova resposta' }).click()
    await editor(page).getByRole('textbox', { name: 'Atalho' }).fill(shortcut)
    await editor(page).getByRole('combobox', { name: 'Quem usa' }).click()
    await page.getByRole('option', { name: 'Comercial' }).click()
    await editor(page).getByRole('textbox', { name: 'Texto' }).fill('Segue a tabela')
    const file = { name: 'tabela.png', mimeType: 'image/png', buffer: picture(640, 480, 170) }
    await page.getByLabel('Arquivo da resposta').setInputFiles(file)
    await editor(page).getByText('tabela.png').waitFor()
    await expectSound(page, width)
    await editor(page).getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Resposta rápida criada').waitFor()
    await option(other, shortcut).getByText('Comercial').waitFor()
    await composer(other).press('Enter')
    const sending = other.getByRole('dialog', { name: 'Enviar arquivo' })
    await expect.poll(() => sending.getByRole('textbox').inputValue()).toBe('Segue a tabela')
    await sending.getByRole('button', { name: 'Enviar' }).click()
    await expect.poll(async () => (await phones.chat(phone.id)).map(({ kind }) => kind)).toContain('image')
    // Whoever does not lead it reads it, and changes nothing.
    await settings(other)
    const row = rows(other).filter({ hasText: `/${shortcut}` })
    await row.waitFor()
    await expect.poll(() => row.getByRole('button', { name: `Ações: ${shortcut}` }).count()).toBe(0)
  })

  test('a voice is recorded into a reply, heard there, and sent as a voice message', async () => {
    const shortcut = `voz${width}`
    const page = await signedIn('ana', { ...look, within: humming })
    await settings(page)
    await page.getByRole('button', { name: 'Nova resposta' }).click()
    await editor(page).getByRole('textbox', { name: 'Atalho' }).fill(shortcut)
    await editor(page).getByRole('button', { name: 'Gravar voz' }).click()
    const bar = page.getByRole('group', { name: 'Gravação de voz' })
    await expect.poll(() => bar.getByRole('timer').textContent()).toMatch(/^0:0[1-9]$/)
    await bar.getByRole('button', { name: 'Usar gravação', exact: true }).click()
    await editor(page).getByRole('group', { name: 'Voz da resposta' }).waitFor()
    await expect.poll(() => editor(page).getByRole('textbox', { name: 'Texto' }).count()).toBe(0)
    await expectSound(page, width)
    await editor(page).getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Resposta rápida criada').waitFor()
    const player = rows(page)
      .filter({ hasText: `/${shortcut}` })
      .getByRole('group', { name: `Voz da resposta ${shortcut}` })
    await player.getByRole('button', { name: 'Ouvir' }).click()
    await player.getByRole('button', { name: 'Pausar' }).waitFor()
    const name = `Ouve ${width}`
    const { phone, id } = await newTalk(ana, name)
    await openChat(page, id, name)
    await composer(page).fill(`/${shortcut}`)
    await option(page, shortcut)
      .getByText(/^0:0[1-9]$/)
      .waitFor()
    await option(page, shortcut).getByLabel('mensagem de voz').waitFor()
    await expectSound(page, width)
    await composer(page).press('Enter')
    const sending = page.getByRole('dialog', { name: 'Enviar arquivo' })
    await sending.getByRole('button', { name: 'Enviar' }).click()
    await expect
      .poll(async () =>
        (await phones.chat(phone.id))
          .filter(({ from }) => from === 'company')
          .map(({ kind, voice }) => [kind, voice !== false]),
      )
      .toEqual([['audio', true]])
  })

  test('the texts of another product are brought, after it is shown what comes', async () => {
    const page = await signedIn('elisa', look)
    await settings(page)
    await page.getByRole('button', { name: 'Importar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Importar respostas rápidas' })
    const choose = (text: string) =>
      page
        .getByLabel('Arquivo de respostas')
        .setInputFiles({ name: 'canned.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('nome,telefone\nAna,11')
    await dialog.getByText('O arquivo precisa das colunas short_code e content').waitFor()
    await choose(`short_code,content\nola${width},"Oi, {{contact.name}}"\n${'x'.repeat(3)}${width},\n`)
    await dialog.getByText('1 vem, 1 não vem.').waitFor()
    await dialog.getByText('Oi, {{contact}}').waitFor()
    await expectSound(page, width)
    await dialog.getByRole('button', { name: 'Importar 1' }).click()
    await toast(page, '1 resposta rápida importada').waitFor()
    await rows(page)
      .filter({ hasText: `/ola${width}` })
      .waitFor()
    await page.getByRole('button', { name: 'Importar' }).click()
    await choose(`short_code,content\nola${width},"Oi, {{contact.name}}"\n`)
    await dialog.getByText('0 vêm, 1 já existe.').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Importar' }).isDisabled()).toBe(true)
  })

  testInFull(
    'a message of the team is kept as a reply, and what was typed is not lost by mistake',
    async () => {
      const page = await signedIn('ana', look)
      const name = `Guarda ${width}`
      const { id } = await newTalk(ana, name)
      await openChat(page, id, name)
      await composer(page).fill('Isto eu digo sempre, Guarda')
      await page.keyboard.press('Enter')
      const bubble = page
        .getByRole('log')
        .getByRole('article')
        .filter({ hasText: 'Isto eu digo sempre, Guarda' })
      await bubble.hover()
      await bubble.getByRole('button', { name: 'Opções da mensagem' }).click()
      await page.getByRole('menuitem', { name: 'Salvar como resposta rápida' }).click()
      await expect
        .poll(() => editor(page).getByRole('textbox', { name: 'Texto' }).inputValue())
        .toBe('Isto eu digo sempre, {{firstName}}')
      await editor(page).getByRole('textbox', { name: 'Atalho' }).fill(`sempre${width}`)
      await pressEscape(page)
      await page.getByRole('button', { name: 'Continuar editando' }).click()
      await editor(page).getByRole('button', { name: 'Salvar' }).click()
      await toast(page, 'Resposta rápida criada').waitFor()
      await composer(page).fill(`/sempre${width}`)
      await option(page, `sempre${width}`).waitFor()
    },
  )
})
