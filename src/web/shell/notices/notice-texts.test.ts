import { describe, expect, test } from 'vitest'
import type { Notice, NoticeFact } from '#shared/notices/notices.ts'
import { inOrder, isUrgent, noticeText } from './notice-texts.ts'

const nowMs = Date.parse('2026-11-19T17:40:00Z')
const of = (fact: NoticeFact, since = '2026-11-19T17:32:08Z'): Notice => ({ id: 1, since, fact })
const whatOf = (fact: NoticeFact, since?: string) => noticeText(of(fact, since), nowMs).what

describe('what is wrong', () => {
  test.each<[NoticeFact, string]>([
    [
      { kind: 'gateway_away', instanceName: 'loja1', state: 'unauthorized' },
      'O gateway recusou a chave de loja1 desde 14:32.',
    ],
    [
      { kind: 'gateway_away', instanceName: 'loja1', state: 'unlicensed' },
      'A Evolution API de loja1 precisa de uma licença desde 14:32.',
    ],
    [
      { kind: 'gateway_away', instanceName: 'loja1', state: 'unreachable' },
      'O gateway de loja1 não responde desde 14:32.',
    ],
    [
      { kind: 'gateway_away', instanceName: 'loja1', state: 'close' },
      'loja1 está sem conexão com o WhatsApp desde 14:32.',
    ],
    [
      {
        kind: 'gateway_silent',
        instanceName: 'loja1',
        silentSince: '2026-11-19T17:00:00Z',
        isRestarted: true,
      },
      'loja1 não recebeu nada desde 14:00, e a conexão foi reiniciada às 14:32.',
    ],
    [
      {
        kind: 'gateway_silent',
        instanceName: 'loja1',
        silentSince: '2026-11-19T17:00:00Z',
        isRestarted: false,
      },
      'loja1 não recebeu nada desde 14:00, e o gateway não reiniciou a conexão.',
    ],
    [
      { kind: 'sends_undelivered', count: 5 },
      'O WhatsApp não confirma a entrega a 5 contatos nos últimos 30 minutos.',
    ],
    [{ kind: 'webhooks_refused', count: 57 }, '57 webhooks recusados desde 14:32: segredo errado.'],
    [{ kind: 'inbox_stuck', count: 1 }, 'Mensagens de 1 contato não entram desde 14:32.'],
    [
      { kind: 'queue_unserved', sectorId: 3, sectorName: 'Financeiro', count: 1 },
      '1 cliente espera na fila de Financeiro desde 14:32, e ninguém do setor pode assumir.',
    ],
    [
      { kind: 'queue_unserved', sectorId: 3, sectorName: 'Financeiro', count: 2 },
      '2 clientes esperam na fila de Financeiro desde 14:32, e ninguém do setor pode assumir.',
    ],
    [{ kind: 'events_set_aside', count: 1 }, '1 evento do WhatsApp não pôde ser lido desde 14:32.'],
    [{ kind: 'events_set_aside', count: 2 }, '2 eventos do WhatsApp não puderam ser lidos desde 14:32.'],
    [{ kind: 'sends_unconfirmed', count: 1 }, '1 mensagem sem confirmação de envio desde 14:32.'],
    [{ kind: 'sends_failed', count: 3 }, '3 mensagens não saíram nos últimos 15 minutos.'],
    [
      { kind: 'disk_low', host: 'servidor-1', freeBytes: 1200 * 1024 ** 2 },
      'O disco do servidor servidor-1 está quase cheio: 1,2 GB livres.',
    ],
    [{ kind: 'clock_corrected' }, 'O relógio deste servidor foi corrigido (14:32): ele estava adiantado.'],
    [{ kind: 'plain_http' }, 'O sistema está sem HTTPS: senhas e sessões passam abertas pela rede.'],
  ])('of %o is a sentence', (fact, what) => {
    expect(whatOf(fact)).toBe(what)
    expect(noticeText(of(fact), nowMs).remedy).not.toBe('')
  })

  test('a notice that began on another day has its date', () => {
    expect(whatOf({ kind: 'inbox_stuck', count: 2 }, '2026-11-18T17:32:08Z')).toBe(
      'Mensagens de 2 contatos não entram desde 18/11/2026 14:32.',
    )
  })
})

test('the most urgent notice is shown first', () => {
  const kinds = inOrder([
    of({ kind: 'plain_http' }),
    of({ kind: 'sends_failed', count: 3 }),
    of({ kind: 'gateway_away', instanceName: 'loja1', state: 'close' }),
  ])
  expect(kinds.map(({ fact }) => fact.kind)).toEqual(['gateway_away', 'sends_failed', 'plain_http'])
  expect(kinds.map(isUrgent)).toEqual([true, false, false])
})
