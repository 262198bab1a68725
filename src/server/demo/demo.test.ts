import { expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { readConfig } from '#server/platform/config.ts'
import { demoSignIn } from './demo.ts'

const dataDir = folderForTests()

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
