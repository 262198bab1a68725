import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newName } from './support/accounts.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

const list = (page: Page) => page.getByRole('list', { name: 'Empresas' })
const card = (page: Page, name: string) =>
  list(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const search = (page: Page) => page.getByPlaceholder('Buscar por nome, telefone ou responsável...')

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
    await go(page, '/companies')
    await page.getByRole('heading', { name: 'Empresas', exact: true }).waitFor()
  })

  test('an administrator creates a company, finds it, changes it and deletes it', async () => {
    const name = `Padaria ${newName()}`
    await page.getByText('Gerenciamento de empresas').waitFor()
    await page.getByRole('button', { name: 'Nova Empresa' }).click()
    const form = dialog(page, 'Nova Empresa')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText('Nome é obrigatório').waitFor()
    await expectSound(page, size.width)
    await form.getByLabel('Nome da Empresa *').fill(name)
    await form.getByLabel('Telefone').fill('1140028922')
    await form.getByLabel('Responsável').fill('Genivaldo Pereira')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Empresa criada com sucesso').waitFor()
    for (const words of [name.toUpperCase(), '1140028922', 'genivaldo']) {
      await search(page).fill(words)
      await card(page, name).getByText('(11) 4002-8922').waitFor()
    }
    await card(page, name).getByText('nenhuma conversa ainda').waitFor()
    await card(page, name).getByText('0 contatos').waitFor()

    await card(page, name)
      .getByRole('button', { name: `Editar ${name}` })
      .click()
    const change = dialog(page, 'Editar Empresa')
    await change.getByLabel('Ativa').click()
    await change.getByLabel('Telefone').fill('')
    await change.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Empresa atualizada com sucesso').waitFor()
    await card(page, name).getByText('Inativo', { exact: true }).waitFor()
    await card(page, name).getByText('sem telefone').waitFor()

    await card(page, name)
      .getByRole('button', { name: `Excluir ${name}` })
      .click()
    const question = dialog(page, 'Excluir Empresa')
    await question.getByText('Esta ação é irreversível.').waitFor()
    await question.getByRole('button', { name: 'Excluir' }).click()
    await toast(page, 'Empresa excluída com sucesso').waitFor()
    await page.getByText('Nenhuma empresa encontrada para a busca').waitFor()
    await page.getByText('Limpar busca').click()
    await page.getByText(/^1-10 de \d+ empresa\(s\)$/).waitFor()
  })

  testInFull('an administrator loses nothing when a name is taken, or a colleague was faster', async () => {
    const [name, other, person] = [`Mercado ${newName()}`, `Mercado ${newName()}`, newName()]
    const admin = await colleague('admin')
    const { id } = await admin.call<{ id: number }>('POST', '/api/companies', { name })
    const { id: otherId } = await admin.call<{ id: number }>('POST', '/api/companies', { name: other })
    await search(page).fill(name)
    await card(page, name)
      .getByRole('button', { name: `Editar ${name}` })
      .click()
    const form = dialog(page, 'Editar Empresa')
    await form.getByLabel('Nome da Empresa *').fill(other)
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Falha ao atualizar empresa: Já existe uma empresa com este nome.').waitFor()
    await form.getByText('Já existe uma empresa com este nome.').waitFor()
    await admin.call('PUT', `/api/companies/${id}`, { responsibleName: person })
    await form.getByLabel('Nome da Empresa *').fill(`${name} Novo`)
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(
      page,
      'Falha ao atualizar empresa: Um colega mudou esta empresa enquanto você editava.',
    ).waitFor()
    // By now the list, which is hidden from roles behind the dialog, has what the colleague wrote.
    await page.getByText(person, { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Empresa atualizada com sucesso').waitFor()
    await card(page, `${name} Novo`).getByText(person).waitFor()
    for (const each of [id, otherId]) await admin.call('DELETE', `/api/companies/${each}`)
    await search(page).fill('')
  })
})

testInFull('the companies report a failure, and offer to try again', async () => {
  const page = await signedIn('admin')
  let isBroken = true
  await page.route(/\/api\/companies/, async (route) => {
    const method = route.request().method()
    if (isBroken && method === 'GET') await route.fulfill({ status: 500, json: {} })
    else if (isBroken && method === 'POST') await route.abort()
    else if (isBroken) await route.fulfill({ status: 502, body: 'Bad Gateway' })
    else await route.continue()
  })
  await go(page, '/companies')
  await page.getByRole('button', { name: 'Tentar novamente' }).waitFor()
  await page.getByRole('button', { name: 'Nova Empresa' }).click()
  const form = dialog(page, 'Nova Empresa')
  await form.getByLabel('Nome da Empresa *').fill('Empresa sem rede')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await toast(
    page,
    'Falha ao criar empresa: Erro de conexão. Verifique sua internet e tente novamente.',
  ).waitFor()
  await form.getByRole('button', { name: 'Cancelar' }).click()
  isBroken = false
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await list(page).waitFor()
  const [name] = await list(page).getByRole('heading').allTextContents()
  isBroken = true
  await list(page)
    .getByRole('button', { name: `Excluir ${name}` })
    .click()
  await dialog(page, 'Excluir Empresa').getByRole('button', { name: 'Excluir' }).click()
  const unknown = 'Erro desconhecido'
  await toast(page, `Falha ao excluir empresa: ${unknown}`).waitFor()
})

testInFull('the companies while they are fetched, and when there are none', async () => {
  const page = await signedIn('admin')
  const asked = Promise.withResolvers<void>()
  const nobody = { companies: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 0 } }
  await page.route(/\/api\/companies\?/, async (route) => {
    await asked.promise
    await route.fulfill({ json: nobody })
  })
  await go(page, '/companies')
  await page.getByRole('status', { name: 'Carregando empresas...' }).waitFor()
  asked.resolve()
  await page.getByText('Nenhuma empresa encontrada.', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Nova Empresa' }).count()).toBe(2)
  const saved = Promise.withResolvers<void>()
  await page.route(/\/api\/companies$/, async (route) => {
    await saved.promise
    await route.abort()
  })
  await page.getByRole('button', { name: 'Nova Empresa' }).first().click()
  const form = dialog(page, 'Nova Empresa')
  await form.getByLabel('Nome da Empresa *').fill('Vem já')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.getByRole('button', { name: 'Salvando...' }).waitFor()
  saved.resolve()
  await form.getByRole('button', { name: 'Salvar', exact: true }).waitFor()
})

test('an operator sees names and states of companies, and is refused anything else', async () => {
  const page = await signedIn('ana')
  await go(page, '/companies')
  await list(page).getByText('Ativo', { exact: true }).first().waitFor()
  await expect
    .poll(() =>
      list(page)
        .getByText(/contatos?$/)
        .count(),
    )
    .toBe(0)
  await page.getByRole('button', { name: 'Nova Empresa' }).click()
  await dialog(page, 'Nova Empresa').getByLabel('Nome da Empresa *').fill('Minha')
  await dialog(page, 'Nova Empresa').getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Falha ao criar empresa: Você não tem permissão para realizar esta ação.').waitFor()
})

testInFull('two companies with the same phone are merged, or kept apart', async () => {
  const page = await signedIn('admin')
  const admin = await colleague('admin')
  const number = `48${String(Date.now() % 100_000_000).padStart(8, '3')}`
  const create = (name: string, phone: string) =>
    admin.call<{ id: number }>('POST', '/api/companies', { name, phone, responsibleName: `De ${name}` })
  const [first, second, third] = [newName(), newName(), newName()]
  const { id } = await create(first, number)
  await create(second, `+55 ${number.slice(0, 2)} ${number.slice(2)}`)
  await go(page, `/companies?search=${number}`)
  const question = page.getByRole('region', { name: 'Empresas repetidas' })
  await question.getByText(`${first} e ${second} têm o mesmo telefone. São a mesma empresa?`).waitFor()
  await expectSound(page, 1440)
  await question.getByRole('button', { name: 'Comparar e juntar' }).click()
  const form = dialog(page, 'Juntar empresas')
  await form.getByText(`De ${second}`).waitFor()
  await expectSound(page, 1440)
  await form.getByRole('button', { name: `Manter esta: ${first}` }).click()
  await toast(page, `Empresas juntadas em ${first}`).waitFor()
  await question.waitFor({ state: 'detached' })
  await card(page, second).waitFor({ state: 'detached' })
  await create(third, number)
  await page.reload()
  await question.getByRole('button', { name: 'São diferentes' }).click()
  await question.waitFor({ state: 'detached' })
  await page.reload()
  await card(page, third).waitFor()
  await expect.poll(() => question.count()).toBe(0)
  await admin.call('DELETE', `/api/companies/${id}`)
})
