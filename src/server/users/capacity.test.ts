import { expect, test } from 'vitest'
import type { Operator } from '#shared/users/users.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const capacity = async () =>
  (await chefe.get<Operator[]>('/api/users/operators')).find(({ id }) => id === ana.userId)?.capacity

test('the capacity of a person is the general one, or the most of their living sectors', async () => {
  expect(await capacity()).toBe(5)
  await chefe.request('PATCH', '/api/system-settings', { maxActivePerOperator: 8 })
  expect(await capacity()).toBe(8)
  const join = (name: string, most: number | null) => t.sql`
    with made as (insert into sectors (name, color, max_active_per_operator)
                  values (${name}, '#2563eb', ${most}::int) returning id)
    insert into sector_people (sector_id, user_id) select id, ${ana.userId} from made`
  await join('Suporte', 3)
  expect(await capacity()).toBe(3)
  await join('Vendas', 12)
  expect(await capacity()).toBe(12)
  await t.sql`update sectors set is_active = false where name = 'Vendas'`
  expect(await capacity()).toBe(3)
  await join('Financeiro', null)
  expect(await capacity()).toBe(8)
})
