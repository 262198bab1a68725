import { expect, test } from 'vitest'
import { openText, stateOf } from './number-words.ts'

const at = '2026-11-19T12:00:00.000Z'

test.each([
  [true, 'open', at, 'Conectado', 'green'],
  [true, 'connecting', at, 'Reconectando', 'amber'],
  [true, 'close', at, 'Desconectado', 'red'],
  [true, 'disconnected', at, 'Desconectado', 'red'],
  [true, 'disconnected', null, 'Ainda não conectado', 'amber'],
  [true, 'unreachable', null, 'Sem resposta', 'red'],
  [true, 'unauthorized', at, 'Chave recusada', 'red'],
  [true, 'unlicensed', at, 'Sem licença', 'red'],
  // What it was before it was switched off does not matter.
  [false, 'open', at, 'Desativado', 'neutral'],
] as const)(
  'a number that is active: %s, in the state %s, once connected: %s, is reported as %s',
  (...row) => {
    const [isActive, status, lastConnectedAt, word, tone] = row
    expect(stateOf({ isActive, status, lastConnectedAt })).toEqual({ word, tone })
  },
)

test('open conversations are counted in words', () => {
  expect([0, 1, 2, 1200].map(openText)).toEqual([
    'nenhuma conversa aberta',
    '1 conversa aberta',
    '2 conversas abertas',
    '1.200 conversas abertas',
  ])
})
