import { testInFull } from './support/matrix.ts'
import { beforeAll, expect, test } from 'vitest'
import { signedIn, url } from './support/stage.ts'

const page = await signedIn('ana')

beforeAll(async () => {
  await page.goto(`${url}/test-contact-display`)
})

const preview = (title: string) => page.getByRole('group', { name: `Prévia: ${title}` })

testInFull('one contact and several are shown as they would be in a chat', async () => {
  await page.getByRole('heading', { name: 'Teste de exibição de contatos' }).waitFor()
  const shown = preview('Um contato')
  for (const line of ['Zefa da Feira', '(11) 98765-4321', 'Feira Livre da Vila', 'zefa@exemplo.com.br'])
    await shown.getByText(line, { exact: true }).waitFor()
  await expect.poll(() => preview('Vários contatos').getByRole('listitem').count()).toBe(2)
})

test('the preview of a contact card follows what is typed', async () => {
  const field = page.getByLabel('Um contato', { exact: true })
  await field.fill('{"fullName":"Dona Nair","phoneNumber":"+1 415 555 2671"}')
  await preview('Um contato').getByText('Dona Nair', { exact: true }).waitFor()
  await field.fill('<img src=x onerror=alert(1)> *só texto*')
  await preview('Um contato').getByText('<img src=x onerror=alert(1)>').waitFor()
  await field.fill('')
})
