import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { version } from '#shared/version.ts'
import { readConfig } from '#server/platform/config.ts'
import { createBucketClient } from '#server/platform/file-store/bucket-client.ts'
import { startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { figureBecomes, figureOf, scrapeOf } from '#server/testing/servers/figures.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// What is documented of the metrics, compared with what is served; those of a room are tested in the room.

const t = forAllTests(testApp)

const scrape = () => scrapeOf(t)
const figure = (series: string) => figureOf(t, series)
const becomes = (series: string, isGood: (value: number) => boolean) => figureBecomes(t, series, isGood)

test('a failed sign-in, the disk, the version and the age of the last backup are figures', async () => {
  const before = (await figure('balcao_login_failures_total')) ?? 0
  await t.request('POST', '/api/auth/login', { username: 'ninguém', password: 'errada' })
  await becomes('balcao_login_failures_total', (value) => value === before + 1)
  expect(await figure(`balcao_build_info{version="${version}"}`)).toBe(1)
  const [free, size] = [await figure('balcao_disk_free_bytes'), await figure('balcao_disk_size_bytes')]
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThan(free ?? 0)
  await t.sql`update installation set created_at = app_now() - interval '3 days'`
  await becomes('balcao_backup_age_seconds', (value) => value >= 3 * 86_400)
  await t.sql`insert into maintenance_backups (name, type, status, file_path, size, completed_at, created_at)
              values ('um', 'complete', 'completed', 'x', 1, app_now() - interval '1 hour', app_now())`
  await becomes('balcao_backup_age_seconds', (value) => value >= 3600 && value < 3700)
})

test('a bucket that is away shows in the figures, and that it is back', async () => {
  const server = await startBucketServer()
  const { bucket } = readConfig(server.env, false)
  if (!bucket) throw new Error('the bucket is not configured')
  const client = createBucketClient(bucket)
  const ask = () => client.find({ what: 'a read', method: 'GET', key: 'nothing' })
  server.refuse = () => 403
  await expect(ask()).rejects.toThrow()
  await becomes(`balcao_bucket_up{bucket="${bucket.name}"}`, (value) => value === 0)
  server.refuse = undefined
  await ask()
  await becomes(`balcao_bucket_up{bucket="${bucket.name}"}`, (value) => value === 1)
  await server.close()
})

describe('the metrics in the documents', () => {
  /** Name, kind and help of each metric of ours, as served. */
  const served = async () => {
    const metrics = await scrape()
    const typeOf = new Map(
      [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
    )
    return [...metrics.matchAll(/^# HELP (balcao_\S+) (.*)$/gm)]
      .map(([, name = '', help = '']) => ({ name, type: typeOf.get(name) ?? '', help }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  const isNamed = (name: string, names: ReadonlySet<string>) =>
    names.has(name) || names.has(name.replace(/_(bucket|sum|count)$/, ''))
  const namesIn = (text: string) => [...text.matchAll(/\bbalcao_\w+/g)].map(([name]) => name)

  test('docs/metrics.md lists every metric with its kind and meaning', async () => {
    const list = await readFile('docs/metrics.md', 'utf8')
    const rows = (await served()).map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`)
    expect(rows.length).toBeGreaterThan(30)
    const listed = list.split('\n').filter((line) => line.startsWith('| `balcao_'))
    expect(listed).toEqual(rows)
  })

  test('only what is counted is named _total, as a counter', async () => {
    for (const { name, type } of await served())
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  })

  test.each(['docs/alerts.yml', 'deploy/grafana-dashboard.json'])(
    '%s names only what is served',
    async (path) => {
      const names = new Set((await served()).map(({ name }) => name))
      const named = namesIn(await readFile(path, 'utf8'))
      expect(named.length).toBeGreaterThan(20)
      expect(named.filter((name) => !isNamed(name, names))).toEqual([])
    },
  )
})
