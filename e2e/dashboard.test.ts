import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import type { Me } from '#shared/users/users.ts'
import { newContext, signIn } from './support/browser.ts'
import { expectSound } from './support/sound.ts'
import { browser, colleague, password, phones, signedIn, url } from './support/stage.ts'

const page = await signedIn('ana')
const ana = await colleague('ana')
const bruno = await colleague('bruno')

beforeEach(async () => {
  await page.unrouteAll()
  await page.goto(url)
  await recent(page).first().waitFor()
})

const recent = (on: Page) => on.getByRole('list', { name: 'Conversas recentes' }).getByRole('link')
const block = (name: string, on = page) => on.getByRole('region', { name })

/** The figure above a label. */
const figure = async (name: string, label: string, on = page) => {
  const paragraphs = await block(name, on).getByRole('paragraph').allTextContents()
  return paragraphs[paragraphs.indexOf(label) - 1]
}

describe('the dashboard', () => {
  test('shows the numbers of the moment as the server counts them', async () => {
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByText('Dashboard - Visão geral do atendimento').waitFor()
    await expect
      .poll(async () => {
        const stats: Stats = await bruno.call('GET', '/api/stats')
        return {
          waiting: (await figure('Status da Fila', 'Aguardando')) === String(stats.waiting),
          inProgress: (await figure('Status da Fila', 'Em andamento')) === String(stats.inProgress),
          completed: (await figure('Status da Fila', 'Finalizados hoje')) === String(stats.completedToday),
          operators:
            (await figure('Operadores Online', 'operadores')) ===
            `${stats.operatorsOnline}/${stats.totalOperators}`,
        }
      })
      .toEqual({ waiting: true, inProgress: true, completed: true, operators: true })
    for (const label of ['Mensal', 'Semanal'])
      await expect.poll(() => figure('Tempo Médio', label)).toMatch(/^(--|\d+\s*(h|min|s)(\d+\s*(min|s))?)$/)
  })

  test("shows '--' where there is no data", async () => {
    await page.route('**/api/stats', async (route) => {
      const answer = await route.fetch()
      const stats = (await answer.json()) as Stats
      const missing = { averageResponseTimeMonthly: null, averageResponseTimeWeekly: null }
      await route.fulfill({ response: answer, json: { ...stats, ...missing } })
    })
    await page.reload()
    await expect.poll(() => figure('Tempo Médio', 'Mensal')).toBe('--')
    await expect.poll(() => figure('Tempo Médio', 'Semanal')).toBe('--')
    // Waits for running route handlers before they are removed.
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('asks for the numbers every 30 s and shows what the link answers', async () => {
    const context = await newContext(browser)
    const mine = await context.newPage()
    await mine.clock.install()
    await signIn(mine, url, 'carla', password)
    await recent(mine).first().waitFor()
    const waiting = () => figure('Status da Fila', 'Aguardando', mine)
    // The list may be there before the numbers.
    await expect.poll(waiting).toMatch(/^\d+$/)
    const before = Number(await waiting())
    const phone = await phones.create('Conta Mais Um')
    await phones.write(phone.id, 'oi')
    await bruno.conversationWith(phone)
    await mine.clock.fastForward(31_000)
    await expect.poll(waiting).toBe(String(before + 1))
    await context.close()
  })

  test('lists five conversations, those of the queue first, by the longest wait', async () => {
    await page.getByText('Conversas Recentes').waitFor()
    const open = await bruno.openConversations()
    const isQueued = (row: Conversation) => row.queuePosition > 0
    const startOf = (row: Conversation) => Date.parse(row.startedAt)
    const queued = open.filter(isQueued).sort((a, b) => startOf(a) - startOf(b))
    const rest = open.filter((row) => !isQueued(row)).sort((a, b) => startOf(b) - startOf(a))
    const first = [...queued, ...rest].slice(0, 5)
    await expect.poll(() => recent(page).count()).toBe(5)
    const links = await recent(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(first.map(({ id }) => `/chat?conversation=${id}`))
    await recent(page)
      .first()
      .getByText(/FILA #1/)
      .first()
      .waitFor()
  })

  test('a row leads to its chat, and Ver todas to the list', async () => {
    const href = await recent(page).first().getAttribute('href')
    await recent(page).first().click()
    await page.getByRole('log').waitFor()
    expect(page.url()).toBe(url + href)
    await page.goBack()
    await page.getByRole('link', { name: 'Ver todas' }).click()
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/conversas-ativas')
  })

  test('without conversations it says so', async () => {
    await page.route('**/api/conversations?page=1*', (route) =>
      route.fulfill({
        json: {
          conversations: [],
          pagination: { currentPage: 1, itemsPerPage: 5, totalItems: 0, totalPages: 0, hasNextPage: false },
        },
      }),
    )
    await page.reload()
    await page.getByText('Nenhuma conversa encontrada').waitFor()
  })

  test('a failure is told in its own card and can be tried again', async () => {
    await page.route('**/api/conversations?page=1*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await page.getByText('Não foi possível carregar as conversas.').waitFor()
    await expect.poll(() => figure('Status da Fila', 'Aguardando')).toMatch(/^\d+$/)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await recent(page).first().waitFor()
  })
})

describe('the team', () => {
  const team = () => block('Equipe agora')
  const rowOf = (name: string) =>
    team()
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name }) })
  const heldByBruno = async () =>
    (await bruno.openConversations()).filter(({ assignedUserId }) => assignedUserId === bruno.id)

  test('shows at once who has how many, who waits, and for whom the longest', async () => {
    const phone = await phones.create('Espera Pela Equipe')
    await phones.write(phone.id, 'alguém?')
    const { id } = await bruno.conversationWith(phone)
    await bruno.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: bruno.id })
    const numbers = () => rowOf('Bruno').getByRole('cell').allTextContents()
    const expectHeld = async () => {
      const held = await heldByBruno()
      const waits = held.flatMap(({ waitingSince }) => waitingSince ?? []).sort()
      const [first] = held.filter(({ waitingSince }) => waitingSince === waits[0])
      await expect
        .poll(async () => (await numbers()).slice(0, 2))
        .toEqual([String(held.length), String(waits.length)])
      const link = rowOf('Bruno').getByRole('link')
      if (first) await expect.poll(() => link.getAttribute('href')).toBe(`/chat?conversation=${first.id}`)
    }
    await expect.poll(async () => (await heldByBruno()).some((row) => row.id === id)).toBe(true)
    await expectHeld()
    await bruno.reply(id, 'um momento')
    await expectHeld()
    await rowOf('Bruno')
      .getByRole('button', { name: /^Conversas de Bruno/ })
      .click()
    const listed = team().getByRole('list', { name: /^Conversas de Bruno/ })
    await expectSound(page, 1440)
    await listed.getByRole('link', { name: 'Espera Pela Equipe' }).click()
    await page.getByRole('log').getByText('um momento').waitFor()
  })

  test('tells who is away, and may be seen by whoever may see the statistics or transfer', async () => {
    await rowOf('Ana').getByText('Online').waitFor()
    await ana.call('PUT', '/api/profile/away', { isAway: true })
    await rowOf('Ana').getByText('Ausente').waitFor()
    await ana.call('PUT', '/api/profile/away', { isAway: false })
    await rowOf('Ana').getByText('Online').waitFor()
    await page.route('**/api/users/operators', (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await team().getByText('Não foi possível carregar a equipe.').waitFor()
    await page.unrouteAll()
    await team().getByRole('button', { name: 'Tentar novamente' }).click()
    await rowOf('Ana').waitFor()
    await page.route('**/api/auth/me', async (route) => {
      const answer = await route.fetch()
      const { user, ...rest } = (await answer.json()) as { user: Me }
      const permissions = { ...user.permissions, canViewStatistics: false, canTransferConversations: false }
      await route.fulfill({ response: answer, json: { ...rest, user: { ...user, permissions } } })
    })
    await page.reload()
    await recent(page).first().waitFor()
    await expect.poll(() => team().count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })
})
