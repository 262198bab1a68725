import { expect, test } from 'vitest'
import { guesserAddress } from './guesser-address.ts'

test.each([
  ['203.0.114.9', '203.0.114.9'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['10.0.0.2', '10.0.0.2'],
  ['2a02:6b8::1', '2a02:6b8:0:0::/64'],
  ['2a02:6b8:0:0:ffff:1:2:3', '2a02:6b8:0:0::/64'],
  ['2a02:6b8:0:1::1', '2a02:6b8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['what is this', 'what is this'],
])('guesses from %s are counted by %s', (peer, counted) => {
  expect(guesserAddress(peer)).toBe(counted)
})
