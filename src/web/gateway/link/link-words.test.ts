import { expect, test } from 'vitest'
import { closedReasons, type GatewayLink } from '#shared/gateway/gateway-link.ts'
import { gatewayStates } from '#shared/gateway/gateway.ts'
import { linkWords, pairingWords, waitingWords } from './link-words.ts'

const closed: GatewayLink = {
  id: 1,
  instanceName: 'loja1',
  isActive: true,
  state: 'close',
  reason: null,
  reasonAt: null,
  isLinking: false,
  code: null,
  number: null,
  profileName: null,
  lastConnectedAt: '2026-11-20T12:00:00.000Z',
  webhookSetAt: null,
  heardAt: null,
  waitingCount: 0,
}

test('every state and reason has words of its own, and something to do', () => {
  const all = [
    ...gatewayStates.filter((state) => state !== 'open').map((state) => ({ ...closed, state })),
    ...closedReasons.map((reason) => ({ ...closed, reason })),
    { ...closed, lastConnectedAt: null },
  ].map((link) => linkWords(link, ' às 14:21'))
  expect(all.every((words) => words?.act)).toBe(true)
  // 'close' and 'disconnected', without a reason, are one to a person.
  expect(new Set(all.map((words) => words?.title)).size).toBe(all.length - 1)
})

test('a number that is connected, or shows a code, needs no words; one that is switched off does', () => {
  expect(linkWords({ ...closed, state: 'open' }, '')).toBeUndefined()
  const code = { text: '2@a', pairingCode: null, count: 1, shownAt: '2026-11-20T12:00:00.000Z' }
  expect(linkWords({ ...closed, state: 'connecting', code }, '')).toBeUndefined()
  expect(linkWords({ ...closed, state: 'open', isActive: false }, '')).toMatchObject({ act: 'settings' })
})

test('the time of a logout is reported, if it is known', () => {
  expect(linkWords({ ...closed, reason: 'phone' }, ' às 14:21')?.text).toContain('conectados às 14:21.')
  expect(linkWords({ ...closed, reason: 'phone' }, '')?.text).toContain('conectados.')
})

test('what waits is counted, and a pairing code is parted as WhatsApp asks for it', () => {
  expect([0, 1, 12].map(waitingWords)).toEqual([
    '',
    '1 mensagem espera aqui e sai quando o número estiver conectado.',
    '12 mensagens esperam aqui e saem quando o número estiver conectado.',
  ])
  expect(pairingWords('K7QF2M9D')).toBe('K7QF-2M9D')
})
