import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({ CALLS_PER_MINUTE: '60' }, withoutJobs))

test('whoever makes too many calls a minute is told when to come back, and others are not', async () => {
  const [ana, rita] = [await t.signIn('operator'), await t.signIn('operator')]
  const statuses = []
  for (let n = 0; n < 61; n++) statuses.push((await ana.request('GET', '/api/server-time')).status)
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200))
  const refused = await ana.request('GET', '/api/auth/me')
  expect(refused).toMatchObject({ status: 429, body: { code: 'request.too_often' } })
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(2)
  expect((await rita.request('GET', '/api/auth/me')).status).toBe(200)
  // A page shows them by the dozen.
  expect((await ana.request('GET', '/api/contacts/1/avatar')).status).toBe(404)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  expect((await ana.request('GET', '/api/auth/me')).status).toBe(200)
})

test('600 calls a minute are allowed, or as many as are configured', () => {
  expect(readConfig({}, false).callsPerMinute).toBe(600)
  expect(readConfig({ CALLS_PER_MINUTE: '0' }, false).callsPerMinute).toBe(0)
})
