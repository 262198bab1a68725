import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './start-line.ts'

/** The default key of the gateway, which the form refuses. */
const shippedKey = '429683C4C977415CAAFCCE10F7D57E11'

/** An alphabet, in which no character repeats, or a file name. */
const isUsual = (word: string) => new Set(word).size === word.length || /\.[a-z]{3,4}$/.test(word)

/**
 * Finds what looks like a key, hash or token: 20 or more quoted letters and digits with little repetition.
 */
function keysIn(text: string): string[] {
  const quoted = [...text.matchAll(/['"`]([\w+/=.-]{20,512})['"`]/g)].map((match) => match[1] ?? '')
  return quoted.filter(
    (word) =>
      word.replaceAll(/\D/g, '').length >= 3 &&
      word.replaceAll(/[^a-z]/gi, '').length >= 3 &&
      new Set(word).size >= 10 &&
      !/^[a-z]+(?:[/-][a-z\d]+)+$/.test(word) &&
      !isUsual(word) &&
      word !== shippedKey,
  )
}

test('no file that is shipped holds a key', () => {
  const isShipped = (file: string) =>
    !/\.test\.tsx?$|\/payloads\/|\/testing\/|\/migrations\/meta\/|common-passwords/.test(file)
  const files = globSync('{src,scripts,docs}/**/*.{ts,tsx,mjs,json,sql,html,css,yml,md}', {
    cwd: projectFolder,
  })
    .filter(isShipped)
    .toSorted()
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) =>
    keysIn(readFileSync(join(projectFolder, file), 'utf8')).map((key) => `${file}: ${key}`),
  )
  expect(found).toEqual([])
})

test.each([
  '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d',
  'sk_live_51H8xYzK2mNpQrStUvWx',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w',
  'cmwpef3ln0028k87dibawu7su',
])('a key that somebody left there is seen: %s', (key) => {
  expect(keysIn(`const apiKey = '${key}'`)).toEqual([key])
})

test('names, addresses and media types are none', () => {
  const usual = [
    `'pollCreationMessageV5'`,
    `'/api/conversations/20/messages'`,
    `'application/vnd.openxmlformats-officedocument.wordprocessingml.document'`,
    `'nota-fiscal-48213.pdf'`,
    `'America/Argentina/Buenos_Aires'`,
  ]
  expect(keysIn(usual.join('\n'))).toEqual([])
})
