import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { hashToken, openSecrets, randomToken, sameSecret } from './secrets.ts'

const folder = folderForTests()

const key = 'k3Jx9vQ2mN8rT5wY7zB4cD6fG1hL0pSa'

describe('what is sealed', () => {
  const secrets = openSecrets(key, '/nowhere')

  test('a sealed text comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(secrets.decrypt(secrets.encrypt(text))).toBe(text)
      }),
    )
    expect(secrets.decrypt(secrets.encrypt(''))).toBe('')
  })

  test('a sealed text looks different every time and shows nothing of the text', () => {
    const sealed = Array.from({ length: 200 }, () => secrets.encrypt('chave-do-gateway'))
    expect(new Set(sealed).size).toBe(200)
    for (const one of sealed) {
      expect(one).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/)
      expect(Buffer.from(one.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('chave')
    }
  })

  test('a sealed text is refused with any letter of it changed, cut off or added', () => {
    const sealed = secrets.encrypt('chave')
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      // The last character of a part has unused bits.
      const isSame = changed
        .split('.')
        .every((part, index) =>
          Buffer.from(part, 'base64url').equals(Buffer.from(sealed.split('.')[index] ?? '', 'base64url')),
        )
      if (!isSame || at < 2) expect(() => secrets.decrypt(changed)).toThrow()
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => secrets.decrypt(sealed.slice(0, length))).toThrow()
  })

  test('a sealed text is refused with its tag cut short', () => {
    const [version, nonce, tag, text] = secrets.encrypt('chave').split('.')
    for (let bytes = 0; bytes < 16; bytes++) {
      const short = Buffer.from(tag ?? '', 'base64url')
        .subarray(0, bytes)
        .toString('base64url')
      expect(() => secrets.decrypt([version, nonce, short, text].join('.'))).toThrow()
    }
  })

  test('a sealed text is refused by another key', () => {
    expect(() => openSecrets(`${key}x`, '/nowhere').decrypt(secrets.encrypt('chave'))).toThrow()
  })
})

test('a fingerprint is the same for the same name and key, and for no others', () => {
  const [one, other] = [openSecrets(key, '/nowhere'), openSecrets(`${key}x`, '/nowhere')]
  expect(one.fingerprint('ana')).toBe(openSecrets(key, '/nowhere').fingerprint('ana'))
  expect(one.fingerprint('ana')).not.toBe(one.fingerprint('Ana'))
  expect(one.fingerprint('ana')).not.toBe(other.fingerprint('ana'))
})

test('the key of the data folder is made once, for its owner alone, and found again', () => {
  const dataDir = join(folder, 'a', 'b')
  const sealed = openSecrets(undefined, dataDir).encrypt('chave')
  const file = join(dataDir, 'secret.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}$/)
  expect(openSecrets(undefined, dataDir).decrypt(sealed)).toBe('chave')
})

test('the key of the data folder is closed to others when somebody opened it', () => {
  const file = join(folder, 'secret.key')
  writeFileSync(file, key, { mode: 0o644 })
  openSecrets(undefined, folder)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the key of the data folder that is empty or cut off is not used as if it were one', () => {
  const file = join(folder, 'secret.key')
  for (const content of ['', '\n', 'abc']) {
    writeFileSync(file, content)
    expect(() => openSecrets(undefined, folder)).toThrow(/secret\.key/)
  }
})

test('tokens are 256 bits, never twice, and stored only as a hash', () => {
  const tokens = Array.from({ length: 1000 }, randomToken)
  expect(new Set(tokens).size).toBe(1000)
  for (const token of tokens.slice(0, 10)) {
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(hashToken(token)).not.toContain(token)
    expect(hashToken(token)).toBe(hashToken(token))
  }
})

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['', '', true],
  ['', 'a', false],
  ['é', 'e\u0301', false],
])('%j and %j are the same: %s', (given, kept, isSame) => {
  expect(sameSecret(given, kept)).toBe(isSame)
})
