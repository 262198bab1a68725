import { allAnswered, quantile, runLoad } from '../load/load.ts'
import { createOperator } from '../load/requests.ts'
import type { Figure, Sample } from '../rounds.ts'
import type { CreateScenario } from './scenario.ts'

/** What is asked of the product, and the best statement for it: the rows of the page and their number. */
const questions = [
  {
    key: 'page',
    title: 'page of 50',
    path: '',
    where: '',
  },
  {
    key: 'deep',
    title: 'page 400',
    path: '&page=400',
    where: '',
    offset: 399 * 50,
  },
  {
    key: 'name',
    title: 'search by name',
    path: '&search=mariana%20lima%2042',
    where: `and name_folded like '%mariana%' and name_folded like '%lima%' and name_folded like '%42%'`,
  },
  {
    key: 'number',
    title: 'search by part of the number',
    path: '&search=000421',
    where: `and phone like '%000421%'`,
  },
  {
    key: 'tag',
    title: 'one tag',
    path: '&tag=boleto',
    where: `and tags_folded @> array['boleto']`,
  },
  {
    key: 'category',
    title: 'one category',
    path: '&category=vip',
    where: `and lower(category) = 'vip'`,
  },
] as const

const pageSize = 50

/** The list of contacts: the product's calls beside the best indexed statements on the same rows. */
export const contacts: CreateScenario = (environment, { sliceMs }) => {
  const { db, http } = environment.product
  let isPrepared: Promise<unknown> | undefined
  // Every tenth has a tag, every fifth a category.
  const prepare = () =>
    (isPrepared ??= db
      .query(
        `update contacts set tags = case when id % 10 = 0 then array['Boleto', 'Obra'] else tags end,
                category = case when id % 5 = 0 then 'VIP' else category end`,
      )
      .then(() => db.query('vacuum analyze contacts')))

  const statement = async ({ where, ...rest }: (typeof questions)[number]) => {
    const offset = 'offset' in rest ? rest.offset : 0
    const from = `from contacts where deleted_at is null ${where}`
    await Promise.all([
      db.query(`select id, name, phone, email, category, tags, notes, company_id, avatar_url, is_blocked,
                       created_at, updated_at ${from}
                 order by name_folded, id limit ${pageSize} offset ${offset}`),
      db.query(`select count(*) ${from}`),
    ])
  }
  const timed = async (work: () => Promise<unknown>): Promise<number[]> => {
    const latencies: number[] = []
    const until = performance.now() + sliceMs
    while (performance.now() < until) {
      const started = performance.now()
      await work()
      latencies.push(performance.now() - started)
    }
    return latencies
  }

  const floor = async (): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    for (const question of questions)
      sample[question.key] = quantile(await timed(() => statement(question)), 0.95)
    return sample
  }
  const operator = createOperator()
  const ours = async (): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    for (const { key, path } of questions) {
      const next = () => ({
        method: 'GET' as const,
        path: `/api/contacts?limit=${pageSize}${path}`,
        headers: operator(),
      })
      const result = await runLoad(http, next, { connections: 1, ms: sliceMs })
      allAnswered(result, 200)
      sample[key] = quantile(result.latencies, 0.95)
    }
    return sample
  }
  return {
    name: 'contacts',
    title: 'S9 contacts (floor: the best statements alone)',
    figures: questions.map(({ key, title }): Figure => ({
      key,
      title: `${title}, p95`,
      unit: 'ms',
      better: 'lower',
      aims: [{ ratio: 3 }],
    })),
    sides: { floor, ours },
  }
}
