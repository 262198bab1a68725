import { expect, test } from 'vitest'
import { createLog } from './log.ts'

const written = (act: (log: ReturnType<typeof createLog>) => void) => {
  const chunks: string[] = []
  act(createLog('debug', { write: (chunk) => void chunks.push(chunk) }))
  return chunks.join('')
}

test.each([
  ['a line end', 'ana\n{"level":50,"msg":"forjado"}'],
  ['a carriage return', 'ana\r\n{"level":50,"msg":"forjado"}'],
  ['another kind of line end', 'ana\u2028{"level":50,"msg":"forjado"}'],
  ['a zero and an escape', 'ana\u0000\u001b[2J'],
  ['half a character', 'ana\ud800'],
  ['quotes', 'ana","level":60,"msg":"forjado'],
])('%s in what somebody typed stays inside one line of JSON', (_name, typed) => {
  const out = written((log) => {
    log.warn({ username: typed, err: new Error(typed) }, typed)
    log.info('next')
  })
  const lines = out.split(/[\n\r]/).filter((line) => line !== '')
  expect(lines).toHaveLength(2)
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toMatchObject({ level: 40, app: 'balcao' })
  expect(second).toMatchObject({ level: 30, msg: 'next' })
})

test('secrets are hidden wherever they are logged', () => {
  const secret = 'segredo-que-ninguem-le'
  const headers = { authorization: secret, cookie: secret, apikey: secret }
  const out = written((log) => {
    log.info({ req: { headers } }, 'a call')
    log.info({
      headers,
      user: { password: secret, token: secret },
      config: { apiKey: secret, apikey: secret },
    })
  })
  expect(out).not.toContain(secret)
  expect(out.match(/\[oculto\]/g)).toHaveLength(10)
})

test('of a statement that failed the log has the words and not the values', () => {
  const reported = 'o telefone 5511987654321 de Maria'
  const failed = Object.assign(new Error(`Failed query: insert\nparams: ${reported}`), {
    query: 'insert into contacts (name) values ($1)',
    cause: Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'contacts_phone' }),
  })
  const line = JSON.parse(written((log) => log.error({ err: failed }, 'failed'))) as { err: object }
  expect(line.err).toMatchObject({
    message: 'duplicate key',
    code: '23505',
    constraint: 'contacts_phone',
    statement: failed.query,
  })
  expect(JSON.stringify(line)).not.toContain(reported)
})
