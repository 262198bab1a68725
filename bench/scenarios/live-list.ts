import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newPage } from '../../e2e/support/browser.ts'
import { operators, tokenOf } from '../data.ts'
import { allAnswered, shoot } from '../load.ts'
import type { Check, Sample } from '../rounds.ts'
import { createWriter, floorShot, webhookShot, type Written } from '../shots.ts'
import { drained, type MakeScenario, one } from './plan.ts'

const openConversations = 5000
const perSecond = 20

/** S10: the list beside the chat in a real browser, with thousands of conversations of which twenty a second change. */
export const liveList: MakeScenario = (stage, { shiftMs }) => {
  const { product, floor } = stage
  let browser: Browser | undefined
  let prepared: Promise<void> | undefined
  let rowsShown = 0
  const checks: Check[] = []

  const watched = async (
    page: Page,
    shots: () => ReturnType<typeof webhookShot>,
    http: typeof product.http,
  ) => {
    const tasks = await tasksOf(page, async () => {
      allAnswered(await shoot(http, shots, { connections: 4, perSecond, ms: shiftMs }), 200, 201)
    })
    return {
      over50: tasks.filter(({ ownMs }) => ownMs > 50).length,
      over100: tasks.filter(({ ownMs }) => ownMs > 100).length,
      longest: longestOf(tasks, 'ownMs'),
      longestByClock: longestOf(tasks, 'ms'),
    }
  }

  return {
    name: 'live-list',
    title: `S10 a lista ao lado do chat: ${openConversations} conversas abertas, ${perSecond} mensagens por segundo`,
    rounds: 1,
    figures: [
      {
        key: 'over50',
        title: 'tarefas de mais de 50 ms (piso: página que só acrescenta texto)',
        unit: '',
        better: 'lower',
        land: { value: 3 },
      },
      { key: 'over100', title: 'tarefas de mais de 100 ms', unit: '', better: 'lower', land: { value: 0 } },
      { key: 'longest', title: 'a mais longa', unit: 'ms', better: 'lower' },
      {
        key: 'longestByClock',
        title: 'a mais longa pelo relógio, com o tempo em que a máquina fez outra coisa',
        unit: 'ms',
        better: 'lower',
      },
      { key: 'searchMs', title: 'procurar na lista, a tarefa mais longa', unit: 'ms', better: 'lower' },
    ],
    sides: {
      piso: async (round): Promise<Sample> => {
        browser ??= await launchBrowser()
        const page = await newPage(browser)
        try {
          await page.goto(`${floor.child.url}/nothing-here`)
          await page.evaluate(
            (url) => {
              document.body.textContent = ''
              new WebSocket(url).onmessage = ({ data }) =>
                document.body.append(String(data).slice(0, 200), document.createElement('br'))
            },
            `${floor.child.url.replace('http', 'ws')}/ws`,
          )
          const write = createWriter(stage, `LF${round}E`)
          const shots = () => floorShot('/in-notify', write())
          return await watched(page, shots, floor.http)
        } finally {
          await page.context().close()
        }
      },
      nosso: async (round): Promise<Sample> => {
        await (prepared ??= prepare())
        browser ??= await launchBrowser()
        const page = await newPage(browser)
        try {
          await page.addInitScript(
            (token) => localStorage.setItem('auth_token', token),
            tokenOf(operators + 1),
          )
          await page.goto(`${product.child.url}/chat?conversation=${stage.answered[3] ?? 0}`)
          const list = page.getByRole('region', { name: 'Conversas', exact: true })
          await list.getByRole('listitem').first().waitFor()
          await page.getByRole('log').waitFor()
          await page.waitForTimeout(3000)
          rowsShown = await list.getByRole('listitem').count()
          const write = createWriter(stage, `LO${round}E`)
          const sample = await watched(page, () => webhookShot(write() satisfies Written), product.http)
          const searchMs = await search(page, list.getByRole('searchbox'))
          await drained(product)
          return { ...sample, searchMs }
        } finally {
          await page.context().close()
        }
      },
    },
    async finish() {
      await browser?.close()
      const open = await one(
        product,
        `select count(*)::int as n from conversations where status <> 'completed'`,
      )
      checks.push({
        title: `${openConversations} conversas abertas`,
        holds: open >= openConversations,
        said: `${open}`,
      })
      checks.push({
        title: 'poucas linhas no documento',
        holds: rowsShown > 5 && rowsShown < 60,
        said: `${rowsShown}`,
      })
      return checks
    },
  }

  /** Opens as many more of those that were completed. */
  async function prepare(): Promise<void> {
    await product.db.query(
      `update conversations set status = 'waiting', sub_status = 'FILA', waiting_for = 'operator', waiting_since = started_at,
              completed_at = null, assigned_user_id = null, initiated_by = 'contact'
         where id in (select id from conversations where status = 'completed' order by id
                       limit greatest(0, $1 - (select count(*) from conversations where status <> 'completed')))`,
      [openConversations],
    )
    await product.db.query('vacuum analyze conversations')
  }
}

/** Types a name, letter by letter. @returns the longest task of it, in milliseconds of the processor */
async function search(page: Page, field: ReturnType<Page['getByRole']>): Promise<number> {
  const tasks = await tasksOf(page, async () => {
    await field.pressSequentially('mariana souza', { delay: 60 })
    await page.waitForTimeout(500)
  })
  return longestOf(tasks, 'ownMs')
}

interface Task {
  /** By the clock. */
  ms: number
  /** On the processor: server, database, gateway and browser share two of them, and wait for one another. */
  ownMs: number
}

const longestOf = (tasks: Task[], by: keyof Task) => Math.max(0, ...tasks.map((task) => task[by]))

/** What Chromium writes of the tasks of its threads. Times in microseconds. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** The tasks of the page's own thread while something happens. */
async function tasksOf(page: Page, work: () => Promise<void>): Promise<Task[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('a page without a browser')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const events = trace.traceEvents
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const isMain = ({ pid, tid }: TraceEvent) => mains.some((main) => main.pid === pid && main.tid === tid)
  return events
    .filter((event) => event.name === 'ThreadControllerImpl::RunTask' && isMain(event))
    .map(({ dur = 0, tdur = 0 }) => ({ ms: dur / 1000, ownMs: tdur / 1000 }))
}
