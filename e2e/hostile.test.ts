import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PhoneMessage } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { hostileFiles } from '#server/testing/inputs/hostile-files.ts'
import { newContext } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { browser, colleague, phones, url } from './support/stage.ts'

// Whatever clients send is shown as text: nothing of it runs, loads or navigates.

let context: BrowserContext
let page: Page
let ana: Colleague
/** Scripts that ran, violations of the content security policy, requests to other hosts. Must stay empty. */
const reported: string[] = []

beforeAll(async () => {
  ana = await colleague('ana')
  context = await newContext(browser, { session: { url, token: ana.token } })
  await context.exposeFunction('__report', (what: string) => reported.push(what))
  await context.addInitScript(() => {
    const report = (what: string) =>
      (window as unknown as { __report: (what: string) => void }).__report(what)
    Object.assign(window, { __ran: () => report(`ran at ${location.href}`) })
    for (const name of ['alert', 'confirm', 'prompt'] as const)
      Object.assign(window, { [name]: () => report(name) })
    document.addEventListener('securitypolicyviolation', (event) =>
      report(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && host !== new URL(url).host)
      reported.push(`asked ${request.url()}`)
  })
  page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

const log = () => page.getByRole('log')

test('the trap notices code that runs, and requests to elsewhere', async () => {
  await page.evaluate(() => (window as unknown as { __ran: () => void }).__ran())
  await page.evaluate(() => void fetch('https://exemplo.invalid/').catch(() => undefined))
  await expect
    .poll(() => reported.map((what) => what.split(' ').slice(0, 2).join(' ')).toSorted())
    .toEqual(['policy: connect-src', 'ran at'])
  reported.length = 0
})

/** Sends each text in every field that is shown. */
function messagesOf(hostile: string, n: number): PhoneMessage[] {
  const short = hostile.slice(0, 200)
  return [
    { kind: 'text', text: hostile },
    {
      kind: 'contact',
      contacts: [
        {
          name: short,
          phones: [{ number: short }],
          organization: short,
          email: short,
          url: short,
        },
      ],
    },
    { kind: 'location', latitude: n / 10, longitude: -n / 10, name: short, address: short },
    {
      kind: 'poll',
      name: short,
      options: [`${short} a`.slice(0, 90), `b ${short}`.slice(0, 90)],
      selectableCount: 1,
    },
    {
      kind: 'document',
      base64: 'JVBERi0xLjQK',
      fileName: `${short.replace(/[\\/\0]/g, '')}.pdf`,
      caption: short,
    },
  ]
}

/** Scrolls to the beginning, to the end and back, until every row has been rendered. */
async function seeAll(marks: number): Promise<void> {
  await log().getByRole('article').last().waitFor()
  const rows = log().locator('[data-index]')
  const seen = new Set<string>()
  let direction: 'up' | 'down' = 'up'
  await expect
    .poll(
      async () => {
        for (const key of await rows.evaluateAll((all) =>
          all.map((row) => row.getAttribute('data-index') ?? ''),
        ))
          seen.add(key)
        const end = await log().evaluate((element) => {
          if (element.scrollTop < 2) return 'start'
          return element.scrollHeight - element.scrollTop - element.clientHeight < 2 ? 'end' : undefined
        })
        if (end) direction = end === 'start' ? 'down' : 'up'
        // Never past what is rendered: a browser that is late with a frame would let rows pass unseen.
        if (direction === 'up') await rows.first().evaluate((row) => row.scrollIntoView({ block: 'end' }))
        else await rows.last().evaluate((row) => row.scrollIntoView({ block: 'start' }))
        return seen.size
      },
      { timeout: 60_000, interval: 30 },
    )
    .toBeGreaterThanOrEqual(marks)
}

const groupSize = 6
const groups = Array.from({ length: hostileTexts.length / groupSize }, (_, n) => n)
/** Some texts of each sort, since those that are alike stand beside each other. */
const textsOf = (group: number) => hostileTexts.filter((_, n) => n % groups.length === group)

describe('three hundred texts', () => {
  testInFull('there are three hundred different hostile texts', () => {
    expect(new Set(hostileTexts).size).toBe(300)
  })

  test.each(inFullAlso(groups.slice(0, 1), groups.slice(1)))(
    'hostile texts are harmless in every kind of message, part %i',
    async (group) => {
      const texts = textsOf(group)
      // The name is also a hostile text.
      const phone = await phones.create(
        Array.from(texts[0] ?? '')
          .slice(0, 80)
          .join('')
          .trim(),
      )
      await phones.write(phone.id, texts[0] ?? '')
      const { id } = await ana.conversationWith(phone)
      let quotedId: string | undefined
      let count = 1
      for (const [n, text] of texts.entries()) {
        const sent = await Promise.all(messagesOf(text, n).map((message) => phones.send(phone.id, message)))
        quotedId ??= sent[0]?.id
        count += sent.length
      }
      for (const text of texts.slice(0, 5)) await phones.write(phone.id, text, quotedId)
      count += 5
      await ana.call('POST', `/api/conversations/${id}/messages`, { content: texts[1] })
      await expect
        .poll(async () => (await ana.openConversations()).find((row) => row.id === id)?.messageCount, {
          timeout: 60_000,
        })
        .toBe(count + 1)
      await page.goto(`${url}/chat?conversation=${id}`)
      await seeAll(count)
      expect(reported).toEqual([])
    },
  )

  testInFull('hostile texts are harmless as names, in every list', async () => {
    const named: PhoneView[] = []
    const names = hostileTexts.filter((one) => one.trim() !== '').slice(0, 60)
    for (const text of names) {
      const phone = await phones.create(Array.from(text).slice(0, 80).join('').trim())
      await phones.write(phone.id, text)
      named.push(phone)
    }
    const ids = await Promise.all(named.map((phone) => ana.conversationWith(phone)))
    for (const path of ['/', '/conversas-ativas?limit=50', '/conversas-ativas?limit=50&page=2']) {
      await page.goto(`${url}${path}`)
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
    }
    for (const { id } of ids.slice(0, 12)) {
      await page.goto(`${url}/chat?conversation=${id}`)
      await log().getByRole('article').first().waitFor()
    }
    expect(reported).toEqual([])
  })

  testInFull('a link in a hostile text leads only where links may lead', async () => {
    const hrefs = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol))
    for (const protocol of hrefs) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(protocol)
  })
})

/** So many of the files may be refused when an operator sends them. */
const mostRefused = 8

describeInFull('hostile files', () => {
  test('hostile files that are opened directly run nothing', async () => {
    const phone = await phones.create('Manda Arquivo Mau')
    await phones.write(phone.id, 'oi')
    const { id } = await ana.conversationWith(phone)
    const { token } = ana
    const addresses: string[] = []
    const files = Object.entries(hostileFiles)
    for (const [name, bytes] of files) {
      await phones.send(phone.id, {
        kind: 'image',
        base64: bytes.toString('base64'),
        mimetype: 'image/svg+xml',
        caption: name,
      })
      const form = new FormData()
      form.set('conversationId', String(id))
      form.set('file', new Blob([new Uint8Array(bytes)]), 'desenho.svg')
      const sent = await fetch(`${url}/api/media/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      if (sent.ok) addresses.push(((await sent.json()) as { fileUrl: string }).fileUrl)
      else expect(sent.status).toBe(422)
    }
    const received = await expect
      .poll(
        async () => {
          const all = await ana.call<{ fileUrl: string | null; messageType: string }[]>(
            'GET',
            `/api/conversations/${id}/messages`,
          )
          return all.filter(({ fileUrl }) => fileUrl !== null).map(({ fileUrl }) => fileUrl ?? '')
        },
        { timeout: 60_000 },
      )
      .toSatisfy((all: string[]) => all.length >= files.length + addresses.length)
      .then(() => ana.call<{ fileUrl: string | null }[]>('GET', `/api/conversations/${id}/messages`))
    const all = received.flatMap(({ fileUrl }) => fileUrl ?? [])
    expect(all.length).toBeGreaterThanOrEqual(2 * files.length - mostRefused)
    for (const address of all) {
      const tab = await context.newPage()
      // The file must be downloaded, not opened as a page.
      await tab.goto(`${url}${address}`).catch(() => undefined)
      await tab.close()
    }
    await page.goto(`${url}/chat?conversation=${id}`)
    await seeAll(all.length)
    expect(reported).toEqual([])
  })
})
