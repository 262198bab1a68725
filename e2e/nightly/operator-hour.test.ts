import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { felt, spread } from '../support/felt.ts'
import { colleague, phones, signedIn, url } from '../support/stage.ts'

// An operator with fourteen clients in the queue, of whom twelve then write at once: by mouse, by keyboard
// alone, on a telephone. Prints how long the acts that are repeated all day feel.

interface Client {
  name: string
  phoneId: string
  id: number
}

/** How one operator works. */
interface Way {
  /** In the names of the clients, who share a demonstration. */
  tag: string
  width: number
  height: number
  /** From the list of active conversations to the client's chat. */
  openFromList(page: Page, name: string, act: (open: () => Promise<void>) => Promise<void>): Promise<void>
  take(page: Page): Promise<void>
  /** From the chat to another client's. */
  change(page: Page, name: string, act: (open: () => Promise<void>) => Promise<void>): Promise<void>
  send(page: Page, text: string, act: (send: () => Promise<void>) => Promise<void>): Promise<void>
  askToFinalize(page: Page): Promise<void>
  finalizeToNext(page: Page): Promise<void>
}

const field = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')
const finalizing = (page: Page) => page.getByRole('dialog', { name: 'Finalizar atendimento' })
const listOf = (page: Page, name: string) =>
  page.goto(`${url}/conversas-ativas?search=${encodeURIComponent(name)}`)

const byMouse: Way = {
  tag: 'Mouse',
  width: 1440,
  height: 860,
  async openFromList(page, name, act) {
    await listOf(page, name)
    const card = page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(name) })
      .first()
    await card.waitFor()
    await act(() => card.click())
  },
  take: (page) => page.locator('main header').getByRole('button', { name: 'Assumir' }).click(),
  async change(page, name, act) {
    const row = page.getByRole('region', { name: 'Conversas' }).getByText(name, { exact: true })
    await row.waitFor()
    await act(() => row.click())
  },
  async send(page, text, act) {
    await field(page).fill(text)
    await act(() => page.getByRole('button', { name: 'Enviar', exact: true }).click())
  },
  askToFinalize: (page) =>
    page.locator('main header').getByRole('button', { name: 'Finalizar', exact: true }).click(),
  async finalizeToNext(page) {
    await this.askToFinalize(page)
    await finalizing(page)
      .getByRole('checkbox', { name: /Ir para a próxima/ })
      .check()
    await finalizing(page).getByRole('button', { name: 'Finalizar e ir para a próxima' }).click()
  },
}

async function byName(page: Page, name: string, act: (open: () => Promise<void>) => Promise<void>) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
  await page.keyboard.type(name)
  await page.getByRole('option', { name, selected: true }).waitFor()
  await act(() => page.keyboard.press('Enter'))
}

const byKeyboard: Way = {
  tag: 'Tecla',
  width: 1440,
  height: 860,
  openFromList: byName,
  take: (page) => page.keyboard.press('Alt+a'),
  change: byName,
  async send(page, text, act) {
    await page.keyboard.type(text)
    await act(() => page.keyboard.press('Enter'))
  },
  askToFinalize: (page) => page.keyboard.press('Alt+l'),
  async finalizeToNext(page) {
    await this.askToFinalize(page)
    await finalizing(page).waitFor()
    await tabTo(page, finalizing(page).getByRole('checkbox', { name: /Ir para a próxima/ }))
    await page.keyboard.press('Space')
    await tabTo(page, finalizing(page).getByRole('button', { name: 'Finalizar e ir para a próxima' }))
    await page.keyboard.press('Enter')
  },
}

async function tabTo(page: Page, what: Locator): Promise<void> {
  for (let n = 0; n < 20; n++) {
    if (await what.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach it')
}

const onPhone: Way = {
  ...byMouse,
  tag: 'Celular',
  width: 390,
  height: 780,
  change: (page, name, act) => byMouse.openFromList(page, name, act),
  async askToFinalize(page) {
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Finalizar' }).click()
  },
}

describe.each([
  ['by keyboard alone', byKeyboard],
  ['by mouse', byMouse],
  ['on a telephone', onPhone],
] as const)('the hour of an operator, %s', (title, way) => {
  test('of fourteen, twelve are taken and write at once, and each is answered once, in order', async () => {
    const clients: Client[] = []
    const ana = await colleague('ana')
    for (let n = 1; n <= 14; n++) {
      const name = `Cliente ${way.tag}${String(n).padStart(2, '0')}`
      const phone = await phones.create(name)
      await phones.write(phone.id, `preciso de ajuda, ${name}`)
      clients.push({ name, phoneId: phone.id, id: (await ana.conversationWith(phone)).id })
    }
    const page = await signedIn('ana', { width: way.width, height: way.height })
    const times = {
      'Enter → bubble': [] as number[],
      'change of chat': [] as number[],
      'card → chat': [] as number[],
    }
    const mine = clients.slice(0, 12)
    for (const { name } of mine) {
      await way.openFromList(page, name, async (open) => {
        const shown = { within: '[role="log"]', text: `preciso de ajuda, ${name}` }
        times['card → chat'].push(await felt(page, open, shown))
      })
      await way.take(page)
      await field(page).waitFor()
      await way.send(page, `bom dia, ${name}`, async (send) => {
        times['Enter → bubble'].push(
          await felt(page, send, { within: '[role="log"]', text: `bom dia, ${name}` }),
        )
      })
    }
    await Promise.all(mine.map(({ name, phoneId }) => phones.write(phoneId, `e agora, ${name}?`)))
    for (const { name } of mine) {
      await way.change(page, name, async (open) => {
        times['change of chat'].push(
          await felt(page, open, { within: '[role="log"]', text: `e agora, ${name}?` }),
        )
      })
      await way.send(page, `resolvido, ${name}`, async (send) => {
        const shown = { within: '[role="log"]', text: `resolvido, ${name}` }
        times['Enter → bubble'].push(await felt(page, send, shown))
      })
    }
    for (const { name, phoneId } of mine)
      await expect.poll(() => phones.received(phoneId)).toEqual([`bom dia, ${name}`, `resolvido, ${name}`])
    const last = mine.at(-1)
    await way.finalizeToNext(page)
    await expect.poll(async () => (await stored(last)).status).toBe('completed')
    // Nobody of their own waits any more: on to the queue.
    await page.waitForURL(
      (address) => Number(address.searchParams.get('conversation') ?? last?.id) !== last?.id,
    )
    const next = Number(new URL(page.url()).searchParams.get('conversation'))
    await expect
      .poll(async () => (await ana.call<Conversation>('GET', `/api/conversations/${next}`)).assignedUser?.id)
      .toBe(ana.id)
    for (const [what, taken] of Object.entries(times)) console.log(`${title}, ${what}: ${spread(taken)}`)
    await page.context().close()

    async function stored(client: Client | undefined): Promise<Conversation> {
      return ana.call<Conversation>('GET', `/api/conversations/${client?.id}`)
    }
  }, 240_000)
})
