import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { newName } from './support/accounts.ts'
import { refusal } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const admin = await colleague('admin')

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const search = (page: Page) => page.getByPlaceholder('Buscar por nome, telefone ou email...')
const open = async (page: Page, query = '') => {
  await go(page, `/contacts${query}`)
  await page.getByRole('heading', { name: 'Contatos', exact: true }).waitFor()
}
let numbers = 0
/** A number that nobody has. */
const newNumber = () =>
  `4199${String(Date.now() % 100_000).padStart(5, '0')}${String(++numbers).padStart(2, '0')}`
const newContact = (name: string, more: object = {}) =>
  admin.call<Contact>('POST', '/api/contacts', { name, phone: newNumber(), ...more })

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  const isWide = size.width > 768
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })
  /** Does something with a contact: a button of its row, on small screens one of its menu. */
  const act = async (name: string, what: 'Editar' | 'Bloquear' | 'Desbloquear' | 'Excluir') => {
    if (isWide) return page.getByRole('button', { name: `${what} ${name}`, exact: true }).click()
    await page.getByRole('button', { name: `Mais ações: ${name}` }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }

  test('an administrator creates a contact, finds, changes, deletes and restores it', async () => {
    await open(page)
    await page.getByText('Gerenciamento de contatos').waitFor()
    const name = `Sônia ${newName()}`
    const number = newNumber()
    await page.getByRole('button', { name: 'Novo Contato' }).click()
    const form = dialog(page, 'Novo Contato')
    await form.getByRole('combobox', { name: 'Categoria' }).getByText('Lead').waitFor()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText('Nome é obrigatório').waitFor()
    await refusal(form.getByText('Telefone deve ter pelo menos 10 dígitos'))
    await form.getByLabel('Email').fill('sonia@')
    await form.getByText('Email inválido').waitFor()
    await expectSound(page, size.width)
    await form.getByLabel('Nome *').fill(name)
    await form.getByPlaceholder('(11) 99999-9999').fill(number)
    await form.getByLabel('Email').fill(`sonia.${number}@loja.example`)
    await form.getByLabel('Etiquetas', { exact: true }).fill('boleto,')
    await form.getByLabel('Etiquetas', { exact: true }).pressSequentially('obra,')
    await form.getByLabel('Notas').fill('liga à tarde')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Contato criado com sucesso').waitFor()
    for (const words of [
      name.toUpperCase().replace('Ô', 'o'),
      `(41) ${number.slice(2, 7)}`,
      `sonia.${number}`,
    ]) {
      await search(page).fill(words)
      await page.getByText('1-1 de 1 contato(s)').waitFor()
      await row(page, name).getByText('Lead').waitFor()
    }
    await act(name, 'Editar')
    const change = dialog(page, 'Editar Contato')
    await expect.poll(() => change.getByLabel('Notas').inputValue()).toBe('liga à tarde')
    await change
      .getByRole('button', { name: /^Remover etiqueta/ })
      .first()
      .click()
    await change.getByRole('combobox', { name: 'Categoria' }).click()
    await page.getByRole('option', { name: 'VIP' }).click()
    await change.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Contato atualizado com sucesso').waitFor()
    await row(page, name).getByText('VIP').waitFor()
    await act(name, 'Excluir')
    await toast(page, 'Contato excluído com sucesso').waitFor()
    const undo = page.getByRole('button', { name: 'Desfazer' })
    // Under the pointer it stays.
    await undo.hover()
    await page.getByText('Nenhum contato encontrado').waitFor()
    await undo.click()
    await row(page, name).getByText('VIP').waitFor()
    await expectSound(page, size.width)
  })

  testInFull('an administrator blocks a contact, and unblocks it', async () => {
    const name = newName()
    await newContact(name)
    await open(page, `?search=${encodeURIComponent(name)}`)
    await act(name, 'Bloquear')
    await toast(page, 'Contato bloqueado com sucesso').waitFor()
    await row(page, name).getByText('Bloqueado', { exact: true }).waitFor()
    await act(name, 'Desbloquear')
    await toast(page, 'Contato desbloqueado com sucesso').waitFor()
    await row(page, name).getByText('Bloqueado', { exact: true }).waitFor({ state: 'detached' })
  })

  testInFull('an administrator narrows the list to a category and a tag, which a link keeps', async () => {
    const [name, other, tag] = [newName(), newName(), `só ${newName()}`]
    await newContact(name, { category: 'vip', tags: [tag] })
    await newContact(other, { category: 'cliente', tags: [tag.toUpperCase()] })
    await open(page)
    await page.getByRole('button', { name: 'Etiqueta', exact: true }).click()
    const list = page.getByRole('dialog', { name: 'Etiqueta' })
    await list.getByRole('combobox').fill(tag)
    await list.getByRole('option', { name: new RegExp(`^${tag}`, 'i') }).click()
    for (const each of [name, other]) await row(page, each).waitFor()
    await page.getByRole('combobox', { name: 'Categoria' }).click()
    await page.getByRole('option', { name: 'VIP' }).click()
    await row(page, other).waitFor({ state: 'detached' })
    await page.reload()
    await row(page, name).waitFor()
    await page.getByText('1-1 de 1 contato(s)').waitFor()
    await expectSound(page, size.width)
    await page.getByRole('combobox', { name: 'Categoria' }).click()
    await page.getByRole('option', { name: 'Todas as categorias' }).click()
    await row(page, other).waitFor()
    await page.getByRole('button', { name: 'Tirar o filtro: Etiqueta' }).click()
    await page.getByText(/^1-10 de [\d.]+ contato\(s\)$/).waitFor()
  })

  testInFull('an administrator loses nothing when a number is taken, or a colleague was faster', async () => {
    const [name, other] = [newName(), newName()]
    const { id } = await newContact(name)
    const { phone } = await newContact(other)
    await open(page, `?search=${encodeURIComponent(name)}`)
    await act(name, 'Editar')
    const form = dialog(page, 'Editar Contato')
    await form.getByLabel('Telefone *').fill(`+${phone}`)
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText(`Este telefone já é do contato ${other}.`).waitFor()
    await admin.call('PUT', `/api/contacts/${id}`, { email: 'colega@loja.example' })
    await form.getByLabel('Telefone *').fill(newNumber())
    await form.getByLabel('Notas').fill('não se perde')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Um colega mudou este contato enquanto você editava.').waitFor()
    // By now the list, which is hidden from roles behind the dialog, has what the colleague wrote.
    await page.getByText('colega@loja.example', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Contato atualizado com sucesso').waitFor()
    await expect
      .poll(() => admin.call('GET', `/api/contacts/${id}`))
      .toMatchObject({ notes: 'não se perde', email: 'colega@loja.example' })
  })
})

testInFull('contacts that look alike are merged, parted again, or kept apart', async () => {
  const page = await signedIn('admin', { width: 1440, height: 900 })
  const name = `Gêmea ${newName()}`
  const end = String(Date.now() % 10_000_000).padStart(8, '9')
  const [one, other] = [
    await newContact(name, { phone: `45${end}`, notes: 'a primeira' }),
    await newContact(name.toUpperCase(), { phone: `46${end}`, notes: 'a segunda' }),
  ]
  await open(page)
  await page.getByRole('button', { name: 'Repetidos' }).click()
  const box = dialog(page, 'Contatos repetidos')
  const pair = box
    .getByRole('list', { name: 'Possíveis repetidos' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await pair.getByText('Mesmo final de número e nome parecido').waitFor()
  await expectSound(page, 1440)
  await pair.getByRole('button', { name: new RegExp(`^Manter este: ${name}`) }).click()
  await toast(page, `Contatos juntados em ${name}. Dá para desfazer por um dia.`).waitFor()
  await pair.waitFor({ state: 'detached' })
  await expect
    .poll(() => admin.call('GET', `/api/contacts/${one.id}`))
    .toMatchObject({ notes: 'a primeira\n\na segunda' })
  const undo = box.getByRole('button', { name: `Desfazer: ${name.toUpperCase()} em ${name}` })
  await expectSound(page, 1440)
  await undo.click()
  await toast(page, 'Junção desfeita').waitFor()
  await undo.waitFor({ state: 'detached' })
  await expect
    .poll(() => admin.call('GET', `/api/contacts/${other.id}`))
    .toMatchObject({ notes: 'a segunda' })
  // Who were parted are not suggested again.
  await expect.poll(() => pair.count()).toBe(0)
})

testInFull('two contacts that are one person are merged from the page of one', async () => {
  const page = await signedIn('admin', { width: 390, height: 844, theme: 'dark' })
  const [name, other] = [newName(), newName()]
  const { id } = await newContact(name)
  const gone = await newContact(other, { tags: ['atacado'] })
  await go(page, `/contacts/${id}`)
  await page.getByRole('button', { name: 'Juntar com outro contato' }).click()
  const box = dialog(page, 'Juntar com outro contato')
  await box.getByRole('searchbox').fill(other)
  await expectSound(page, 390)
  await box.getByRole('button', { name: `Juntar ${other}` }).click()
  await toast(page, `Contatos juntados em ${name}. Dá para desfazer por um dia.`).waitFor()
  await page.getByText('atacado').waitFor()
  await go(page, `/contacts/${gone.id}`)
  await page.getByText('Contato não encontrado').waitFor()
})

test('a long name of a contact is not cut while other columns stand empty', async () => {
  const page = await signedIn('admin', { width: 1440, height: 900 })
  const name = `Panificadora e Confeitaria Nossa Senhora ${newName()}`
  await newContact(name)
  await open(page, `?search=${encodeURIComponent(name)}`)
  const sizes = (one: Locator) =>
    one.evaluate(({ clientWidth, scrollWidth }) => ({ shown: clientWidth, whole: scrollWidth }))
  const { shown, whole } = await sizes(row(page, name).getByRole('link', { name }))
  expect(whole).toBe(shown)
  // An address shares the width with it, and what stands after them is not pushed out.
  const long = `${newName()} ${'nomecomprido'.repeat(6)}`
  const email = `${'enderecomuitocomprido'.repeat(3)}@loja.example`
  await newContact(long, { email })
  await open(page, `?search=${encodeURIComponent(long)}`)
  for (const one of [row(page, long).getByRole('link', { name: long }), row(page, long).getByText(email)]) {
    const cut = await sizes(one)
    expect(cut.shown).toBeGreaterThan(150)
    expect(cut.shown).toBeLessThan(cut.whole)
  }
  const edge = async (what: Locator) => {
    const { x = 0, width = 0 } = (await what.boundingBox()) ?? {}
    return x + width
  }
  const table = await edge(page.getByRole('table'))
  await expect.poll(() => edge(row(page, long).getByRole('button').last())).toBeLessThan(table)
})

test('on a phone the button for a new contact comes first, beside the heading', async () => {
  const page = await signedIn('admin', { width: 390, height: 844 })
  await open(page)
  const main = page.getByRole('main')
  await expect.poll(() => main.getByRole('button').first().textContent()).toBe('Novo Contato')
  const top = async (what: Locator) => (await what.boundingBox())?.y ?? 0
  const heading = await top(main.getByRole('heading', { level: 1 }))
  const created = () => top(main.getByRole('button', { name: 'Novo Contato' }))
  await expect.poll(created).toBeLessThan(heading + 8)
  await expect.poll(() => top(main.getByRole('button', { name: 'Exportar' }))).toBeGreaterThan(heading + 30)
})

const looks = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(looks)('the page of a contact at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('the page of a contact has its data, conversations, files and ratings', async () => {
    const { id, contact } = (await newTalk(admin, newName(), 'bom dia')).talk
    await open(page, `?search=${encodeURIComponent(contact.name)}`)
    await page.getByRole('link', { name: contact.name }).click()
    await page.waitForURL(`${url}/contacts/${contact.id}`)
    await page.getByRole('heading', { name: contact.name, level: 1 }).waitFor()
    const conversations = page.getByRole('region', { name: 'Conversas', exact: true })
    await conversations.getByText('bom dia').waitFor()
    await page
      .getByRole('region', { name: 'Arquivos trocados' })
      .getByText('Nenhuma imagem ou vídeo')
      .waitFor()
    await page.getByRole('region', { name: 'Avaliações' }).getByText('Nenhuma avaliação ainda').waitFor()
    await page.getByRole('region', { name: 'Etiquetas' }).waitFor()
    await expectSound(page, size.width)
    await conversations.getByRole('link').click()
    await page.waitForURL(`${url}/chat?conversation=${id}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Voltar para Contatos' }).click()
    await page.waitForURL(/\/contacts$/)
  })
})

test('a contact that does not exist is reported, and one that fails can be tried again', async () => {
  const page = await signedIn('admin')
  await go(page, '/contacts/1999999999')
  await page.getByText('Ele não existe ou foi excluído.').waitFor()
  const { id } = await newContact(newName())
  let isBroken = true
  await page.route(new RegExp(`/api/contacts/${id}$`), (route) =>
    isBroken
      ? route.fulfill({ status: 403, json: { code: 'auth.forbidden', message: 'quebrou' } })
      : route.continue(),
  )
  await go(page, `/contacts/${id}`)
  await page.getByText('quebrou').waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await page.getByRole('region', { name: 'Avaliações' }).waitFor()
  await page.getByRole('button', { name: 'Excluir' }).click()
  await toast(page, 'Contato excluído com sucesso').waitFor()
  await page.waitForURL(/\/contacts$/)
})

testInFull('the contacts report a failure, and offer to try again', async () => {
  const page = await signedIn('admin')
  const name = newName()
  const { id } = await newContact(name)
  let isBroken = true
  await page.route(/\/api\/contacts(\?|$|\/\d)/, async (route) => {
    const method = route.request().method()
    if (isBroken && method === 'GET')
      await route.fulfill({ status: 403, json: { code: 'auth.forbidden', message: 'quebrou' } })
    else if (isBroken) await route.abort()
    else await route.continue()
  })
  await open(page, `?search=${encodeURIComponent(name)}`)
  await page.getByText('Erro ao carregar dados: quebrou').waitFor()
  await page.getByRole('button', { name: 'Novo Contato' }).click()
  const form = dialog(page, 'Novo Contato')
  await form.getByLabel('Nome *').fill('Sem rede')
  await form.getByPlaceholder('(11) 99999-9999').fill(newNumber())
  await form.getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Erro ao criar contato').waitFor()
  await expect.poll(() => form.getByLabel('Nome *').inputValue()).toBe('Sem rede')
  await form.getByRole('button', { name: 'Cancelar' }).click()
  isBroken = false
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await row(page, name).waitFor()
  isBroken = true
  const failsWith = async (button: string, text: string) => {
    await page.getByRole('button', { name: `${button} ${name}`, exact: true }).click()
    await toast(page, text).waitFor()
    await page.getByRole('region', { name: 'Notificações' }).getByText('Erro', { exact: true }).waitFor()
  }
  await failsWith('Excluir', 'Erro ao excluir contato')
  await failsWith('Bloquear', 'Erro ao bloquear contato')
  await failsWith('Iniciar conversa com', 'Erro ao iniciar conversa')
  await admin.call('POST', `/api/contacts/${id}/block`)
  isBroken = false
  await page.reload()
  await row(page, name).getByText('Bloqueado', { exact: true }).waitFor()
  isBroken = true
  await failsWith('Desbloquear', 'Erro ao desbloquear contato')
})

testInFull('the contacts while they are fetched, and when there are none', async () => {
  const page = await signedIn('admin')
  const asked = Promise.withResolvers<void>()
  const nobody = { contacts: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 1 } }
  await page.route(/\/api\/contacts\?/, async (route) => {
    await asked.promise
    await route.fulfill({ json: nobody })
  })
  await open(page)
  await page.getByRole('status', { name: 'Carregando...' }).waitFor()
  asked.resolve()
  await page.getByText('Nenhum contato encontrado', { exact: true }).waitFor()
  await page.getByText('Quem escreve para a empresa aparece aqui sozinho.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Novo Contato' }).count()).toBe(2)
})

testInFull('a search for contacts says when it finds very many, or a company is gone', async () => {
  const page = await signedIn('admin')
  await page.route(/\/api\/contacts\?.*search=/, async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const pagination = { ...body.pagination, total: 1000, totalPages: 100, hasMore: true }
    const [first, ...others] = body.contacts
    const contacts = [{ ...first, company: null, companyId: 999 }, ...others]
    await route.fulfill({ json: { contacts, pagination } })
  })
  await open(page, '?search=a')
  await page.getByText(/^1-10 de mais de 1\.000 contato\(s\)$/).waitFor()
  await page.getByText('Empresa não encontrada', { exact: true }).waitFor()
})

test('an operator is refused what they may not do with contacts, with a message', async () => {
  const page = await signedIn('ana')
  const name = newName()
  const { id } = await newContact(name)
  await open(page, `?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Excluir ${name}` }).click()
  await toast(page, 'Você não tem permissão para realizar esta ação.').waitFor()
  await page.getByRole('button', { name: `Bloquear ${name}` }).click()
  await toast(page, 'Você não tem permissão para realizar esta ação.').waitFor()
  await expect.poll(() => admin.call('GET', `/api/contacts/${id}`)).toMatchObject({ isBlocked: false })
})
