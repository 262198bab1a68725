import { describe, expect, test } from 'vitest'
import { guesserAddress } from './guesser-address.ts'

const undeclared = { isForwarded: true, hasTrustedProxy: false }

describe('the address by which guesses are counted', () => {
  test.each(['203.0.114.9', '2a02:6b8::1', '::ffff:8.8.8.8'])(
    'stays that of %s, whatever the guesser writes into X-Forwarded-For',
    (peer) => {
      expect(guesserAddress({ peer, ...undeclared })).toBe(peer)
    },
  )

  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.2',
    '172.17.0.1',
    '192.168.1.1',
    'fd00::1',
    'fe80::1',
  ])('is unknown behind a proxy at %s that nobody declared', (peer) => {
    expect(guesserAddress({ peer, ...undeclared })).toBeUndefined()
  })

  test('is what a declared proxy says, and the peer itself when nothing was forwarded', () => {
    expect(guesserAddress({ peer: '10.0.0.2', isForwarded: true, hasTrustedProxy: true })).toBe('10.0.0.2')
    expect(guesserAddress({ peer: '127.0.0.1', isForwarded: false, hasTrustedProxy: false })).toBe(
      '127.0.0.1',
    )
  })
})
