import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectFocused, pressEscape } from '../support/focus.ts'
import { go } from '../support/go.ts'
import { newChat, openChat } from '../support/open-chat.ts'
import { expectSound } from '../support/sound.ts'
import { colleague, signedIn } from '../support/stage.ts'
import { toast } from '../support/toast.ts'

// The client's company, chosen or created in the header of the chat.

const bruno = await colleague('bruno')
const admin = await colleague('admin')

const sizes = [
  [1440, 'light'],
  [390, 'dark'],
] as const
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let talk: Conversation
  let count = 0
  beforeAll(async () => {
    page = await signedIn('supervisora', { width, height: 860, theme })
    page.setDefaultTimeout(12_000)
  })
  beforeEach(async () => {
    count += 1
    ;({ phone, talk } = await newChat(page, bruno, `Freguês ${width} ${count}`))
  })

  const header = (on = page) => on.getByRole('group', { name: 'Dados da conversa' })
  const chosen = (name: string, on = page) => header(on).getByRole('button', { name: `Empresa: ${name}` })
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  const dialog = () => page.getByRole('dialog', { name: 'Criar Nova Empresa' })
  const company = (name: string, isActive = true) =>
    admin.call<CompanyOption>('POST', '/api/companies', { name, isActive })
  const stored = async () =>
    (await bruno.call<Conversation>('GET', `/api/conversations/${talk.id}`)).contact.company?.name ?? null
  const unique = (name: string) => `${name} ${width} ${count} ${Date.now() % 100_000}`

  test('a company is chosen among the active ones, found as typed, and shown to everybody', async () => {
    const name = unique('Açougue São João')
    const gone = unique('Encerrada')
    await company(name)
    await company(gone, false)
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await company(unique(`Loja ${n}`))
    const other = await signedIn('carla', { width: 1440 })
    await openChat(other, talk.id, phone.name)
    await chosen('Sem empresa', other).waitFor()
    await chosen('Sem empresa').click()
    await option(name).waitFor()
    await expect.poll(() => option(gone).count()).toBe(0)
    const list = page.getByRole('listbox', { name: 'Empresa' })
    await expect.poll(async () => (await list.boundingBox())?.height).toBeLessThan(300.5)
    await expectSound(page, width)
    await page.getByPlaceholder('Buscar empresa...').fill('acougue sao')
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0)
    await page
      .getByPlaceholder('Buscar empresa...')
      .fill(name.toLowerCase().replace('ç', 'c').replace('ã', 'a'))
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await chosen(name).waitFor()
    await chosen(name, other).waitFor()
    await expect.poll(() => stored()).toBe(name)
  })

  test('a company is removed again by keyboard alone', async () => {
    const { id, name } = await company(unique('Teclas'))
    await bruno.call('PUT', `/api/contacts/${talk.contactId}`, { companyId: id })
    await chosen(name).focus()
    await page.keyboard.press('Enter')
    await option('Sem empresa').waitFor()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await chosen('Sem empresa').waitFor()
    await expect.poll(stored).toBeNull()
    await chosen('Sem empresa').focus()
    await page.keyboard.press('Enter')
    await option('Sem empresa').waitFor()
    await pressEscape(page)
    await expectFocused(chosen('Sem empresa'))
  })

  test('an inactive company stays where it is, and is offered to nobody else', async () => {
    const { id, name } = await company(unique('Fechada depois'))
    await bruno.call('PUT', `/api/contacts/${talk.contactId}`, { companyId: id })
    await chosen(name).waitFor()
    await page.route('**/api/companies', async (route) => {
      const answer = await route.fetch()
      const all = (await answer.json()) as CompanyOption[]
      await route.fulfill({ json: all.map((one) => ({ ...one, isActive: one.id !== id && one.isActive })) })
    })
    await chosen(name).click()
    await option(name).waitFor()
    await pressEscape(page)
    await bruno.call('PUT', `/api/contacts/${talk.contactId}`, { companyId: null })
    await chosen('Sem empresa').click()
    await option('Sem empresa').waitFor()
    await expect.poll(() => option(name).count()).toBe(0)
  })

  test('a company is created in the dialog for the client, also after a lost connection', async () => {
    const name = unique('Padaria Nova')
    await chosen('Sem empresa').click()
    await page.getByRole('button', { name: '+ Criar Nova Empresa' }).click()
    const field = dialog().getByLabel('Nome da Empresa')
    await field.fill('   ')
    await expect.poll(() => dialog().getByRole('button', { name: 'Criar' }).isDisabled()).toBe(true)
    await field.fill(`  ${name} `)
    await expectSound(page, width)
    await page.route('**/api/companies', (route) => route.abort())
    await dialog().getByRole('button', { name: 'Criar' }).click()
    await toast(page, 'Erro ao criar empresa. Tente novamente.').waitFor()
    await expect.poll(() => field.inputValue()).toBe(`  ${name} `)
    await page.unroute('**/api/companies')
    await page.route(`**/api/contacts/${talk.contactId}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await field.press('Enter')
    await toast(page, 'Erro ao associar empresa. Tente novamente.').waitFor()
    await chosen('Sem empresa').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await chosen('Sem empresa').click()
    await option(name).click()
    await chosen(name).waitFor()
    const second = unique('Padaria Velha')
    await chosen(name).click()
    await page.getByRole('button', { name: '+ Criar Nova Empresa' }).click()
    await field.fill(second)
    await field.press('Enter')
    await toast(page, 'Empresa criada').waitFor()
    await chosen(second).waitFor()
    await expect.poll(() => stored()).toBe(second)
    await dialog().waitFor({ state: 'detached' })
    await expectFocused(chosen(second))
  })

  test('a company is chosen before the first message too', async () => {
    const { name } = await company(unique('Antes da conversa'))
    await admin.call('POST', `/api/conversations/${talk.id}/finalize`, {})
    // While it is open, it is what the address leads to.
    await page.getByText('Esta conversa foi finalizada.').waitFor()
    await go(page, `/chat?contact=${talk.contactId}&pendingCreation=true`)
    await page.getByText('NOVA CONVERSA').waitFor()
    await chosen('Sem empresa').click()
    await option(name).click()
    await chosen(name).waitFor()
    await expectSound(page, width)
  })
})
