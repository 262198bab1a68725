import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { pressEscape } from './support/focus.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { sampleMessages } from './support/phones.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The contact panel beside the chat: fields edited in place, and earlier conversations.

const bruno = await colleague('bruno')
const ana = await colleague('ana')

let people = Date.now() % 1_000_000
/** The last digit determines whether the simulator has a picture of the contact. */
const numberOf = (lastDigit: number) => `55119${String((people += 1)).padStart(7, '0')}${lastDigit}`

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let talk: Conversation
  let count = 0
  beforeAll(async () => {
    page = await signedIn('ana', { width, height: 860, theme })
    page.setDefaultTimeout(12_000)
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const options = { number: numberOf(1) }
    ;({ phone, talk } = await newTalk(bruno, `Painel ${width} ${++count}`, 'bom dia', options))
    await open()
  })

  const panel = () => page.getByRole(width > 768 ? 'complementary' : 'dialog', { name: 'Dados do contato' })
  const open = async () => {
    await openChat(page, talk.id, talk.contact.name)
    await showPanel()
  }
  /** As a new page, which has fetched nothing yet. */
  const load = async () => {
    await page.goto(`${url}/chat?conversation=${talk.id}`)
    await showPanel()
  }
  const showPanel = async () => {
    await page.getByRole('log').getByText('bom dia').first().waitFor()
    if (width < 768) await page.getByRole('button', { name: 'Dados do contato' }).click()
    await panel().getByRole('region', { name: 'Notas' }).waitFor()
  }
  const section = (name: string) => panel().getByRole('region', { name })
  const stored = () => bruno.call<Contact>('GET', `/api/contacts/${talk.contactId}`)
  const change = (body: object) => bruno.call('PUT', `/api/contacts/${talk.contactId}`, body)
  /** Breaks the line for a change. @returns resolves when one has met it */
  const cutPut = async (): Promise<{ met: Promise<void> }> => {
    const { promise: met, resolve } = Promise.withResolvers<void>()
    await page.route(`**/api/contacts/${talk.contactId}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      await route.abort()
      resolve()
    })
    return { met }
  }

  test('a line of the panel is changed in place, refused with a message, and shown to all', async () => {
    await panel().getByRole('button', { name: 'Editar email' }).click()
    const field = panel().getByRole('textbox', { name: 'Email' })
    await field.fill('sem arroba')
    await field.press('Enter')
    await panel().getByText('Email inválido').waitFor()
    await expectSound(page, width)
    const cut = await cutPut()
    await field.fill('maria@exemplo.com.br')
    await field.press('Enter')
    // The previous refusal may still be shown by the same toast.
    await cut.met
    await toast(page, 'Erro ao atualizar contato').waitFor()
    await expect.poll(() => field.inputValue()).toBe('maria@exemplo.com.br')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await panel().getByRole('button', { name: 'Salvar', exact: true }).click()
    await toast(page, 'Contato atualizado com sucesso').waitFor()
    await panel().getByText('maria@exemplo.com.br').waitFor()
    await panel().getByRole('button', { name: 'Editar nome' }).click()
    await panel().getByRole('textbox', { name: 'Nome' }).fill('Maria das Dores')
    await page.keyboard.press('Enter')
    await panel().getByRole('heading', { name: 'Maria das Dores' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Maria das Dores', includeHidden: true }).waitFor()
    await expect
      .poll(() => stored())
      .toMatchObject({ name: 'Maria das Dores', email: 'maria@exemplo.com.br' })
    await panel().getByRole('button', { name: 'Editar nome' }).click()
    await panel().getByRole('textbox', { name: 'Nome' }).fill('Outra')
    await pressEscape(page)
    await panel().getByRole('textbox', { name: 'Nome' }).waitFor({ state: 'detached' })
    // A change saved by mistake would be shown by then.
    await page.waitForTimeout(300)
    await expect.poll(() => panel().getByRole('heading', { name: 'Maria das Dores' }).isVisible()).toBe(true)
  })

  testInFull('the telephone is copied, and cannot change while a conversation is open', async () => {
    await panel().getByRole('button', { name: 'Copiar telefone' }).waitFor()
    await panel().getByRole('button', { name: 'Editar telefone' }).click()
    const field = panel().getByRole('textbox', { name: 'Telefone' })
    await field.fill('123')
    await field.press('Enter')
    await panel().getByText('Telefone deve ter pelo menos 10 dígitos').waitFor()
    await field.fill('(11) 98888-7777')
    await field.press('Enter')
    await panel()
      .getByText('O telefone não muda durante uma conversa aberta: as respostas iriam para outro número.')
      .waitFor()
    await expect.poll(async () => (await stored()).phone).toBe(phone.number)
  })

  testInFull('the category is chosen, and the header shows it', async () => {
    await panel().getByRole('button', { name: 'Categoria:' }).click()
    await page.getByRole('group', { name: 'Categoria' }).getByRole('menuitemradio', { name: 'VIP' }).click()
    await toast(page, 'Contato atualizado com sucesso').waitFor()
    await page
      .getByRole('group', { name: 'Dados da conversa', includeHidden: true })
      .getByText('VIP', { exact: true })
      .waitFor()
    await expect.poll(async () => (await stored()).category).toBe('VIP')
  })

  testInFull('tags are added and removed by keyboard, and a colleague’s stay', async () => {
    const field = section('Etiquetas').getByRole('textbox', { name: 'Nova etiqueta' })
    const tag = (name: string) => section('Etiquetas').getByRole('listitem').filter({ hasText: name })
    const cut = await cutPut()
    await field.fill('atacado')
    await field.press('Enter')
    await cut.met
    await toast(page, 'Erro ao atualizar contato').waitFor()
    await expect.poll(() => field.inputValue()).toBe('atacado')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await field.press('Enter')
    await tag('atacado').waitFor()
    const held: Route[] = []
    await page.route(`**/api/contacts/${talk.contactId}`, (route) =>
      route.request().method() === 'PUT' && held.length === 0 ? void held.push(route) : route.continue(),
    )
    await field.fill('boleto')
    await field.press('Enter')
    await expect.poll(() => held.length).toBe(1)
    await change({ tags: ['atacado', 'da colega'] })
    await held[0]?.continue()
    await tag('da colega').waitFor()
    await tag('boleto').waitFor()
    await expect.poll(async () => (await stored()).tags).toEqual(['atacado', 'da colega', 'boleto'])
    await expectSound(page, width)
    await section('Etiquetas').getByRole('button', { name: 'Remover etiqueta atacado' }).focus()
    await page.keyboard.press('Enter')
    await tag('atacado').waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).tags).toEqual(['da colega', 'boleto'])
  })

  testInFull('notes are kept while another chat is open, and a colleague’s are shown, not lost', async () => {
    const notes = () => section('Notas').getByRole('textbox', { name: 'Notas' })
    await notes().fill('minhas palavras')
    await section('Notas').getByText('Não salvas').waitFor()
    const { phone: other, id } = await newTalk(bruno, `Outro ${width}`, 'e eu?')
    await openChat(page, id, other.name)
    await page.getByRole('log').getByText('e eu?').waitFor()
    await open()
    await expect.poll(() => notes().inputValue()).toBe('minhas palavras')
    await change({ notes: 'palavras do Bruno' })
    await section('Notas').getByText('Um colega mudou as notas enquanto você escrevia:').waitFor()
    await section('Notas').getByText('palavras do Bruno').waitFor()
    await expectSound(page, width)
    await expect
      .poll(() => section('Notas').getByRole('button', { name: 'Salvar notas' }).isDisabled())
      .toBe(true)
    await section('Notas').getByRole('button', { name: 'Juntar com as minhas' }).click()
    await expect.poll(() => notes().inputValue()).toBe('palavras do Bruno\n\nminhas palavras')
    const cut = await cutPut()
    await section('Notas').getByRole('button', { name: 'Salvar notas' }).click()
    await cut.met
    await toast(page, 'Erro ao atualizar contato').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await section('Notas').getByRole('button', { name: 'Salvar notas' }).click()
    await toast(page, 'Contato atualizado com sucesso').waitFor()
    await section('Notas').getByText('Não salvas').waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).notes).toBe('palavras do Bruno\n\nminhas palavras')
  })

  testInFull('earlier conversations of the same client are opened from the panel', async () => {
    await section('Conversas anteriores').getByText('Nenhuma conversa anterior').waitFor()
    await ana.call('PATCH', `/api/conversations/${talk.id}/assign-operator`, { operatorId: ana.id })
    await ana.call('POST', `/api/conversations/${talk.id}/finalize`, {})
    const before = talk
    await phones.write(phone.id, 'bom dia de novo')
    talk = await bruno.conversationWith(phone)
    await page.route('**/conversations', (route) =>
      route.request().url().includes('/api/contacts/') ? route.abort() : route.continue(),
    )
    await load()
    await section('Conversas anteriores')
      .getByText('Não foi possível carregar as conversas anteriores.')
      .waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await section('Conversas anteriores').getByRole('button', { name: 'Tentar novamente' }).click()
    const link = section('Conversas anteriores').getByRole('link')
    await link.filter({ hasText: 'Ana Beatriz Nogueira' }).waitFor()
    await expect.poll(() => link.count()).toBe(1)
    await expectSound(page, width)
    await link.click()
    await page.waitForURL(`${url}/chat?conversation=${before.id}`)
    await page.getByText('Esta conversa foi finalizada.').waitFor()
  })

  testInFull('the files of the conversation are seen and opened, a new one as it comes', async () => {
    const media = section('Mídia da conversa')
    await media.getByText('Nenhuma imagem ou vídeo nesta conversa').waitFor()
    await phones.send(phone.id, sampleMessages.picture)
    const picture = media.getByRole('button', { name: /^Abrir Imagem: a caixa rasgada/ })
    await picture.waitFor()
    await phones.send(phone.id, sampleMessages.document)
    await expect
      .poll(() => picture.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBe(64)
    await expectSound(page, width)
    await picture.click()
    await page.getByRole('dialog', { name: 'a caixa rasgada' }).waitFor()
    await pressEscape(page)
    await media.getByRole('tab', { name: 'Arquivos' }).click()
    const file = media.getByRole('link', { name: 'Baixar nota fiscal 48.213.pdf' })
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(download.suggestedFilename()).toBe('nota fiscal 48.213.pdf')
    await page.route('**/media?**', (route) => route.fulfill({ status: 403, json: forbidden }))
    await load()
    await media.getByText(forbidden.message).waitFor()
  })

  testInFull('the picture of WhatsApp replaces the initials as soon as it has arrived', async () => {
    const face = panel().locator('[aria-hidden] img').first()
    await expect
      .poll(() => face.evaluate((img) => (img as HTMLImageElement).naturalWidth).catch(() => 0), {
        timeout: 20_000,
      })
      .toBeGreaterThan(0)
    await expect.poll(() => face.getAttribute('src')).toMatch(/^\/api\/contacts\/\d+\/avatar\?v=/)
    await expectSound(page, width)
    await page.route('**/avatar?**', (route) => route.abort())
    await load()
    await panel()
      .getByText(new RegExp(`^P${String(count)[0]}$`))
      .waitFor()
  })
})

const forbidden = { code: 'auth.forbidden', message: 'Você não tem permissão para realizar esta ação.' }
