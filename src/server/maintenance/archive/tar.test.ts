import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { readTarHeader, tarBytes, tarHeader, tarSize } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'balcao-tar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const contents = new Map([
  ['manifest.json', Buffer.from('{"product":"balcao"}')],
  ['tables/messages-0001.jsonl.zst', Buffer.alloc(70_000, 'ação\n')],
  ['tables/empty.jsonl.zst', Buffer.alloc(0)],
  ['files/a', Buffer.alloc(512, 1)],
])
const members = [...contents].map(([name, bytes]) => ({ name, size: bytes.length }))
const read = (name: string, { start, end }: { start: number; end: number }) =>
  Promise.resolve(Readable.from([contents.get(name)?.subarray(start, end + 1) ?? Buffer.alloc(0)]))

async function bytes(range?: { start: number; end: number }): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of tarBytes(members, read, range)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('any program takes the file apart', async () => {
  const whole = await bytes()
  expect(whole.length).toBe(tarSize(members))
  writeFileSync(join(folder, 'a.tar'), whole)
  execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder })
  for (const [name, expected] of contents)
    expect(readFileSync(join(folder, name)).equals(expected)).toBe(true)
})

test('a range has the bytes of the whole, wherever it begins and ends', async () => {
  const whole = await bytes()
  for (let start = 0; start < whole.length; start += 997)
    for (const length of [1, 511, 513, 9000]) {
      const end = Math.min(whole.length, start + length)
      expect((await bytes({ start, end })).equals(whole.subarray(start, end)), `${start} to ${end}`).toBe(
        true,
      )
    }
})

test('a header of which one bit is another is none', () => {
  const header = tarHeader({ name: 'files/a', size: 512 })
  expect(readTarHeader(header)).toEqual({ name: 'files/a', size: 512 })
  for (let bit = 0; bit < header.length * 8; bit++) {
    const flipped = Buffer.from(header)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(readTarHeader(flipped), `bit ${bit}`).toBeUndefined()
  }
})

test('a member that is shorter or longer than it was fails', async () => {
  for (const size of [19, 21]) {
    const take = async () => {
      for await (const _chunk of tarBytes([{ name: 'manifest.json', size }], () =>
        Promise.resolve(Readable.from([contents.get('manifest.json') ?? Buffer.alloc(0)])),
      ));
    }
    await expect(take()).rejects.toThrow(size < 20 ? 'longer' : 'shorter')
  }
})
