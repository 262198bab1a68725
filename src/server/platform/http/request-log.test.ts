import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { createLog } from '#server/platform/log.ts'
import { createHttp } from './http.ts'

async function ask(
  env: Record<string, string>,
  headers: Record<string, string> = {},
  url = '/api/docs?q=Ana',
) {
  const lines: Record<string, unknown>[] = []
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  const { app } = await createHttp({
    config: readConfig(env, false),
    log: createLog('info', to),
    authenticate: async () => undefined,
    onRefused: async () => undefined,
    refresh: async () => undefined,
  })
  const answer = await app.inject({ url, headers })
  await app.close()
  return { id: answer.headers['x-request-id'], status: answer.statusCode, lines }
}

test('an answer has the id of its request, or a new one', async () => {
  expect((await ask({}, { 'x-request-id': 'proxy-1.a:b' })).id).toBe('proxy-1.a:b')
  const own = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
  expect((await ask({})).id).toMatch(own)
  for (const hostile of ['a b', 'x'.repeat(65), '{"a":1}', 'é'])
    expect((await ask({}, { 'x-request-id': hostile })).id).toMatch(own)
  expect((await ask({}, { 'x-request-id': 'nothing' }, '/api/nothing')).id).toBe('nothing')
})

test('calls are logged with ACCESS_LOG=on alone, without what was looked for', async () => {
  expect((await ask({})).lines).toEqual([])
  const { lines } = await ask({ ACCESS_LOG: 'on' }, { 'x-request-id': 'um', cookie: 'session=segredo' })
  expect(lines).toMatchObject([
    { msg: 'request', requestId: 'um', method: 'GET', route: '/api/docs', status: 401, userId: null },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/Ana|segredo/)
})
