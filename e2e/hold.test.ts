import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { newName } from './support/accounts.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { inFullAlso } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// 'Lembrar': a conversation on hold, under 'Em espera', and its return.

const ana = await colleague('ana')
const bruno = await colleague('bruno')

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('ana', size)
  })

  /** A client who writes to Ana, with the chat open. */
  async function newChatOfAna() {
    const name = newName()
    const { id, phone } = await newTalk(ana, name)
    await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await openChat(page, id, name)
    return { id, phone, name }
  }
  const dialog = (on: Page) => on.getByRole('dialog')
  const read = (id: number) => ana.call<Conversation>('GET', `/api/conversations/${id}`)
  const strip = () => page.getByRole('region', { name: 'Em espera', exact: true })
  const inList = (name: string) => page.getByRole('link').filter({ hasText: name })

  test('a conversation is put on hold by keys, told to the client, and taken up again', async () => {
    const { id, name } = await newChatOfAna()
    await page.keyboard.press('Alt+s')
    await dialog(page).getByText('Em 30 min').waitFor()
    await expectSound(page, size.width)
    // Nothing is chosen yet.
    await expect
      .poll(() =>
        page
          .getByRole('button', { name: /^Lembrar/ })
          .last()
          .isDisabled(),
      )
      .toBe(true)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Em 30 min')
    // As long as a finger holds it.
    await page.keyboard.press('ArrowDown', { delay: 80 })
    await dialog(page).getByLabel('Motivo').fill('esperando a diretoria')
    await dialog(page).getByLabel('Mensagem ao cliente (opcional)').fill('Já volto com a resposta.')
    await page.getByRole('button', { name: /^Lembrar (hoje|amanhã), \d\d:\d\d$/ }).click()
    await toast(page, /^Em espera até/).waitFor()
    await strip().getByText('“esperando a diretoria”').waitFor()
    await page.getByRole('log').getByText('Já volto com a resposta.').waitFor()
    await page
      .getByRole('log')
      .getByText(/deixou a conversa em espera até/)
      .waitFor()
    await expectSound(page, size.width)
    const held = await read(id)
    expect(Math.round((Date.parse(held.snoozedUntil ?? '') - Date.now()) / 60_000)).toBe(60)
    // Under 'Em espera' alone, and found by its name.
    await page.goto(`${url}/conversas-ativas?tab=snoozed`)
    await inList(name).getByText('em espera, volta').waitFor()
    await expectSound(page, size.width)
    await page.goto(`${url}/conversas-ativas?tab=mine&limit=50`)
    await page.getByRole('button', { name: /^Em espera/ }).waitFor()
    await expect.poll(() => inList(name).count()).toBe(0)
    await openChat(page, id, name)
    await strip().getByRole('button', { name: 'Retomar' }).click()
    await strip().waitFor({ state: 'detached' })
    await expect.poll(async () => (await read(id)).snoozedUntil).toBeUndefined()
  })

  test('a time of one’s own is asked until it is in the future', async () => {
    const { id } = await newChatOfAna()
    await page.keyboard.press('Alt+s')
    await dialog(page)
      .getByRole('radio', { name: /^Outra data/ })
      .click()
    await dialog(page).getByLabel('Dia').fill('2020-01-01')
    await dialog(page).getByText('Escolha um horário no futuro.').waitFor()
    const year = new Date().getFullYear() + 3
    await dialog(page).getByLabel('Dia').fill(`${year}-01-01`)
    await page.getByRole('button', { name: `Lembrar 01/01/${year}, 09:00` }).click()
    await toast(page, 'Erro ao deixar a conversa em espera').waitFor()
    await page.getByText('Escolha um horário dentro de um ano.').waitFor()
    await expect.poll(async () => (await read(id)).snoozedUntil).toBeUndefined()
    await dialog(page)
      .getByRole('radio', { name: /^Amanhã 09:00/ })
      .click()
    await page
      .getByRole('button', { name: /^Lembrar / })
      .last()
      .click()
    await strip().waitFor()
  })

  test('what is back at its time is told, stands on top, and is new until it is opened', async () => {
    const { id, name } = await newChatOfAna()
    await page.goto(`${url}/conversas-ativas?tab=mine`)
    await inList(name).waitFor()
    const until = new Date(Date.now() + 1500).toISOString()
    await ana.call('PUT', `/api/conversations/${id}/snooze`, { until, reason: 'ligar de volta' })
    await toast(page, `Lembrete: ${name}`).waitFor()
    await inList(name).getByText('voltou da espera').waitFor()
    await expect
      .poll(() => page.locator('a[href^="/chat?conversation="]').first().textContent())
      .toContain(name)
    await inList(name).getByText('Lembrete: ligar de volta').waitFor()
    await expectSound(page, size.width)
    await page.getByRole('button', { name: 'Abrir', exact: true }).click()
    await page.getByRole('log').getByText('A conversa voltou da espera').waitFor()
    await expect.poll(async () => (await read(id)).returnedAt).toBeUndefined()
  })

  test('a word of the client brings it back while its strip is in front of somebody', async () => {
    const { id, phone } = await newChatOfAna()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await ana.call('PUT', `/api/conversations/${id}/snooze`, { until })
    await strip().waitFor()
    await phones.write(phone.id, 'e então?')
    await strip().waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('O cliente escreveu: a conversa voltou da espera').waitFor()
  })

  test('a transfer asks whether the hold goes with it', async () => {
    const { id } = await newChatOfAna()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await ana.call('PUT', `/api/conversations/${id}/snooze`, { until })
    await strip().waitFor()
    await page.keyboard.press('Alt+t')
    const keeps = dialog(page).getByRole('checkbox', { name: /^Continua em espera até/ })
    await expect.poll(() => keeps.isChecked()).toBe(true)
    await keeps.click()
    await dialog(page)
      .getByRole('radio', { name: /^Bruno Tavares/ })
      .click()
    await page.getByRole('button', { name: 'Transferir', exact: true }).last().click()
    await toast(page, 'Conversa transferida!').waitFor()
    const given = await bruno.call<Conversation>('GET', `/api/conversations/${id}`)
    expect([given.snoozedUntil, given.assignedUser?.name]).toEqual([undefined, 'Bruno Tavares'])
  })
})
