import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newPage } from '../../e2e/support/browser.ts'
import { picture } from '../../e2e/support/files.ts'
import { longConversation, operators, tokenOf } from '../environment/data.ts'
import { median } from '../load/load.ts'
import { lower, type Check, type Sample } from '../rounds.ts'
import type { Environment } from '../environment/environment.ts'
import type { CreateScenario } from './scenario.ts'

const shortMessages = 200
const opens = 5
/** How many older pages are loaded in a round. */
const pages = 12
const mostRows = 60
const heldMs = 250

/**
 * S10: a chat in a real browser: the cost of a long one compared with a short one, and whether its rows stay
 * in place.
 */
export const web: CreateScenario = (environment) => {
  const [short = 0, idle = 0] = environment.answered.filter((id) => id !== longConversation).slice(1)
  let browser: Browser | undefined
  const prepared = prepare(environment, short)
  const worst = { driftPx: 0, rows: 0, pages: 0, watched: 0 }
  return {
    name: 'web',
    title: 'S10 the chat in a browser',
    rounds: 3,
    figures: [
      lower('short', `open one of ${shortMessages}`, 'ms'),
      lower('long', `open the one of ${environment.size.longest}`, 'ms'),
      lower('times', `the one of ${environment.size.longest} ÷ the one of ${shortMessages}`, '×', {
        value: 1.5,
      }),
      lower('page', 'an older page, until it is shown', 'ms'),
    ],
    sides: {
      ours: async (): Promise<Sample> => {
        await prepared
        browser ??= await launchBrowser()
        const page = await newPage(browser)
        try {
          await page.addInitScript(
            (token) => localStorage.setItem('auth_token', token),
            tokenOf(operators + 1),
          )
          const times: Record<'short' | 'long', number[]> = { short: [], long: [] }
          for (let n = 0; n < opens; n++)
            for (const which of n % 2 ? (['long', 'short'] as const) : (['short', 'long'] as const))
              times[which].push(
                await open(
                  page,
                  environment.product.child.url,
                  idle,
                  which === 'short' ? short : longConversation,
                ),
              )
          const [shortMs, longMs] = [median(times.short), median(times.long)]
          await open(page, environment.product.child.url, idle, longConversation)
          // Delays the answer, since the position of a row has to be measured before the page arrives.
          await page.route(/\/messages\?before=/, async (route) => {
            const answer = await route.fetch()
            await sleep(heldMs)
            await route.fulfill({ response: answer })
          })
          const back = await goBack(page)
          worst.driftPx = Math.max(worst.driftPx, back.driftPx)
          worst.rows = Math.max(worst.rows, back.rows)
          worst.pages += back.pageMs.length
          worst.watched += back.watched
          return { short: shortMs, long: longMs, times: longMs / shortMs, page: median(back.pageMs) - heldMs }
        } finally {
          await page.context().close()
        }
      },
    },
    async finish(): Promise<Check[]> {
      await browser?.close()
      const { driftPx, rows, pages: gone, watched } = worst
      return [
        {
          title: 'nothing moves when an older page is inserted',
          // A page that arrives too early cannot be measured; most can.
          holds: driftPx < 0.5 && watched * 2 > gone,
          detail: `${driftPx.toFixed(2)} px at worst of ${watched} times (${gone} pages)`,
        },
        {
          title: `never more than ${mostRows} rows in the document`,
          holds: rows <= mostRows && rows > 0,
          detail: `${rows} at most`,
        },
      ]
    },
  }
}

/**
 * Turns some texts into pictures, voice messages, documents, locations and polls, alike in both
 * conversations.
 */
async function prepare(environment: Environment, short: number): Promise<void> {
  const { db, child } = environment.product
  await db.query(
    `insert into messages (conversation_id, instance_id, sender_type, content, whatsapp_message_id, sort_at,
        sent_at, created_at)
       select $1, 1, 'contact',
             'Mensagem ' || k || ' da conversa ' || $1 || ': gostaria de saber do pedido.', 'WEB' || k, at,
                   at, at
         from generate_series(1, ${shortMessages} - $2::int) k,
              lateral (select min(sort_at) - k * interval '1 minute' as at from messages
                    where conversation_id = $1) times`,
    [short, environment.size.messagesEach],
  )
  await db.query(`update conversations set message_count = ${shortMessages} where id = $1`, [short])
  for (const conversation of [short, longConversation]) {
    const form = new FormData()
    form.set('conversationId', String(conversation))
    form.set('file', new Blob([new Uint8Array(picture(320, 240, 90))]), 'foto.png')
    const answer = await fetch(`${child.url}/api/media/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf(operators + 1)}` },
      body: form,
    })
    if (!answer.ok) throw new Error(`the picture was refused: ${answer.status}`)
    const { fileUrl } = (await answer.json()) as { fileUrl: string }
    await db.query(
      `update messages m
          set message_type = kind.type, metadata = kind.metadata, file_name = kind.name, file_url = kind.url,
              file_mime_type = kind.mime, file_size = 2000
         from (select id, row_number() over (order by sort_at, id) % 20 as place from messages
                where conversation_id = $1 and message_type = 'text') numbered
         join (values (3, 'image', '{"width":320,"height":240}'::jsonb, 'foto.png', $2::text, 'image/png'),
                      (7, 'image', '{"width":240,"height":320}'::jsonb, 'foto.png', $2, 'image/png'),
                      (9, 'audio', '{"seconds":12,"isVoice":true}'::jsonb, null, $2, 'audio/ogg'),
                      (12, 'document', '{"pages":2}'::jsonb, 'nota fiscal.pdf', $2, 'application/pdf'),
                      (15, 'location',
                       '{"location":{"latitude":-23.5,"longitude":-46.6,"name":"Loja"}}'::jsonb,
                       null, null, null),
                      (18, 'poll', '{"poll":{"options":["manhã","tarde","noite"],"selectable":1}}'::jsonb,
                       null, null, null))
              as kind (place, type, metadata, name, url, mime) on kind.place = numbered.place
        where m.id = numbered.id`,
      [conversation, fileUrl],
    )
  }
  await db.query('vacuum analyze messages')
}

/**
 * Opens a chat from another one, without any of its data in the page yet.
 * @returns milliseconds until its end is on the screen
 */
async function open(page: Page, url: string, idle: number, conversation: number): Promise<number> {
  await page.goto(`${url}/chat?conversation=${idle}`)
  await page.getByRole('log').getByRole('article').last().waitFor()
  return page.evaluate(async (id) => {
    const startedAt = performance.now()
    history.pushState(null, '', `/chat?conversation=${id}`)
    for (;;) {
      await new Promise(requestAnimationFrame)
      const log = document.querySelector('[role=log]')
      const last = [...(log?.querySelectorAll('article') ?? [])].at(-1)
      if (
        log &&
        last?.textContent.includes(`da conversa ${id}`) &&
        last.getBoundingClientRect().top < innerHeight
      )
        return performance.now() - startedAt
      // The uploaded picture is the last message.
      if (log && last?.querySelector('img') && log.textContent.includes(`da conversa ${id}`))
        return performance.now() - startedAt
      if (performance.now() - startedAt > 20_000) throw new Error(`${id} did not open`)
    }
  }, conversation)
}

interface Back {
  driftPx: number
  /** Pages that arrived after the position of a row was measured. */
  watched: number
  rows: number
  pageMs: number[]
}

/**
 * Scrolls towards the beginning, page by page, and compares a row's position before and after a page arrives
 * above it.
 */
function goBack(page: Page): Promise<Back> {
  return page.evaluate(async (wanted) => {
    const log = document.querySelector('[role=log]') as HTMLElement
    const frame = () => new Promise(requestAnimationFrame)
    const back: Back = { driftPx: 0, watched: 0, rows: 0, pageMs: [] }
    const count = () => (back.rows = Math.max(back.rows, log.querySelectorAll('[data-index]').length))
    const inView = () => {
      const { top, bottom } = log.getBoundingClientRect()
      return [...log.querySelectorAll('article')].filter((one) => {
        const box = one.getBoundingClientRect()
        return box.top > top + 20 && box.bottom < bottom - 20 && /Mensagem \d+/.test(one.textContent)
      })
    }
    const find = (text: string) =>
      [...log.querySelectorAll('article')].find((one) => one.textContent === text)
    for (let n = 0; n < wanted; n++) {
      // Scrolls in steps as a reader does, so that every row gets measured.
      while (log.scrollTop > 900) {
        log.scrollTop -= 500
        await frame()
        count()
      }
      const height = log.scrollHeight
      log.scrollTop = 400
      const startedAt = performance.now()
      let mark: { text: string; top: number } | undefined
      for (let frames = 0; ; frames++) {
        await frame()
        count()
        if (log.scrollHeight > height + 2000) break
        // Rows above are measured in the first frames after scrolling.
        const [first] = frames >= 3 ? inView() : []
        if (first) mark = { text: first.textContent, top: first.getBoundingClientRect().top }
        if (performance.now() - startedAt > 10_000) throw new Error('no older page came')
      }
      back.pageMs.push(performance.now() - startedAt)
      if (mark) back.watched++
      for (let after = 0; mark && after < 20; after++) {
        const top = find(mark.text)?.getBoundingClientRect().top
        back.driftPx = Math.max(back.driftPx, top === undefined ? 1e6 : Math.abs(top - mark.top))
        await frame()
        count()
      }
    }
    return back
  }, pages)
}
