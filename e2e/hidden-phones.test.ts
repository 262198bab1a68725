import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { maskPhone } from '#shared/contacts/masked-phone.ts'
import { newAccount, newName } from './support/accounts.ts'
import { newContext } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { browser, colleague, password, signedIn, url } from './support/stage.ts'

// 'Ocultar telefones': an administrator hides clients' numbers from an operator, who may have one shown.

const admin = await colleague('admin')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  const look = { width, height: 860, theme } as const
  let account: Awaited<ReturnType<typeof newAccount>>
  let operator: Colleague
  let page: Page
  let desk: Page
  let talk: Conversation
  let number: string
  let masked: string

  beforeAll(async () => {
    account = await newAccount(`Olga ${newName()}`)
    await admin.call('POST', '/api/user-permissions', {
      userId: account.id,
      flags: { canExportContacts: true, canEditContacts: true },
    })
    operator = await Colleague.signIn(url, account.username, password)
    ;({ talk } = await newTalk(operator, `Fone ${newName()}`, 'bom dia'))
    number = talk.contact.phone ?? ''
    masked = maskPhone(number)
    const context = await newContext(browser, { ...look, session: { url, token: operator.token } })
    page = await context.newPage()
    page.setDefaultTimeout(12_000)
    await page.goto(url)
    desk = await signedIn('admin', look)
  })

  const panel = () => page.getByRole(width > 768 ? 'complementary' : 'dialog', { name: 'Dados do contato' })
  const openList = async () => {
    await go(page, `/contacts?search=${encodeURIComponent(talk.contact.name)}`)
    await row().waitFor()
  }
  const row = () => page.getByRole('row').filter({ hasText: talk.contact.name })
  /** From another screen: in a chat on a telephone the panel may lie over the button that opens it. */
  const openPanel = async () => {
    await openList()
    await openChat(page, talk.id, talk.contact.name)
    if (width < 768) await page.getByRole('button', { name: 'Dados do contato' }).click()
    await panel().getByRole('region', { name: 'Notas' }).waitFor()
  }
  const editForm = async () => {
    await openList()
    await row().getByText(masked).waitFor()
    const { name } = talk.contact
    if (width > 768) await page.getByRole('button', { name: `Editar ${name}`, exact: true }).click()
    else {
      await page.getByRole('button', { name: `Mais ações: ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Editar' }).click()
    }
    return page.getByRole('dialog', { name: 'Editar Contato' })
  }

  test('an administrator hides the numbers, and an open list shows only their ends at once', async () => {
    await openList()
    await row().getByText(formatPhone(number)).waitFor()

    await go(desk, '/permissions')
    await desk.getByPlaceholder('Buscar por nome, usuário ou email...').fill(account.username)
    await desk.getByRole('button', { name: `Configurar ${account.name}` }).click()
    const dialog = desk.getByRole('dialog', { name: account.name })
    const hides = dialog.getByRole('switch', { name: /^Ocultar telefones/ })
    const reveals = dialog.getByRole('switch', { name: /^Pode mostrar um telefone/ })
    await hides.waitFor()
    await expect.poll(() => hides.isChecked()).toBe(false)
    await expect.poll(() => reveals.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Ativar todas', exact: true }).click()
    await expect.poll(() => hides.isChecked()).toBe(false)
    await hides.click()
    await reveals.waitFor()
    await expectSound(desk, width)

    await row().getByText(masked).waitFor()
    await expect.poll(() => page.getByText(formatPhone(number)).count()).toBe(0)
    await expectSound(page, width)
  })

  test('the chat shows the end of a number, which cannot be copied', async () => {
    await openPanel()
    await panel().getByText(masked).waitFor()
    await expect.poll(() => page.getByText(formatPhone(number)).count()).toBe(0)
    await expect.poll(() => panel().getByRole('button', { name: 'Copiar telefone' }).count()).toBe(0)
    await expect.poll(() => panel().getByRole('button', { name: 'Mostrar' }).count()).toBe(0)
    await expectSound(page, width)
  })

  test('whoever may have a number shown sees it in its place, and the audit log tells of it', async () => {
    await admin.stayConfirmed(password)
    const wanted = { hidesPhones: true, revealsPhones: true }
    await admin.call('PUT', `/api/user-permissions/${account.id}/phones`, wanted)
    await openPanel()
    await panel().getByRole('button', { name: 'Mostrar' }).click()
    await panel().getByText(formatPhone(number)).waitFor()
    await expectSound(page, width)
    // Seen there and then alone.
    await openList()
    await row().getByText(masked).waitFor()
    await openPanel()
    await panel().getByRole('button', { name: 'Mostrar' }).waitFor()
    await expect.poll(() => page.getByText(formatPhone(number)).count()).toBe(0)

    await go(desk, '/auditoria')
    const told = `mostrou o telefone do contato ${talk.contact.name}`
    await desk.getByText(told).first().waitFor()
  })

  test('the form of a contact keeps the number that it hides, and files have its end alone', async () => {
    const dialog = await editForm()
    const field = dialog.getByLabel('Telefone *')
    await expect.poll(() => field.inputValue()).toBe(masked)
    await dialog.getByText('Oculto para você.').waitFor()
    await expectSound(page, width)
    await dialog.getByLabel('Email').fill('cliente@teste.example')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const stored = await admin.call<Contact>('GET', `/api/contacts/${talk.contactId}`)
    expect(stored).toMatchObject({ phone: number, email: 'cliente@teste.example' })

    const file = await page.request.get(`${url}/api/contacts/export?format=csv&search=cliente@teste.example`)
    const text = await file.text()
    expect(text).toContain(masked)
    expect(text.replaceAll(/\D/g, '')).not.toContain(number.slice(-8))
  })

  testInFull('a number that was typed half is refused at its field', async () => {
    const dialog = await editForm()
    await dialog.getByLabel('Telefone *').fill('(11) •••• -0000')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.getByText('Digite o telefone inteiro, ou deixe como estava.').waitFor()
  })
})
