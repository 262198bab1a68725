import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readNewPassword } from './password-input.ts'

const piped = (...chunks: (string | Buffer)[]) =>
  readNewPassword(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), new PassThrough())

test.each([
  ['alface-roxa', 'alface-roxa'],
  ['alface-roxa\n', 'alface-roxa'],
  ['alface-roxa\r\n', 'alface-roxa'],
  [' com espaços  \n', ' com espaços  '],
])('a password from a pipe: %j is read as %j', async (given, expected) => {
  expect(await piped(given)).toBe(expected)
})

test('a sign that comes in two pieces stays whole', async () => {
  const bytes = Buffer.from('maçã-verde')
  expect(await piped(bytes.subarray(0, 3), bytes.subarray(3))).toBe('maçã-verde')
})

test.each([
  ['', 'Nenhuma senha veio pela entrada padrão.'],
  ['\n', 'Nenhuma senha veio pela entrada padrão.'],
  ['uma-senha\noutra-senha\n', 'A entrada padrão tem mais de uma linha: passe só a senha.'],
  [Buffer.from([0xff, 0xfe, 0x61]), 'A senha na entrada padrão não está em UTF-8.'],
  ['x'.repeat(70_000), 'A senha na entrada padrão é longa demais.'],
])('a password from a pipe refuses what is no password (%#)', async (given, message) => {
  await expect(piped(given)).rejects.toMatchObject({ message, exitCode: 1 })
})

describe('a password at a terminal', () => {
  /** A terminal with a typing person; `isRaw` says whether the terminal itself would echo. */
  function terminal() {
    const raw: boolean[] = []
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isOn: boolean) => raw.push(isOn),
    })
    const output = new PassThrough({ encoding: 'utf8' })
    let shown = ''
    output.on('data', (text: string) => {
      shown += text
      const answer = shown.endsWith(': ') ? answers.shift() : undefined
      if (answer !== undefined) setImmediate(() => input.write(answer))
    })
    let answers: string[] = []
    const type = (...keys: string[]) => {
      answers = keys
      return readNewPassword(input, output)
    }
    return { type, raw, shown: () => shown }
  }

  test('a password at a terminal is asked for twice, and no sign of it is shown', async () => {
    const { type, raw, shown } = terminal()
    expect(await type('alface-roxa\r', 'alface-roxa\r')).toBe('alface-roxa')
    expect(shown()).toBe('Nova senha: \nRepita a senha: \n')
    expect(raw).toEqual([true, false])
  })

  test('a password at a terminal that is typed in two ways is refused', async () => {
    await expect(terminal().type('alface-roxa\r', 'alface-rosa\r')).rejects.toMatchObject({
      message: 'As duas senhas não são iguais: nada foi mudado.',
      exitCode: 1,
    })
  })

  test.each([
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ])('a password at a terminal ends with %s, and gives the terminal back', async (_, key) => {
    const { type, raw } = terminal()
    await expect(type(key)).rejects.toMatchObject({ exitCode: 130 })
    expect(raw).toEqual([true, false])
  })
})
