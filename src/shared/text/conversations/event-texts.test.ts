import { expect, test } from 'vitest'
import { actText } from './event-texts.ts'

test('the line between the messages says who did what, or what ended the conversation', () => {
  expect(actText('Ana', 'taken')).toBe('Ana assumiu a conversa')
  expect(actText('Ana', 'returned')).toBe('Ana devolveu a conversa à fila')
  expect(actText('', 'returned', 'Ana')).toBe('A conversa voltou à fila: Ana está em pausa')
  expect(actText('Ana', 'closed_by_inactivity')).toBe('Atendimento encerrado por inatividade')
})
