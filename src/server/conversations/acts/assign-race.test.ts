import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { type Client, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { atNight } from '#server/testing/nightly.ts'

const count = atNight(500, 40)

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

test(`of two who press 'Assumir' at once, ${count} times, one gets it and the other reads who`, async () => {
  const phone = t.simulator.control.createPhone({ name: 'Disputada', number: '5511946000001' })
  t.simulator.control.sendText(phone.id, 'quem me atende?')
  const [row] = await eventually(() => ana.get<Conversation[]>('/api/conversations'), { length: 1 })
  const path = `/api/conversations/${row?.id}/assign-operator`
  const names = await namesOf(ana, bruno)
  const press = (who: Client) =>
    who.request<ErrorBody | { operator: { id: number } }>('PATCH', path, {
      operatorId: who.userId,
      holderId: null,
    })
  const wins = new Map<number, number>()
  for (let round = 0; round < count; round++) {
    const pair = round % 2 === 0 ? [ana, bruno] : [bruno, ana]
    const answers = await Promise.all(pair.map(press))
    const winner = pair[answers.findIndex(({ status }) => status === 200)] as Client
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { code: 'conversations.taken', message: `A conversa já está com ${names.get(winner.userId)}.` },
    })
    const now = await ana.request<Conversation>('GET', `/api/conversations/${row?.id}`)
    expect(now.body.assignedUserId).toBe(winner.userId)
    wins.set(winner.userId, (wins.get(winner.userId) ?? 0) + 1)
    expect(await winner.request('PATCH', path, { operatorId: null })).toMatchObject({ status: 200 })
  }
  // Otherwise the calls did not race.
  expect(wins.size).toBe(2)
}, 120_000)

async function namesOf(...people: Client[]): Promise<Map<number, string>> {
  const all = await Promise.all(
    people.map((who) => who.request<{ user: { id: number; name: string } }>('GET', '/api/auth/me')),
  )
  return new Map(all.map(({ body: { user } }) => [user.id, user.name]))
}
