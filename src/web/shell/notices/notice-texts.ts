import type { GatewayState } from '#shared/gateway/gateway.ts'
import type { Notice, NoticeFact, NoticeKind } from '#shared/notices/notices.ts'
import { clockTime, dateTime, daySeparator } from '#web/platform/dates.ts'

interface NoticeText {
  /** What is wrong, in a sentence. */
  what: string
  /** What to do about it. */
  remedy: string
  /** Where it can be done. */
  place?: { path: string; label: string }
}

/** The most urgent first. */
const order: readonly NoticeKind[] = [
  'disk_low',
  'gateway_away',
  'gateway_silent',
  'webhooks_refused',
  'inbox_stuck',
  'queue_unserved',
  'events_set_aside',
  'sends_failed',
  'sends_undelivered',
  'sends_unconfirmed',
  'clock_corrected',
  'plain_http',
]
/** Nothing works as it should until somebody acts. */
const urgent = new Set<NoticeKind>([
  'disk_low',
  'gateway_away',
  'webhooks_refused',
  'inbox_stuck',
  'queue_unserved',
])

export const isUrgent = ({ fact }: Notice): boolean => urgent.has(fact.kind)

export const inOrder = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted((a, b) => order.indexOf(a.fact.kind) - order.indexOf(b.fact.kind))

const gateway = { path: '/settings?aba=gateway', label: 'Configurações → Evolution API' }

/** The words for a notice. @param nowMs the server's time */
export function noticeText({ fact, since }: Notice, nowMs: number): NoticeText {
  const from = `desde ${sinceText(since, nowMs)}`
  switch (fact.kind) {
    case 'gateway_away':
      return { ...awayText(fact.instanceName, fact.state, from), place: gateway }
    case 'gateway_silent':
      return { ...silentText(fact, sinceText(since, nowMs), nowMs), place: gateway }
    case 'sends_undelivered':
      return {
        what:
          `O WhatsApp não confirma a entrega a ` +
          `${counted(fact.count, 'contato', 'contatos')} nos últimos 30 minutos.`,
        remedy: 'Confira o celular.',
        place: gateway,
      }
    case 'webhooks_refused':
      return {
        what: `${counted(fact.count, 'webhook recusado', 'webhooks recusados')} ${from}: segredo errado.`,
        remedy: 'Configure o webhook de novo.',
        place: gateway,
      }
    case 'inbox_stuck':
      return {
        what: `Mensagens de ${counted(fact.count, 'contato', 'contatos')} não entram ${from}.`,
        remedy: 'O registro do servidor diz por quê.',
      }
    case 'events_set_aside':
      return {
        what:
          counted(
            fact.count,
            'evento do WhatsApp não pôde ser lido',
            'eventos do WhatsApp não puderam ser lidos',
          ) + ` ${from}.`,
        remedy: 'Veja de quem são, e fale com eles pelo celular.',
        place: gateway,
      }
    case 'queue_unserved':
      return {
        what:
          `${counted(fact.count, 'cliente espera', 'clientes esperam')} na fila de ${fact.sectorName} ` +
          `${from}, e ninguém do setor pode assumir.`,
        remedy: 'Ponha pessoas no setor, ou transfira as conversas.',
        place: { path: `/setores?setor=${fact.sectorId}`, label: 'Setores' },
      }
    case 'sends_unconfirmed':
      return {
        what: `${counted(fact.count, 'mensagem', 'mensagens')} sem confirmação de envio ${from}.`,
        remedy: 'Confira no celular o que chegou.',
        place: { path: '/conversas-ativas', label: 'Conversas Ativas' },
      }
    case 'sends_failed':
      return {
        what: counted(fact.count, 'mensagem não saiu', 'mensagens não saíram') + ' nos últimos 15 minutos.',
        remedy: 'Confira a conexão.',
        place: gateway,
      }
    case 'disk_low':
      return {
        what: `O disco do servidor ${fact.host} está quase cheio: ${gigabytes(fact.freeBytes)} GB livres.`,
        remedy: 'Libere espaço.',
      }
    case 'clock_corrected':
      return {
        what: `O relógio deste servidor foi corrigido (${sinceText(since, nowMs)}): ele estava adiantado.`,
        remedy: 'O que esperava por uma hora futura já seguiu. Mantenha o relógio sincronizado.',
      }
    case 'plain_http':
      return {
        what: 'O sistema está sem HTTPS: senhas e sessões passam abertas pela rede.',
        remedy: 'Defina PUBLIC_URL com https://.',
      }
  }
}

function awayText(name: string, state: GatewayState, from: string): Omit<NoticeText, 'place'> {
  switch (state) {
    case 'unauthorized':
      return { what: `O gateway recusou a chave de ${name} ${from}.`, remedy: 'Informe a chave certa.' }
    case 'unlicensed':
      return {
        what: `A Evolution API de ${name} precisa de uma licença ${from}.`,
        remedy: 'Ative-a no painel dela: até lá nada sai por este número.',
      }
    case 'unreachable':
      return { what: `O gateway de ${name} não responde ${from}.`, remedy: 'As respostas esperam por ele.' }
    default:
      return {
        what: `${name} está sem conexão com o WhatsApp ${from}.`,
        remedy: 'Confira o celular, ou leia o QR Code de novo.',
      }
  }
}

function silentText(
  { instanceName, silentSince, isRestarted }: Extract<NoticeFact, { kind: 'gateway_silent' }>,
  restartedAt: string,
  nowMs: number,
): Omit<NoticeText, 'place'> {
  const silence = `${instanceName} não recebeu nada desde ${sinceText(silentSince, nowMs)}`
  return isRestarted
    ? {
        what: `${silence}, e a conexão foi reiniciada às ${restartedAt}.`,
        remedy: 'Envie uma mensagem de teste ao número.',
      }
    : { what: `${silence}, e o gateway não reiniciou a conexão.`, remedy: 'Reinicie o gateway.' }
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const gigabytes = (bytes: number) =>
  (bytes / 1024 ** 3).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** '14:32', or '19/11/2026 14:32' of another day. */
const sinceText = (since: string, nowMs: number) =>
  daySeparator(since, nowMs) === 'Hoje' ? clockTime(since) : dateTime(since)
