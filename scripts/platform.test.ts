import { describe, expect, test } from 'vitest'
import { platformFault, thisMachine } from './platform.mjs'

const machine = (platform: string, arch: string, glibc?: string) => ({ platform, arch, glibc })

describe('a machine without a database of its own', () => {
  test.each([
    ['linux', 'x64', '2.27'],
    ['linux', 'x64', '2.36'],
    ['linux', 'arm64', '2.41'],
    ['linux', 'arm64', '3.0'],
    ['darwin', 'arm64', undefined],
    ['darwin', 'x64', undefined],
  ])('starts the embedded one: %s %s with glibc %s', (platform, arch, glibc) => {
    expect(platformFault(machine(platform, arch, glibc), false)).toBeUndefined()
  })

  test.each([
    ['musl', machine('linux', 'x64'), 'precisa da glibc, e este Linux tem outra biblioteca C'],
    ['musl on arm64', machine('linux', 'arm64'), 'precisa da glibc, e este Linux tem outra biblioteca C'],
    ['an old glibc', machine('linux', 'x64', '2.17'), 'precisa da glibc 2.27 ou mais nova, e esta é a 2.17'],
    ['Windows', machine('win32', 'x64'), 'não roda no Windows: use o WSL'],
  ])('is refused in one line that names the way out: %s', (_name, found, words) => {
    const fault = platformFault(found, false)
    expect(fault).toContain(words)
    expect(fault).toMatch(/defina DATABASE_URL$/)
    expect(fault).not.toContain('\n')
  })
})

test.each([machine('linux', 'x64'), machine('linux', 'x64', '2.17'), machine('win32', 'arm64')])(
  'with DATABASE_URL a machine needs no embedded database: %o',
  (found) => expect(platformFault(found, true)).toBeUndefined(),
)

test.each([machine('linux', 'arm', '2.36'), machine('linux', 'riscv64', '2.36'), machine('freebsd', 'x64')])(
  'a machine without packages is refused even with DATABASE_URL: %o',
  (found) =>
    expect(platformFault(found, true)).toMatch(/^O Balcão não roda em \S+: use linux-x64, linux-arm64, .*$/),
)

test('this machine can run the tests, and so the program', () => {
  expect(platformFault(thisMachine(), false)).toBeUndefined()
})
