import { describe, expect, test } from 'vitest'
import { newName } from './support/accounts.ts'
import { newPage } from './support/browser.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectAccessible, expectAccessibleState } from './support/sound.ts'
import { browser, password, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Somebody is invited by a link, and makes an account of their own with it.

const page = await signedIn('admin')
const dialog = (name: string) => page.getByRole('dialog', { name })
const opened = (name: string) =>
  page.getByRole('list', { name: 'Convites abertos' }).getByRole('listitem').filter({ hasText: name })

/** Invites somebody. @returns the link, with the dialog still open */
async function invite(name: string): Promise<string> {
  await go(page, '/users')
  await page.getByRole('button', { name: 'Convidar' }).click()
  await dialog('Convidar').getByLabel('Para quem').fill(name)
  await dialog('Convidar').getByRole('button', { name: 'Criar link' }).click()
  return dialog('Convite criado').getByLabel('Link do convite').inputValue()
}
const finish = () => dialog('Convite criado').getByRole('button', { name: 'Concluir' }).click()

async function fill(guest: typeof page, account: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(account))
    await guest.getByRole('textbox', { name: new RegExp(`^${label}`) }).fill(value)
  await guest.getByRole('button', { name: 'Criar conta e entrar' }).click()
}

const sizes = inFullAlso([{ width: 1440, theme: 'light' }], [{ width: 390, theme: 'dark' }])
describe.each(sizes)('an invited person at $width px', (size) => {
  test('an invited person chooses their own name and password, and is let in once', async () => {
    const name = newName()
    const link = await invite(name)
    expect(link.startsWith(`${url}/convite#`)).toBe(true)
    await expectAccessibleState(page)
    await finish()
    await opened(name).getByText('de Marina Queiroz').waitFor()
    const guest = await newPage(browser, size)
    await guest.goto(link)
    await guest.getByText('Marina Queiroz convidou você para o Balcão, como operador.').waitFor()
    await expectAccessible(guest)
    const username = `convidada-${Date.now()}`
    const account = {
      Email: `${username}@teste.example`,
      Senha: 'alface-roxa',
      'Repita a senha': 'alface-roxa',
    }
    await fill(guest, { ...account, Username: 'ana' })
    await guest.getByRole('alert').getByText('Já existe um usuário com este username.').waitFor()
    await fill(guest, { Username: username, 'Repita a senha': 'outra' })
    await guest.getByRole('alert').getByText('As senhas não são iguais').waitFor()
    await fill(guest, { 'Repita a senha': 'alface-roxa' })
    await guest.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.reload()
    await page.getByRole('table').getByText(`@${username}`).waitFor()
    await expect.poll(() => opened(name).count()).toBe(0)
    const again = await newPage(browser, size)
    await again.goto(link)
    await again.getByRole('alert').getByText('Este convite já foi usado.').waitFor()
    await expectAccessibleState(again)
  })
})

test('an invitation that was withdrawn lets nobody in, and neither does half of a link', async () => {
  const name = newName()
  const link = await invite(name)
  await finish()
  await opened(name).getByRole('button', { name: 'Retirar' }).click()
  await dialog('Retirar convite').getByRole('button', { name: 'Retirar' }).click()
  await toast(page, 'Convite retirado').waitFor()
  await expect.poll(() => opened(name).count()).toBe(0)
  const guest = await newPage(browser)
  await guest.goto(link)
  await guest.getByRole('alert').getByText('Este convite foi retirado.').waitFor()
  await guest.getByRole('link', { name: 'Ir para a entrada' }).click()
  await guest.getByRole('button', { name: 'Entrar' }).waitFor()
  await guest.goto(`${url}/convite#${link.slice(-10)}`)
  await guest.reload()
  await guest.getByRole('alert').getByText('Este link não é de um convite.').waitFor()
})

testInFull('an invitation is sent by WhatsApp, and its link comes into no conversation', async () => {
  const name = newName()
  const link = await invite(name)
  const phone = await phones.create(name)
  const form = dialog('Convite criado')
  await form.getByLabel('Ou enviar por WhatsApp').fill('123')
  await form.getByRole('button', { name: 'Enviar', exact: true }).click()
  await form.getByRole('alert').getByText('Telefone deve ter pelo menos 10 dígitos').waitFor()
  await form.getByLabel('Ou enviar por WhatsApp').fill(phone.number)
  await form.getByRole('button', { name: 'Enviar', exact: true }).click()
  await form
    .getByRole('status')
    .getByText(/^Enviado a /)
    .waitFor()
  await expect.poll(async () => (await phones.received(phone.id)).join()).toContain(link)
  await finish()
  await opened(name)
    .getByText(/enviado a /)
    .waitFor()
  await go(page, '/conversas-ativas')
  await page.getByRole('searchbox').first().fill(name)
  await page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor()
})

testInFull('an invitation gives the permissions that were chosen for it', async () => {
  const name = newName()
  await go(page, '/users')
  await page.getByRole('button', { name: 'Convidar' }).click()
  const form = dialog('Convidar')
  await form.getByLabel('Para quem').fill(name)
  await form.getByRole('radio', { name: 'Escolhidas' }).click()
  await form.getByLabel('Ver empresas').click()
  await expectAccessibleState(page)
  await form.getByRole('button', { name: 'Criar link' }).click()
  const link = await dialog('Convite criado').getByLabel('Link do convite').inputValue()
  await finish()
  await opened(name).getByText('permissões escolhidas').waitFor()
  const guest = await newPage(browser)
  await guest.goto(link)
  const username = `escolhida-${Date.now()}`
  await fill(guest, {
    Email: `${username}@teste.example`,
    Username: username,
    Senha: password,
    'Repita a senha': password,
  })
  await guest.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await go(guest, '/companies')
  await guest.getByRole('heading', { name: 'Empresas' }).waitFor()
})
