import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ArchivedDetail, ArchivedPage } from '#shared/conversations/archive.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The archive: the list with its search, and a completed conversation.

const admin = await colleague('admin')
const ana = await colleague('ana')

let names = 0
/** One word, so that a search finds nobody else. */
const newName = () => `Arquivada${Date.now().toString(36)}x${++names}`

/** A conversation that Ana has answered and finalized, and that the search knows. */
async function completed(name: string, texts: string[], notes = 'resolvido'): Promise<Conversation> {
  const [first = '', ...others] = texts
  const { talk } = await newTalk(ana, name, first)
  for (const text of others) await ana.reply(talk.id, text)
  await ana.call('POST', `/api/conversations/${talk.id}/finalize`, { notes })
  await expect.poll(async () => (await found(name)).pagination.totalItems, { timeout: 20_000 }).toBe(1)
  return talk
}
const found = (search: string) =>
  admin.call<ArchivedPage>('GET', `/api/conversations/archived?search=${encodeURIComponent(search)}`)

const cards = (page: Page) => page.getByRole('list', { name: 'Conversas arquivadas' }).getByRole('article')
const search = (page: Page) => page.getByRole('searchbox', { name: /^Buscar por contato/ })

test('a card of the archive has two lines on a phone, and says the rest to who has it read out', async () => {
  const name = newName()
  await completed(name, ['bom dia', 'Bom dia! Em que posso ajudar?'], 'cliente antigo')
  const page = await signedIn('admin', { width: 390, height: 844 })
  await go(page, `/conversas-arquivadas?search=${name}`)
  const card = cards(page).filter({ hasText: name })
  await card.getByText('cliente antigo').waitFor({ state: 'attached' })
  const boxes = (what: Locator) => what.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
  // With the excerpt of what was found they would be more.
  await go(page, '/conversas-arquivadas')
  await card.waitFor()
  const height = async () => (await boxes(card))[0]?.height ?? 0
  await expect.poll(height).toBeGreaterThan(40)
  await expect.poll(height).toBeLessThan(72)
  // The first has name and date, the second what was said last; nothing else is seen.
  const middles = async (what: Locator) => {
    const [box] = await boxes(what)
    return box ? Math.round(box.y + box.height / 2) : 0
  }
  const first = await middles(card.getByRole('link', { name }))
  await expect
    .poll(async () => Math.abs((await middles(card.locator('time').last())) - first))
    .toBeLessThan(6)
  await expect
    .poll(async () => (await middles(card.getByText(/Em que posso ajudar/).first())) - first)
    .toBeGreaterThan(12)
  const isOnlyRead = (one: Element) => {
    for (let at: Element | null = one; at; at = at.parentElement)
      if (at.getBoundingClientRect().width <= 1) return true
    return false
  }
  for (const words of ['cliente antigo', 'Finalizada', 'sem avaliação'])
    await expect.poll(() => card.getByText(words).evaluate(isOnlyRead)).toBe(true)
})

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('the archive finds what was said, and opens it where it was said', async () => {
    const name = newName()
    const talk = await completed(name, [
      `Preciso da segunda via do boleto ${name}`,
      'Vou verificar',
      `Os boletos ${name} estão anexos`,
    ])
    await go(page, '/conversas-arquivadas')
    await page.getByRole('heading', { name: 'Arquivamento' }).waitFor()
    for (const label of ['Período', 'Operador', 'Categoria', 'Empresa', 'Etiqueta', 'Satisfação'])
      await expect
        .poll(() =>
          page
            .getByRole('button', { name: label, exact: true })
            .locator('span')
            .evaluate((text) => text.scrollWidth <= text.clientWidth),
        )
        .toBe(true)
    await page.getByText('Buscando também no histórico de mensagens das conversas').waitFor()
    await cards(page).first().waitFor()
    await expectSound(page, size.width)
    await search(page).fill(`"segunda via" ${name}`)
    await page.getByText('1-1 de 1 conversa').waitFor()
    const card = cards(page)
    // The two lines of a phone's card leave that to who has it read out.
    const state = size.width < 768 ? 'attached' : 'visible'
    for (const text of ['Finalizada', 'resolvido', 'Ana Beatriz Nogueira'])
      await card.getByText(text).waitFor({ state })
    await expect.poll(() => card.locator('mark').allTextContents()).toEqual(['segunda via', name])
    await expectSound(page, size.width)
    await card.getByRole('link', { name: /Ir para a mensagem/ }).click()
    await page.getByRole('heading', { name: new RegExp(name) }).waitFor()
    await expect.poll(() => page.url()).toContain(`/conversas-arquivadas/${talk.id}`)
    const history = page.getByRole('region', { name: 'Histórico de Mensagens' })
    await history.getByText(`Preciso da segunda via do boleto ${name}`).waitFor()
    await history.getByText('1 de 1').waitFor()
    await history
      .getByText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
      .first()
      .waitFor()
    for (const text of ['Contato', 'Operador', 'Duração'])
      await page.getByText(text, { exact: true }).first().waitFor()
    await page.getByText('0 min', { exact: true }).waitFor()
    await expectSound(page, size.width)
    await page.getByRole('link', { name: 'Voltar ao arquivamento' }).click()
    await page.getByRole('heading', { name: 'Arquivamento' }).waitFor()
  })

  testInFull("'Ir para…' finds it by what was said, and leads to the message", async () => {
    const name = newName()
    const talk = await completed(name, [`O código de rastreio ${name}zz chegou`])
    await go(page, '/')
    await page.getByRole('heading', { name: /Dashboard/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
    await page.keyboard.type(`rastreio ${name.toLowerCase()}zz`)
    const option = page.getByRole('option', { name: new RegExp(name) })
    await expect.poll(() => option.locator('mark').allTextContents()).toEqual(['rastreio', `${name}zz`])
    await expectSound(page, size.width)
    await option.click()
    await expect.poll(() => page.url()).toContain(`/conversas-arquivadas/${talk.id}?busca=`)
    await page.getByRole('region', { name: 'Histórico de Mensagens' }).getByText('1 de 1').waitFor()
  })

  testInFull('the archive is narrowed by chips, and nothing found can be undone', async () => {
    const name = newName()
    await completed(name, ['oi'])
    await go(page, '/conversas-arquivadas')
    await page.getByRole('button', { name: 'Operador', exact: true }).click()
    await page.getByRole('option', { name: 'Ana Beatriz Nogueira' }).click()
    await expect.poll(() => page.url()).toContain('operatorId=')
    await page.getByRole('button', { name: 'Com arquivos' }).click()
    await search(page).fill(name)
    await page.getByText('Nenhuma conversa encontrada').waitFor()
    await page.getByText('Tente ajustar a busca').waitFor()
    await page.getByRole('button', { name: 'Limpar busca e filtros' }).click()
    await cards(page).first().waitFor()
    await expect.poll(() => page.url()).toBe(`${url}/conversas-arquivadas`)
  })

  testInFull('the archive finds a name with typing errors', async () => {
    const name = newName()
    await completed(`Wellington ${name}`, ['oi'])
    await go(page, '/conversas-arquivadas?search=wellingtom')
    await page.getByText(/^Nada com “wellingtom”\. Mostrando conversas de/).waitFor()
    await cards(page).first().waitFor()
  })

  testInFull('a conversation of the archive is saved as a page and as a text', async () => {
    const name = newName()
    const talk = await completed(name, ['<b>oi</b> & tchau', 'até logo'])
    await go(page, `/conversas-arquivadas/${talk.id}`)
    const contents: string[] = []
    for (const kind of ['Página (HTML), com imagens', 'Texto']) {
      await page.getByRole('button', { name: 'Exportar' }).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: kind }).click(),
      ])
      contents.push(await readFile((await saved.path()) ?? '', 'utf8'))
    }
    expect(contents[0]).toContain('&lt;b&gt;oi&lt;/b&gt; &amp; tchau')
    expect(contents[0]).not.toContain('<b>oi')
    expect(contents[1]).toContain(`${name}: <b>oi</b> & tchau\r\n`)
    expect(contents[1]).toContain('Ana Beatriz Nogueira: até logo')
  })

  test('an administrator deletes an archived conversation, and the screen says that it is gone', async () => {
    const talk = await completed(newName(), ['oi'])
    await go(page, `/conversas-arquivadas/${talk.id}`)
    await page.getByRole('button', { name: 'Excluir Conversa' }).click()
    const dialog = page.getByRole('dialog', { name: 'Excluir Conversa' })
    await expectSound(page, size.width)
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await toast(page, 'Conversa excluída com sucesso!').waitFor()
    await page.getByRole('heading', { name: 'Arquivamento' }).waitFor()
    await go(page, `/conversas-arquivadas/${talk.id}`)
    await page.getByText('Conversa não encontrada').waitFor()
    await page.getByText('A conversa que você está procurando não existe ou foi removida.').waitFor()
    await expectSound(page, size.width)
  })

  testInFull('a client found in the archive may be written to again', async () => {
    const name = newName()
    const talk = await completed(name, ['oi'])
    await go(page, `/conversas-arquivadas/${talk.id}`)
    await page.getByRole('button', { name: 'Conversar de novo' }).click()
    await page.getByText('NOVA CONVERSA').waitFor()
  })

  testInFull('the archive shows what is missing or odd as such', async () => {
    const { id } = await completed(newName(), ['oi'])
    const detail = await admin.call<ArchivedDetail>('GET', `/api/conversations/archived/${id}`)
    await page.addInitScript(() => {
      const { valueOf } = Date.prototype
      Date.prototype.getTime = function (this: Date) {
        if (valueOf.call(this) === Date.UTC(2020, 0, 1, 0, 0, 0, 1)) throw new Error('no date')
        return valueOf.call(this)
      }
    })
    const duration = page
      .locator('dl')
      .first()
      .locator('div')
      .filter({ hasText: 'Duração' })
      .locator('dd')
      .first()
    for (const [startedAt, completedAt, text] of [
      [detail.startedAt, null, 'N/A'],
      ['ontem', detail.completedAt, 'Data inválida'],
      ['2026-11-02T10:00:00.000Z', '2026-11-02T11:05:59.000Z', '1h 5min'],
      [detail.completedAt, '2020-01-01T00:00:00.000Z', 'Duração inválida'],
      ['2020-01-01T00:00:00.001Z', detail.completedAt, 'Erro no cálculo'],
    ] as const) {
      await page.route(`**/api/conversations/archived/${id}`, (route) =>
        route.fulfill({ json: { ...detail, startedAt, completedAt, assignedUser: null, steps: [] } }),
      )
      await page.goto(`${url}/conversas-arquivadas/${id}`)
      await duration.getByText(text, { exact: true }).waitFor()
      await page.unroute(`**/api/conversations/archived/${id}`)
    }
    await page.route(`**/api/conversations/archived/${id}/messages?*`, (route) =>
      route.fulfill({ json: { messages: [], total: 0, page: 1 } }),
    )
    await page.route(`**/api/conversations/archived/${id}`, (route) =>
      route.fulfill({ json: { ...detail, messageCount: 0 } }),
    )
    await page.reload()
    await page.getByText('Nenhuma mensagem encontrada').waitFor()
    await page.getByText('0 mensagens', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route(`**/api/conversations/archived/${id}/messages?*`, async (route) => {
      const answer = await route.fetch()
      const { messages, ...rest } = (await answer.json()) as { messages: Message[] }
      const undated = messages.map((message) => ({ ...message, sortAt: 'ontem' }))
      await route.fulfill({ json: { ...rest, messages: undated } })
    })
    await page.reload()
    await page.getByRole('log').getByText('Data inválida', { exact: true }).first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // The messages come after what is found in them.
    await page.route(`**/api/conversations/archived/${id}/messages?*`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await page.goto(`${url}/conversas-arquivadas/${id}?busca=oi`)
    await page.getByRole('log').getByText('oi', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)).toBe(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/api/conversations/archived?*', async (route) => {
      const empty = { currentPage: 1, itemsPerPage: 10, totalItems: 0, totalPages: 1, hasNextPage: false }
      const body = { conversations: [], pagination: empty, hasMore: false, corrected: [], isOwnOnly: false }
      await route.fulfill({ json: { ...body, asOf: new Date().toISOString() } })
    })
    await page.goto(`${url}/conversas-arquivadas`)
    await page.getByText('Nenhuma conversa arquivada').waitFor()
    await page.getByText('As conversas finalizadas aparecerão aqui').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  testInFull('the archive reports a failure, and offers to try again', async () => {
    await page.route('**/api/conversations/archived*', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'Erro interno' } }),
    )
    await page.goto(`${url}/conversas-arquivadas`)
    const retry = page.getByRole('button', { name: 'Tentar novamente' })
    await retry.waitFor()
    await page.unroute('**/api/conversations/archived*')
    await retry.click()
    await cards(page).first().waitFor()
  })
})

test('an operator without the permission finds only their own conversations', async () => {
  const name = newName()
  await completed(name, [`só da Ana ${name}`, 'já vejo'])
  const foundBy = async (username: string) => {
    const path = `/api/conversations/archived?search=${name}`
    return (await (await colleague(username)).call<ArchivedPage>('GET', path)).pagination.totalItems
  }
  await expect.poll(() => foundBy('bruno')).toBe(0)
  await expect.poll(() => foundBy('ana')).toBe(1)
})
