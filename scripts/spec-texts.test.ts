import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shownStrings } from './shown-strings.ts'
import { findSpecTextFaults, type SpecTexts } from './spec-texts.ts'

const spec: SpecTexts = {
  texts: [
    { text: 'Entrar', section: '2 Login' },
    { text: 'Página X de Y', section: '2 Pager', pattern: 'Página .{1,24} de .{1,24}' },
    { text: 'Novo Contato', section: '2 Contacts' },
  ],
  notYet: ['Novo Contato'],
}

const screen = shownStrings(
  'screen.tsx',
  `export const Screen = ({ page, total }) => (
    <main>
      <button>Entrar</button>
      <p>Página {page} de {total}</p>
    </main>
  )`,
)
const browserTest = shownStrings(
  'screen.test.ts',
  `await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByText(/Página \\d+ de \\d+/).waitFor()`,
)

const without = (strings: Set<string>, text: string) =>
  new Set([...strings].filter((string) => string !== text))

describe('the texts of the specification', () => {
  test('the texts of the specification are complete when every due text is shown and asserted', () => {
    expect(findSpecTextFaults(spec, screen, browserTest)).toEqual({
      notShown: [],
      notAsserted: [],
      doneAlready: [],
      unknown: [],
    })
  })

  test('the texts of the specification name a text that no screen shows', () => {
    const faults = findSpecTextFaults(spec, without(screen, 'Entrar'), browserTest)
    expect(faults.notShown).toEqual([{ text: 'Entrar', section: '2 Login' }])
  })

  test('the texts of the specification name a text that no browser test asserts', () => {
    const faults = findSpecTextFaults(spec, screen, new Set(['Entrar']))
    expect(faults.notAsserted.map(({ text }) => text)).toEqual(['Página X de Y'])
  })

  test('the texts of the specification do not take a longer text for the one that is missing', () => {
    const faults = findSpecTextFaults(spec, new Set(['Entrar agora', 'Página {} de {}']), browserTest)
    expect(faults.notShown.map(({ text }) => text)).toEqual(['Entrar'])
  })

  test('texts leave the list of what is not yet due once they are shown and asserted', () => {
    const both = (strings: Set<string>) => new Set([...strings, 'Novo Contato'])
    expect(findSpecTextFaults(spec, both(screen), browserTest).doneAlready).toEqual([])
    expect(findSpecTextFaults(spec, both(screen), both(browserTest)).doneAlready).toEqual(['Novo Contato'])
  })

  test('the list of texts not yet due has no unknown text, and none twice', () => {
    const [first] = spec.texts
    const odd = { texts: [...spec.texts, first!], notYet: ['Novo Cliente'] }
    expect(findSpecTextFaults(odd, screen, browserTest).unknown).toEqual(['Novo Cliente', 'Entrar'])
  })
})

test('no text of the specification is waiting to be reachable', () => {
  const path = new URL('../e2e/spec-texts.json', import.meta.url)
  expect((JSON.parse(readFileSync(path, 'utf8')) as SpecTexts).notYet).toEqual([])
})

describe('the strings of a file', () => {
  test.each([
    ['a literal', "toast('Dados incompletos')", 'Dados incompletos'],
    ['an attribute', '<input placeholder="Digite sua senha" />', 'Digite sua senha'],
    ['a template', 'const a = `FILA #${place}`', 'FILA #{}'],
    ['both ends of a plural', "const a = `há ${n} minuto${n === 1 ? '' : 's'}`", 'há {} minutos'],
    ['a sum', "const a = 'Última atividade ' + time", 'Última atividade {}'],
    [
      'an element over several lines',
      '<p>\n  Não há conversas\n  ativas no momento\n</p>',
      'Não há conversas ativas no momento',
    ],
    ['a choice inside an element', "<b>{busy ? 'Entrando...' : 'Entrar'}</b>", 'Entrando...'],
    ['a regular expression', 'getByText(/^Entrando\\.\\.\\.$/)', 'Entrando...'],
  ])('the strings of a file contain %s', (_what, code, text) => {
    expect([...shownStrings('file.tsx', code)]).toContain(text)
  })

  test('the strings of a file do not contain its comments', () => {
    expect([...shownStrings('file.tsx', "// 'Entrar'\n/* 'Entrar' */\nexport const a = 1")]).toEqual([])
  })

  test('the strings of a file join sums alone: a rest or a difference is a number', () => {
    const strings = shownStrings('x.ts', "const text = `${hours}h ${minutes % 60}min` + 'agora'")
    expect([...strings]).toContain('{}h {}minagora')
  })
})
