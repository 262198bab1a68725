import { expect, test } from 'vitest'
import { faultOf, macroSteps, type StepKind } from './steps.ts'

const of = (...kinds: StepKind[]) => faultOf(kinds.map((kind) => ({ kind })))

test('steps that can follow one another are a macro', () => {
  expect(of('text')).toBeUndefined()
  expect(of('text', 'file', 'text', 'note', 'tag', 'tag', 'category', 'priority', 'finalize')).toBeUndefined()
  expect(of('text', 'snooze', 'sector')).toBeUndefined()
  expect(of('snooze', 'note', 'person')).toBeUndefined()
})

test('steps that exclude each other are refused with the reason, whatever their order', () => {
  const never = '‘Lembrar’ com ‘Finalizar’ não vale: uma conversa finalizada não espera.'
  expect(of('snooze', 'finalize')).toBe(never)
  expect(of('finalize', 'snooze')).toBe(never)
  expect(of('sector', 'person')).toMatch(/^Escolha ‘Setor’ ou ‘Pessoa’/)
  expect(of('sector', 'text')).toMatch(/^Depois de ‘Setor’ não vem outro passo/)
  expect(of('person', 'finalize')).toMatch(/^Depois de ‘Pessoa’/)
  expect(of('finalize', 'note')).toBe('Depois de ‘Finalizar’ não vem outro passo.')
  for (const kind of ['category', 'priority', 'snooze', 'sector', 'person', 'finalize'] as const)
    expect(of(kind, kind)).toMatch(/^Só cabe um passo ‘/)
  expect(of()).toBe('Adicione pelo menos um passo.')
  expect(of(...Array.from({ length: 21 }, () => 'text' as const))).toMatch(/no máximo 20 passos/)
})

test('what is gone stays in a macro as nothing, and texts without words are refused', () => {
  expect(macroSteps.safeParse([{ kind: 'tag', tagId: null }]).success).toBe(true)
  expect(macroSteps.safeParse([{ kind: 'tag', tagId: 0 }]).success).toBe(false)
  expect(macroSteps.safeParse([{ kind: 'text', text: ' ' }]).success).toBe(false)
  expect(macroSteps.safeParse([{ kind: 'unknown' }]).success).toBe(false)
})
