import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { readConfig } from '#server/platform/config.ts'
import { demoSignIn, passwordLine } from './demo.ts'

const dataDir = folderForTests()

// As a first start leaves it.
writeFileSync(join(dataDir, 'demo-password'), 'abcdefgh23')

const offerOf = (env: Record<string, string>) => demoSignIn({ ...readConfig({ ...env }, true), dataDir })

test('on the own machine the people of the demo are offered with their password, the same every time', () => {
  const offer = offerOf({})
  expect(offer?.people.map(({ username }) => username)).toContain('ana')
  expect(offer?.password).toMatch(/^[a-z2-9]{10}$/)
  expect(offerOf({ HOST: '127.0.0.1' })).toEqual(offer)
})

test.each<Record<string, string>>([
  { DEMO_PUBLIC: 'on' },
  { DEMO_PUBLIC: 'on', HOST: '0.0.0.0' },
  { PUBLIC_URL: 'https://demo.example' },
  { TRUST_PROXY: '10.0.0.1' },
])('with %j strangers may come, and nobody is offered', (env) => {
  expect(offerOf(env)).toBeUndefined()
})

test('a demo that was attached from a copy offers no password, since its own is not known', () => {
  const attached = folderForTests()
  expect(demoSignIn({ ...readConfig({}, true), dataDir: attached })).toBeUndefined()
  expect(passwordLine(attached)).toMatch(/^Senha: a da demonstração de onde veio a cópia/)
  expect(passwordLine(dataDir)).toBe('Senha de todos: abcdefgh23')
})
