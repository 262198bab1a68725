import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import type { Me } from '#shared/users/users.ts'
import { newContext } from './support/browser.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { browser, colleague, signedIn, url } from './support/stage.ts'

const page = await signedIn('ana')
const ana = await colleague('ana')
const bruno = await colleague('bruno')

/** Whether the page shows what a test has changed on its way. */
let isAltered = false
const alter: Page['route'] = (address, handler) => {
  isAltered = true
  return page.route(address, handler)
}
beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (isAltered) await page.goto(url)
  else await go(page, '/')
  isAltered = false
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
  test('the dashboard shows the numbers of the moment as the server counts them', async () => {
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

  testInFull("the dashboard shows '--' where there is no data", async () => {
    await alter('**/api/stats', async (route) => {
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

  testInFull('the dashboard asks for the numbers every 30 s and shows what the link answers', async () => {
    const { token } = await colleague('carla')
    const context = await newContext(browser, { session: { url, token } })
    const mine = await context.newPage()
    await mine.clock.install()
    await mine.goto(url)
    await recent(mine).first().waitFor()
    const waiting = () => figure('Status da Fila', 'Aguardando', mine)
    // The list may be there before the numbers.
    await expect.poll(waiting).toMatch(/^\d+$/)
    const before = Number(await waiting())
    await newTalk(bruno, 'Conta Mais Um')
    await mine.clock.fastForward(31_000)
    await expect.poll(waiting).toBe(String(before + 1))
  })

  testInFull('the dashboard lists five conversations, the queue first, by the longest wait', async () => {
    await page.getByText('Conversas Recentes').waitFor()
    const open = await bruno.openConversations()
    const isQueued = (row: Conversation) => row.queuePosition > 0
    const startOf = (row: Conversation) => Date.parse(row.startedAt)
    const queued = open.filter(isQueued).sort((a, b) => startOf(a) - startOf(b))
    const rest = open.filter((row) => !isQueued(row)).sort((a, b) => startOf(b) - startOf(a))
    const first = [...queued, ...rest].slice(0, 5)
    await expect.poll(() => recent(page).count()).toBe(5)
    const links = () => recent(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    await expect.poll(links).toEqual(first.map(({ id }) => `/chat?conversation=${id}`))
    await recent(page)
      .first()
      .getByText(/Comercial #1/)
      .first()
      .waitFor()
  })

  testInFull('a row of the dashboard leads to its chat, and Ver todas to the list', async () => {
    const href = await recent(page).first().getAttribute('href')
    await recent(page).first().click()
    await page.getByRole('log').waitFor()
    expect(page.url()).toBe(url + href)
    await page.goBack()
    await page.getByRole('link', { name: 'Ver todas' }).click()
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/conversas-ativas')
  })

  testInFull('the dashboard says when there are no conversations', async () => {
    await alter('**/api/conversations?page=1*', (route) =>
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

  test('a failure is shown in its own card of the dashboard and can be tried again', async () => {
    // Until the button is pressed: what happens in a conversation meanwhile fetches the list, too.
    const isPressed = () =>
      page
        .evaluate(() => 'pressed' in document.documentElement.dataset)
        // The page that asked is being replaced.
        .catch(() => false)
    await alter('**/api/conversations?page=1*', async (route) =>
      (await isPressed()) ? route.continue() : route.fulfill({ status: 500, body: '' }),
    )
    await page.reload()
    await page.getByText('Não foi possível carregar as conversas.').waitFor()
    await expect.poll(() => figure('Status da Fila', 'Aguardando')).toMatch(/^\d+$/)
    await page.evaluate(() => {
      const press = () => (document.documentElement.dataset['pressed'] = '')
      document.addEventListener('click', press, { capture: true, once: true })
    })
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await recent(page).first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

describeInFull('every figure opens what it counts', () => {
  let boss: Page
  beforeAll(async () => {
    boss = await signedIn('supervisora')
  })
  const numberIn = (text: string | undefined) => Number(/\d+/.exec(text ?? '')?.[0])
  /** '1-10 de 34 conversas' */
  const listed = async () => {
    const text =
      (await boss
        .getByText(/^\d+-\d+ de \d+ conversas?$|^\d+ conversas?$/)
        .first()
        .textContent()) ?? ''
    return Number(/(\d+) conversas?$/.exec(text)?.[1])
  }

  test.each(['Aguardando', 'Em andamento', 'Finalizados hoje'])(
    'a new conversation is counted under %s',
    async (label) => {
      const { id } = await newTalk(ana, `Conta ${label}`)
      if (label !== 'Aguardando') await ana.reply(id, 'olá')
      if (label === 'Finalizados hoje')
        await ana.call('POST', `/api/conversations/${id}/finalize`, { notes: '' })
      await boss.goto(url)
      await expect.poll(() => figure('Status da Fila', label, boss)).toMatch(/^[1-9]/)
      await expect
        .poll(async () => {
          const { waiting, inProgress, completedToday }: Stats = await bruno.call('GET', '/api/stats')
          const now = { Aguardando: waiting, 'Em andamento': inProgress, 'Finalizados hoje': completedToday }
          return numberIn(await figure('Status da Fila', label, boss)) === now[label as keyof typeof now]
        })
        .toBe(true)
      await boss.getByRole('region', { name: 'Na semana' }).waitFor()
      const shown = numberIn(await figure('Status da Fila', label, boss))
      await boss.getByTitle(`Ver ${label}`).click()
      await expect.poll(listed).toBe(shown)
      if (label !== 'Finalizados hoje')
        await boss.getByRole('button', { name: label, pressed: true }).waitFor()
    },
  )

  test('the dashboard shows who is online, and how fast it was', async () => {
    await go(boss, '/')
    await boss.getByTitle('Ver quem está on-line').click()
    const { operatorsOnline = 0 }: Stats = await bruno.call('GET', '/api/stats')
    if (operatorsOnline === 0) await boss.getByText('Nenhum operador on-line.').waitFor()
    else
      await expect
        .poll(() => boss.getByRole('list', { name: 'Operadores on-line' }).getByRole('listitem').count())
        .toBe(operatorsOnline)
    await pressEscape(boss)
    await boss.getByTitle('Ver Mensal').click()
    await expect.poll(() => boss.url()).toBe(`${url}/reports?period=month`)
    await boss.getByRole('heading', { name: 'Relatórios' }).waitFor()
  })
})

test('the dashboard of a supervisor begins with the team, and shows who has waited for long', async () => {
  const boss = await signedIn('supervisora')
  const { id } = await newTalk(bruno, 'Acabou de Escrever', 'alguém?')
  await go(boss, '/')
  await recent(boss).first().waitFor()
  await expect.poll(() => boss.getByRole('heading', { level: 2 }).allTextContents()).toContain('Equipe agora')
  const titles = () => boss.locator('main').getByRole('heading', { level: 2 }).allTextContents()
  await expect
    .poll(async () => {
      const all = await titles()
      return all.indexOf('Equipe agora') < all.indexOf('Status da Fila')
    })
    .toBe(true)
  await boss.getByRole('button', { name: 'Esperando há mais de…', exact: true }).click()
  await boss.getByRole('option', { name: '5 minutos', exact: true }).click()
  const since = Date.now() - 5 * 60_000
  const expected = async () =>
    (await bruno.openConversations())
      .map((row) => ({ row, sinceMs: row.waitingSince === null ? Infinity : Date.parse(row.waitingSince) }))
      .filter(({ sinceMs }) => sinceMs < since)
      .toSorted((a, b) => a.sinceMs - b.sinceMs || a.row.id - b.row.id)
      .slice(0, 10)
      .map(({ row }) => `/chat?conversation=${row.id}`)
  const list = boss.getByRole('list', { name: 'Esperando há mais de 5 minutos' })
  const links = () =>
    list.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  await expect.poll(links).toEqual(await expected())
  await expect.poll(links).not.toContain(`/chat?conversation=${id}`)
  await expectSound(boss, 1440)
  await boss.getByRole('button', { name: 'Tirar o filtro: Esperando há mais de…' }).click()
  await block('Equipe agora', boss).getByRole('rowheader', { name: 'Bruno' }).waitFor()
})

describeInFull('the team', () => {
  const team = () => block('Equipe agora')
  const rowOf = (name: string) =>
    team()
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name }) })

  test('waiting conversations are distributed to those present, as it was shown', async () => {
    const boss = await signedIn('supervisora')
    const carla = await colleague('carla')
    await signedIn('carla')
    const { id } = await newTalk(bruno, 'Vai Para Outra', 'alguém?')
    await bruno.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: bruno.id })
    const row = block('Equipe agora', boss)
      .getByRole('row')
      .filter({ has: boss.getByRole('rowheader', { name: 'Bruno' }) })
    const waiting = async () =>
      (await bruno.openConversations()).filter(
        ({ assignedUserId, waitingSince }) => assignedUserId === bruno.id && waitingSince !== null,
      ).length
    await expect
      .poll(async () =>
        row.getByRole('button', { name: `Esperando Bruno Tavares: ${await waiting()}` }).count(),
      )
      .toBe(1)
    const waits = String(await waiting())
    await row.getByRole('button', { name: /^Esperando Bruno/ }).click()
    const list = block('Equipe agora', boss).getByRole('list', { name: /^Conversas de Bruno/ })
    await expect.poll(async () => String(await list.getByRole('listitem').count())).toBe(waits)
    await row.getByRole('button', { name: /^Distribuir as que esperam Bruno/ }).click()
    const dialog = boss.getByRole('dialog')
    await dialog.getByText(/quem está disponível e tem menos abertas/).waitFor()
    await expectSound(boss, 1440)
    await dialog.getByRole('button', { name: `Distribuir ${waits}` }).click()
    await boss.getByText(/distribuída/).waitFor()
    await expect
      .poll(async () => (await carla.openConversations()).find((one) => one.id === id)?.assignedUserId)
      .not.toBe(bruno.id)
    await expect.poll(() => row.getByRole('button', { name: /^Esperando Bruno/ }).count()).toBe(0)
  })

  test('the dashboard shows who is away to whoever may see the statistics or transfer', async () => {
    await rowOf('Ana').getByText('Online').waitFor()
    await ana.call('PUT', '/api/profile/presence', { state: 'away' })
    await rowOf('Ana').getByText('Ausente').waitFor()
    await ana.call('PUT', '/api/profile/presence', { state: 'available' })
    await rowOf('Ana').getByText('Online').waitFor()
    await alter('**/api/users/operators', (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await team().getByText('Não foi possível carregar a equipe.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
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
