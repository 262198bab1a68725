import { inFullAlso, testInFull } from './support/matrix.ts'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newTalk } from './support/open-chat.ts'
import { expectAccessibleState } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const chief = await colleague('supervisora')
/** The waiting conversations, longest wait first. */
let queue: number[]
const taken = new Set<number>()

beforeAll(async () => {
  for (const name of ['Primeira Da Fila', 'Segunda Da Fila', 'Terceira Da Fila']) await newTalk(chief, name)
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
  })
})

testInFull("the queue's pane and Alt+P take the next; the chat marks the wait; failures show", async () => {
  const ana = await signedIn('ana')
  const third = (await waiting()).find(({ contact }) => contact.name === 'Terceira Da Fila')
  await ana.goto(`${url}/chat?conversation=${third?.id}`)
  await ana.getByRole('log').getByText('Entrou na fila').waitFor()
  await ana.getByRole('button', { name: /^Fila/ }).click()
  await ana.route('**/api/conversations/take-next', (route) => route.abort())
  await take(ana).click()
  await toast(ana, 'Erro ao assumir a próxima conversa').waitFor()
  await toast(ana, 'Erro de conexão. Verifique sua internet e tente novamente.').waitFor()
  await ana.unrouteAll({ behavior: 'ignoreErrors' })
  await ana.getByPlaceholder('Digite sua mensagem...').focus()
  await ana.keyboard.press('Alt+p')
  await expect.poll(() => opened(ana)).toBe(queue[0])
})
