import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { newName } from './support/accounts.ts'
import { asksForPassword, givePassword } from './support/confirm.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const admin = await colleague('admin')

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const formOf = (page: Page) => dialog(page, 'Anonimizar contato')

/** A client who has written. */
async function writer(): Promise<Contact> {
  const name = `Zuleica ${newName()}`
  const { id } = await phones.create(name)
  await phones.write(id, `Meu segredo, de ${name}`)
  let found: Contact | undefined
  await expect
    .poll(async () => {
      const path = `/api/contacts?search=${encodeURIComponent(name)}`
      ;[found] = (await admin.call<{ contacts: Contact[] }>('GET', path)).contacts
      return found?.name
    })
    .toBe(name)
  if (!found) throw new Error('no contact')
  return found
}

async function openContact(page: Page, { id, name }: Contact): Promise<void> {
  await go(page, `/contacts/${id}`)
  await page.getByRole('heading', { name, level: 2 }).waitFor()
}

async function choose(page: Page, what: 'Exportar dados' | 'Anonimizar'): Promise<void> {
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('an administrator anonymizes a contact, by its name and with the password', async () => {
    const contact = await writer()
    await openContact(page, contact)
    await choose(page, 'Anonimizar')
    const form = formOf(page)
    await form.getByText('Não há como desfazer.').waitFor()
    await expectSound(page, size.width)
    await form.getByRole('button', { name: 'Anonimizar' }).click()
    await form.getByText('Não é o nome nem o telefone deste contato').waitFor()
    await form.getByLabel('Digite o nome ou o telefone do contato').fill('Outra pessoa')
    await form.getByLabel('Digite o nome ou o telefone do contato').press('Enter')
    await form.getByRole('heading').hover()
    await form.getByText('Não é o nome nem o telefone deste contato').waitFor()
    await expectSound(page, size.width)
    await form.getByLabel('Digite o nome ou o telefone do contato').fill(contact.name.toLowerCase())
    await asksForPassword(page, '**/anonymize')
    await form.getByRole('button', { name: 'Anonimizar' }).click()
    await givePassword(page)
    await toast(page, 'Contato anonimizado').waitFor()
    await page.getByRole('heading', { name: 'Contato anonimizado', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Mais ações' }).count()).toBe(0)
    await expect.poll(() => page.getByText(contact.name).count()).toBe(0)
    await expect.poll(() => page.getByText('Meu segredo').count()).toBe(0)
    await page.getByText('Dados apagados').waitFor()
    await page.getByText('Conteúdo apagado').waitFor()
    await expectSound(page, size.width)
    await page
      .getByRole('link')
      .filter({ has: page.getByText('Conteúdo apagado') })
      .click()
    await page.getByText(/anonimizou o contato/).waitFor()
    await page.getByText('Conteúdo anonimizado').waitFor()
    await expectSound(page, size.width)
  })

  testInFull('an administrator reads in the register what was asked for', async () => {
    const contact = await writer()
    await admin.call('POST', `/api/contacts/${contact.id}/anonymize`)
    await go(page, '/settings-advanced?aba=lgpd')
    await page.getByRole('heading', { name: 'Pedidos de titulares (LGPD)' }).waitFor()
    const first = page.getByRole('list', { name: 'Pedidos de titulares' }).getByRole('listitem').first()
    await first.getByText('Contato anonimizado:').waitFor()
    await first.getByText(/1\s+conversa, 1\s+mensagem, 0\s+arquivos/).waitFor()
    await expectSound(page, size.width)
    await first.getByRole('link', { name: `nº ${contact.id}` }).click()
    await page.getByRole('heading', { name: 'Contato anonimizado', level: 1 }).waitFor()
  })

  testInFull('an administrator exports the data of a contact', async () => {
    const contact = await writer()
    await openContact(page, contact)
    await asksForPassword(page, '**/personal-data')
    await choose(page, 'Exportar dados')
    const coming = page.waitForEvent('download')
    // It is gone after three seconds, which a large file may take.
    const reported = toast(page, 'Sucesso').waitFor()
    await givePassword(page)
    const [download] = await Promise.all([coming, reported])
    expect(download.suggestedFilename()).toBe(`dados-do-contato-${contact.id}.zip`)
    // The first local file header of a ZIP.
    const bytes = readFileSync(await download.path())
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  })

  testInFull('an administrator who is refused, or gives no password, loses nothing', async () => {
    const contact = await writer()
    await openContact(page, contact)
    await choose(page, 'Anonimizar')
    const form = formOf(page)
    await form.getByLabel('Digite o nome ou o telefone do contato').fill(contact.phone ?? '')
    await page.route('**/anonymize', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
    await form.getByRole('button', { name: 'Anonimizar' }).click()
    await toast(page, 'Erro ao anonimizar').waitFor()
    await asksForPassword(page, '**/anonymize')
    await form.getByRole('button', { name: 'Anonimizar' }).click()
    await dialog(page, 'Confirme sua senha').getByRole('button', { name: 'Cancelar' }).click()
    await expect
      .poll(() => form.getByLabel('Digite o nome ou o telefone do contato').inputValue())
      .toBe(contact.phone)
    const nowIs = await admin.call<Contact>('GET', `/api/contacts/${contact.id}`)
    expect(nowIs.name).toBe(contact.name)
  })

  testInFull('an administrator sees why the register does not come, and asks again', async () => {
    await page.route('**/api/privacy-requests?*', (route) => route.fulfill({ status: 500, json: {} }), {
      times: 4,
    })
    await page.goto(`${url}/settings-advanced?aba=lgpd`)
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await page.getByRole('heading', { name: 'Pedidos de titulares (LGPD)' }).waitFor()
  })
})

test('an operator is offered neither export nor anonymization', async () => {
  const contact = await writer()
  const page = await signedIn('ana', { width: 1440, height: 900 })
  await openContact(page, contact)
  await page.getByRole('button', { name: 'Iniciar conversa' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Mais ações' }).count()).toBe(0)
})
