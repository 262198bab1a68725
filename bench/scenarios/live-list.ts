import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newPage } from '../../e2e/support/browser.ts'
import { operators, tokenOf } from '../environment/data.ts'
import { allAnswered, runLoad } from '../load/load.ts'
import { lower, type Check, type Sample } from '../rounds.ts'
import { createWriter, floorRequest, webhookRequest, type Written } from '../load/requests.ts'
import { drained, type CreateScenario, queryNumber } from './scenario.ts'

const openConversations = 5000
const perSecond = 20

/**
 * S10: the list beside the chat in a real browser, with thousands of conversations and twenty changes a
 * second.
 */
export const liveList: CreateScenario = (environment, { shiftMs }) => {
  const { product, floor } = environment
  let browser: Browser | undefined
  let prepared: Promise<void> | undefined
  let rowsShown = 0
  const checks: Check[] = []

  const watched = async (
    page: Page,
    requests: () => ReturnType<typeof webhookRequest>,
    http: typeof product.http,
  ) => {
    const tasks = await tasksOf(page, async () => {
      allAnswered(await runLoad(http, requests, { connections: 4, perSecond, ms: shiftMs }), 200, 201)
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
    title: `S10 the list beside the chat: ${openConversations} conversations, ${perSecond} messages a second`,
    rounds: 1,
    figures: [
      lower('over50', 'tasks over 50 ms (floor: a page that only appends text)', '', { value: 3 }),
      lower('over100', 'tasks over 100 ms', '', { value: 0 }),
      lower('longest', 'the longest', 'ms'),
      lower('longestByClock', 'the longest by the clock, with the time the machine did something else', 'ms'),
      lower('searchMs', 'search in the list, the longest task', 'ms'),
    ],
    sides: {
      floor: async (round): Promise<Sample> => {
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
          const write = createWriter(environment, `LF${round}E`)
          const requests = () => floorRequest('/in-notify', write())
          return await watched(page, requests, floor.http)
        } finally {
          await page.context().close()
        }
      },
      ours: async (round): Promise<Sample> => {
        await (prepared ??= prepare())
        browser ??= await launchBrowser()
        const page = await newPage(browser)
        try {
          await page.addInitScript(
            (token) => localStorage.setItem('auth_token', token),
            tokenOf(operators + 1),
          )
          await page.goto(`${product.child.url}/chat?conversation=${environment.answered[3] ?? 0}`)
          const list = page.getByRole('region', { name: 'Conversas', exact: true })
          await list.getByRole('listitem').first().waitFor()
          await page.getByRole('log').waitFor()
          await page.waitForTimeout(3000)
          rowsShown = await list.getByRole('listitem').count()
          const write = createWriter(environment, `LO${round}E`)
          const sample = await watched(page, () => webhookRequest(write() satisfies Written), product.http)
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
      const open = await queryNumber(
        product,
        `select count(*)::int as n from conversations where status <> 'completed'`,
      )
      checks.push({
        title: `${openConversations} open conversations`,
        holds: open >= openConversations,
        detail: `${open}`,
      })
      checks.push({
        title: 'few rows in the document',
        holds: rowsShown > 5 && rowsShown < 60,
        detail: `${rowsShown}`,
      })
      return checks
    },
  }

  /** Reopens completed conversations until there are enough open ones. */
  async function prepare(): Promise<void> {
    await product.db.query(
      `update conversations set status = 'waiting', sub_status = 'FILA', waiting_for = 'operator',
          waiting_since = started_at,
              completed_at = null, assigned_user_id = null, initiated_by = 'contact'
         where id in (select id from conversations where status = 'completed' order by id
                       limit greatest(0, $1 - (select count(*) from conversations
                             where status <> 'completed')))`,
      [openConversations],
    )
    await product.db.query('vacuum analyze conversations')
  }
}

/** Types a name letter by letter. @returns its longest task, in milliseconds of processor time */
async function search(page: Page, field: ReturnType<Page['getByRole']>): Promise<number> {
  const tasks = await tasksOf(page, async () => {
    await field.pressSequentially('mariana souza', { delay: 60 })
    await page.waitForTimeout(500)
  })
  return longestOf(tasks, 'ownMs')
}

interface Task {
  /** Elapsed time. */
  ms: number
  /** Processor time: server, database, gateway and browser share two processors and wait for one another. */
  ownMs: number
}

const longestOf = (tasks: Task[], by: keyof Task) => Math.max(0, ...tasks.map((task) => task[by]))

/** An event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** Traces the tasks of the page's main thread during an action. */
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
