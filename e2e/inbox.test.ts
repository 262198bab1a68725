import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type ConversationRead, unreadOf } from '#shared/conversations/reads.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The list stays beside the chat, whatever is done in it.

const ana = await colleague('ana')
const bruno = await colleague('bruno')

const sizes = inFullAlso([[1440, 'light']], [[1024, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let count = 0
  beforeAll(async () => {
    page = await signedIn('ana', { width, height: 860, theme })
  })
  beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

  const pane = () => page.getByRole('region', { name: 'Conversas', exact: true })
  const row = (name: string) => pane().getByRole('link').filter({ hasText: name })
  const chat = (name: string) => page.getByRole('region', { name: `Conversa com ${name}`, exact: true })
  const dialog = () => page.getByRole('dialog', { name: 'Finalizar atendimento' })
  const stored = (id: number) => ana.call<Conversation>('GET', `/api/conversations/${id}`)
  /** Clients whom Ana attends, the one who waits longest first. */
  async function attended(...names: string[]) {
    count += 1
    const made = []
    for (const name of names) {
      const talk = await newTalk(bruno, `${name} ${width} ${count}`, 'preciso de ajuda')
      await ana.call('PATCH', `/api/conversations/${talk.id}/assign-operator`, { operatorId: ana.id })
      made.push({ ...talk, name: talk.phone.name })
    }
    return made as [(typeof made)[number], (typeof made)[number]]
  }

  test('what a row says at its end yields to the actions that are shown over it', async () => {
    const [first] = await attended('Sob o Mouse')
    await page.goto(`${url}/conversas-ativas`)
    await pane().getByRole('searchbox').fill(first.name)
    // Otherwise the row moves away from under the pointer once the search is applied.
    await pane().getByText('1-1 de 1 conversas').waitFor()
    await row(first.name).waitFor()
    await page.getByRole('heading', { name: 'Conversas Ativas', level: 1 }).hover()
    const seen = (what: string) =>
      row(first.name)
        .locator(what)
        .first()
        .evaluate((one) => getComputedStyle(one).visibility)
    await expect.poll(() => seen('time')).toBe('visible')
    await row(first.name).hover()
    await pane().locator('[data-row-actions]').waitFor()
    await expect.poll(() => seen('time')).toBe('hidden')
    await expect.poll(() => seen('span.contents')).toBe('hidden')
    await expect.poll(() => row(first.name).getByText(first.name).first().isVisible()).toBe(true)
    await page.getByRole('heading', { name: 'Conversas Ativas', level: 1 }).hover()
    await expect.poll(() => seen('time')).toBe('visible')
  })

  test('a conversation is opened beside the list, and the list has its words beside it', async () => {
    const [first] = await attended('Ao Lado')
    await page.goto(`${url}/conversas-ativas`)
    await page.getByRole('heading', { name: 'Conversas Ativas', level: 1 }).waitFor()
    await pane()
      .getByText(/^1-\d+ de \d+ conversas$/)
      .waitFor()
    await page.getByText('Escolha uma conversa').waitFor()
    await expectSound(page, width)
    const place = await pane().boundingBox()
    await pane().getByRole('searchbox').fill(first.name)
    await row(first.name).click()
    await chat(first.name).waitFor()
    await row(first.name).and(page.locator('[aria-current=page]')).waitFor()
    await expect.poll(() => pane().boundingBox()).toEqual(place)
    await expectSound(page, width)
    await page.goBack()
    await page.getByText('Escolha uma conversa').waitFor()
    await pane().getByRole('searchbox').fill('')
  })

  test('finalizing goes on to the next of the tab in place, and the notification takes it back', async () => {
    const [first, second] = await attended('Termina', 'Vem Depois')
    await openChat(page, first.id, first.name)
    await pane()
      .getByRole('button', { name: /^Minhas/ })
      .click()
    await pane().getByRole('searchbox').fill(`${width} ${count}`)
    await row(second.name).waitFor()
    await page.keyboard.press('Alt+l')
    await dialog().getByLabel('Notas do atendimento').fill('trocou a peça')
    await dialog().getByText(`finaliza e abre ${second.name}`).waitFor()
    await expectSound(page, width)
    await page.keyboard.press('Control+Enter')
    await chat(second.name).waitFor()
    await toast(page, `Próxima: ${second.name}`).waitFor()
    await row(first.name).waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored(first.id)).status).toBe('completed')
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await chat(first.name).waitFor()
    await toast(page, 'Finalização desfeita').waitFor()
    await row(first.name).waitFor()
    await expect.poll(async () => stored(first.id)).toMatchObject({ status: 'active', notes: null })
    await page.getByRole('log').getByText('Ana Beatriz Nogueira desfez a finalização').waitFor()
    await page.keyboard.press('Alt+l')
    await expect.poll(() => dialog().getByLabel('Notas do atendimento').inputValue()).toBe('trocou a peça')
    await dialog().getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    // The list is where it was, and the client hears of the end once it cannot be undone.
    await page.getByText('Escolha uma conversa').waitFor()
    await expect
      .poll(async () => (await phones.received(first.phone.id)).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    await pane().getByRole('searchbox').fill('')
  })

  test('a conversation of the queue stays readable after its end, until the chat is left', async () => {
    count += 1
    const talk = await newTalk(bruno, `Da Fila ${width} ${count}`, 'alguém aí?')
    await openChat(page, talk.id, talk.phone.name)
    await page.evaluate(() => {
      const look = () => {
        if (document.body.textContent.includes('Erro ao carregar')) document.title = 'Erro ao carregar'
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
    })
    await page.keyboard.press('Alt+l')
    await dialog().getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await page.getByText('Escolha uma conversa').waitFor()
    expect(await rightNow('the chat has been left', page.title())).not.toContain('Erro')
  })

  const keptOpen = 'O cliente escreveu: a conversa continua'
  const unread = async (id: number) => {
    const reads = await ana.call<ConversationRead[]>('GET', '/api/conversations/reads')
    return unreadOf(
      await stored(id),
      reads.find((read) => read.conversationId === id),
    )
  }

  test('a client who writes before the end is told keeps the operator in the chat, unread', async () => {
    const [first] = await attended('Escreve Ainda')
    await openChat(page, first.id, first.name)
    await expect.poll(() => unread(first.id)).toBe(0)
    // Faster than the answer: however slow this machine is, the tab has not left.
    await page.route(`**/${first.id}/finalize`, async (route) => {
      const response = await route.fetch()
      await phones.write(first.phone.id, 'mais uma coisa')
      await expect.poll(async () => (await stored(first.id)).status).toBe('active')
      await page.getByRole('log').getByText('mais uma coisa').waitFor()
      await route.fulfill({ response })
    })
    await page.keyboard.press('Alt+l')
    await dialog().getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, keptOpen).waitFor()
    await page
      .getByRole('log')
      .getByText('O cliente escreveu antes do encerramento: a conversa continua')
      .waitFor()
    await expectSound(page, width)
    // The tab is still there, and has read nothing, once the notification has gone.
    await toast(page, keptOpen).waitFor({ state: 'detached' })
    expect(await rightNow('the notification has gone', unread(first.id))).toBe(1)
    await chat(first.name).getByRole('textbox').click()
    await expect.poll(() => unread(first.id)).toBe(0)
  })

  test('a client who writes once the next is open is told with a way back', async () => {
    const [first, second] = await attended('Volta Ainda', 'Vem Na Vez')
    await openChat(page, first.id, first.name)
    await pane()
      .getByRole('button', { name: /^Minhas/ })
      .click()
    await pane().getByRole('searchbox').fill(`${width} ${count}`)
    await row(second.name).waitFor()
    await page.keyboard.press('Alt+l')
    await dialog().getByText(`finaliza e abre ${second.name}`).waitFor()
    await page.keyboard.press('Control+Enter')
    await chat(second.name).waitFor()
    // It stays while it is pointed at.
    await toast(page, `Próxima: ${second.name}`).hover()
    await phones.write(first.phone.id, 'esqueci a nota')
    await toast(page, keptOpen).waitFor()
    await expectSound(page, width)
    await page.getByRole('button', { name: 'Abrir', exact: true }).click()
    await chat(first.name).waitFor()
    await page.getByRole('log').getByText('esqueci a nota').waitFor()
    await pane().getByRole('searchbox').fill('')
  })

  test('what a client writes while several are being finalized leaves theirs open and named', async () => {
    const [first, second] = await attended('Vários Escreve', 'Vários Calado')
    await page.goto(`${url}/conversas-ativas`)
    await pane().getByRole('searchbox').fill(`${width} ${count}`)
    await row(second.name).waitFor()
    // The search that was typed makes another list, which ends a selection.
    await page.waitForURL(/search=/)
    await pane().getByRole('button', { name: 'Selecionar conversas' }).click()
    const bar = page.getByRole('group', { name: 'Seleção' })
    for (const { name } of [first, second])
      await page.getByRole('checkbox', { name: `Selecionar ${name}` }).check()
    await bar.getByRole('button', { name: 'Finalizar' }).click()
    const form = page.getByRole('dialog', { name: 'Finalizar atendimentos' })
    await form.getByLabel('Notas do atendimento').fill('mutirão')
    await phones.write(first.phone.id, 'espera, falta a nota')
    // The row behind the dialog has it.
    await pane().locator('a').filter({ hasText: 'espera, falta a nota' }).waitFor()
    await form.getByRole('button', { name: 'Finalizar 2 conversas' }).click()
    const sheet = page.getByRole('dialog', { name: 'O que foi feito' })
    await sheet.getByText('1 conversa finalizada · 1 recusada').waitFor()
    await sheet
      .getByRole('listitem')
      .filter({ hasText: first.name })
      .getByText('O cliente acabou de escrever')
      .waitFor()
    await expect.poll(async () => (await stored(second.id)).status).toBe('completed')
    expect(await rightNow('the acts are over', stored(first.id))).toMatchObject({ status: 'active' })
    await sheet.getByRole('button', { name: 'Fechar' }).last().click()
    await bar.getByText('1 selecionada').waitFor()
    await bar.getByRole('button', { name: 'Encerrar a seleção' }).click()
    await pane().getByRole('searchbox').fill('')
  })
})

test('below 1024 px the list is a screen of its own', async () => {
  const page = await signedIn('ana', { width: 1023, height: 800 })
  await page.goto(`${url}/conversas-ativas`)
  await page.getByRole('list', { name: 'Conversas ativas' }).getByRole('link').first().click()
  await page.getByRole('log').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Conversas', exact: true }).count()).toBe(0)
})
