import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileInJson, jsonWithFile, UnreadFile } from './file-json.ts'

async function* inPieces(whole: Uint8Array, ...lengths: number[]): AsyncGenerator<Buffer> {
  for (let at = 0, n = 0; at < whole.length; n++) {
    const length = Math.max(1, lengths[n % Math.max(1, lengths.length)] ?? whole.length)
    yield Buffer.from(whole.subarray(at, at + length))
    at += length
  }
}
const gathered = async (pieces: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
const answerWith = (file: Buffer, around: object = { mimetype: 'image/png', fileName: 'ção "1".png' }) =>
  Buffer.from(JSON.stringify({ ...around, base64: file.toString('base64'), buffer: null }))

const anyPieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

test('a file is written into the JSON of a call as it comes, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), anyPieces, async (bytes, lengths) => {
      const file = { bytes: inPieces(bytes, ...lengths), sizeBytes: bytes.length }
      const json = jsonWithFile({ number: '55"11', caption: 'olá\n😀' }, 'media', file)
      const body = await gathered(json.bytes)
      expect(body.length).toBe(json.sizeBytes)
      expect(JSON.parse(body.toString('utf8'))).toEqual({
        number: '55"11',
        caption: 'olá\n😀',
        media: Buffer.from(bytes).toString('base64'),
      })
    }),
  )
})

test('a file of another size, or that cannot be read, ends the JSON before its end', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('abc')
    await Promise.reject(new Error('the bucket is away'))
  }
  const cases: [AsyncIterable<Uint8Array>, number, boolean][] = [
    [inPieces(Buffer.from('abcd'), 1), 3, true],
    [inPieces(Buffer.from('ab'), 1), 3, true],
    [failing(), 6, false],
  ]
  for (const [bytes, sizeBytes, isDamaged] of cases) {
    const reading = gathered(jsonWithFile({ number: '1' }, 'media', { bytes, sizeBytes }).bytes)
    await expect(reading).rejects.toThrow(UnreadFile)
    await expect(reading).rejects.toMatchObject({ isDamaged })
  }
})

test('a file is read out of the JSON of an answer as it comes, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), anyPieces, async (bytes, lengths) => {
      const answer = fileInJson(inPieces(answerWith(Buffer.from(bytes)), ...lengths), 'base64')
      expect((await gathered(answer.bytes)).equals(bytes)).toBe(true)
      expect(answer.rest()).toEqual({
        mimetype: 'image/png',
        fileName: 'ção "1".png',
        base64: '',
        buffer: null,
      })
    }),
  )
})

test.each([
  ['spaces', '{ "base64" : "aGVsbG8=" , "x": 1 }'],
  ['slashes behind a backslash', '{"base64":"aGVsbG8=","x":"a\\/b"}'],
  ['a caption that looks like the key', '{"caption":"\\"base64\\":\\"AAAA\\"","base64":"aGVsbG8="}'],
  ['the key inside a longer one', '{"base64url":"AAAA","base64":"aGVsbG8="}'],
])('%s do not lead astray', async (_name, text) => {
  const answer = fileInJson(inPieces(Buffer.from(text), 3), 'base64')
  expect((await gathered(answer.bytes)).toString()).toBe('hello')
  expect(answer.rest()).toMatchObject({ base64: '' })
})

test('slashes of base64 may stand behind a backslash', async () => {
  const answer = fileInJson(inPieces(Buffer.from('{"base64":"\\/\\/\\/\\/"}'), 1), 'base64')
  expect((await gathered(answer.bytes)).toString('hex')).toBe('ffffff')
})

test.each([
  ['nothing', ''],
  ['no file', '{"mimetype":"image/png"}'],
  ['null', '{"base64":null}'],
  ['a page of a proxy', '<html>502 Bad Gateway</html>'],
  ['half of it', '{"base64":"aGVs'],
  ['something else than base64', '{"base64":"<script>"}'],
  ['base64 that ends too soon', '{"base64":"aGVsb"}'],
  ['base64 that goes on behind its end', '{"base64":"aGU=aGVs"}'],
])('a file cannot be read from %s', async (_name, text) => {
  for (const length of [1, 7, 1000])
    await expect(gathered(fileInJson(inPieces(Buffer.from(text), length), 'base64').bytes)).rejects.toThrow(
      /the answer/,
    )
})

test('what stands around the file is only read to a limit', async () => {
  const endless = (async function* () {
    for (;;) yield Buffer.alloc(65_536, 0x20)
  })()
  await expect(gathered(fileInJson(endless, 'base64').bytes)).rejects.toThrow('no file')
})

test('the rest of an answer is not reported before its end', async () => {
  const half = fileInJson(inPieces(answerWith(Buffer.from('x'))), 'base64')
  expect(() => half.rest()).toThrow('no file')
  const spoiled = fileInJson(inPieces(Buffer.from('{"base64":"aGVs"')), 'base64')
  await gathered(spoiled.bytes)
  expect(() => spoiled.rest()).toThrow()
})

test('fifty megabytes pass in pieces, and never stand in memory whole', async () => {
  const sizeBytes = 50 * 1024 * 1024
  const piece = Buffer.alloc(65_536, 7)
  const bytes = (async function* () {
    for (let at = 0; at < sizeBytes; at += piece.length) yield piece
  })()
  const call = jsonWithFile({ number: '1' }, 'base64', { bytes, sizeBytes })
  const answer = fileInJson(call.bytes, 'base64')
  let [seen, largest] = [0, 0]
  for await (const part of answer.bytes) {
    seen += part.length
    largest = Math.max(largest, part.length)
  }
  expect(seen).toBe(sizeBytes)
  expect(largest).toBeLessThanOrEqual(2 * piece.length)
})
