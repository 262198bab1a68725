import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as tls from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { readConfig } from '#server/platform/config.ts'
import { examineTls } from './own-tls.ts'

const folder = folderForTests()
// Node has it since 24.5, its types do not yet.
const { setDefaultCACertificates } = tls as unknown as {
  setDefaultCACertificates(certificates: readonly string[]): void
}
const known = tls.getCACertificates('default')
const dayMs = 86_400_000
let server: tls.Server
let cert: string

beforeAll(async () => {
  const line =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=localhost ' +
    '-addext subjectAltName=DNS:localhost -keyout own.key -out own.crt'
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' })
  cert = readFileSync(join(folder, 'own.crt'), 'utf8')
  server = tls.createServer({ cert, key: readFileSync(join(folder, 'own.key')) }).listen(0, 'localhost')
  server.on('tlsClientError', () => undefined)
  await once(server, 'listening')
})
afterAll(() => {
  setDefaultCACertificates(known)
  server.close()
})

const examine = (publicUrl: string, nowMs = Date.now()) =>
  examineTls(readConfig({ PUBLIC_URL: publicUrl }, false), nowMs)
const own = () => `https://localhost:${(server.address() as AddressInfo).port}`

test('a certificate that nobody trusts is at fault', async () => {
  expect(await examine(own())).toMatchObject({
    cause: 'tls_refused',
    text: expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)') as string,
  })
})

test('a trusted one is right until two weeks before its end', async () => {
  setDefaultCACertificates([...known, cert])
  expect(await examine(own())).toMatchObject({
    cause: 'tls_right',
    text: expect.stringMatching(/^O certificado de localhost:\d+ vale até \d\d\/\d\d\/\d{4}$/) as string,
  })
  expect(await examine(own(), Date.now() + 80 * dayMs)).toMatchObject({ cause: 'tls_ending' })
})

test('the doctor reports a missing HTTPS, and an address without an answer', async () => {
  expect(await examine('http://balcao.exemplo.com')).toMatchObject({ cause: 'tls_absent', state: 'warning' })
  expect(await examine('https://localhost:9')).toMatchObject({ cause: 'tls_unseen', state: 'skipped' })
})
