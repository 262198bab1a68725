import { sql } from 'drizzle-orm'
import { liveEvents, type LiveEventType } from '#shared/live-events.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { acts, broughtBy as bringing } from '../rooms.ts'
import { Browser, installBrowsers, until } from './browser.ts'
import { differences } from './compare.ts'
import { loadPage, type Page } from './page.ts'
import { startWorld, type World } from './world.ts'

export interface WalkOptions {
  walks: number
  steps: number
  seed: number
  /** Called after each walk. */
  onWalk?: (done: number, found: Failure | undefined) => void
}

export interface Failure {
  seed: number
  step: number
  /** The last acts, newest last. */
  acts: string[]
  differences: string[]
}

export interface WalkReport {
  steps: number
  compared: number
  /** The number of frames by type, over all browsers. */
  seen: Map<LiveEventType, number>
  neverSeen: LiveEventType[]
  failures: Failure[]
}

/**
 * Random acts in the real app, with headless browsers whose caches the web's own code patches by pushed
 * events. At any time a cache must equal a fresh fetch. The same seed repeats the same acts.
 * @see reliability F-22, R11
 */
export async function runWalks(database: Database, options: WalkOptions): Promise<WalkReport> {
  const uninstall = installBrowsers()
  const page = await loadPage()
  const world = await startWorld(database)
  const report: WalkReport = { steps: 0, compared: 0, seen: new Map(), neverSeen: [], failures: [] }
  try {
    for (let n = 0; n < options.walks; n++) {
      const failure = await walk(world, page, options.seed + n, options.steps, report)
      if (failure) report.failures.push(failure)
      options.onWalk?.(n + 1, failure)
    }
  } finally {
    await world.stop()
    uninstall()
  }
  const types = Object.keys(liveEvents) as LiveEventType[]
  report.neverSeen = types.filter((type) => !report.seen.has(type))
  return report
}

async function walk(
  world: World,
  page: Page,
  seed: number,
  steps: number,
  report: WalkReport,
): Promise<Failure | undefined> {
  const random = createRandom(seed)
  await world.reset(random)
  await makeLongTalk(world)
  const browsers = world.principals.map((who) => new Browser(world.url, who, page))
  const done: string[] = []
  try {
    for (const browser of browsers) {
      browser.open()
      await browser.connect()
    }
    for (let step = 1; step <= steps; step++) {
      const name = choose(random)
      done.push(name)
      await acts[name][1](world, browsers)
      report.steps++
      if (random() < 0.4 && step < steps) continue
      const found = await settleAndCompare(world, browsers, step === steps || random() < 0.5)
      report.compared++
      if (found.length > 0) return { seed, step, acts: done.slice(-20), differences: found.slice(0, 12) }
    }
    return undefined
  } finally {
    for (const browser of browsers) {
      for (const [type, times] of browser.seen) {
        const known = report.seen.get(type as LiveEventType) ?? 0
        report.seen.set(type as LiveEventType, known + times)
      }
      await browser.close()
    }
  }
}

/** More than one page of messages. */
async function makeLongTalk(world: World): Promise<void> {
  const client = world.newClient()
  await world.happens(client.person.writes('primeira', 1))
  await world.database.execute(
    sql`with written as (
          insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
          select c.id, c.instance_id, 'contact', 'linha ' || n, app_now() - (300 - n) * interval '1 second',
                app_now()
            from conversations c, generate_series(1, 210) n returning id)
        update conversations set message_count = message_count + 210,
               contact_message_count = contact_message_count + 210, version = version + 1,
               last_message_id = (select max(id) from written)`,
  )
  await world.emit({ type: 'queue_changed' })
}

type ActName = keyof typeof acts

/** The act that causes each event. A new event without an entry, or with an unknown act, does not compile. */
export const broughtBy: Readonly<Record<LiveEventType, ActName>> = bringing

const weights = Object.entries(acts).map(([name, [weight]]) => [name as ActName, weight] as const)
const totalWeight = weights.reduce((sum, [, weight]) => sum + weight, 0)

function choose(random: Random): ActName {
  let left = random() * totalWeight
  const [name] = weights.find(([, weight]) => (left -= weight) < 0) ?? weights[0] ?? []
  if (name === undefined) throw new Error('there are no acts')
  return name
}

/**
 * Compares again after a difference: background work, such as a gateway check, may fall between the two
 * reads.
 */
const readings = 3

async function settleAndCompare(world: World, browsers: Browser[], isSecondOver: boolean): Promise<string[]> {
  let found: string[] = []
  for (let reading = 0; reading < readings; reading++) {
    await settle(world, browsers)
    if (isSecondOver)
      for (const browser of browsers) {
        browser.land()
        await browser.idle()
        browser.passSecond()
        await browser.idle()
      }
    found = (await Promise.all(browsers.map((browser) => differences(world, browser)))).flat()
    if (found.length === 0) return found
  }
  return found
}

/** Waits for an event that all browsers receive after everything written so far. */
async function settle(world: World, browsers: Browser[]): Promise<void> {
  const before = browsers.map((browser) => browser.barriers)
  await world.emit({ type: 'settings_changed' })
  await until(() => browsers.every((browser, at) => browser.barriers > (before[at] ?? 0)))
  for (const browser of browsers) await browser.idle()
}
