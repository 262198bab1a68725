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
  // Another day: of the night between nothing counts.
  ['reply', 1112, 900, 'amanhã, 09:04', 'responder até amanhã, 09:04', 'plain'],
  ['end', 6872, 6000, '24/11, 09:04', 'encerrar até 24/11, 09:04', 'plain'],
  ['reply', -1237, -1300, 'SLA ontem, 17:55', 'resposta atrasada desde ontem, 17:55', 'broken'],
  ['end', -3000, -9000, 'SLA 17/11, 12:32', 'encerramento atrasado desde 17/11, 12:32', 'broken'],
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
