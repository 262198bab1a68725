// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { slaText } from './conversation-clock.tsx'

const now = Date.parse('2026-11-19T17:32:00Z')
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

test.each([
  ['reply', 4, 1, 'em 4 min', 'responder em 4 min', 'plain'],
  ['reply', 4, -1, 'em 4 min', 'responder em 4 min', 'near'],
  ['reply', -2, -9, 'SLA +2 min', 'resposta atrasada 2 min', 'broken'],
  ['end', 75, 60, 'em 1 h', 'encerrar em 1 h', 'plain'],
  ['end', -3000, -9000, 'SLA +2 d', 'encerramento atrasado 2 d', 'broken'],
] as const)(
  'the clock of %s with %i min left, near in %i, says %s',
  (clock, left, near, text, told, look) => {
    const said = slaText({ clock, dueAt: at(left), nearAt: at(near) }, now)
    expect([said.text, said.told, said.isBroken ? 'broken' : said.isNear ? 'near' : 'plain']).toEqual([
      text,
      told,
      look,
    ])
  },
)
