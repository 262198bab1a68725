import { inFullAlso, testInFull } from './support/matrix.ts'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleState } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

const chief = await colleague('supervisora')
/** The waiting conversations, longest wait first. */
let queue: number[]
const taken = new Set<number>()

beforeAll(async () => {
  for (const name of ['Primeira Da Fila', 'Segunda Da Fila', 'Terceira Da Fila']) {
    const phone = await phones.create(name)
    await phones.write(phone.id, `sou a ${name}`)
    await chief.conversationWith(phone)
  }
  queue = (await waiting()).map(({ id }) => id)
})
afterEach(async () => {
  // The demonstration's clients return to their positions in the queue.
  for (const id of taken)
    await chief.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: null })
  taken.clear()
})

const waiting = async () =>
  (await chief.openConversations())
    .filter(({ queuePosition }) => queuePosition > 0)
    .toSorted((a, b) => a.queuePosition - b.queuePosition)
const take = (page: Page) => page.getByRole('button', { name: 'Assumir próxima', exact: true })
const opened = async (page: Page) => {
  await page.waitForURL(/conversation=\d+/)
  const id = Number(new URL(page.url()).searchParams.get('conversation'))
  taken.add(id)
  return id
}

const sizes = inFullAlso([1440], [390])
describe.each(sizes)('at %i px', (width) => {
  test('the client who has waited longest is taken and opened, and the chat says so', async () => {
    const ana = await signedIn('ana', { width })
    await ana.goto(`${url}/conversas-ativas`)
    await take(ana).waitFor()
    await expectAccessibleState(ana)
    await take(ana).click()
    await expect.poll(() => opened(ana)).toBe(queue[0])
    const log = ana.getByRole('log')
    await log
      .getByText(/assumiu a conversa$/)
      .last()
      .waitFor()
    await expectAccessibleState(ana)
    await ana.context().close()
  })
})

testInFull('two operators who press at once get one client each, those who have waited longest', async () => {
  const people = await Promise.all(
    ['ana', 'bruno'].map(async (username) => {
      const page = await signedIn(username)
      await page.goto(`${url}/conversas-ativas`)
      await take(page).waitFor()
      return page
    }),
  )
  await Promise.all(people.map((page) => take(page).click()))
  const got = await Promise.all(people.map(opened))
  expect(got.toSorted((a, b) => a - b)).toEqual(queue.slice(0, 2).toSorted((a, b) => a - b))
  await Promise.all(people.map((page) => page.context().close()))
})

testInFull('finalizing leads to a client of one’s own, then takes the next of the queue', async () => {
  const elisa = await colleague('elisa')
  const talks: number[] = []
  for (const name of ['Minha Primeira', 'Minha Segunda']) {
    const phone = await phones.create(name)
    await phones.write(phone.id, 'oi')
    const { id } = await elisa.conversationWith(phone)
    await elisa.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: elisa.id })
    talks.push(id)
  }
  const page = await signedIn('elisa')
  await page.goto(`${url}/chat?conversation=${talks[0]}`)
  const form = page.getByRole('dialog', { name: 'Finalizar atendimento' })
  const finalize = () =>
    page.locator('header').getByRole('button', { name: 'Finalizar', exact: true }).click()
  await finalize()
  await form.getByRole('checkbox', { name: 'Ir para a próxima conversa' }).check()
  await form.getByText('Minha: Minha Segunda, que espera há mais tempo.').waitFor()
  await expectAccessibleState(page)
  await form.getByRole('button', { name: 'Finalizar e ir para a próxima' }).click()
  await page.waitForURL(`${url}/chat?conversation=${talks[1]}`)
  await finalize()
  await form.getByText('Assume a próxima da fila.').waitFor()
  await form.getByRole('button', { name: 'Finalizar e ir para a próxima' }).click()
  await page.waitForURL(`${url}/chat?conversation=${queue[0]}`)
  await expect.poll(() => opened(page)).toBe(queue[0])
  await page.context().close()
})

testInFull("the queue's pane and Alt+P take the next; the chat marks the wait; failures show", async () => {
  const ana = await signedIn('ana')
  const third = (await waiting()).find(({ contact }) => contact.name === 'Terceira Da Fila')
  await ana.goto(`${url}/chat?conversation=${third?.id}`)
  await ana.getByRole('log').getByText('Entrou na fila').waitFor()
  await ana.getByRole('button', { name: /^Fila/ }).click()
  await ana.route('**/api/conversations/take-next', (route) => route.abort())
  await take(ana).click()
  const toasts = ana.getByRole('region', { name: 'Notificações' })
  await toasts.getByText('Erro ao assumir a próxima conversa').waitFor()
  await toasts.getByText('Erro de conexão. Verifique sua internet e tente novamente.').waitFor()
  await ana.unrouteAll({ behavior: 'ignoreErrors' })
  await ana.getByPlaceholder('Digite sua mensagem...').focus()
  await ana.keyboard.press('Alt+p')
  await expect.poll(() => opened(ana)).toBe(queue[0])
  await ana.context().close()
})
