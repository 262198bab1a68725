import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { newName } from './support/accounts.ts'
import { refusal } from './support/focus.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const admin = await colleague('admin')

const list = (page: Page) => page.getByRole('list', { name: 'Categorias' })
const item = (page: Page, name: string) =>
  list(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const form = (page: Page, title: 'Nova categoria' | 'Editar categoria') =>
  page.getByRole('region', { name: title })
const open = async (page: Page) => {
  await page.goto(`${url}/settings-advanced?aba=categorias`)
  await page.getByRole('heading', { name: 'Configurações Avançadas' }).waitFor()
}
/** Answers the question of the browser, and returns it. */
const answers = (page: Page, isYes: boolean) =>
  new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.message())
      void (isYes ? dialog.accept() : dialog.dismiss())
    })
  })
let phones = 0
const newContact = (category: string) =>
  admin.call<Contact>('POST', '/api/contacts', {
    name: newName(),
    phone: `4298${String(Date.now() % 1_000_000).padStart(6, '0')}${++phones % 10}`,
    category,
  })

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('an administrator creates a category, renames it with its contacts, and deletes it', async () => {
    await open(page)
    const name = `Atacado ${newName()}`
    await page.getByRole('button', { name: 'Nova categoria' }).click()
    const made = form(page, 'Nova categoria')
    await made.getByText('De 1 (maior) a 10 (menor prioridade)').waitFor()
    await made.getByLabel('Cor *').fill('')
    await made.getByRole('button', { name: 'Salvar' }).click()
    await made.getByText('Nome é obrigatório').waitFor()
    await refusal(made.getByText('Cor é obrigatória'))
    await made.getByLabel('Cor *').fill('azul')
    await made.getByText('Use o formato #rrggbb, como #2563eb').waitFor()
    await made.getByLabel('Nome *').fill(name)
    await made.getByRole('radio', { name: 'Amarelo' }).click()
    await expect.poll(() => made.getByLabel('Cor *').inputValue()).toBe('#ca8a04')
    for (const theme of ['claro', 'escuro'])
      await made.getByText(new RegExp(`^Tema ${theme} · [4-9],\\d : 1$`)).waitFor()
    await expectSound(page, size.width)
    await made.getByLabel('Prioridade').fill('3')
    await made.getByLabel('Descrição').fill('Pedido mínimo de 40 caixas')
    await made.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Categoria criada com sucesso!').waitFor()
    await item(page, name).getByText('Prioridade 3').waitFor()
    await item(page, name).getByText('Pedido mínimo de 40 caixas').waitFor()
    const { id } = await newContact(name)

    await page.getByRole('button', { name: `Editar ${name}` }).click()
    const changed = form(page, 'Editar categoria')
    await changed.getByLabel('Nome *').fill(`${name} B`)
    await changed.getByLabel('Categoria ativa').click()
    await changed.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Categoria atualizada com sucesso!').waitFor()
    await item(page, `${name} B`).getByText('Inativo', { exact: true }).waitFor()
    await expect
      .poll(() => admin.call('GET', `/api/contacts/${id}`))
      .toMatchObject({ category: `${name} B`, categoryColor: '#ca8a04' })

    const refused = answers(page, false)
    await page.getByRole('button', { name: `Excluir ${name} B` }).click()
    const question = await refused
    expect(question).toBe('Tem certeza que deseja excluir esta categoria?')
    await item(page, `${name} B`).waitFor()
    const accepted = answers(page, true)
    await page.getByRole('button', { name: `Excluir ${name} B` }).click()
    await accepted
    await toast(page, 'Categoria excluída com sucesso!').waitFor()
    await item(page, `${name} B`).waitFor({ state: 'detached' })
    await expect.poll(() => admin.call('GET', `/api/contacts/${id}`)).toMatchObject({ category: '' })
  })

  test('an administrator loses nothing when a name is taken, or a colleague was faster', async () => {
    const name = newName()
    const { id } = await admin.call<{ id: number }>('POST', '/api/contact-categories', {
      name,
      color: '#2563eb',
    })
    await open(page)
    await page.getByRole('button', { name: `Editar ${name}` }).click()
    const changed = form(page, 'Editar categoria')
    await changed.getByLabel('Nome *').fill('vip')
    await changed.getByRole('button', { name: 'Salvar' }).click()
    await changed.getByText('Já existe uma categoria com este nome.').waitFor()
    await admin.call('PUT', `/api/contact-categories/${id}`, { description: 'do colega' })
    await changed.getByLabel('Nome *').fill(`${name} B`)
    await changed.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Um colega mudou esta categoria enquanto você editava.').waitFor()
    await item(page, name).getByText('do colega').waitFor()
    await changed.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Categoria atualizada com sucesso!').waitFor()
    await item(page, `${name} B`).getByText('do colega').waitFor()
    await admin.call('DELETE', `/api/contact-categories/${id}`)
  })
})

testInFull('the categories report a failure, and offer to try again', async () => {
  const page = await signedIn('admin')
  let isBroken = true
  await page.route(/\/api\/contact-categories/, async (route) => {
    if (!isBroken) return route.continue()
    return route.request().method() === 'GET'
      ? route.fulfill({ status: 403, json: { message: 'quebrou' } })
      : route.abort()
  })
  await open(page)
  await page.getByText('Failed to fetch contact categories').waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await list(page).waitFor()
  isBroken = true
  await page.getByRole('button', { name: 'Nova categoria' }).click()
  const made = form(page, 'Nova categoria')
  await made.getByLabel('Nome *').fill('Sem rede')
  await made.getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Falha ao criar categoria. Tente novamente.').waitFor()
  await expect.poll(() => made.getByLabel('Nome *').inputValue()).toBe('Sem rede')
  await made.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Editar VIP' }).click()
  const changed = form(page, 'Editar categoria')
  await changed.getByLabel('Descrição').fill('some?')
  await changed.getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Falha ao atualizar categoria. Tente novamente.').waitFor()
  const accepted = answers(page, true)
  await page.getByRole('button', { name: 'Excluir VIP' }).click()
  await accepted
  await toast(page, 'Falha ao excluir categoria. Tente novamente.').waitFor()
})

testInFull('the screen says so when there is no category', async () => {
  const page = await signedIn('admin')
  await page.route(/\/api\/contact-categories\/managed/, (route) => route.fulfill({ json: [] }))
  await open(page)
  await page.getByText('Nenhuma categoria criada ainda').waitFor()
  await page.getByText('A categoria dá cor e prioridade ao contato.').waitFor()
  await page.getByRole('button', { name: 'Nova categoria' }).click()
  await form(page, 'Nova categoria').getByLabel('Nome *').waitFor()
})
